"""What an engine tries, and what stops it: as the user who runs the tests (root perhaps) and as an ordinary one.

Each attempt that harms nobody is also made without containment, where it must succeed: so the others prove something.
"""

import ctypes
import os
import select
import signal
import socket
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from protocol.containment.policy import Caps, Level
from tests.protocol.containment.conftest import SYSTEM_PYTHON
from tests.protocol.containment.referees import Ran, Referee, job

PYTHON = ("{python}", "-I", "-S", "-c")
OUT = "import os, sys, ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\n"


def attempt(referee: Referee, level: Level, code: str, *arguments: object, caps: Caps | None = None) -> Ran:
    """Run Python code in the sandbox. Its paths travel in the environment, since a command's paths are granted."""
    environment = {f"A{number}": str(value) for number, value in enumerate(arguments)}
    program = OUT + f"A = [os.environ[f'A{{n}}'] for n in range({len(arguments)})]\n" + code
    return referee.run(level, [*PYTHON, program, "{mark}", "{referee}"], environment=environment, caps=caps)


def got(ran: Ran) -> bool:
    """True if it printed that it got what it wanted; Python 3.13 shows the code of a traceback, too."""
    return any(line.startswith("got") for line in ran.out.splitlines())


READ = "print('got', open(A[0] + '/secret').read())"
LIST = "print('got', os.listdir(A[0]))"
WRITE = "path = A[0] + '/' + sys.argv[1]; open(path, 'w').write('x'); os.unlink(path); print('got out')"
SOCKET = "import socket; s = socket.socket(socket.AF_{}); s.settimeout(2); "
CONNECT = SOCKET.format("INET") + "s.connect(('127.0.0.1', int(A[0]))); print('got through')"
SEND = SOCKET.format("INET, socket.SOCK_DGRAM") + "s.sendto(b'x', ('127.0.0.1', int(A[0]))); print('got through')"
UNIX = SOCKET.format("UNIX") + "s.connect(A[0]); print('got through')"
KILL = "os.kill(int(sys.argv[-1]), 0); print('got at it')"
TRACE = """
if libc.ptrace(0x4206, int(sys.argv[-1]), None, None):
    raise OSError(ctypes.get_errno(), 'PTRACE_SEIZE')
print('got at it')
"""
ENVIRON = "print('got', open('/proc/' + sys.argv[-1] + '/environ', 'rb').read(10))"


@pytest.fixture
def tcp() -> Iterator[int]:
    """A port of ours that takes connections."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.fixture
def udp() -> Iterator[int]:
    """A port of ours that takes datagrams."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))
        yield server.getsockname()[1]


def held(referee: Referee, level: Level, code: str, *arguments: object) -> None:
    """The attempt succeeds without containment and ends in an exception with it."""
    if level is Level.BASIC:
        free = attempt(referee, Level.NONE, code, *arguments)
        assert "got" in free.out, f"the attempt proves nothing here: {free}"
    boxed = attempt(referee, level, code, *arguments)
    assert "Error" in boxed.out and not got(boxed) and boxed.status == 1, boxed


def test_a_home_directory_is_not_read(referee: Referee, level: Level, home: Path) -> None:
    """An engine can read neither a file of the home directory nor the list of its files."""
    (home / "secret").write_text("the secret")
    held(referee, level, READ, home)
    assert "Error" in attempt(referee, level, LIST, home).out


def test_nothing_is_written_outside_the_scratch(referee: Referee, level: Level, home: Path) -> None:
    """A folder that everybody may write to stays as it was, and the scratch can be written and is gone at the end."""
    held(referee, level, WRITE, home)
    ran = attempt(referee, level, "open('x', 'w').write('x'); print(os.getcwd() == os.environ['HOME'] == A[0])", "")
    assert ran.status == 0 and ran.scratch is not None and not os.path.exists(ran.scratch)


def test_no_tcp(referee: Referee, level: Level, tcp: int) -> None:
    """An engine reaches no server, not even one on this machine."""
    held(referee, level, CONNECT, tcp)


def test_no_udp(referee: Referee, level: Level, udp: int) -> None:
    """An engine sends no datagram."""
    held(referee, level, SEND, udp)


def test_no_unix_sockets_of_others(referee: Referee, level: Level, home: Path) -> None:
    """A message bus or a container daemon, which would run anything, is out of reach."""
    with socket.socket(socket.AF_UNIX) as server:
        path = home / f"bus{time.monotonic_ns()}"
        server.bind(str(path))
        server.listen()
        path.chmod(0o777)
        held(referee, level, UNIX, path)


