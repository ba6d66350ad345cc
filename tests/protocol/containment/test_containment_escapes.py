"""What an engine tries, and what stops it: in each situation of the table of CONTAINMENT.md.

Each attempt that harms nobody is also made without containment, where it must succeed: so the others prove something.
"""

import ctypes
import os
import select
import signal
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from protocol.containment.policy import Caps, Level
from tests.protocol.containment.conftest import SYSTEM_PYTHON
from tests.protocol.containment.referees import STRICT_IS_ALIKE, Ran, Referee, got, job

PYTHON = ("{python}", "-I", "-S", "-c")
OUT = "import os, sys, ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\n"


def attempt(referee: Referee, level: Level, code: str, *arguments: object, caps: Caps | None = None) -> Ran:
    """Run Python code in the sandbox. Its paths travel in the environment, since a command's paths are granted."""
    environment = {f"A{number}": str(value) for number, value in enumerate(arguments)}
    program = OUT + f"A = [os.environ[f'A{{n}}'] for n in range({len(arguments)})]\n" + code
    return referee.run(level, [*PYTHON, program, "{mark}", "{referee}"], environment=environment, caps=caps)


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
REACHED = (
    EACH
    + """
import socket
home, tcp, udp, bus, outside = A[0], int(A[1]), int(A[2]), A[3], A[0] + '/' + sys.argv[1]
referee = int(sys.argv[-1])

def connect(family, to):
    s = socket.socket(family)
    s.settimeout(2)
    s.connect(to)

def write():
    open(outside, 'w').write('x')
    os.unlink(outside)

attempt('a file of the home directory', lambda: open(home + '/secret').read())
attempt('its list of files', lambda: os.listdir(home))
attempt('writing outside the scratch', write)
attempt('TCP', lambda: connect(socket.AF_INET, ('127.0.0.1', tcp)))
attempt('a socket of another program', lambda: connect(socket.AF_UNIX, bus))
attempt('a signal to the referee', lambda: os.kill(referee, 0))
attempt('UDP', lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', udp)))
"""
)
"""What anybody may do who is in no box."""
FORBIDDEN = """
attempt('the environment of the referee', lambda: open(f'/proc/{referee}/environ', 'rb').read(10))
attempt('tracing the referee', lambda: call((101, 117), 0x4206, referee, None, None))
attempt('the end of the referee', lambda: os.kill(referee, 9))
"""


@pytest.fixture
def tcp() -> Iterator[int]:
    """A port of ours that takes connections."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.fixture
def udp() -> Iterator[socket.socket]:
    """A port of ours that takes datagrams."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))
        yield server


def arrives(udp: socket.socket) -> bool:
    """Takes a datagram, if there is one."""
    if not select.select([udp], [], [], 0)[0]:
        return False
    return bool(udp.recv(10))


def lines(ran: Ran) -> dict[str, set[str]]:
    """What an engine was refused and what it got, by name."""
    found: dict[str, set[str]] = {"got": set(), "refused": set()}
    for line in ran.out.splitlines():
        verdict, _, name = line.partition(" ")
        found[verdict].add(name)
    assert ran.status == 0, ran
    return found


def test_nothing_of_others_is_within_reach(
    referee: Referee, level: Level, home: Path, tcp: int, udp: socket.socket
) -> None:
    """No file, no folder that all may write to, no server, no message bus, and not the referee.

    A container daemon would run anything, and a KILL that got through would leave nobody to report this.
    """
    (home / "secret").write_text("the secret")
    with socket.socket(socket.AF_UNIX) as server:
        path = home / f"bus{time.monotonic_ns()}"
        server.bind(str(path))
        server.listen()
        path.chmod(0o777)
        known = (home, tcp, udp.getsockname()[1], path)
        free = attempt(referee, Level.NONE, REACHED, *known)
        assert not lines(free)["refused"] and arrives(udp), f"the attempt proves nothing here: {free}"
        boxed = lines(attempt(referee, level, REACHED + FORBIDDEN, *known))
    assert boxed["got"] <= {"UDP"} and len(boxed["refused"] | boxed["got"]) == 10
    assert not arrives(udp)


