"""The lines of guests: relay, hub and client together, each in its place, with an engine that tells what it knows."""

import contextlib
import http.client
import itertools
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from arena.connect.messages import SOONEST_US, TCP_RTO_MIN_US
from arena.games.variants import resolve
from arena.host.relay import START_S
from arena.play import engine_pool
from arena.play.engine_pool import LiveEngine
from arena.play.jobs import Terms
from arena.timing.lost_line import KILLED, LINE_DOWN
from arena.timing.time_control import parse
from protocol import grammar
from protocol.cpu_meter import CpuMeter
from protocol.faults import EngineFault, Fault
from protocol.process import EngineProcess
from protocol.session import Reply, Session
from tests.host.guests import Lab, connected, guest, session, wait_for
from tests.running import running

pytestmark = [pytest.mark.timeout(180), pytest.mark.usefixtures("nobody_is_there")]
S = 1_000_000_000


def begin(line: Session) -> None:
    line.handshake()
    line.set_option("Hash", "7")
    line.ready()
    line.announce_game(())
    line.await_game()


def move(
    line: Session, go: bytes = b"go p1time 5000 p2time 5000 p1inc 0 p2inc 0\n", moves: int = 2, within_s: int = 60
) -> Reply:
    line.prepare(grammar.position(None, ["e5"] * moves)[:-1])
    reply, _ = line.search(go, within_s * S, Fault.TIME)
    return reply


def last_words(line: Session) -> bytes:
    """What the relay has said on stderr, once it was ended."""
    process = line._transport
    assert isinstance(process, EngineProcess)
    process.kill()
    return process.stderr_tail()


def strays(line: Session) -> list[bytes]:
    """The moves that no `go` asked for."""
    said = [data for data in line.last_data if data.startswith((b"go ", b"bestmove "))]
    return [move for before, move in itertools.pairwise(said) if before[:2] != b"go" and move[:2] != b"go"]


def told(reply: Reply) -> list[str]:
    """What the engine knew: words of its position, its games, the number in `go`, its pid."""
    return grammar.summary(reply.last_info or b"").pv.split()


def test_a_move_of_a_guest_travels_as_that_of_any_engine(lab: Lab) -> None:
    """The referee sees the ordinary protocol; the engine got options, game and position."""
    with connected(lab, "fox"), session(lab.spec("fox")) as line:
        begin(line)
        assert line.identity.name == "Instant"
        reply = move(line)
        assert (reply.word, told(reply)[:3]) == ("e5", ["5", "1", "5000"])
        assert line.quit().status == 0