def test_the_referee_takes_no_signals_from_an_engine(referee: Referee, level: Level) -> None:
    """Signals to the referee are refused; a KILL that got through would leave no one to report this."""
    held(referee, level, KILL)
    ran = attempt(referee, level, "os.kill(int(sys.argv[-1]), 9)")
    assert "Error" in ran.out


def test_the_referee_is_not_traced(referee: Referee, level: Level) -> None:
    """ptrace is refused, and so is reading the referee's environment."""
    for code in (TRACE, ENVIRON):
        ran = attempt(referee, level, code)
        assert "Error" in ran.out and not got(ran), ran


BOMB = """
import time
for _ in range(200):
    if os.fork() == 0:
        time.sleep(20)
        os._exit(0)
print('all are there', flush=True)
time.sleep(20)
"""


def test_a_fork_bomb_is_ended(referee: Referee, level: Level) -> None:
    """More processes than the cap end the engine, which would stay for 20 s, and none of them is left."""
    ran = attempt(referee, level, BOMB)
    assert ran.ended_for is not None and "64 processes" in ran.ended_for
    assert ran.left == 0


MEMORY = """
import time
held = []
for _ in range(128):
    held.append(b'x' * (16 << 20))
    time.sleep(0.01)
print('had it all', flush=True)
time.sleep(20)
"""


def test_memory_beyond_the_cap_ends_the_engine(referee: Referee, level: Level) -> None:
    """An engine that takes 2 GB and stays is ended, with the figures as the reason."""
    ran = attempt(referee, level, MEMORY, caps=Caps(memory_mb=100))
    assert ran.ended_for is not None and "its cap is 100 MB" in ran.ended_for
    assert ran.status == -signal.SIGKILL


HIDDEN = {
    "locks": """
import fcntl, struct
kept = [open(f'{n}', 'w') for n in range(10)]
for file in kept:
    for at in range(0, 300, 2): fcntl.fcntl(file, fcntl.F_SETLK, struct.pack('hhqqi4x', fcntl.F_WRLCK, 0, at, 1, 0))
""",
    "mappings": """
libc.mmap.restype, libc.mprotect.argtypes = ctypes.c_void_p, (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
at = libc.mmap(None, ctypes.c_size_t(40000 << 12), mmap.PROT_READ, 0x22, -1, ctypes.c_size_t(0))
for n in range(0, 40000, 2): libc.mprotect(at + (n << 12), 4096, 0)
""",
    "tables": """
for _ in range(8):
    m = mmap.mmap(-1, 16 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, prot=mmap.PROT_READ)
    m.madvise(mmap.MADV_NOHUGEPAGE)
    kept.append(m)
    for at in range(0, 16 << 30, 2 << 20): m[at]
""",
    "shared": """
for _ in range(4):
    m = mmap.mmap(-1, 64 << 20)
    kept.append(m)
    for at in range(0, 64 << 20, 4096): m[at] = 1
    m.madvise(mmap.MADV_DONTNEED)
""",
    "deleted": """
for _ in range(4):
    kept.append(tempfile.TemporaryFile())
    kept[-1].write(bytes(15 << 20))
""",
    "files": """
import signal
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
kept += [os.dup(0) for _ in range(200)]
for _ in range(24):
    if not os.fork(): time.sleep(20)
""",
    "sockets": """
import socket
kept = [socket.socketpair() for _ in range(110)]
""",
}


@pytest.mark.parametrize(
    ("trick", "reason"),
    [
        ("tables", "MB of memory"),
        ("shared", "MB of memory"),
        ("locks", "locks on files"),
        ("mappings", "mappings of memory"),
        pytest.param("files", "files open", marks=pytest.mark.long),
        pytest.param("sockets", "MB of memory", marks=pytest.mark.long),
        pytest.param("deleted", "its files took", marks=pytest.mark.long),
    ],
)
def test_memory_that_is_not_resident_counts(referee: Referee, level: Level, trick: str, reason: str) -> None:
    """Page tables, mappings, shared memory that nobody maps, open files, sockets, locks: each ends the engine."""
    code = f"import mmap, tempfile, time\nkept = []\n{HIDDEN[trick]}\nprint('had it all', flush=True)\ntime.sleep(20)"
    ran = attempt(referee, level, code, caps=Caps(memory_mb=80, disk_mb=30))
    assert ran.ended_for is not None and reason in ran.ended_for, ran
    assert ran.status == -signal.SIGKILL


