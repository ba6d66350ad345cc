"""What the kernel tells of an engine's tasks, from a made-up /proc and from real processes."""

import contextlib
import os
import struct
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from protocol.run_delay import CpuUsage, EngineTasks, OwnThread

from protocol import run_delay
from protocol.containment.policy import Level, SandboxPolicy
from protocol.process import Command, EngineProcess
from protocol.stopwatch import Stopwatch

MS = 1_000_000
TICK_NS = 1_000_000_000 // os.sysconf("SC_CLK_TCK")


class Proc:
    """A /proc of processes and threads that a test moves by hand; all figures in ms."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.clocks: dict[int, int] = {}
        self.boot_ms = 10_000

    def task(
        self,
        pid: int,
        tid: int = 0,
        ran: int = 0,
        waited: int = 0,
        turns: int = 0,
        state: str = "S",
        born: int = 0,
        children: str = "",
        reaped: int = 0,
        parent: int = 1,
        nice: int = 0,
        policy: int = 0,
    ) -> None:
        """Set a thread (0: the first one) to these figures."""
        tasks = self.root / f"{pid}/task"
        threads = len({str(tid or pid), *(each.name for each in tasks.glob("*"))})
        lines = {
            "schedstat": f"{ran * MS} {waited * MS} {turns}\n",
            "stat": f"{pid} (a) b) {state} {parent} 1 1 0 -1 0 0 0 0 0 0 0 {reaped * MS // TICK_NS} 0 20 "
            f"{nice} {threads} 0 {born * MS // TICK_NS}{' 0' * 18} {policy}{' 0' * 11}\n",
            "children": children,
        }
        folders = [self.root / f"{pid}/task/{tid or pid}", *([] if tid else [self.root / str(pid)])]
        for folder in folders:
            folder.mkdir(parents=True, exist_ok=True)
            for name, line in lines.items():
                (folder / name).write_text(line)
        if tid:
            # The process tells its number of threads, too.
            stat = self.root / str(pid) / "stat"
            head, middle, tail = stat.read_text().rpartition(")")
            fields = tail.split()
            fields[17] = str(threads)
            stat.write_text(f"{head}{middle} {' '.join(fields)}\n")
        self.clocks.setdefault(pid, 0)
        if not tid:
            self.clocks[pid] = ran * MS

    def end(self, pid: int, tid: int = 0) -> None:
        """A thread, or a process with its last one, is gone."""
        for path in sorted((self.root / f"{pid}/task/{tid}" if tid else self.root / str(pid)).rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
        (self.root / f"{pid}/task/{tid}" if tid else self.root / str(pid)).rmdir()
        if not tid:
            del self.clocks[pid]

    def tasks(self, pid: int, source: "Started | None" = None) -> EngineTasks:
        return EngineTasks(pid, 1, str(self.root), self.clocks.get, lambda: self.boot_ms * MS, source)


class Started:
    """What is known of an engine where it was started, moved by hand: its counter, and those that left it."""

    def __init__(self, *pids: int, counter: int = -1) -> None:
        self.counter = counter
        self.departed_ns = 0
        self.pids = list(pids)

    def detached_processes(self) -> list[int]:
        return self.pids


@pytest.fixture
def proc(tmp_path: Path) -> Proc:
    return Proc(tmp_path)


@pytest.fixture
def alone(proc: Proc) -> Iterator[EngineTasks]:
    """An engine of one task, 7, that has run and waited before."""
    proc.task(7, ran=50, waited=30, turns=3)
    tasks = proc.tasks(7)
    assert tasks.scan()
    yield tasks
    tasks.close()


def waited_ms(tasks: EngineTasks, passed_ms: int = 100) -> int:
    usage = tasks.usage_since_mark(passed_ms * MS)
    assert usage is not None
    return usage.waited_ns // MS


def test_one_task_counts_from_the_mark(proc: Proc, alone: EngineTasks) -> None:
    """Running and waiting before the mark do not count."""
    alone.mark()
    proc.task(7, ran=70, waited=42, turns=9, state="R")
    assert alone.usage_since_mark(100 * MS) == CpuUsage(70 * MS, 12 * MS, 9, True)


@pytest.fixture
def counted(proc: Proc) -> Iterator[EngineTasks]:
    """An engine of one task, 7, with a counter of the kernel, which stands still."""
    proc.task(7, ran=50, waited=30, turns=3)
    with open("/dev/zero", "rb") as counter:
        tasks = proc.tasks(7, Started(counter=counter.fileno()))
    assert tasks.scan()
    yield tasks
    tasks.close()


@pytest.mark.parametrize(("low", "waited"), [({}, 12), ({"nice": 5}, 0), ({"policy": 5}, 0)])
def test_a_single_task_is_judged_without_a_search(
    proc: Proc, counted: EngineTasks, monkeypatch: pytest.MonkeyPatch, low: dict[str, int], waited: int
) -> None:
    """On a busy machine most moves wait for a CPU, and a search of the process tree costs more than a ply."""
    counted.mark()
    proc.task(7, ran=52, waited=42, turns=9, state="R", **low)  # type: ignore[arg-type]  # a priority or a policy
    with monkeypatch.context() as patch:
        patch.setattr(os, "listdir", lambda path: pytest.fail(f"searched {path}"))
        assert counted.usage_since_mark(100 * MS) == CpuUsage(0, waited * MS, 9, not low)
        assert counted.usage_since_mark(100 * MS) == CpuUsage(0, waited * MS, 9, not low)


@pytest.mark.parametrize("new", ["thread", "helper"])
def test_what_a_single_task_starts_in_a_move_is_found(proc: Proc, counted: EngineTasks, new: str) -> None:
    """Its waits count from its birth."""
    counted.mark()
    proc.task(7, ran=50, waited=30, children="" if new == "thread" else "8 ")
    if new == "thread":
        proc.task(7, 71, waited=20, born=proc.boot_ms)
    else:
        proc.task(8, waited=20, born=proc.boot_ms)
    assert waited_ms(counted, 5) == 20


def test_a_wrapper_counts_with_what_it_starts(proc: Proc) -> None:
    """A shell, the engine below it, and a helper of that one: waits and CPU of all."""
    proc.task(7, children="8 ")
    proc.task(8, ran=40, waited=10, children="9 ")
    proc.task(9)
    tasks = proc.tasks(7)
    assert tasks.scan() and tasks.cpu_ns() == 40 * MS
    tasks.mark()
    proc.task(8, ran=40, waited=25, children="9 ")
    proc.task(9, waited=5)
    assert waited_ms(tasks) == 20
    tasks.close()


def test_nobody_gains_time_by_threads_that_wait_for_each_other(proc: Proc, alone: EngineTasks) -> None:
    """Four threads take turns on one CPU, then sleep: each waited only while another one ran."""
    for tid in (0, 71, 72, 73):
        proc.task(7, tid, born=0)
    alone.scan()
    alone.mark()
    for number, tid in enumerate((0, 71, 72, 73)):
        proc.task(7, tid, ran=10, waited=10 * number)
    assert waited_ms(alone) == 0


def test_threads_are_late_where_the_cpu_was_somebody_elses(proc: Proc, alone: EngineTasks) -> None:
    """Two threads of 10 ms each that waited 50 ms each, of which 10 for each other."""
    proc.task(7)
    proc.task(7, 71)
    alone.scan()
    alone.mark()
    proc.task(7, ran=10, waited=50)
    proc.task(7, 71, ran=10, waited=50)
    assert waited_ms(alone) == 80


def test_a_thread_that_was_born_after_the_mark_counts_whole(proc: Proc, alone: EngineTasks) -> None:
    """A task that was there before the mark, but not known, does not count until the next mark."""
    alone.mark()
    proc.task(7, 71, waited=33, born=proc.boot_ms - 50)
    proc.task(7, 72, waited=1_000, born=proc.boot_ms - 5_000)
    assert waited_ms(alone, 100) == 33
    alone.mark()
    proc.task(7, 72, waited=1_004, born=proc.boot_ms - 5_000)
    assert waited_ms(alone, 100) == 4


def test_a_thread_that_ends_keeps_what_was_seen_of_it(proc: Proc, alone: EngineTasks) -> None:
    """Its waits between the last reading and its end are lost."""
    alone.mark()
    proc.task(7, 71, waited=20, born=proc.boot_ms)
    assert waited_ms(alone, 5) == 20
    proc.end(7, 71)
    assert waited_ms(alone, 10) == 20


@pytest.mark.parametrize("low", [{"policy": 5}, {"nice": 5}])
def test_a_look_sees_the_low_priority_of_threads_that_end(
    proc: Proc, alone: EngineTasks, monkeypatch: pytest.MonkeyPatch, low: dict[str, int]
) -> None:
    """They waited because they wanted to, and are gone when the move is judged."""
    monkeypatch.setattr(run_delay, "LOOK_NS", 0)
    alone.mark()
    alone.look()
    proc.task(7, 71, waited=20, born=proc.boot_ms, **low)  # type: ignore[arg-type]  # a priority or a policy
    alone.look()
    proc.end(7, 71)
    assert waited_ms(alone, 10) == 0


def test_a_thread_with_the_number_of_one_that_ended_gives_nobody_time(proc: Proc, alone: EngineTasks) -> None:
    """The kernel gives numbers again. What the ended thread ran is not taken off what others waited for."""
    proc.task(7, 71, ran=400, turns=9)
    proc.task(7, 72)
    alone.scan()
    alone.mark()
    proc.task(7, 71, ran=1, turns=1, born=proc.boot_ms)
    assert waited_ms(alone, 10) == 0


def test_looks_during_a_move_keep_the_waits_of_threads_that_end(
    proc: Proc, alone: EngineTasks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An engine that starts threads for each move and joins them is not charged for what they waited."""
    monkeypatch.setattr(run_delay, "LOOK_NS", 0)
    alone.mark()
    alone.look()
    proc.task(7, 71, waited=20, born=proc.boot_ms)
    alone.look()
    proc.end(7, 71)
    assert waited_ms(alone, 10) == 20


