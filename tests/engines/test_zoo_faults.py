"""Each fault of the zoo, seen from outside: it does what its sentence says, and keeps within its bounds."""

import os
import re
import signal
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engines.zoo.catalogue import FAULTS
from tests.engines.animal import WAIT_S, Animal, Start, cage, cpu_s, field

SCRIPT = "ugi\nisready\nuginewgame\nisready\nposition startpos\nisready\ngo nodes 1\nquit\n"
"""What a fault is shown in: a handshake, and one move of one game."""
GO = "position startpos\ngo nodes 1"


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start a zoo by its arguments; whatever is left of it is killed."""
    with cage(tmp_path) as begin:
        yield begin


def report(animal: Animal) -> str:
    """What it says of its deed: `done ...` or `refused ...`."""
    line = animal.lines("info string zoo")[-1]
    return line.split(" ", 4)[4]


def until(holds: Callable[[], bool], what: str) -> None:
    """Wait for what another process does by itself: there is no event to wait for."""
    deadline = time.monotonic() + WAIT_S
    while not holds():
        assert time.monotonic() < deadline, f"waited in vain for {what}"
        time.sleep(0.005)


INFO = rb"info depth 1 [^\n]*\n"
HEARD: dict[str, bytes] = {
    "banner": rb"\A\*\*\* The Zoo[^\n]*\n\(c\)[^\n]*\n\nid name",
    "blank-lines": rb"readyok\n\n  \n" + INFO,
    "chatter": rb"readyok\nhash=16384MB readyok bestmove\n" + INFO,
    "misleading-info": rb"readyok\ninfo string readyok ugiok bestmove a1a2\n" + INFO,
    "bad-info": rb"time 0\.5 nps inf\ninfo score 54\n[^\n]*\ninfo\n" + INFO,
    "nul-line": rb"a\0b\0\n\0\0\n" + INFO,
    "non-utf8": rb"na\xefve caf\xe9\n" + INFO,
    "error-line": rb"readyok\nerror the zoo complains\n" + INFO,
    "crlf": rb"\A(?:[^\r\n]+\r\n)+\Z",
    "trailing-blanks": rb"\A(?:[^\r\n]+ \t\n)+\Z",
    "byte-by-byte": rb"\Aid name zoo byte-by-byte\n(?s:.*)bestmove [a-i][1-9]\n\Z",
    "split-ugiok": rb"\nugiok\n",
    "unflushed": rb"\nugiok\n",
    "flood-line": rb"\n\.{1000000}\n" + INFO,
    "flood-lines": rb"(?:info depth 1 nodes 1 score cp 0 string \.{60}\n){10000}" + INFO,
    "illegal-move": rb"bestmove a1b1c1\n\Z",
    "garbage-wellformed": rb"bestmove y25w24x23\n\Z",
    "garbage-malformed": rb"bestmove d1b6b\n\Z",
    "two-words": rb"bestmove [a-i][1-9] here\n\Z",
    "empty-bestmove": rb"\nbestmove\n\Z",
    "nul-bestmove": rb"bestmove [a-i]\0[1-9]\n\Z",
    "null-move": rb"bestmove 0000\n\Z",
    "none-move": rb"bestmove \(none\)\n\Z",
    "resign-unannounced": rb"\A(?:(?!option name UGI_Resign)[^\n]*\n)*bestmove resign\n\Z",
    "offer-unannounced": rb"\A(?:(?!option name UGI_Draw)[^\n]*\n)*offer draw\nbestmove [a-i][1-9]\n\Z",
    "wrong-case": rb"bestmove [A-I][1-9]\n\Z",
    "ponder-word": rb"bestmove [a-i][1-9] ponder a1a1\n\Z",
    "two-bestmoves": rb"(bestmove [a-i][1-9]\n)\1\Z",
    "bestmove-without-go": rb"readyok\nbestmove a1a2\nreadyok\n",
    "exit-0": rb"readyok\n\Z",
    "exit-1": rb"readyok\n\Z",
    "segv": rb"readyok\n\Z",
    "exits-at-start": rb"\A\Z",
    "closes-stdout": rb"readyok\n\Z",
    "exits-dirty": rb"bestmove [a-i][1-9]\n\Z",
}
"""What each of these faults makes of the script, as a pattern."""
QUICK = set(
    "banner nul-line crlf flood-line illegal-move garbage-malformed null-move resign-unannounced".split()
) | set("wrong-case two-bestmoves bestmove-without-go exit-1 segv closes-stdout exits-dirty misleading-info".split())
"""Those that every run of the tests looks at; the others differ from them by little."""
STATUS = {"exit-1": 1, "exits-at-start": 1, "segv": -signal.SIGSEGV, "exits-dirty": 3}
CLEAN = (
    rb"\Aid name zoo[^\n]*\nid author [^\n]*\n(?:option [^\n]*\n)+ugiok\n(?:readyok\n){3}" + INFO + rb"bestmove \S+\n\Z"
)


def quick_or_long(name: str) -> object:
    return name if name in QUICK else pytest.param(name, marks=pytest.mark.long)


@pytest.mark.parametrize("name", [quick_or_long(name) for name in HEARD])
def test_what_a_fault_says(start: Start, name: str) -> None:
    """A fault of words shows in what comes out for one script, and in its exit status."""
    zoo = start("--fault", name, *(("--limit", "1") if name.startswith("flood") else ()))
    zoo.send(SCRIPT)
    said = zoo.rest()
    assert re.search(HEARD[name], said), said[-200:]
    assert zoo.status() == STATUS.get(name, 0)
    alike = {"exits-dirty", "byte-by-byte", "split-ugiok", "unflushed"}
    assert bool(re.search(CLEAN, said)) == (name in alike | {"null-move", "illegal-move"} | WORD_ONLY)


WORD_ONLY = {"garbage-wellformed", "garbage-malformed", "none-move", "resign-unannounced", "wrong-case", "nul-bestmove"}
"""Faults that change nothing but the word behind a bestmove, and the options that they do not announce."""


def test_what_is_written_in_pieces(start: Start) -> None:
    """A correct engine writes whole lines, split-ugiok splits one of them, byte-by-byte all."""
    for name, pieces in (("", [b"readyok\n"]), ("split-ugiok", [b"ugi", b"ok\n"]), ("byte-by-byte", [b"i", b"d"])):
        # A socket of this kind keeps the borders between writes.
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with ours, theirs:
            zoo = start(*(("--fault", name) if name else ()), stdout=theirs.fileno())
            theirs.close()
            zoo.send(SCRIPT)
            ours.settimeout(WAIT_S)
            writes: list[bytes] = []
            while piece := ours.recv(1 << 16):
                writes.append(piece)
        assert any(writes[at : at + len(pieces)] == pieces for at in range(len(writes)))
        assert all(piece.endswith(b"\n") for piece in writes) == (name == "")


def test_a_late_bestmove_is_the_last_games(start: Start) -> None:
    """It comes behind the next uginewgame, or before the bestmove of the next game's first go."""
    for phase, last in (("newgame", "uginewgame\nisready\n"), ("first", f"uginewgame\n{GO}\nisready\n")):
        zoo = start("--fault", "late-bestmove", "--at", phase)
        move = zoo.ask(GO, "bestmove")
        zoo.send(last)
        said = zoo.lines("readyok")
        assert said[0] == move and len(said) == (2 if phase == "newgame" else 4)