BACKLOG = """
import socket, time
server = socket.socket(socket.AF_UNIX)
server.bind('server')
server.listen(4096)
for _ in range(300):
    client = socket.socket(socket.AF_UNIX)
    client.connect('server')
    client.close()
print('had it all', flush=True)
time.sleep(20)
"""


DATAGRAMS = """
import socket, time
kept = []
for name in map(str, range(40)):
    kept.append(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
    kept[-1].bind(name)
    for _ in range(10):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
            sender.sendto(bytes(200_000), name)
print('had it all', flush=True)
time.sleep(20)
"""


@pytest.mark.long
def test_datagrams_of_senders_that_are_gone_count(referee: Referee, level: Level) -> None:
    """A socket holds ten of them, and each can be as large as what another socket holds in all."""
    if level is not Level.STRICT:
        pytest.skip("only `strict` has such sockets")
    ran = attempt(referee, level, DATAGRAMS, caps=Caps(memory_mb=80))
    assert ran.ended_for is not None and "MB of memory" in ran.ended_for, ran


@pytest.mark.long
def test_sockets_that_nobody_accepts_count(referee: Referee, level: Level) -> None:
    """They have no descriptor, and hold what was sent to them after their other end was closed."""
    if level is not Level.STRICT:
        pytest.skip("only `strict` has such sockets")
    ran = attempt(referee, level, BACKLOG, caps=Caps(memory_mb=100))
    assert ran.ended_for is not None and "MB of memory" in ran.ended_for, ran
    few = attempt(referee, level, BACKLOG.replace("300", "30").replace("20)", "3)"), caps=Caps(memory_mb=100))
    assert few.ended_for is None and "had it all" in few.out, few


@pytest.mark.long
def test_a_folder_that_a_referee_cannot_see_ends_the_engine(referee: Referee, level: Level) -> None:
    """An ordinary user cannot look into a closed folder."""
    if referee.is_root:
        pytest.skip("root sees all")
    ran = attempt(referee, level, "import time\nos.mkdir('closed', 0)\nprint('hidden', flush=True)\ntime.sleep(20)")
    assert ran.ended_for is not None and "a folder that is closed" in ran.ended_for, ran


def test_no_files_in_memory(referee: Referee, level: Level) -> None:
    """A memfd, whose pages show in no process, cannot be made."""
    assert "got" in attempt(referee, Level.NONE, "os.memfd_create('x'); print('got')").out
    assert "Error" in attempt(referee, level, "os.memfd_create('x'); print('got')").out


HEADLESS = """
import platform, threading, time

def end_first_thread():
    libc.syscall({'x86_64': 60, 'aarch64': 93}[platform.machine()], 0)

def left(life):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            threading.Thread(target=life).start()
            end_first_thread()
        os._exit(0)
    os.wait()
"""
"""A process whose first thread has ended looks like a zombie, and its other threads go on."""


@pytest.mark.parametrize("who", ["the engine", "a helper"])
def test_memory_counts_behind_an_ended_first_thread(referee: Referee, level: Level, who: str) -> None:
    """A process whose first thread has ended is held to the cap of memory, and is dead at the end."""
    if who == "the engine":
        code = "threading.Thread(target=take).start()\nend_first_thread()"
    else:
        code = "left(take)\ntime.sleep(20)"
    take = "\ndef take():\n    kept = [b'x' * (16 << 20) for _ in range(30)]\n    time.sleep(20)\n"
    ran = attempt(referee, level, HEADLESS + take + code, caps=Caps(memory_mb=100))
    assert ran.ended_for is not None and "its cap is 100 MB" in ran.ended_for, ran
    assert ran.left == 0, ran


def test_processes_without_a_first_thread_are_counted_and_ended(referee: Referee, level: Level) -> None:
    """Such processes count for the cap of processes, and none outlives its engine, wherever it has gone."""
    code = HEADLESS + "for _ in range(12): left(lambda: time.sleep(20))\nprint('left', flush=True)\n"
    ran = attempt(referee, level, code + "time.sleep(0.2)")
    assert (ran.ended_for, ran.out, ran.left) == (None, "left\n", 0), ran
    ran = attempt(referee, level, code + "time.sleep(20)", caps=Caps(processes=8))
    assert ran.ended_for is not None and "8 processes" in ran.ended_for and ran.left == 0, ran