def test_the_scratch_can_be_written_and_is_gone_at_the_end(referee: Referee, level: Level) -> None:
    """It is the working directory and the home of an engine."""
    ran = attempt(referee, level, "open('x', 'w').write('x'); print(os.getcwd() == os.environ['HOME'])")
    assert ran.status == 0 and (level is Level.STRICT or (ran.scratch and not os.path.exists(ran.scratch))), ran


BOMB = """
import time
for number in range(400):
    try:
        if os.fork() == 0:
            time.sleep(20)
            os._exit(0)
    except OSError:
        print('refused after', number)
        break
else:
    print('got them all')
"""


@STRICT_IS_ALIKE
def test_a_fork_bomb_is_stopped(referee: Referee, level: Level) -> None:
    """No more processes than the cap begin, and none of them is left."""
    referee.must_hold("processes", level)
    ran = attempt(referee, level, BOMB, caps=Caps(threads=60))
    assert "refused after" in ran.out and int(ran.out.split()[-1]) < 60, ran
    assert ran.left == 0, ran


MEMORY = """
import time
held = []
for _ in range(128):
    held.append(b'x' * (16 << 20))
    time.sleep(0.01)
print('got it all', flush=True)
time.sleep(20)
"""


@STRICT_IS_ALIKE
def test_memory_beyond_the_cap_ends_the_engine(referee: Referee, level: Level) -> None:
    """An engine that takes 2 GB is ended, and the reason is given. Without a group that is noticed later."""
    ran = attempt(referee, level, MEMORY, caps=Caps(memory_mb=100))
    assert ran.ended_for is not None and "memory" in ran.ended_for and "100" in ran.ended_for, ran
    assert ran.status == -signal.SIGKILL and ran.left == 0, ran


HIDDEN = {
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
    "in memory": """
fd = os.memfd_create('x')
for _ in range(100): os.write(fd, bytes(2 << 20))
""",
    "deleted": """
for number in range(9):
    path = f'a\\r{number}'
    with open(path, 'w+b') as file:
        file.write(bytes(20 << 20))
        file.flush()
        kept.append(mmap.mmap(file.fileno(), 20 << 20))
    os.unlink(path)
""",
    "helpers": """
for _ in range(20):
    if os.fork() == 0:
        held = b'x' * (10 << 20)
        time.sleep(20)
        os._exit(0)
os.wait()
""",
    "headless": """
import threading
def take():
    held = b'x' * (200 << 20)
    time.sleep(20)
threading.Thread(target=take).start()
libc.syscall({'x86_64': 60, 'aarch64': 93}[os.uname().machine], 0)
""",
}


@STRICT_IS_ALIKE
@pytest.mark.parametrize(
    "trick", [pytest.param(name, marks=[pytest.mark.long] * (name not in ("shared", "helpers"))) for name in HIDDEN]
)
def test_memory_that_hides_counts(referee: Referee, level: Level, trick: str) -> None:
    """Page tables, shared memory, deleted files, many helpers, processes without a first thread: none gets it all."""
    referee.must_hold("memory", level)
    code = f"import mmap, time\nkept = []\n{HIDDEN[trick]}\nprint('got it all', flush=True)"
    ran = attempt(referee, level, code, caps=Caps(memory_mb=80))
    assert ran.left == 0, ran
    assert ran.ended_for is not None and "80 MB" in ran.ended_for, ran


def test_the_disk_is_bounded(referee: Referee, level: Level) -> None:
    """Files that are as large as the caps allow, one after another, do not fill the disk of the machine."""
    referee.must_hold("disk", level)
    code = "for n in range(9): open(f'{n}', 'wb').write(bytes(25 << 20))\nprint('got it all')"
    ran = attempt(referee, level, code, caps=Caps(memory_mb=100, disk_mb=30))
    assert not got(ran), ran