def test_mid_and_first_come_once_a_game(start: Start) -> None:
    """A fault at `mid` waits for its ply, and strikes again in the next game only."""
    for phase, struck in (("mid", [0, 0, 1, 0, 0, 1]), ("first", [1, 0, 0, 1, 0, 0])):
        zoo = start("--fault", "null-move", "--at", phase, "--ply", "2")
        words = []
        for game in ("a1 a2 a1b3c2", "b1 b2 b1d2c3"):
            moves = game.split()
            zoo.send("uginewgame\n")
            for ply in range(3):
                line = f"position startpos moves {' '.join(moves[:ply])}\ngo nodes 1"
                words.append(int(zoo.ask(line, "bestmove") == "bestmove 0000"))
        assert words == struck


# Processes


@pytest.mark.parametrize("name", ["silent", "never-reads", "closes-stdin", "trickle", "endless"])
def test_a_fault_that_answers_no_more_lives_on(start: Start, name: str) -> None:
    """It says what its sentence allows, does not answer `isready`, and is still there."""
    zoo = start("--fault", name)
    zoo.send(GO + "\n")
    if name in ("never-reads", "closes-stdin"):
        zoo.lines("bestmove")
    elif name == "trickle":
        assert {line[:19] for _ in range(2) for line in zoo.lines("info")} == {"info depth 1 nodes "}
    if name == "closes-stdin":
        until(lambda: os.readlink(f"/proc/{zoo.pid}/fd/0") == os.devnull, "its stdin to be closed")
        with pytest.raises(BrokenPipeError):
            zoo.send("isready\n")
    elif name == "trickle":
        zoo.send("stop\nisready\nquit\n")
        assert zoo.lines("info")[0].startswith("info depth 1 nodes ")
    elif name == "endless":
        assert zoo.silent() and zoo.ask("stop", "bestmove")
    else:
        zoo.send("stop\nisready\nquit\n")
        assert zoo.silent()
    assert zoo.lives()


