"""Each fault of the zoo, seen from outside: it does what its sentence says, and keeps within its bounds."""

import os
import re
import signal
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.zoo.animal import GO, WAIT_S, Start, cage, cpu_s, field, report, until

SCRIPT = "ugi\nisready\nuginewgame\nisready\nposition startpos\nisready\ngo nodes 1\nquit\n"
"""What a fault is shown in: a handshake, and one move of one game."""


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start a zoo by its arguments; whatever is left of it is killed."""
    with cage(tmp_path) as begin:
        yield begin


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
    "steers-terminal": rb"\Aid name zoo \x1b\]0;owned\x07(?s:.*)readyok\nerror \x1b\]0;[^\n]*\n" + INFO + INFO,
    "drips": rb"bestmove [a-i][1-9]\n\Z",
    "many-options": rb"(?:option name Weight \d+ type spin [^\n]*\n){10000}ugiok\n",
    "long-names": rb"\Aid name zoo n{60000}\n(?s:.*)(?:option name o{30000}\d+ type string default d{30000}\n){50}",
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
QUICK = set("banner nul-line crlf garbage-malformed bestmove-without-go segv closes-stdout exits-dirty".split())
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
    alike = {"exits-dirty", "byte-by-byte", "split-ugiok", "unflushed", "drips", "many-options", "long-names"}
    assert bool(re.search(CLEAN, said)) == (name in alike | {"null-move", "illegal-move"} | WORD_ONLY)


WORD_ONLY = {"garbage-wellformed", "garbage-malformed", "none-move", "resign-unannounced", "wrong-case", "nul-bestmove"}
"""Faults that change nothing but the word behind a bestmove, and the options that they do not announce."""


@pytest.mark.long
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


@pytest.mark.long
def test_a_late_bestmove_is_the_last_games(start: Start) -> None:
    """It comes behind the next uginewgame, or before the bestmove of the next game's first go."""
    for phase, last in (("newgame", "uginewgame\nisready\n"), ("first", f"uginewgame\n{GO}\nisready\n")):
        zoo = start("--fault", "late-bestmove", "--at", phase)
        move = zoo.ask(GO, "bestmove")
        zoo.send(last)
        said = zoo.lines("readyok")
        assert said[0] == move and len(said) == (2 if phase == "newgame" else 4)


@pytest.mark.long
def test_mid_and_first_come_once_a_game(start: Start) -> None:
    """A fault at `mid` waits for its ply. Its next trigger comes in the next game."""
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


@pytest.mark.parametrize(
    "name",
    [
        *("silent", "closes-stdin"),
        *(pytest.param(name, marks=pytest.mark.long) for name in ("never-reads", "trickle", "endless")),
    ],
)
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


@pytest.mark.long
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


@pytest.mark.long
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


@pytest.mark.long
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


@pytest.mark.parametrize(
    ("fault", "limit", "least_s"),
    [
        ("oversteps-period", "p1time 60 p2time 60 p1inc 0 p2inc 0 movestogo 1", 0.12),
        ("uses-margin", "movetime 10", 0.045),
    ],
)
def test_a_time_is_overstepped_by_as_much_as_the_fault_says(
    start: Start, fault: str, limit: str, least_s: float
) -> None:
    """oversteps-period takes twice its clock for the last move of a period, uses-margin 35 ms more than its time."""
    zoo = start("--fault", fault)
    zoo.ask("position startpos\nisready", "readyok")
    before = time.monotonic()
    zoo.ask(f"go {limit}", "bestmove")
    assert time.monotonic() - before >= least_s


def test_burnt_cpu_is_exact(start: Start) -> None:
    """burns-cpu takes --cpu ms of its own CPU clock and no fewer, whatever the limit and the load."""
    zoo = start("--fault", "burns-cpu", "--cpu", "40")
    costs = []
    for _ in range(4):
        zoo.ask("position startpos\nisready", "readyok")
        before = cpu_s(zoo.pid)
        zoo.ask("go movetime 1", "bestmove")
        costs.append(cpu_s(zoo.pid) - before)
    # A busy host can charge a process for time that it did not have, so the best of them is held to the figure.
    assert 0.040 <= min(costs) < 0.043


def test_idle_time_is_burnt(start: Start) -> None:
    """burns-idle uses CPU between its bestmove and its next go, and in no other time."""
    zoo = start("--fault", "burns-idle")
    zoo.ask(GO, "bestmove")
    before = cpu_s(zoo.pid)
    until(lambda: cpu_s(zoo.pid) - before > 0.1, "the burning")
    zoo.ask("position startpos\ngo infinite\nisready", "readyok")
    before = cpu_s(zoo.pid)
    assert zoo.silent() and cpu_s(zoo.pid) - before < 0.05


@pytest.mark.parametrize(
    "name",
    [
        *("burns-in-helpers", "burns-in-threads"),
        *(pytest.param(name, marks=pytest.mark.long) for name in ("burns-in-kept-helpers", "burns-unwaited")),
    ],
)
def test_helpers_compute_before_the_answer(start: Start, name: str) -> None:
    """The answer comes when its helpers have used --cpu ms, and they are gone then."""
    zoo = start("--fault", name, "--cpu", "64")
    zoo.ask("uginewgame\nposition startpos\nisready", "readyok")
    before = time.monotonic()
    zoo.ask("go movetime 1", "bestmove")
    assert time.monotonic() - before >= 0.064 / (os.cpu_count() or 1)
    assert not Path(f"/proc/{zoo.pid}/task/{zoo.pid}/children").read_text()


def test_the_opponent_is_starved_while_it_thinks(start: Start) -> None:
    """starves-opponent has --limit helpers from its bestmove to its next go."""
    zoo = start("--fault", "starves-opponent", "--limit", "2")
    children = Path(f"/proc/{zoo.pid}/task/{zoo.pid}/children")
    zoo.ask(GO, "bestmove")
    until(lambda: len(children.read_text().split()) == 2, "the helpers")
    zoo.ask("position startpos\ngo infinite\nisready", "readyok")
    assert not children.read_text()


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


@pytest.mark.long
def test_thinking_and_answering_before_go(start: Start) -> None:
    """thinks-in-position sleeps before `readyok`; answers-before-go moves with it and says nothing after `go`."""
    zoo = start("--fault", "thinks-in-position", "--think", "300")
    for line, least_s in (("isready", 0), ("position startpos\nisready", 0.3)):
        began = time.monotonic()
        assert zoo.ask(line, "readyok") and least_s <= time.monotonic() - began < least_s + WAIT_S
    assert zoo.ask("go nodes 1", "bestmove")
    zoo = start("--fault", "answers-before-go")
    zoo.send("position startpos\nisready\n")
    assert [line.split()[0] for line in zoo.lines("bestmove")] == ["readyok", "bestmove"]
    zoo.send("go nodes 1\nisready\n")
    assert zoo.lines("readyok") == ["readyok"]