ORPHAN = """
heard, say = os.pipe()
os.set_inheritable(say, True)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        program = f"import os, time; os.write({say}, b'x'); time.sleep(20)"
        os.execve(sys.executable, [sys.executable, '-I', '-S', '-c', program, sys.argv[1]], {})
    os._exit(0)
os.close(say)
os.read(heard, 1)
print('left', flush=True)
"""


@STRICT_IS_ALIKE
def test_what_leaves_the_session_is_ended_too(referee: Referee, level: Level) -> None:
    """A process that got rid of its session, its parent and its environment does not outlive its engine."""
    referee.must_hold("outliving", level)
    if not referee.holds("outliving", Level.BASIC):
        assert attempt(referee, Level.NONE, ORPHAN).left == 1, "the attempt proves nothing here"
    ran = attempt(referee, level, ORPHAN)
    assert "left" in ran.out and ran.left == 0, ran


WAIT = "print('here', flush=True); os.read(os.pipe()[0], 1)"
CLEAR = "libc.prctl(1, 0, 0, 0, 0); "
"""It asks to live on when its parent ends."""


def test_an_engine_dies_with_its_referee(referee: Referee, level: Level) -> None:
    """A referee that is killed leaves no engine behind, though nobody was there to end it."""
    popen = referee.start()
    assert popen.stdin is not None and popen.stdout is not None
    popen.stdin.write(job(level, [*PYTHON, OUT + CLEAR * referee.holds("outliving", level) + WAIT], hold=True))
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


@STRICT_IS_ALIKE
def test_no_call_reaches_another_process(referee: Referee, level: Level) -> None:
    """Limits, priorities, schedulers, CPUs of others are refused to an engine."""
    calls = {"prlimit", "setpriority", "sched_setaffinity", "sched_setscheduler", "sched_setparam", "ioprio_set"}
    free = lines(attempt(referee, Level.NONE, ON_OTHERS))
    assert {f"{call} of another" for call in calls} <= free["got"], "the attempt proves nothing here"
    found = lines(attempt(referee, level, ON_OTHERS))
    assert found["refused"] >= {f"{call} of another" for call in calls}
    assert "prlimit of its own" in found["got"], "programs set their limits themselves"
    assert "sched_setaffinity of its own" in found["refused"], "an engine that was pinned stays pinned"


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


@STRICT_IS_ALIKE
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
    """A POSIX message queue, which outlives its maker, is neither made nor opened. In `strict` they are its own."""
    if level is Level.STRICT:
        pytest.skip("its namespace has queues of its own, which go with it")
    code = EACH + "attempt('open', lambda: call((240, 180), sys.argv[1].encode(), 0o102, 0o600, None))\n"
    code += "attempt('unlink', lambda: call((241, 181), sys.argv[1].encode()))"
    assert lines(attempt(referee, Level.NONE, code))["got"] == {"open", "unlink"}, "the attempt proves nothing here"
    assert lines(attempt(referee, level, code))["refused"] == {"open", "unlink"}


REACHING = (
    EACH
    + """
import socket
def send():
    socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0].sendto(b'hello', A[0])
attempt('datagram', send)
attempt('stream', socket.socketpair)
attempt('attribute', lambda: os.getxattr(A[1], 'user.origin'))
attempt('attributes', lambda: os.listxattr(A[1]))
"""
)


def test_neither_sockets_nor_attributes_of_others_are_within_reach(referee: Referee, level: Level, home: Path) -> None:
    """A datagram pair sends to every path, and Landlock does not check who reads an attribute of a closed file."""
    if level is Level.STRICT:
        pytest.skip("neither the socket nor the file is in its box")
    path, secret = home / f"open{time.monotonic_ns()}", home / "secret"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(str(path))
        path.chmod(0o777)
        listener.setblocking(False)
        secret.touch()
        secret.chmod(0o644)
        os.setxattr(secret, "user.origin", b"https://example.org")
        assert lines(attempt(referee, Level.NONE, REACHING, path, secret))["got"] == {
            *("datagram", "stream", "attribute", "attributes")
        }, "the attempt proves nothing here"
        listener.recv(100)
        assert lines(attempt(referee, level, REACHING, path, secret))["got"] == {"stream"}
        with pytest.raises(BlockingIOError):
            listener.recv(100)
    path.unlink()