def test_silent_at_quit_stays(start: Start) -> None:
    """Neither quit nor the end of its input ends an engine that is silent at quit; SIGTERM does."""
    zoo = start("--fault", "silent", "--at", "quit")
    zoo.ask("isready", "readyok")
    zoo.send("quit\nisready\n")
    zoo.stdin.close()
    assert zoo.silent() and zoo.lives()
    zoo.popen.terminate()
    assert zoo.status() == -signal.SIGTERM


def test_closed_stdout_leaves_the_process(start: Start) -> None:
    """The output ends and the engine still reads and ends when it is told to."""
    zoo = start("--fault", "closes-stdout", "--at", "handshake")
    zoo.send("ugi\n")
    assert zoo.rest() == b"" and zoo.lives()
    zoo.send("quit\n")
    assert zoo.status() == 0


def test_sigstop_stops(start: Start) -> None:
    """The process is stopped, and goes on when it is continued."""
    zoo = start("--fault", "sigstop")
    zoo.send(GO + "\n")
    until(lambda: field(zoo.pid, "State").startswith("T"), "the stop")
    os.kill(zoo.pid, signal.SIGCONT)
    assert zoo.lines("bestmove")


@pytest.mark.parametrize(
    ("name", "ignored", "ends"),
    [
        ("ignores-quit", "quit", "end"),
        ("ignores-eof", "end", "term"),
        ("ignores-term", "term", "quit"),
        ("immortal", "quit end term", "kill"),
    ],
)
def test_what_does_not_end_it(start: Start, name: str, ignored: str, ends: str) -> None:
    """Each ignores what its name says and is ended by what it does not ignore."""

    def do(way: str) -> None:
        if way == "quit":
            zoo.send("quit\n")
        elif way == "end":
            zoo.stdin.close()
        else:
            zoo.popen.send_signal({"term": signal.SIGTERM, "kill": signal.SIGKILL}[way])

    zoo = start("--fault", name)
    zoo.ask("isready", "readyok")
    for way in ignored.split():
        do(way)
    assert zoo.silent() and zoo.lives()
    do(ends)
    assert zoo.status() == {"term": -signal.SIGTERM, "kill": -signal.SIGKILL}.get(ends, 0)