HIDING = """
import time
wait, go = os.pipe()
if os.fork() == 0:
    os.read(wait, 1)
    HIDDEN
    time.sleep(20)
    os._exit(0)
for _ in range(150):
    if os.fork() == 0:
        os._exit(0)
os.write(go, b'x')
print('hidden', flush=True)
time.sleep(20)
"""


@pytest.mark.parametrize(
    ("hidden", "caps"),
    [
        ("for _ in range(99): os.fork() or time.sleep(20)", Caps()),
        ("kept = [b'x' * (16 << 20) for _ in range(30)]", Caps(memory_mb=100)),
    ],
    ids=["processes", "memory"],
)
def test_nobody_hides_behind_zombies(referee: Referee, level: Level, hidden: str, caps: Caps) -> None:
    """An engine that leaves more ended processes than can be looked at is ended with what they hide."""
    ran = attempt(referee, level, HIDING.replace("HIDDEN", hidden), caps=caps)
    assert ran.ended_for is not None and ran.left == 0, ran


def test_some_zombies_do_no_harm(referee: Referee, level: Level) -> None:
    """An engine that does not wait for its helpers keeps its whole share of processes."""
    code = "import time\nfor _ in range(60):\n    if os.fork() == 0: os._exit(0)\ntime.sleep(0.3)\nprint('lived')"
    assert attempt(referee, level, code).out == "lived\n"


ORPHAN = """
heard, say = os.pipe()
os.set_inheritable(say, True)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        program = f"import os, time; os.write({say}, b'x'); time.sleep(20)"
        os.execve(sys.executable, [sys.executable, '-I', '-S', '-c', program, sys.argv[1]], ENVIRONMENT)
    os._exit(0)
os.close(say)
os.read(heard, 1)
print('left', flush=True)
"""


@pytest.mark.parametrize("environment", ["dict(os.environ)", "{}"])
def test_what_leaves_the_session_is_ended_too(referee: Referee, level: Level, environment: str) -> None:
    """A process that got rid of its session, its parent and its environment does not outlive its engine."""
    code = ORPHAN.replace("ENVIRONMENT", environment)
    assert attempt(referee, Level.NONE, code).left == 1, "the attempt proves nothing here"
    ran = attempt(referee, level, code)
    assert "left" in ran.out and ran.left == 0, ran


STAYS = """
heard, say = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        import time
        time.sleep(0.2)
        os.write(say, b'x')
    os._exit(0)
os.close(say)
print('lived' if os.read(heard, 1) else 'was killed')
"""


def test_a_helper_that_leaves_lives_as_long_as_its_engine(referee: Referee, level: Level) -> None:
    """A process that puts itself into the background, as servers do, is watched and not killed for it."""
    assert attempt(referee, level, STAYS).out == "lived\n"


WAIT = "libc.prctl(1, 0, 0, 0, 0); print('here', flush=True); os.read(os.pipe()[0], 1)"


def test_an_engine_dies_with_its_referee(referee: Referee, level: Level) -> None:
    """A referee that is killed leaves no engine behind, though nobody was there to end it and it asked to live on."""
    popen = referee.start()
    assert popen.stdin is not None and popen.stdout is not None
    popen.stdin.write(job(level, [*PYTHON, OUT + WAIT, "{mark}"], hold=True))
    popen.stdin.flush()
    pidfd = os.pidfd_open(int(popen.stdout.readline()))
    try:
        popen.kill()
        popen.communicate(timeout=10)
        poll = select.poll()
        poll.register(pidfd, select.POLLIN)
        assert poll.poll(30_000), "the engine lives on"
    finally:
        os.close(pidfd)


CALLS = """
import platform
from_libc = {'unshare': lambda: libc.unshare(0x10000000), 'mount': lambda: libc.mount(None, None, None, 0, None)}
numbers = {'x86_64': (321, 250, 298), 'aarch64': (280, 219, 241)}[platform.machine()]
for name, number in zip(('bpf', 'keyctl', 'perf_event_open'), numbers):
    from_libc[name] = lambda number=number: libc.syscall(number, -1, 0, 0, 0, 0)
for name, call in from_libc.items():
    ctypes.set_errno(0)
    print(name, call() == -1 and ctypes.get_errno() == 1)
"""


def test_system_calls_that_no_engine_needs_are_refused(referee: Referee, level: Level) -> None:
    """Namespaces, mounts, kernel programs, keys and performance counters answer that they are not permitted."""
    ran = attempt(referee, level, CALLS)
    assert ran.out.count("True") == 5 and "False" not in ran.out, ran


