"""Real processes: pipes, deadlines, caps, and that nothing is left behind."""

import errno
import itertools
import os
import resource
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from protocol import process
from protocol.containment.policy import Level, SandboxPolicy
from protocol.faults import CannotStart, EngineFault, Fault
from protocol.line_buffer import LINE_CAP
from protocol.process import Command, EngineProcess
from protocol.session import Session
from protocol.stderr_log import STDERR_TAIL
from protocol.transport import TransportClosed, TransportFlooded, TransportTimeout

MS = 1_000_000

# A plain engine by hand, fast to start and unbuffered.
HEAD = "import os, signal, sys, time\nsay = lambda text: os.write(1, text.encode())\n"
ECHO = HEAD + (
    "for line in sys.stdin:\n"
    "    word = line.split()[0]\n"
    "    if word == 'quit': break\n"
    "    say({'ugi': 'ugiok', 'isready': 'readyok', 'go': 'bestmove d1d3'}.get(word, word) + '\\n')\n"
)

Start = Callable[..., EngineProcess]


def soon(ms: int = 20_000) -> int:
    return time.monotonic_ns() + ms * MS


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts engines whose body is Python code, and leaves none behind."""
    running: list[EngineProcess] = []

    def spawn(code: str, **settings: object) -> EngineProcess:
        policy = SandboxPolicy(Level.NONE, **settings)  # type: ignore[arg-type]  # passed on
        command = Command((sys.executable, "-I", "-S", "-c", HEAD + code), policy)
        running.append(EngineProcess.spawn(command))
        return running[-1]

    yield spawn
    for engine in running:
        engine.kill()


def alive(pid: int) -> bool:
    """True if there is such a process; a zombie does not count."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def gone(pid: int) -> bool:
    """True if the process ends soon. SIGKILL takes a moment."""
    deadline = soon()
    while alive(pid):
        if time.monotonic_ns() > deadline:
            return False
        os.sched_yield()
    return True


def test_what_is_in_the_pipe_when_go_is_written_is_dropped(start: Start) -> None:
    """Whether it came in one write with `readyok` or after it, and whether its last line is complete."""
    earlies = ("bestmove a1a2\\n", "info string a\\nbestmove a1a2\\nbest", "bestmove a1a2")
    for between, early in itertools.product(("", "'); say('"), earlies):
        body = f"if word == 'isready': say('readyok\\n{between}{early}')"
        engine = start(ECHO.replace("    say({'ugi'", f"    {body}\n    else: say({{'ugi'"))
        session = Session(engine)
        session.handshake()
        for _ in range(2):
            session.prepare(b"position startpos")
            while not (engine._lines.whole or engine._lines.unfinished or select.select([engine._out], [], [], 0)[0]):
                os.sched_yield()  # in the second case it comes a moment later
            assert session.search(b"go movetime 100\n", 5_000 * MS, Fault.TIME)[0].word == "d1d3"


def test_a_deadline_holds_against_silence_and_against_a_trickle(start: Start) -> None:
    """Half a line every few ms is not a line."""
    for code in ("sys.stdin.read()", "while True:\n    say('x'); time.sleep(0.005)"):
        engine = start(code)
        before = time.monotonic_ns()
        with pytest.raises(TransportTimeout):
            engine.receive(before + 100 * MS)
        assert 100 * MS <= time.monotonic_ns() - before < 15_000 * MS