def test_the_end_of_input_can_make_it_spin(start: Start) -> None:
    """spins-at-eof uses CPU once its input has ended, and not before."""
    zoo = start("--fault", "spins-at-eof")
    zoo.ask("isready", "readyok")
    before = cpu_s(zoo.pid)
    assert zoo.silent() and cpu_s(zoo.pid) - before < 0.05
    zoo.stdin.close()
    until(lambda: cpu_s(zoo.pid) - before > 0.1, "the spinning")


def test_threads_are_as_many_as_asked_for(start: Start) -> None:
    """--limit threads exist besides the first one."""
    zoo = start("--fault", "threads", "--limit", "7")
    zoo.send(GO + "\n")
    assert report(zoo) == "done 7 threads" and field(zoo.pid, "Threads") == "8"
    zoo.send("quit\n")
    assert zoo.status() == 0


def test_stderr_is_flooded(start: Start) -> None:
    """The named number of MB comes on stderr and the move comes all the same."""
    zoo = start("--fault", "stderr-flood", "--limit", "1")
    zoo.send(SCRIPT)
    _, errors = zoo.popen.communicate(timeout=WAIT_S)
    assert 1_000_000 <= len(errors) < 1_200_000 and zoo.status() == 0


# Time


def test_faults_of_hearing_in_a_search(start: Start) -> None:
    """ignores-stop hears isready and no stop; deaf-in-search the reverse; both play on otherwise."""
    zoo = start("--fault", "ignores-stop")
    zoo.ask("position startpos\ngo infinite\nstop\nisready", "readyok")
    assert zoo.silent()
    zoo = start("--fault", "deaf-in-search")
    zoo.send("position startpos\ngo infinite\nisready\n")
    assert zoo.silent()
    zoo.ask("stop", "bestmove")
    zoo.ask("isready", "readyok")


def test_stop_can_be_answered_twice_or_late(start: Start) -> None:
    """answers-stop repeats its bestmove to an idle stop; stops-late lets it wait."""
    zoo = start("--fault", "answers-stop")
    assert zoo.ask(GO, "bestmove") == zoo.ask("stop", "bestmove")
    zoo = start("--fault", "stops-late", "--think", "100")
    zoo.ask("position startpos\ngo infinite\nisready", "readyok")
    before = time.monotonic()
    zoo.ask("stop", "bestmove")
    assert time.monotonic() - before >= 0.1


def test_sleeping_takes_time_and_no_cpu(start: Start) -> None:
    """sleeps takes --think ms whatever the limit, next to none of them on the CPU."""
    zoo = start("--fault", "sleeps", "--think", "200")
    zoo.ask("position startpos\nisready", "readyok")
    wall, cpu = time.monotonic(), cpu_s(zoo.pid)
    zoo.ask("go movetime 1", "bestmove")
    assert time.monotonic() - wall >= 0.2 and cpu_s(zoo.pid) - cpu < 0.1


def test_burnt_cpu_is_exact(start: Start) -> None:
    """burns-cpu takes --cpu ms of its own CPU clock, to some ms, whatever the limit and the load."""
    zoo = start("--fault", "burns-cpu", "--cpu", "60")
    for _ in range(2):
        zoo.ask("position startpos\nisready", "readyok")
        before = cpu_s(zoo.pid)
        zoo.ask("go movetime 1", "bestmove")
        assert 0.060 <= cpu_s(zoo.pid) - before < 0.065


def test_idle_time_is_burnt(start: Start) -> None:
    """burns-idle uses CPU between its bestmove and its next go, and in no other time."""
    zoo = start("--fault", "burns-idle")
    zoo.ask(GO, "bestmove")
    before = cpu_s(zoo.pid)
    until(lambda: cpu_s(zoo.pid) - before > 0.1, "the burning")
    zoo.ask("position startpos\ngo infinite\nisready", "readyok")
    before = cpu_s(zoo.pid)
    assert zoo.silent() and cpu_s(zoo.pid) - before < 0.05