def test_children_that_have_ended_have_used_cpu_too(proc: Proc) -> None:
    """Their time is in their parent's figure for ended children."""
    proc.task(7, children="8")
    proc.task(8, ran=300)
    tasks = proc.tasks(7)
    tasks.scan()
    assert tasks.cpu_ns() == 300 * MS
    proc.end(8)
    proc.task(7, reaped=310)
    assert tasks.cpu_ns() == 310 * MS
    tasks.close()


def test_too_many_tasks_are_not_measured(proc: Proc, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand readings a move would make the referee itself late."""
    monkeypatch.setattr(run_delay, "MAX_TASKS", 3)
    for tid in (0, 71, 72, 73):
        proc.task(7, tid)
    tasks = proc.tasks(7)
    assert not tasks.scan() and tasks.usage_since_mark(0) is None
    tasks.close()


def test_a_system_that_tells_nothing_gives_no_figures(tmp_path: Path) -> None:
    """No /proc, no figures, no error."""
    tasks = EngineTasks(7, 1, str(tmp_path / "none"), lambda pid: None, lambda: 0)
    tasks.mark()
    assert not tasks.scan() and tasks.cpu_ns() is None and tasks.usage_since_mark(5) is None
    own = OwnThread(str(tmp_path / "none"))
    own.mark()
    assert own.waited_ns() == 0
    assert not run_delay.available(str(tmp_path))
    tasks.close()
    own.close()


def test_our_own_delay_counts_from_the_last_wait(tmp_path: Path) -> None:
    """Our waits while the engine was still thinking do not count."""
    file = tmp_path / "schedstat"
    file.write_text("0 0 0")
    own = OwnThread(str(file))
    assert own.waited_ns() == 0
    for waited in (5, 20):
        file.write_text(f"0 {waited * MS} 0")
        own.mark()
    file.write_text(f"0 {27 * MS} 0")
    assert own.waited_ns() == 7 * MS
    own.close()


@pytest.mark.parametrize(("answered", "waited_ms"), [(False, 7), (True, 22)])
def test_our_own_delay_counts_from_the_write_where_the_answer_has_come_already(
    tmp_path: Path, answered: bool, waited_ms: int
) -> None:
    """The write wakes the engine. It may take our CPU and answer before we have it back."""
    file = tmp_path / "schedstat"
    file.write_text(f"0 {5 * MS} 0")
    own = OwnThread(str(file))
    own.mark()
    file.write_text(f"0 {20 * MS} 0")
    own.mark_wait(lambda: answered)
    file.write_text(f"0 {27 * MS} 0")
    assert own.waited_ns() == waited_ms * MS
    own.close()


@pytest.mark.parametrize(("answered", "waited_ms"), [(False, 0), (True, 300)])
def test_a_long_look_before_the_answer_was_read_is_our_own_delay(
    tmp_path: Path, answered: bool, waited_ms: int
) -> None:
    """An opponent with many processes and files makes looks slow. The engine that answers meanwhile does not pay."""
    file = tmp_path / "schedstat"
    file.write_text(f"0 {5 * MS} 0")
    own = OwnThread(str(file))
    own.mark()
    own.mark_wait(lambda: answered, 300 * MS)
    assert own.waited_ns() == waited_ms * MS
    own.mark()
    assert own.waited_ns() == 0
    own.close()


def test_what_left_the_engine_counts(proc: Proc) -> None:
    """A helper with another parent has used CPU, living or ended, and the engine that waited for it gains nothing."""
    proc.task(7)
    proc.task(9)
    left = Started(9)
    tasks = proc.tasks(7, left)
    assert tasks.scan() and tasks.cpu_ns() == 0
    tasks.mark()
    proc.task(7, ran=2, waited=90, state="R")
    proc.task(9, ran=88)
    usage = tasks.usage_since_mark(90 * MS)
    assert usage is not None and (usage.cpu_ns, usage.waited_ns) == (90 * MS, 2 * MS)
    proc.end(9)
    left.pids, left.departed_ns = [], 91 * MS
    assert tasks.scan() and tasks.cpu_ns() == 93 * MS
    tasks.close()


def test_new_helpers_are_noticed_before_a_move(proc: Proc) -> None:
    """What a helper did before `go` is not the move's."""
    proc.task(7)
    tasks = proc.tasks(7)
    assert tasks.scan()
    proc.task(7, children="8 ")
    proc.task(8, ran=40)
    tasks.notice()
    assert tasks.cpu_ns() == 40 * MS
    tasks.close()


@pytest.mark.parametrize("new", ["thread", "helper"])
def test_threads_and_helpers_are_noticed_before_a_game(proc: Proc, alone: EngineTasks, new: str) -> None:
    """However short the games are: what they wait for a CPU counts from the first move on."""
    if proc.root.stat().st_nlink < 3:
        pytest.skip("this file system does not count the links of a folder, as /proc does")
    assert alone.scan_for_game() and alone.scan_for_game()
    if new == "helper":
        proc.task(7, ran=50, waited=30, turns=3, children="8 ")
    pid, tid = (7, 71) if new == "thread" else (8, 0)
    proc.task(pid, tid)
    assert alone.scan_for_game()
    alone.mark()
    proc.task(pid, tid, waited=20)
    assert waited_ms(alone) == 20


@pytest.mark.parametrize(("nice", "policy"), [(19, 0), (0, 5)])
def test_a_task_that_gave_up_its_priority_waits_for_itself(
    proc: Proc, alone: EngineTasks, nice: int, policy: int
) -> None:
    """Nobody can sleep for nothing behind the work of others, nor void a game so."""
    alone.mark()
    proc.task(7, ran=50, waited=130, state="R", nice=nice, policy=policy)
    usage = alone.usage_since_mark(100 * MS)
    assert usage is not None and usage.waited_ns == 0 and not usage.ready


def test_without_a_counter_no_wait_of_a_move_that_starts_a_process_is_credited(proc: Proc, alone: EngineTasks) -> None:
    """Nobody knows what became of other ones. A thread is no process, and neither is one from before the mark."""
    for tid, pid, waited in ((71, 0, 20), (0, 8, 0)):
        alone.mark()
        proc.task(7, ran=50, waited=30, children="8 " if pid else "")
        proc.task(pid or 7, tid, waited=20, born=proc.boot_ms)
        usage = alone.usage_since_mark(100 * MS)
        assert usage is not None and usage.waited_ns == waited * MS
    alone.mark()
    proc.task(8, waited=45)
    assert waited_ms(alone) == 25


@pytest.fixture
def counter() -> Iterator[tuple[int, Callable[..., None]]]:
    """A counter whose readings a test chooses: its descriptor, and what takes the next readings, in ms."""
    out, into = os.pipe()

    def tell(*readings_ms: int) -> None:
        os.write(into, struct.pack(f"={len(readings_ms)}Q", *(each * MS for each in readings_ms)))

    yield out, tell
    os.close(out)
    os.close(into)


def test_a_counter_tells_what_no_process_shows(proc: Proc, counter: tuple[int, Callable[..., None]]) -> None:
    """The time of children that have ended is in it, and one that left the tree needs no search."""
    proc.task(7)
    counter[1](0, 1, 90)
    tasks = proc.tasks(7, Started(9, counter=counter[0]))
    tasks.mark()
    proc.task(7, waited=80, state="R")
    assert tasks.usage_since_mark(100 * MS) == CpuUsage(90 * MS, 80 * MS, 0, True)
    assert tasks.has_counter
    tasks.close()


def test_a_counter_that_the_kernel_has_taken_away_is_given_up(
    proc: Proc, counter: tuple[int, Callable[..., None]]
) -> None:
    """Where its processes used 80 ms and the counter stands still, the processes tell from then on."""
    proc.task(7, ran=10)
    counter[1](500, 501, 502)
    tasks = proc.tasks(7, Started(counter=counter[0]))
    assert tasks.scan() and tasks.has_counter
    proc.task(7, ran=90)
    assert tasks.scan() and not tasks.has_counter
    assert tasks.cpu_ns() == (501 + 80) * MS
    proc.task(7, ran=95)
    assert tasks.cpu_ns() == (501 + 85) * MS
    tasks.close()


linux = pytest.mark.skipif(not run_delay.available(), reason="this system tells no run delays")

BUSY = (
    "import sys, threading, time\n"
    "def burn(ms):\n"
    "    end = time.thread_time() + ms / 1000\n"
    "    while time.thread_time() < end: pass\n"
    "for line in sys.stdin:\n"
    "    helpers = [threading.Thread(target=burn, args=(30,)) for _ in range(int(line))]\n"
    "    [each.start() for each in helpers]\n"
    "    burn(30)\n"
    "    [each.join() for each in helpers]\n"
    "    print('done', flush=True)\n"
)


def burned(engine: EngineProcess, helpers: int) -> tuple[CpuUsage, int]:
    """The usage after the engine has used 30 ms of CPU in each thread, and the CPU time of that."""
    with contextlib.closing(EngineTasks(engine.cpu_pid, 1)) as tasks:
        engine.send(b"0\n", time.monotonic_ns() + 20_000 * MS)
        engine.receive(time.monotonic_ns() + 20_000 * MS)
        assert tasks.scan()
        before = tasks.cpu_ns()
        tasks.mark()
        start_ns = time.monotonic_ns()
        engine.send(b"%d\n" % helpers, time.monotonic_ns() + 20_000 * MS)
        engine.receive(time.monotonic_ns() + 20_000 * MS)
        usage = tasks.usage_since_mark(time.monotonic_ns() - start_ns)
        assert usage is not None and before is not None
        return usage, usage.cpu_ns - before


@linux
@pytest.mark.parametrize("helpers", [0, 3])
def test_a_script_around_an_engine_is_measured_with_it(helpers: int) -> None:
    """A shell that waits for a Python engine of one or four threads: their CPU time, though the shell uses none."""
    wrapped = ("/bin/sh", "-c", f'{sys.executable} -I -S -c "$0" <&0; exit 0', BUSY)
    with EngineProcess.spawn(Command(wrapped)) as engine:
        _, cpu_ns = burned(engine, helpers)
        own_ns = run_delay.process_clock_ns(engine.pid)
    assert 30 * MS * (1 + helpers) <= cpu_ns < 3_000 * MS
    assert own_ns is not None and own_ns < 30 * MS


TRICKS = {
    "children": "helpers = [fork(work) for _ in range(4)]; expect(4); [os.waitpid(pid, 0) for pid in helpers]",
    "orphans": "[fork(leave) for _ in range(4)]; expect(4)",
    "not waited for": "signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
    "for _ in range(10): [fork(lambda: work(8)) for _ in range(4)]; expect(4)",
    "started before": "[os.write(begin, b'x') for _ in range(4)]; expect(4)",
}
"""What an engine does in a move, while it waits for the CPU that its helpers have."""
TRICKSTER = """
import os, signal, sys, time
again, begin = os.pipe()
def fork(life):
    if not (pid := os.fork()):
        life()
        os._exit(0)
    return pid
def work(ms=60):
    end = time.process_time() + ms / 1000
    while time.process_time() < end: pass
    open(str(os.getpid()), "w").close()
def leave():
    os.setsid()
    fork(work)
def expect(count):
    while len(os.listdir(".")) < count: os.sched_yield()
    for name in os.listdir("."): os.unlink(name)
def early():
    os.setsid()
    fork(lambda: os.read(again, 1) and work())
if TRICK.startswith("[os.write"):
    [os.waitpid(fork(early), 0) for _ in range(4)]
for line in sys.stdin:
    exec(TRICK)
    print("done", flush=True)
"""


@linux
@pytest.mark.parametrize(
    "trick",
    [name if name == "orphans" else pytest.param(name, marks=pytest.mark.long) for name in TRICKS],
)
def test_nobody_computes_for_nothing_in_other_processes(trick: str) -> None:
    """On one CPU an engine pays for what its processes use, however they came about and whoever is their parent."""
    program = f"TRICK = {TRICKS[trick]!r}\n{TRICKSTER}"
    command = Command((sys.executable, "-I", "-S", "-c", program), SandboxPolicy(Level.BASIC))
    ours = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(ours)})
    try:
        with EngineProcess.spawn(command) as engine, contextlib.closing(OwnThread()) as own:
            with contextlib.closing(EngineTasks(engine.cpu_pid, 1, source=engine.sandbox)) as tasks:
                engine.before_wait = tasks.look
                watch = Stopwatch("fair", tasks, own)
                start_ns = time.monotonic_ns()
                watch.begin(start_ns, 1_000 * MS)
                engine.send(b"go\n", start_ns + 20_000 * MS)
                assert engine.receive(start_ns + 20_000 * MS) == b"done", engine.stderr_tail()
                wall_ns, judged_ns, cpu_ns, _ = watch.stop(time.monotonic_ns() - start_ns)
    finally:
        os.sched_setaffinity(0, ours)
    used_ns = (320 if trick == "not waited for" else 240) * MS
    assert cpu_ns is not None and 0.95 * used_ns <= judged_ns <= wall_ns
    assert judged_ns <= 1.1 * cpu_ns + 20 * MS and cpu_ns <= 1.1 * wall_ns