def rto_ms(port: int) -> list[int]:
    """After how long each end of the connections to this port sends a lost packet again: Linux tells it in ticks."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    ends = [row for row in rows if row[3] == "01" and f":{port:04X}" in (row[1][8:], row[2][8:])]
    return [1000 * int(row[12]) // os.sysconf("SC_CLK_TCK") for row in ends]


def test_both_ends_of_a_line_send_a_lost_packet_again_within_the_lag(lab: Lab) -> None:
    """A round trip and 50 ms after it was lost, where the system alone would wait for 200 ms."""
    with socket.socket() as tried:
        try:
            tried.setsockopt(socket.IPPROTO_TCP, TCP_RTO_MIN_US, SOONEST_US)
        except OSError:
            pytest.skip("this Linux is older than 6.15")
    with connected(lab, "fox"), session(lab.spec("fox")) as line:
        begin(line)
        for _ in range(30):  # TCP learns how long a round trip takes
            move(line)
        ends = rto_ms(lab.port)
        assert len(ends) == 4 and sorted(ends)[2] < 150  # one end has said too little to have learned it


def test_a_game_goes_on_with_a_fresh_process_of_the_engine_after_its_line_was_cut(lab: Lab) -> None:
    """It is told options, game and position; within a search and between two of them no move is lost or comes twice."""
    with connected(lab, "fox") as fox, session(lab.spec("fox")) as line:
        begin(line)
        pids = {told(move(line))[3]}
        for plies in range(3, 8):
            fox.cut(0.05 * (plies % 3))
            words, games, limit, pid = told(move(line, b"go movetime 20\n", plies))
            assert (words, games) == (str(plies + 3), "1") and int(limit) <= 20
            pids.add(pid)
        assert not strays(line) and len(pids) > 2


def test_another_client_process_is_told_all_that_its_engine_must_know(lab: Lab) -> None:
    """In the midst of a search: options, game, position, and `go` with what is left of the time."""
    with contextlib.ExitStack() as first_client:
        fox = first_client.enter_context(connected(lab, "fox"))
        with session(lab.spec("fox")) as line:
            begin(line)
            first = told(move(line))
            line.prepare(grammar.position(None, ["e5"] * 4)[:-1])
            fox.cut(60)
            lab.wait_until(lambda guests: not guests)
            first_client.close()
            done = threading.Event()
            thread = threading.Thread(target=_come_back, args=(lab, done))
            thread.start()
            try:
                reply, _ = line.search(b"go p1time 5000 p2time 5000 p1inc 0 p2inc 0\n", 60 * S, Fault.TIME)
                again = told(move(line, moves=5))
            finally:
                done.set()
                thread.join()
            words, games, left, pid = told(reply)
            assert (words, games) == ("7", "1") and pid != first[3] and again == ["8", "1", "5000", pid]
            assert int(left) <= 5000
            assert not strays(line)


def _come_back(lab: Lab, done: threading.Event) -> None:
    time.sleep(0.3)
    with connected(lab, "fox"):
        done.wait(60)


@pytest.mark.long
def test_a_game_does_not_begin_where_the_guest_is_away_or_has_another_build(lab: Lab) -> None:
    """The relay ends with status 75 after about two seconds, at once for another build; nobody was told anything."""
    since = time.monotonic()
    with session(lab.spec("fox")) as line, pytest.raises(EngineFault, match="exit status 75"):
        line.handshake()
    assert 1.5 < time.monotonic() - since < 60
    with connected(lab, "fox"), session(lab.spec("fox", "old build")) as line:
        with pytest.raises(EngineFault, match="exit status 75"):
            line.handshake()


def test_a_crash_of_the_engine_is_a_crash_of_its_own(lab: Lab) -> None:
    """Its status and its last words reach the referee, and the connection goes on."""
    with connected(lab, "fox"), session(lab.spec("fox")) as line:
        begin(line)
        with pytest.raises(EngineFault, match="exit status 3") as fault:
            move(line, b"go p1time 66 p2time 5000 p1inc 0 p2inc 0\n")
        assert fault.value.fault is Fault.CRASH
        assert b"cannot go on" in last_words(line)
        with session(lab.spec("fox")) as again:
            begin(again)
            assert move(again).word == "e5"


def test_a_wrong_token_opens_no_line_and_ends_the_client(lab: Lab) -> None:
    """With exit code 2."""
    with guest(lab, "fox", token="wrong") as fox:
        fox.join()
        assert fox.refused is not None and fox.refused.exit_code == 2
        assert "wrong" not in str(fox.refused)


def test_a_page_of_a_browser_opens_no_line(lab: Lab) -> None:
    """Whatever its Origin, and although it has the token."""
    for origin, status in ((None, 101), (f"http://127.0.0.1:{lab.port}", 403), ("null", 403)):
        connection = http.client.HTTPConnection("127.0.0.1", lab.port, timeout=60)
        headers = {"Connection": "Upgrade", "Upgrade": "websocket", "Authorization": f"Bearer {lab.tokens['fox']}"}
        headers |= {"Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA=="}
        connection.request("GET", "/line", headers=headers | ({} if origin is None else {"Origin": origin}))
        assert connection.getresponse().status == status
        connection.close()


def test_a_second_client_of_a_token_takes_the_place_of_the_first_which_ends(lab: Lab) -> None:
    """The game goes on with the engine of the second one."""
    with connected(lab, "fox") as first, session(lab.spec("fox")) as line:
        begin(line)
        with guest(lab, "fox"):
            first.join()
            assert first.refused is not None and "took its place" in str(first.refused)
            assert move(line).word == "e5"


@pytest.mark.parametrize(("interrupts", "status"), [pytest.param(1, 0, marks=pytest.mark.long), (2, 130)])
def test_the_first_ctrl_c_ends_the_client_after_its_game_and_a_second_one_at_once(
    lab: Lab, tmp_path: Path, interrupts: int, status: int
) -> None:
    """`arena connect` in a process of its own, with a game that goes on at that moment."""
    token = tmp_path / "fox.token"
    token.write_text(lab.tokens["fox"])
    words = [sys.executable, "-m", "arena", "connect", lab.url, "--token-file", str(token), "--", *lab.engine()]
    with running(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as client:
        lab.wait_until(lambda guests: bool(guests))
        with session(lab.spec("fox", lab.present[0].digest)) as line:
            begin(line)
            client.send_signal(signal.SIGINT)
            lab.wait_until(lambda guests: not any(each.games for each in guests))  # it is leaving
            assert move(line).word == "e5" and client.poll() is None
            if interrupts == 2:
                client.send_signal(signal.SIGINT)
            else:
                line.quit()
            assert client.wait(30) == status


def test_a_token_that_is_revoked_ends_its_line_at_once(lab: Lab) -> None:
    """Those of others go on."""
    with connected(lab, "owl") as owl, connected(lab, "cat") as cat:
        lab.accounts.revoke("owl", time.time())
        owl.join()
        assert owl.refused is not None and "revoked" in str(owl.refused)
        assert cat.refused is None


FLOOD = """
import os, sys
for line in sys.stdin:
    word = line.split()[0]
    if word in ("ugi", "isready"):
        os.write(1, {"ugi": b"ugiok\\n", "isready": b"readyok\\n"}[word])
    while word == "go":
        os.write(1, b"info string flood" + 60_000 * b"d" + b"\\n")