@pytest.mark.parametrize(("name", "question"), [("slow-start", "ugi"), ("slow-ready", "isready")])
def test_slow_answers_come(start: Start, name: str, question: str) -> None:
    """slow-start and slow-ready answer after --think ms, the second time at once."""
    zoo = start("--fault", name, "--think", "150")
    before = time.monotonic()
    zoo.ask(question, "ugiok" if question == "ugi" else "readyok")
    assert time.monotonic() - before >= 0.15


@pytest.mark.long
def test_overuse_comes_a_second_late(start: Start) -> None:
    """overuse answers a second after its move time, and its next move in time."""
    zoo = start("--fault", "overuse")
    before = time.monotonic()
    zoo.ask("position startpos\ngo movetime 20", "bestmove")
    assert time.monotonic() - before >= 1.02
    before = time.monotonic()
    zoo.ask("go movetime 20", "bestmove")
    assert time.monotonic() - before < 0.9


# Deeds


def test_every_deed_is_shown_here() -> None:
    """No fault is without a test of what it does."""
    source = Path(__file__).read_text()
    assert not [name for name in FAULTS if f'"{name}"' not in source]


def test_memory_is_touched_or_refused(start: Start) -> None:
    """The named MB are resident afterwards; a limit on memory refuses them and the game goes on."""
    zoo = start("--fault", "memory-hog", "--limit", "64")
    zoo.send(GO + "\n")
    assert report(zoo) == "done 64 MB" and int(field(zoo.pid, "VmRSS").split()[0]) > 64 * 1024
    zoo = start("--fault", "memory-hog", before=("sh", "-c", 'ulimit -v 160000; exec "$@"', "sh"))
    zoo.send(GO + "\n")
    assert re.fullmatch(r"refused memory after [1-9][0-9]* MB", report(zoo)) and zoo.lines("bestmove")


def test_the_fork_bomb_is_bounded(start: Start) -> None:
    """--limit children are born once, in its group, and end by SIGTERM."""
    zoo = start("--fault", "fork-bomb", "--limit", "4")
    zoo.send(GO + "\n")
    assert report(zoo) == "done 4 children"
    zoo.lines("bestmove")
    zoo.ask(f"uginewgame\n{GO}", "bestmove")
    children = [int(pid) for pid in Path(f"/proc/{zoo.pid}/task/{zoo.pid}/children").read_text().split()]
    assert len(children) == 4 and {os.getpgid(pid) for pid in children} == {zoo.pid}
    os.kill(children[0], signal.SIGTERM)
    until(lambda: field(children[0], "State").startswith("Z"), "the child's end")


@pytest.mark.parametrize("name", ["orphan", "orphan-shouts"])
def test_an_orphan_outlives_the_engine(start: Start, name: str) -> None:
    """The orphan is in a session of its own and still there when the engine has gone; only one of them talks."""
    zoo = start("--fault", name)
    zoo.send(GO + "\n")
    said = report(zoo)
    orphan = int(said.removeprefix("done pid "))
    try:
        zoo.lines("bestmove")
        zoo.send("quit\n")
        assert zoo.status() == 0
        assert os.getsid(orphan) not in (zoo.pid, os.getsid(0)) and int(field(orphan, "PPid")) != zoo.pid
        if name == "orphan":
            assert zoo.rest() == b""
        else:
            assert zoo.lines("info string an orphan")
        os.kill(orphan, 0)
    finally:
        os.kill(orphan, signal.SIGKILL)


SHELL = ("sh", "-c", '"$@"; exit 0', "sh")
"""A parent that is no test."""


@pytest.mark.parametrize(("really", "number"), [((), signal.SIGTERM), (("--really",), signal.SIGKILL)])
def test_the_parent_is_killed(start: Start, really: tuple[str, ...], number: signal.Signals) -> None:
    """kills-parent ends its parent by SIGTERM, by SIGKILL only with --really."""
    zoo = start("--fault", "kills-parent", *really, before=SHELL)
    zoo.send(GO + "\n")
    assert zoo.status() == -number