EACH = """
import platform, resource
column = ('x86_64', 'aarch64').index(platform.machine())

def call(numbers, *arguments):
    if libc.syscall(numbers[column], *arguments) < 0:
        raise OSError(ctypes.get_errno(), 'refused')

def attempt(name, call):
    try:
        call()
        print('got', name)
    except OSError:
        print('refused', name)
"""
ON_OTHERS = (
    EACH
    + """
pid = int(sys.argv[-1])
for name, on in {
    'prlimit': lambda pid: resource.prlimit(pid, resource.RLIMIT_NOFILE),
    'setpriority': lambda pid: os.setpriority(os.PRIO_PROCESS, pid, os.getpriority(os.PRIO_PROCESS, pid)),
    'sched_setaffinity': lambda pid: os.sched_setaffinity(pid, os.sched_getaffinity(pid)),
    'sched_setscheduler': lambda pid: os.sched_setscheduler(pid, os.sched_getscheduler(pid), os.sched_param(0)),
    'sched_setparam': lambda pid: os.sched_setparam(pid, os.sched_param(0)),
    'ioprio_set': lambda pid: call((251, 30), 1, pid, 2 << 13 | 4),
}.items():
    for who in (pid, 0, os.getpid()):
        attempt(name + (' of another' if who == pid else ' of its own'), lambda: on(who))
"""
)


def lines(ran: Ran) -> dict[str, set[str]]:
    """What an engine was refused and what it got, by name."""
    found: dict[str, set[str]] = {"got": set(), "refused": set()}
    for line in ran.out.splitlines():
        verdict, _, name = line.partition(" ")
        found[verdict].add(name)
    assert ran.status == 0, ran
    return found


def test_no_call_reaches_another_process(referee: Referee, level: Level) -> None:
    """Limits, priorities, schedulers, CPUs of others are refused to an engine. Those of its own process are not."""
    calls = {"prlimit", "setpriority", "sched_setaffinity", "sched_setscheduler", "sched_setparam", "ioprio_set"}
    free = lines(attempt(referee, Level.NONE, ON_OTHERS))
    assert {f"{call} of another" for call in calls} <= free["got"], "the attempt proves nothing here"
    found = lines(attempt(referee, level, ON_OTHERS))
    assert found["refused"] >= {f"{call} of another" for call in calls}
    own = calls - {"sched_setaffinity"} if level is Level.STRICT else calls
    assert found["got"] == {f"{call} of its own" for call in own}


UNREADABLE = (
    EACH
    + """
import tempfile
if A:
    os.chdir(tempfile.mkdtemp(dir=A[0]))
open('of mine', 'w').close()
attempt('open', lambda: os.close(os.open('x', os.O_CREAT | os.O_WRONLY, 0o111)))
attempt('unnamed', lambda: os.close(os.open('.', os.O_TMPFILE | os.O_WRONLY, 0o111)))
attempt('mknod', lambda: os.mknod('y', 0o111))
attempt('ACL', lambda: os.setxattr('of mine', 'user.x', b''))
attempt('chmod', lambda: os.chmod('of mine', 0o111))
attempt('umask', lambda: os.umask(0o777))
os.umask(0o77)
os.close(os.open('z', os.O_CREAT, 0o400))
"""
)


def test_no_program_is_made_that_its_user_may_not_read(referee: Referee, level: Level, home: Path) -> None:
    """Such a program would lose the counter of its CPU time."""
    names = {"open", "unnamed", "mknod", "umask", "chmod", "ACL"}
    free = lines(attempt(referee, Level.NONE, UNREADABLE, home))
    assert free == {"got": names, "refused": set()}, "the attempt proves nothing here"
    assert lines(attempt(referee, level, UNREADABLE)) == {"got": set(), "refused": names}


ATTRIBUTES = (
    EACH
    + """
path = A[0]
for name, change in {
    'chmod': lambda: os.chmod(path, 0o666),
    'fchmod': lambda: os.fchmod(os.open(path, os.O_RDONLY), 0o666),
    'chown': lambda: os.chown(path, os.getuid(), os.getgid()),
    'lchown': lambda: os.lchown(path, os.getuid(), os.getgid()),
    'fchownat': lambda: os.chown(os.path.basename(path), -1, -1, dir_fd=os.open(os.path.dirname(path), os.O_PATH)),
    'utime': lambda: os.utime(path),
    'old utime': lambda: libc.utime(path.encode(), None) and call((-1, -1)),
    'setxattr': lambda: os.setxattr(path, 'user.state', b'1'),
    'removexattr': lambda: os.removexattr(path, 'user.state'),
}.items():
    attempt(name, change)
"""
)