"""


def _flooded(line: Session, faults: list[Fault]) -> None:
    try:
        move(line, within_s=60)
    except EngineFault as fault:
        faults.append(fault.fault)


def test_a_flood_ends_the_guest_that_floods_and_nobody_else(lab: Lab) -> None:
    """The caps of the referee hold for it; moves of others go on beside it."""
    flood = lab.folder / "flood.py"
    flood.write_text(FLOOD)
    faults: list[Fault] = []
    with connected(lab, "fox", (lab.engine()[0], str(flood))), connected(lab, "cat"):
        with session(lab.spec("cat")) as line, session(lab.spec("fox")) as flooded:
            begin(line)
            begin(flooded)
            thread = threading.Thread(target=_flooded, args=(flooded, faults))
            thread.start()
            for plies in range(5):
                assert move(line, moves=plies + 1).word == "e5"
            thread.join()
            assert faults == [Fault.MALFORMED_MOVE]


def test_a_guest_whose_engine_has_been_started_cannot_get_out_of_the_game(lab: Lab) -> None:
    """It knows its opponent: if it drops before its first move, the deadlines of the referee run, and it loses."""
    with connected(lab, "fox") as fox, session(lab.spec("fox")) as line:
        line.handshake()
        fox.cut(60)
        lab.wait_until(lambda guests: not guests)
        line._deadlines = replace(line._deadlines, ready_ms=int(1000 * START_S) + 300)
        with pytest.raises(EngineFault) as fault:
            line.ready()
        assert fault.value.fault is Fault.STALL and "exit" not in str(fault.value)
        assert LINE_DOWN.encode() in last_words(line)


@pytest.mark.long
def test_a_guest_that_was_told_of_its_game_cannot_get_out_of_it(lab: Lab) -> None:
    """It dropped its line at the news, or came back as another build: the game waits for it, and is not void."""
    with connected(lab, "fox") as fox:
        lab.process.tell("fox", "played", {"game": 7, "opponent": "cat"})
        lab.process.tell("fox", "say", "that was all")
        wait_for(lambda: "that was all" in fox.said)
        fox.cut(START_S + 1)
        lab.wait_until(lambda guests: not guests)
        with session(lab.spec("fox")) as line:
            begin(line)
            assert move(line).word == "e5"
            assert LINE_DOWN.encode() in last_words(line)
        with session(lab.spec("fox", "old build")) as line:
            line._deadlines = replace(line._deadlines, start_ms=1000 * int(START_S + 1))
            with pytest.raises(EngineFault) as fault:
                line.handshake()
            assert fault.value.fault is Fault.STALL
        lab.process.tell("fox", "played", {"game": 7, "opponent": "cat", "result": "lost"})
        lab.process.tell("fox", "say", "it is over")
        wait_for(lambda: "it is over" in fox.said)
        with session(lab.spec("fox", "old build")) as line, pytest.raises(EngineFault, match="exit status 75"):
            line.handshake()


FORGER = f"""
import os, sys
for line in sys.stdin:
    if line.split()[0] == "ugi":
        os.write(1, b"ugiok\\n")
    else:
        sys.stderr.write("{LINE_DOWN}\\n")
        sys.exit(3)
"""


def test_last_words_cannot_say_that_the_line_was_down(lab: Lab) -> None:
    """What the relay says of the line is why a loss is no reason to withdraw; an engine cannot say it."""
    forger = lab.folder / "forger.py"
    forger.write_text(FORGER)
    with connected(lab, "fox", (lab.engine()[0], str(forger))), session(lab.spec("fox")) as line:
        line.handshake()
        with pytest.raises(EngineFault, match="exit status 3"):
            line.ready()
        assert LINE_DOWN[7:].encode() in last_words(line)
        assert LINE_DOWN.encode() not in last_words(line)


def test_a_relay_says_that_a_signal_ended_its_engine(lab: Lab) -> None:
    """Its own end by a signal without that word is no end of the engine. No last words are so long that it is lost."""
    killed = lab.folder / "killed.py"
    killed.write_text("import os; os.read(0, 4); os.write(2, b'\\xff' * 5_000); os.kill(os.getpid(), 9)")
    with connected(lab, "fox", (lab.engine()[0], str(killed))):
        with pytest.raises(EngineFault, match="killed by SIGKILL") as fault:
            LiveEngine(lab.spec("fox"))
        assert KILLED in getattr(fault.value.last_words, "stderr", "")


def test_waits_of_a_relay_for_a_cpu_are_not_taken_off_a_guests_time(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """A guest that talks causes them. Those of an engine that runs here are."""
    waited_ns = itertools.count(0, S)
    monkeypatch.setattr(CpuMeter, "waits_ns", lambda meter: ({b"1": next(waited_ns)}, 0))
    monkeypatch.setattr(engine_pool, "own_wait_ns", lambda: 0)
    with connected(lab, "fox"):
        for remote in (True, False):
            line = LiveEngine(replace(lab.spec("fox"), remote=remote))
            try:
                seat = line.begin(resolve("callanish-5")[0], 1, Terms(parse("movetime=20")))
                seat.session.prepare(b"position startpos", seat.watch, S)
                spent = seat.session.search(b"go movetime 20\n", 60 * S, Fault.TIME, seat.watch)[1]
            finally:
                line.kill()
            assert (spent[3] == 0) == remote, spent