@linux
def test_an_engine_that_shares_its_cpu_with_another_has_waited() -> None:
    """Two engines share one CPU: both have waited, but not longer than the measured time."""
    cpu = {min(os.sched_getaffinity(0))}
    command = Command((sys.executable, "-I", "-S", "-c", BUSY))
    with EngineProcess.spawn(command) as one, EngineProcess.spawn(command) as two:
        for engine in (one, two):
            os.sched_setaffinity(engine.pid, cpu)
            engine.send(b"0\n", time.monotonic_ns() + 20_000 * MS)
            engine.receive(time.monotonic_ns() + 20_000 * MS)
        tasks = [EngineTasks(engine.pid, 1) for engine in (one, two)]
        for each in tasks:
            assert each.scan()
            each.mark()
        start_ns = time.monotonic_ns()
        for engine in (one, two):
            engine.send(b"0\n", start_ns + 20_000 * MS)
        for engine in (one, two):
            engine.receive(start_ns + 20_000 * MS)
        passed_ns = time.monotonic_ns() - start_ns
        usages = [each.usage_since_mark(passed_ns) for each in tasks]
        for each in tasks:
            each.close()
    waited = [usage.waited_ns for usage in usages if usage is not None]
    assert len(waited) == 2 and sum(waited) >= 20 * MS and max(waited) <= passed_ns