def test_modes_owners_and_times_outside_the_scratch_stay(referee: Referee, level: Level, home: Path) -> None:
    """An engine changes no attribute of a file outside of its scratch, even if it may read it and its user owns it."""
    path = home / f"theirs{time.monotonic_ns()}"
    assert attempt(referee, Level.NONE, "open(A[0], 'w').close(); print('made')", path).out == "made\n"
    names = {"chmod", "fchmod", "chown", "lchown", "fchownat", "utime", "old utime", "setxattr", "removexattr"}
    free = lines(attempt(referee, Level.NONE, ATTRIBUTES, path))
    assert free["got"] >= names - {"setxattr", "removexattr"}, "the attempt proves nothing here"
    # So that there is one to remove, where the file system has them.
    attempt(referee, Level.NONE, EACH + "attempt('set', lambda: os.setxattr(A[0], 'user.state', b'1'))", path)
    before = path.stat()
    code = OUT + "A = [os.environ['A0']]\n" + ATTRIBUTES
    ran = referee.run(level, [*PYTHON, code], reads=[path], environment={"A0": str(path)})
    assert lines(ran) == {"got": set(), "refused": names}
    assert path.stat() == before


SHARED = (
    EACH
    + """
libc.shmat.restype = ctypes.c_long
memory, queue, semaphore = map(int, A)
for name, use in {
    'shmat': lambda: libc.shmat(memory, None, 0) == -1 and call((-1, -1)),
    'shmctl': lambda: call((31, 195), memory, 2, ctypes.create_string_buffer(512)),
    'msgsnd': lambda: call((69, 189), queue, ctypes.create_string_buffer(b'\\1' + bytes(15)), 1, 0o4000),
    'msgctl': lambda: call((71, 187), queue, 2, ctypes.create_string_buffer(512)),
    'semctl': lambda: call((66, 191), semaphore, 0, 12, 0),
}.items():
    attempt(name, use)
"""
)


@pytest.fixture
def system_v() -> Iterator[tuple[int, int, int]]:
    """A shared memory, a message queue and a semaphore that all users may use."""
    libc = ctypes.CDLL(None, use_errno=True)
    made = libc.shmget(0, 4096, 0o1666), libc.msgget(0, 0o1666), libc.semget(0, 1, 0o1666)
    assert min(made) >= 0
    try:
        yield made
    finally:
        libc.shmctl(made[0], 0, None)
        libc.msgctl(made[1], 0, None)
        libc.semctl(made[2], 0, 0)


def test_no_objects_of_system_v(referee: Referee, level: Level, system_v: tuple[int, int, int]) -> None:
    """Shared memory, queues and semaphores of others, which outlive a game, are out of reach by their numbers too."""
    names = {"shmat", "shmctl", "msgsnd", "msgctl", "semctl"}
    assert lines(attempt(referee, Level.NONE, SHARED, *system_v))["got"] == names, "the attempt proves nothing here"
    assert lines(attempt(referee, level, SHARED, *system_v)) == {"got": set(), "refused": names}


def test_no_message_queues(referee: Referee, level: Level) -> None:
    """A POSIX message queue, which outlives its maker and lies in no folder, is neither made nor opened."""
    code = EACH + "attempt('open', lambda: call((240, 180), sys.argv[1].encode(), 0o102, 0o600, None))\n"
    code += "attempt('unlink', lambda: call((241, 181), sys.argv[1].encode()))"
    assert lines(attempt(referee, Level.NONE, code))["got"] == {"open", "unlink"}, "the attempt proves nothing here"
    assert lines(attempt(referee, level, code))["refused"] == {"open", "unlink"}


WATCHED = (
    EACH
    + """
import fcntl
path = A[0]
for name, command, value in (('F_SETLEASE', 1024, fcntl.F_RDLCK), ('F_NOTIFY', 1026, 1), ('F_SET_RW_HINT', 1036, 0)):
    def ask():
        fd = os.open(os.path.dirname(path) if name == 'F_NOTIFY' else path, os.O_RDONLY)
        fcntl.fcntl(fd, command, (0).to_bytes(8, 'little') if name == 'F_SET_RW_HINT' else value)
    attempt(name, ask)
attempt('inotify', lambda: call((294, 26), 0))
attempt('io_setup', lambda: call((206, 0), 1, ctypes.byref(ctypes.c_ulong())))
attempt('landlock', lambda: call((444, 444), (1).to_bytes(8, 'little'), 8, 0))
attempt('locks of open files', lambda: fcntl.fcntl(os.open(path, os.O_RDONLY), 37, bytes(32)))
attempt('fcntl', lambda: fcntl.fcntl(0, fcntl.F_DUPFD_CLOEXEC, 0))
"""
)