def test_what_came_while_we_were_stopped_is_read(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """A deadline that passed while we were stopped is not the engine's: its answer lies in the pipe."""
    engine = start(ECHO)
    passed_ns = soon()

    def stop() -> int:
        """Be stopped until the deadline, after a look into the pipe and before one at the clock."""
        with monkeypatch.context() as patched:
            patched.setattr(process, "_now_ns", time.monotonic_ns)
            engine.send(b"isready\n", soon())
        assert select.select([engine._out], [], [], 20)[0]
        return passed_ns

    with monkeypatch.context() as patched:
        patched.setattr(process, "_now_ns", stop)
        assert engine.receive(passed_ns) == b"readyok"
    with pytest.raises(TransportTimeout):
        engine.receive(time.monotonic_ns())


def test_a_flood_before_go_is_dropped_and_not_read(start: Start) -> None:
    """A pipe holds a million empty lines. To look at each of them would give the engine seconds to think."""
    flood = "say('readyok\\n' + '\\n' * 1_000_000)"
    engine = start(f"import fcntl; fcntl.fcntl(1, fcntl.F_SETPIPE_SZ, 1 << 20); {flood}; time.sleep(60)")
    assert engine.receive(soon()) == b"readyok"
    assert len(engine.take_unread()) < 100
    assert engine.take_unread() == ()


def test_an_engine_that_never_reads_cannot_block_us(start: Start) -> None:
    """A line larger than the pipe ends at the deadline."""
    engine = start("time.sleep(60)")
    with pytest.raises(TransportTimeout):
        engine.send(b"x" * 1_000_000 + b"\n", soon(100))


def test_a_line_may_have_64_kib_and_no_byte_more(start: Start) -> None:
    """The cap is exact, and what comes after it is never read."""
    engine = start(
        f"say('a' * {LINE_CAP} + '\\n')\nsay('a' * {LINE_CAP + 1} + '\\nbestmove d1d3\\n')\nsys.stdin.read()"
    )
    assert len(engine.receive(soon())) == LINE_CAP
    for _ in range(2):
        with pytest.raises(TransportFlooded, match="65536"):
            engine.receive(soon())


def test_a_flood_loses_and_does_not_grow_the_referee(start: Start) -> None:
    """A hundred megabytes, with newlines or without, end at a cap; our memory stays as it is."""
    for line in ("'x' * 65536", "('info string ' + 'x' * 80 + '\\n') * 700"):
        engine = start(f"data = ({line}).encode()\nfor _ in range(1600): os.write(1, data)\nsay('\\nbestmove d1d3\\n')")
        before_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        with pytest.raises(EngineFault) as caught:
            Session(engine).search(b"go movetime 100\n", 20_000 * MS, Fault.TIME)
        assert caught.value.fault is Fault.MALFORMED_MOVE
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before_kib < 8_192


def test_a_death_is_seen_at_once_and_said(start: Start) -> None:
    """Exit status, signal, or a closed stdout; what was said before it still counts, half a line does not."""
    for code, clause in {
        "sys.exit(3)": "ended with exit status 3",
        "os.kill(os.getpid(), signal.SIGSEGV)": "was killed by SIGSEGV",
        "os.close(1)\ntime.sleep(60)": "closed its stdout",
    }.items():
        engine = start("say('last words\\nhalf a li')\n" + code)
        assert engine.receive(soon()) == b"last words"
        for _ in range(2):
            with pytest.raises(TransportClosed, match=clause):
                engine.receive(soon(30_000))
        with pytest.raises(TransportClosed):
            for _ in range(3):
                engine.send(b"x" * 200_000, soon(20))
                engine.receive(soon(20))


@pytest.mark.usefixtures("grouping")
def test_a_child_that_holds_the_pipe_does_not_hide_a_death(start: Start) -> None:
    """The engine itself is watched, not only its stdout; and the child dies with it."""
    engine = start("pid = os.fork()\nif pid == 0: time.sleep(60)\nsay(f'{pid}\\n')\nos._exit(1)")
    child = int(engine.receive(soon()))
    before = time.monotonic_ns()
    with pytest.raises(TransportClosed, match="exit status 1"):
        engine.receive(soon(20_000))
    assert time.monotonic_ns() - before < 15_000 * MS
    assert alive(child)
    assert engine.close().status == 1
    assert gone(child)


def test_stderr_is_drained_and_its_end_kept(start: Start) -> None:
    """An engine may log a megabyte before it answers; the last 64 KiB are there for its author."""
    engine = start(
        "for i in range(1024): os.write(2, b'x' * 1023 + b'\\n')\n"
        "os.write(2, b'the end')\nsay('readyok\\n')\nsys.stdin.read()"
    )
    assert engine.receive(soon()) == b"readyok"
    engine.close()
    tail = engine.stderr_tail()
    assert len(tail) == STDERR_TAIL and tail.endswith(b"the end")


def test_quitting_is_enough_for_a_tidy_engine(start: Start) -> None:
    """It gets the line and its time, may still write a lot, and its exit status is told, every time the same."""
    engine = start("sys.stdin.readline()\nsay('x' * 300_000)\nsys.exit(7)")
    end = engine.close()
    assert end == (7, "exit status 7")
    assert engine.close() is end and engine.kill() is end


@pytest.mark.usefixtures("grouping")
def test_an_engine_that_ignores_everything_is_killed_with_its_children(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Quit, SIGTERM, SIGKILL for all of them: nobody is left."""
    monkeypatch.setattr(process, "_TERM_MS", 40)
    engine = start(
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\npid = os.fork()\n"
        "if pid: say(f'{pid}\\n')\nwhile True: time.sleep(60)"
    )
    grandchild = int(engine.receive(soon()))
    before = time.monotonic_ns()
    end = engine.close(quit_ms=20)
    assert end.status == -signal.SIGKILL and "quit and SIGTERM" in end.text
    assert 60 * MS <= time.monotonic_ns() - before < 15_000 * MS
    assert gone(engine.pid) and gone(grandchild)


def test_an_engine_has_its_own_process_group_no_terminal_and_three_pipes_only(start: Start) -> None:
    """Ctrl-C does not reach it, it can write on no terminal of ours, and it holds no pipe of another engine."""
    start("sys.stdin.read()")
    tell = "say(f'{os.getpgid(0)} {len(os.listdir(\"/proc/self/fd\"))}\\n')"
    tries = "try: open('/dev/tty')\nexcept OSError as error: say(f'{error.errno}\\n')"
    engine = start(f"{tell}\n{tries}\nsys.stdin.read()")
    # The listing itself is the fourth.
    assert engine.receive(soon()).decode() == f"{engine.pid} 4"
    assert engine.receive(soon()).decode() == str(errno.ENXIO)


def test_what_cannot_start_says_why(tmp_path: Path) -> None:
    """One sentence each, at every level, before anything is started."""
    engine = tmp_path / "engine"
    missing = {
        ("no-such-engine-here",): "cannot start no-such-engine-here: there is no such program on the PATH",
        (str(tmp_path / "none"),): f"cannot start {tmp_path}/none: there is no such program",
        (str(tmp_path),): "it is not an executable file",
        (): "the command is empty",
        ("",): "the command is empty",
        ("a\0b",): "there is no such program",
        (sys.executable, "a\0b"): "cannot start the engine: embedded null byte",
    }
    contents = {
        b"not a program": "it is neither a program for this machine nor a script with a `#!` line",
        b"\x7fELF" + bytes(60): "it is neither a program for this machine",
        b"#!/no/such/venv/bin/python -u\n": "its first line names /no/such/venv/bin/python, which is missing",
        b"#!\n": "its first line names nothing, which is missing",
        b"#!/bin/sh\r\n": "its first line ends as Windows ends lines: save it with Unix line ends",
    }
    for level in (Level.NONE, Level.BASIC):
        for argv, words in missing.items():
            assert words in refused(Command(argv, SandboxPolicy(level)))
        nowhere = SandboxPolicy(level, directory=str(tmp_path / "none"))
        assert f"there is no directory {tmp_path}/none" in refused(Command((sys.executable,), nowhere))
        for content, words in contents.items():
            engine.write_bytes(content)
            engine.chmod(0o644)
            assert "(a script needs `chmod +x`)" in refused(Command((str(engine),), SandboxPolicy(level)))
            engine.chmod(0o755)
            assert words in refused(Command((str(engine),), SandboxPolicy(level)))


def refused(command: Command) -> str:
    """Why a command cannot start."""
    with pytest.raises(CannotStart) as caught:
        EngineProcess.spawn(command)
    return str(caught.value)