def test_tracing_the_parent_leaves_it_unharmed(start: Start) -> None:
    """ptraces says whether it could attach to its parent, which goes on untraced either way."""
    zoo = start("--fault", "ptraces", before=SHELL)
    zoo.send(GO + "\n")
    said = report(zoo)
    assert said == f"done pid {zoo.pid}" or said.startswith("refused ")
    assert field(zoo.pid, "TracerPid") == "0" and field(zoo.pid, "State")[0] in "RSD"
    zoo.send("quit\n")
    assert zoo.status() == 0


def test_files_are_made_and_read_where_they_may_be(start: Start, tmp_path: Path) -> None:
    """writes-file makes a new file and spares one that is there; reads-file reads; both report what was refused."""
    path = tmp_path / "trace"
    for name, expected in (
        ("reads-file", "refused No such file or directory"),
        ("writes-file", f"done {path}"),
        ("writes-file", "refused File exists"),
        ("reads-file", f"done {path}"),
    ):
        zoo = start("--fault", name, "--path", str(path))
        zoo.send(GO + "\n")
        assert report(zoo) == expected
        zoo.send("quit\n")
        _, errors = zoo.popen.communicate(timeout=WAIT_S)
        assert errors.decode() == f"zoo {name} {expected}\n"
    assert path.read_text() == "the zoo was here\n"


def test_scratch_is_filled_and_given_back(start: Start, tmp_path: Path) -> None:
    """fills-scratch writes the named MB and leaves no file; a limit on file sizes stops it."""
    for before, expected in (
        ((), "done 2 MB"),
        (("sh", "-c", 'ulimit -f 2048; exec "$@"', "sh"), "refused write: File too large after 1 MB"),
    ):
        zoo = start("--fault", "fills-scratch", "--limit", "2", "--path", str(tmp_path), before=before)
        zoo.send(GO + "\n")
        assert report(zoo) == expected
    assert not list(tmp_path.iterdir())


def test_its_own_file_is_removed_or_replaced(start: Start, tmp_path: Path) -> None:
    """removes-itself and replaces-itself touch the file that they are given, and no directory."""
    path = tmp_path / "engine"
    path.write_text("old")
    path.chmod(0o755)
    for name, target, expected in (
        ("replaces-itself", path, f"done {path}"),
        ("replaces-itself", tmp_path, f"refused {tmp_path} is no regular file"),
        ("removes-itself", tmp_path, f"refused {tmp_path} is no regular file"),
    ):
        zoo = start("--fault", name, "--path", str(target))
        zoo.send(GO + "\n")
        assert report(zoo) == expected
    assert path.read_text() == "#!/bin/sh\nexit 1\n" and path.stat().st_mode & 0o777 == 0o755
    zoo = start("--fault", "removes-itself", "--path", str(path))
    zoo.send(GO + "\n")
    assert report(zoo) == f"done {path}" and not list(tmp_path.iterdir())


def test_the_loopback_is_reached_or_refused(start: Start) -> None:
    """connects sends one byte by TCP or UDP, and reports a port where nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(type=socket.SOCK_DGRAM) as datagrams:
        datagrams.bind(("127.0.0.1", 0))
        for link, transport in ((server, "tcp"), (datagrams, "udp")):
            link.settimeout(WAIT_S)
            port = link.getsockname()[1]
            zoo = start("--fault", "connects", "--address", f"localhost:{port}", "--transport", transport)
            zoo.send(GO + "\n")
            assert report(zoo) == f"done {transport} 127.0.0.1 {port}"
            if transport == "udp":
                assert datagrams.recv(9) == b"z"
            else:
                peer = server.accept()[0]
                with peer:
                    assert peer.recv(9) == b"z"
        closed = server.getsockname()[1]
    zoo = start("--fault", "connects", "--address", f"127.0.0.1:{closed}")
    zoo.send(GO + "\n")
    assert report(zoo) == "refused Connection refused"