def test_nothing_is_used_up_that_others_need(referee: Referee, level: Level, home: Path) -> None:
    """Nobody waits for an engine that holds a lease, and none takes what the machine has little of or nobody counts."""
    folder = home / "shared"
    folder.mkdir(exist_ok=True, mode=0o777)
    folder.chmod(0o777)
    path = folder / f"weights{time.monotonic_ns()}"
    assert attempt(referee, Level.NONE, "open(A[0], 'w').close(); print('made')", path).out == "made\n"
    names = {"F_SETLEASE", "F_NOTIFY", "F_SET_RW_HINT", "inotify", "io_setup", "landlock", "locks of open files"}
    assert lines(attempt(referee, Level.NONE, WATCHED, path))["got"] == names | {"fcntl"}, "it proves nothing here"
    environment = {"A0": str(path)}
    ran = referee.run(
        level, [*PYTHON, OUT + "A = [os.environ['A0']]\n" + WATCHED], reads=[folder], environment=environment
    )
    assert lines(ran) == {"got": {"fcntl"}, "refused": names}


UNCOUNTED = (
    EACH
    + """
import shutil
with open('file', 'wb') as file:
    file.write(b'x' * 9000)
file, (_, pipe) = os.open('file', os.O_RDWR), os.pipe()
attempt('splice', lambda: os.splice(file, pipe, 1, 0))
attempt('sendfile', lambda: os.sendfile(pipe, file, 0, 1))
attempt('fallocate', lambda: call((285, 47), file, 0, ctypes.c_long(0), ctypes.c_long(4096)))
attempt('tables of futexes', lambda: call((157, 167), 78, 1, 16, 0, 0))
attempt('copies', lambda: shutil.copyfile('file', 'copy'))
attempt('room', lambda: os.posix_fallocate(file, 0, 20000))
print('got', os.path.getsize('copy'), os.path.getsize('file'))
"""
)


def test_no_call_takes_memory_or_disk_that_is_counted_too_late(referee: Referee, level: Level, home: Path) -> None:
    """Pages of files in pipes, tables in the kernel, a disk in a second. Libraries copy and make room without them."""
    folder = "import tempfile; os.chdir(tempfile.mkdtemp(dir=A[0]))\n"
    free = lines(attempt(referee, Level.NONE, folder + UNCOUNTED, home))
    assert free["refused"] <= {"tables of futexes"}, "the attempt proves nothing here"
    found = lines(attempt(referee, level, UNCOUNTED))
    assert found["refused"] == {"splice", "sendfile", "fallocate", "tables of futexes"}
    assert found["got"] == {"copies", "room", "9000 20000"}


CORES = """
import resource
print(resource.getrlimit(resource.RLIMIT_CORE))
for change in (resource.setrlimit, lambda *both: resource.prlimit(0, *both)):
    change(resource.RLIMIT_CORE, (0, 0))
    print(resource.getrlimit(resource.RLIMIT_CORE))
"""


def test_no_program_of_root_gets_a_core_dump(referee: Referee, level: Level) -> None:
    """Where core_pattern is a pipe, the kernel starts one at each limit but 1, which stays though an engine sets 0."""
    assert attempt(referee, level, CORES).out == "(1, 1)\n" * 3


CLEARS = """
for number in (9, 0, 15):
    print(number, libc.prctl(1, number, 0, 0, 0), flush=True)
"""


def test_the_death_signal_stays(referee: Referee, level: Level) -> None:
    """An engine may ask for SIGKILL at its parent's death, and cannot choose to outlive it."""
    assert attempt(referee, Level.NONE, CLEARS).out == "9 0\n0 0\n15 0\n", "the attempt proves nothing here"
    assert attempt(referee, level, CLEARS).out == "9 0\n0 -1\n15 -1\n"


OWN_FILES = """
import ctypes, platform
column = ('x86_64', 'aarch64').index(platform.machine())
print(libc.syscall(436, 900, 901, 2), libc.syscall(436, 900, 901, 0))
stack = ctypes.create_string_buffer(1 << 16)
top = ctypes.addressof(stack) + (1 << 16) - 64
# CLONE_VM | CLONE_SIGHAND | CLONE_THREAD, a thread that does not share its open files.
print(libc.clone(ctypes.cast(libc.pause, ctypes.c_void_p), ctypes.c_void_p(top), 0x10900, None) > 0)
os._exit(0)
"""