WATCHED = (
    EACH
    + """
import fcntl
attempt('lease', lambda: fcntl.fcntl(os.open(A[0], os.O_RDONLY), 1024, fcntl.F_RDLCK))
attempt('inotify', lambda: call((294, 26), 0))
attempt('fanotify', lambda: call((300, 262), 0x200, 0))
attempt('io_setup', lambda: call((206, 0), 1, ctypes.byref(ctypes.c_ulong())))
attempt('core scheduling', lambda: call((157, 167), 62, 1, 0, 0, ctypes.byref(ctypes.c_ulong())))
attempt('unshare', lambda: call((272, 97), 0x10000000))
attempt('keys', lambda: call((250, 219), 0, -3, 1))
"""
)


@STRICT_IS_ALIKE
def test_nothing_is_used_up_that_others_need(referee: Referee, level: Level, home: Path) -> None:
    """Nobody waits for an engine that holds a lease, and none takes what the machine has little of."""
    folder = home / "shared"
    folder.mkdir(exist_ok=True, mode=0o777)
    folder.chmod(0o777)
    path = folder / f"weights{time.monotonic_ns()}"
    assert attempt(referee, Level.NONE, "open(A[0], 'w').close(); print('made')", path).out == "made\n"
    free = lines(attempt(referee, Level.NONE, WATCHED, path))["got"]
    assert free >= {"lease", "inotify", "fanotify", "io_setup"}, "it proves nothing here"
    environment = {"A0": str(path)}
    ran = referee.run(
        level, [*PYTHON, OUT + "A = [os.environ['A0']]\n" + WATCHED], reads=[folder], environment=environment
    )
    assert lines(ran)["got"] == set(), ran


SETTINGS = """
for path in ('kernel/core_pattern', 'vm/swappiness', 'kernel/pid_max'):
    os.close(os.open('/proc/sys/' + path, os.O_WRONLY))
    print('got', path)
"""


@STRICT_IS_ALIKE
@pytest.mark.parametrize("python", [pytest.param("{python}", marks=pytest.mark.long), SYSTEM_PYTHON])
def test_the_settings_of_the_machine_stay(referee: Referee, level: Level, python: str) -> None:
    """No engine opens a file of /proc/sys for writing, also where root runs it: the kernel runs one of them as root."""
    code = [python, "-I", "-S", "-c", OUT + SETTINGS]
    if referee.is_root:
        assert "got" in referee.run(Level.NONE, code).out, "the attempt proves nothing here"
    ran = referee.run(level, code)
    assert not got(ran) and "Error" in ran.out, ran


def test_root_in_a_box_has_no_capabilities(referee: Referee, level: Level) -> None:
    """An engine holds no capability and cannot get one, whatever user runs it."""
    code = "print([line for line in open('/proc/self/status') if line.startswith(('CapEff', 'CapPrm', 'NoNewPrivs'))])"
    ran = attempt(referee, level, code)
    assert ran.out.count("0000000000000000") == 2 and "NoNewPrivs:\\t1" in ran.out, ran


def test_other_memory_than_the_scratch_cannot_be_filled(referee: Referee, level: Level) -> None:
    """Folders that live in memory are closed, or are the engine's own and bounded."""
    if level is Level.BASIC:
        assert "Error" in attempt(referee, level, "open('/dev/shm/' + sys.argv[1], 'w')").out
        return
    code = "import shutil\nfor f in ('/dev', '/', '/dev/shm'): print(f, os.access(f, 2), shutil.disk_usage(f).total)"
    ran = attempt(referee, level, code, caps=Caps(disk_mb=30))
    found = dict((line.split()[0], line.split()[1:]) for line in ran.out.splitlines())
    assert found["/dev"][0] == found["/"][0] == "False"
    assert int(found["/dev/shm"][1]) == 30 << 20


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