def test_threads_share_their_open_files(referee: Referee, level: Level) -> None:
    """No thread has open files of its own, where nobody would count deleted ones."""
    code = OWN_FILES.replace("os._exit(0)", "sys.stdout.flush()\nos._exit(0)")
    assert attempt(referee, Level.NONE, code).out == "0 0\nTrue\n", "the attempt proves nothing here"
    assert attempt(referee, level, code).out == "-1 0\nFalse\n"


SETTINGS = """
for path in ('kernel/core_pattern', 'vm/swappiness', 'kernel/pid_max'):
    os.close(os.open('/proc/sys/' + path, os.O_WRONLY))
    print('got', path)
"""


@pytest.mark.parametrize("python", ["{python}", SYSTEM_PYTHON])
def test_the_settings_of_the_machine_stay(referee: Referee, level: Level, python: str) -> None:
    """No engine opens a file of /proc/sys for writing, also where root runs it: the kernel runs one of them as root."""
    code = [python, "-I", "-S", "-c", OUT + SETTINGS]
    if referee.is_root:
        assert "got" in referee.run(Level.NONE, code).out, "the attempt proves nothing here"
    ran = referee.run(level, code)
    assert not got(ran) and "Error" in ran.out, ran


def test_strict_holds_an_engine_to_its_cpus(referee: Referee, level: Level) -> None:
    """In strict an engine that was pinned cannot unpin itself."""
    if level is not Level.STRICT:
        pytest.skip("basic does not claim it")
    assert "PermissionError" in attempt(referee, level, "os.sched_setaffinity(0, os.sched_getaffinity(0))").out


def test_root_in_a_box_has_no_capabilities(referee: Referee, level: Level) -> None:
    """An engine holds no capability and cannot get one, whatever user runs it."""
    code = "print([line for line in open('/proc/self/status') if line.startswith(('CapEff', 'CapPrm', 'NoNewPrivs'))])"
    ran = attempt(referee, level, code)
    assert ran.out.count("0000000000000000") == 2 and "NoNewPrivs:\\t1" in ran.out, ran


def test_other_memory_than_the_scratch_cannot_be_filled(referee: Referee, level: Level) -> None:
    """Folders that live in memory are closed, or count with the scratch."""
    code = "import shutil\nfor f in ('/dev', '/', '/dev/shm'): print(f, os.access(f, 2), shutil.disk_usage(f).total)"
    if level is Level.BASIC:
        shared = attempt(referee, level, "open('/dev/shm/' + sys.argv[1], 'w')")
        assert "Error" in shared.out
        return
    ran = attempt(referee, level, code)
    lines = dict((line.split()[0], line.split()[1:]) for line in ran.out.splitlines())
    assert lines["/dev"][0] == lines["/"][0] == "False"
    stat = os.statvfs(tempfile.gettempdir())
    assert int(lines["/dev/shm"][1]) == stat.f_blocks * stat.f_frsize


LOCK = """
import beside, fcntl, os
print(sorted(os.listdir(os.path.dirname(__file__)))[0])
for path in os.environ['FILES'].split(':'):
    try:
        fcntl.lockf(open(path, 'rb'), fcntl.LOCK_SH | fcntl.LOCK_NB, 1, 120)
        print('got the lock')
    except OSError as error:
        print(type(error).__name__)
"""


def test_the_database_beside_an_engine_is_not_locked(referee: Referee, level: Level, home: Path) -> None:
    """An engine lists its folder and reads all but the database, which anybody may read here: a lock holds up a run."""
    folder = home / f"cup{time.monotonic_ns()}"
    folder.mkdir()
    (folder / "engine.py").write_text(LOCK)
    (folder / "beside.py").write_text("print('has its own files')")
    files = [folder / f"games.db{suffix}" for suffix in ("", "-shm", "-wal")]
    for file in files:
        file.touch()
        file.chmod(0o666)
    argv, environment = ["{python}", "-S", "-B", str(folder / "engine.py")], {"FILES": ":".join(map(str, files))}
    open_ran = referee.run(level, argv, environment=environment)
    assert open_ran.out.endswith("got the lock\n" * 3), open_ran
    ran = referee.run(level, argv, environment=environment, closed=files[0])
    assert ran.out.startswith("has its own files\nbeside.py\n") and ran.out.count("Error\n") == 3, ran
