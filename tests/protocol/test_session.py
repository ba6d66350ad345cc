"""The dialogue: a session wired to a script, on a clock that only the script moves."""

from collections import deque
from collections.abc import Callable

import pytest

from protocol.deadlines import Deadlines
from protocol.faults import EngineFault, Fault
from protocol.session import Reply, Session
from protocol.stopwatch import Spent, Stopwatch
from protocol.transport import Exit, TransportClosed, TransportFlooded, TransportTimeout
from tests.arena.play.wire import MS, Machine, Time

GO = b"go movetime 100\n"

Said = bytes | int | Exception
"""A line, a pause in ms, or the way the transport fails."""


class Wire:
    """A transport whose other end answers the lines it is sent from a table, by their first word."""

    def __init__(self, answers: dict[str, list[list[Said]]] | None = None, options: tuple[bytes, ...] = ()) -> None:
        self.heard: list[str] = []
        self.writes = 0
        self.now = 5_000 * MS
        self.deaf = False
        self._coming: deque[Said] = deque()
        self._answers = answers or {}
        self._options = [b"option name " + option for option in options]

    def clock(self) -> int:
        return self.now

    def say(self, *said: Said) -> None:
        self._coming.extend(said)

    def send(self, data: bytes, deadline_ns: int) -> None:
        if self.deaf:
            self.now = deadline_ns
            raise TransportTimeout
        assert data.endswith(b"\n")
        self.writes += 1
        for line in data.decode().splitlines():
            self.heard.append(line)
            word = line.split()[0]
            script = self._answers.get(word)
            if script:
                self._coming.extend(script.pop(0))
            elif word == "ugi":
                self._coming.extend([b"id name Fox", b"id author A", b"id version 2", *self._options, b"ugiok"])
            elif word == "isready":
                self._coming.append(b"readyok")

    def receive(self, deadline_ns: int) -> bytes:
        while self._coming:
            said = self._coming.popleft()
            if isinstance(said, Exception):
                raise said
            if isinstance(said, bytes):
                return said
            self.now += said * MS
            if self.now > deadline_ns + MS:
                # What is late by less than a millisecond may still be read.
                self.now, rest = deadline_ns, self.now - deadline_ns
                self._coming.appendleft(rest // MS)
                raise TransportTimeout
        self.now = deadline_ns
        raise TransportTimeout

    def take_unread(self) -> list[bytes]:
        """The lines before the next pause or failure."""
        unread: list[bytes] = []
        while self._coming and isinstance(self._coming[0], bytes):
            unread.append(self._coming[0])
            self._coming.popleft()
        return unread

    def close(self, quit_ms: int) -> Exit:
        self.heard.append(f"closed after {quit_ms}")
        return Exit(0, "exit status 0")


def wired(answers: dict[str, list[list[Said]]] | None = None, *options: bytes) -> tuple[Session, Wire]:
    """A session that has shaken hands, and its other end."""
    wire = Wire(answers, options)
    session = Session(wire, Deadlines(), wire.clock)
    session.handshake()
    return session, wire


def searched(*said: Said, options: tuple[bytes, ...] = ()) -> Session:
    """A session whose engine will answer its first go so."""
    return wired({"go": [list(said)]}, *options)[0]


def go(session: Session) -> tuple[Reply, Spent]:
    """Its next search, of 150 ms at most."""
    return session.search(GO, 150 * MS, Fault.TIME)


def broken(act: Callable[[], object]) -> EngineFault:
    """The fault that `act` raises."""
    with pytest.raises(EngineFault) as caught:
        act()
    return caught.value


def lost(session: Session) -> EngineFault:
    """The fault of its next search."""
    return broken(lambda: go(session))


def test_the_handshake_tells_who_the_engine_is() -> None:
    """Names and options arrive, options are found in any letter case."""
    session, _ = wired(None, b"Hash type spin default 4 min 1 max 8")
    identity = session.identity
    assert (identity.name, identity.author, identity.version) == ("Fox", "A", "2")
    assert identity.announced("hASH") and not identity.announced("UGI_Draw")
    assert identity.options["hash"].max == 8


def test_an_engine_that_says_nothing_stalls_and_is_told_to_flush() -> None:
    """The most common reason for silence is named in the verdict."""
    wire = Wire({"ugi": [[]]})
    session = Session(wire, Deadlines(start_ms=300), wire.clock)
    start = wire.now
    fault = broken(session.handshake)
    assert fault.fault is Fault.STALL and "flush" in fault.detail and "300 ms" in fault.detail
    assert wire.now - start == 300 * MS


def test_options_are_sent_under_their_announced_name_or_not_at_all() -> None:
    """Setting what was not announced sends nothing and says so."""
    session, wire = wired(None, b"Hash type spin default 4 min 1 max 8")
    assert session.set_option("hash", "2") and not session.set_option("Seed", "1")
    assert wire.heard == ["ugi", "setoption name Hash value 2"]


def test_a_missed_deadline_names_its_key() -> None:
    """So that the user knows what to change; after options the longer of two deadlines holds."""
    for silent, deadlines, said in (
        ("ugi", Deadlines(start_ms=7), "no ugiok within 7 ms (limits.start_ms)"),
        ("isready", Deadlines(ready_ms=8, newgame_ms=5), "no readyok within 8 ms (limits.ready_ms)"),
        ("isready", Deadlines(ready_ms=8, newgame_ms=9), "no readyok within 9 ms (limits.newgame_ms)"),
    ):
        wire = Wire({silent: [[]]}, (b"Hash type spin default 1",))
        session = Session(wire, deadlines, wire.clock)
        with pytest.raises(EngineFault) as caught:
            session.handshake()
            session.set_option("Hash", "64")
            session.ready()
        assert said in caught.value.detail


def test_a_position_and_its_isready_are_one_write() -> None:
    """The inner loop writes twice a ply: position with isready, and go."""
    session, wire = wired({"go": [[b"bestmove d1d3"]]})
    before = wire.writes
    session.prepare(b"position startpos")
    go(session)
    assert wire.heard[-3:] == ["position startpos", "isready", "go movetime 100"]
    assert wire.writes == before + 2


def test_a_reply_has_the_word_the_time_and_the_last_score() -> None:
    """Think time runs from go written to bestmove read; the score of line 1 stands beside the last figures."""
    reply, spent = go(
        searched(
            3,
            b"info depth 1 score cp 5 pv a1",
            b"info depth 2 multipv 1 score cp 7 pv a1",
            b"info depth 2 multipv 2 score cp -9 pv b1",
            b"info nodes 90 time 7",
            b"info string nothing more",
            4,
            b"bestmove d1d3 ponder d7d6",
        )
    )
    assert reply.word == "d1d3" and reply.raw == b"bestmove d1d3 ponder d7d6"
    assert spent == (7 * MS, 7 * MS, None, None)
    assert reply.last_info == b"info depth 2 multipv 1 score cp 7 pv a1\ninfo nodes 90 time 7"
    assert not reply.draw_offered


def test_untidy_answers_count() -> None:
    """What costs nothing leaves the move as it is."""
    untidy: dict[tuple[bytes, ...], str] = {
        (b"bestmove D1d3",): "d1d3",
        (b"bestmove d1d3\r",): "d1d3",
        (b"bestmove d1d3 \0",): "d1d3",
        (b" \tbestmove   d1d3",): "d1d3",
        (b"", b"Thread 0 started", b"error low on memory", b"bestmove 0000"): "0000",
        (b"readyok", b"response true", b"ugiok", b"bestmove resign"): "resign",
    }
    for said, word in untidy.items():
        assert go(searched(*said))[0].word == word


def test_what_is_not_one_word_is_malformed() -> None:
    """The bytes are in the verdict."""
    for rest in (b"", b" ", b" d1d3 draw", b" d1 d3", b" d1\xffd3", b" \xff"):
        session, _ = wired({"go": [[b"bestmove" + rest]]})
        fault = lost(session)
        assert fault.fault is Fault.MALFORMED_MOVE and "bestmove" in fault.detail, rest


def test_silence_is_the_fault_that_the_limit_names() -> None:
    """A clock makes it `time`, a nodes or depth limit makes it `stall`; both at the end of the budget."""
    for word in (Fault.TIME, Fault.STALL):
        session, wire = wired({"go": [[b"info depth 1", 100, b"info depth 2", 100, b"bestmove d1d3"]]})
        start = wire.now
        with pytest.raises(EngineFault) as caught:
            session.search(GO, 150 * MS, word)
        assert caught.value.fault is word
        assert wire.now - start == 150 * MS


def test_time_is_judged_before_the_move() -> None:
    """A move that is read after the flag is late, be it good, illegal or no move at all."""
    for line in (b"bestmove d1d3", b"bestmove", b"bestmove \xff\xff", b"bestmove 0000"):
        session, _ = wired({"go": [[151, line]]})
        fault = lost(session)
        assert fault.fault is Fault.TIME and "too late" in fault.detail


def test_a_move_at_the_very_end_of_the_budget_is_in_time() -> None:
    """By clock + margin means including that instant."""
    assert go(searched(150, b"bestmove d1d3"))[1][0] == 150 * MS


def test_an_engine_pays_for_the_time_to_drop_what_it_said_before_go() -> None:
    """It knows the position by then. So it would think for nothing while the referee looks at its lines."""

    class Slow(Wire):
        def take_unread(self) -> list[bytes]:
            self.now += 400 * MS * len(self._coming)
            return super().take_unread()

    wire = Slow({"go": [[b"bestmove a1a2"], [b"bestmove a1a2"]]})
    session = Session(wire, Deadlines(), wire.clock)
    session.prepare(b"position startpos")
    assert session.search(GO, 500 * MS, Fault.TIME)[1][0] == 0
    wire.say(b"")
    assert session.search(GO, 500 * MS, Fault.TIME)[1][0] == 400 * MS


def test_a_bestmove_that_nobody_asked_for_is_dropped() -> None:
    """Before the first go of a game, too."""
    session, wire = wired({"go": [[b"bestmove b1b2"]]})
    wire.say(b"bestmove a1a2", b"info depth 3", b"offer draw")
    session.announce_game(())
    session.await_game()
    assert go(session)[0].word == "b1b2"


DRAWS = b"UGI_Draw type check default true"


def test_what_came_before_go_is_no_answer_to_it() -> None:
    """What follows `readyok` before `go` is written is stray: an engine that answers no `go` loses on time."""
    early: list[list[Said]] = [[b"bestmove a1a2"], [b"info depth 9 score cp 900", b"offer draw", b"bestmove a1a2"]]
    for lines in early:
        session, wire = wired({"isready": [[b"readyok", *lines]] * 2, "go": [[], [b"bestmove b1b2"]]}, DRAWS)
        session.prepare(b"position startpos")
        assert lost(session).fault is Fault.TIME
        wire.say(b"bestmove a1a2")
        session.prepare(b"position startpos")
        reply, _ = go(session)
        assert (reply.word, reply.last_info, reply.draw_offered) == ("b1b2", None, False)


def test_a_draw_is_offered_directly_before_the_move() -> None:
    """The line before bestmove and no other."""
    for between, is_offered in (([], True), ([b"info depth 3 score cp 0"], False), ([b"hello"], False)):
        session = searched(b"offer draw", *between, b"bestmove a1a2", options=(DRAWS,))
        assert go(session)[0].draw_offered is is_offered
    session = searched(b"bestmove a1a2", b"offer draw", options=(DRAWS,))
    assert not go(session)[0].draw_offered


def test_an_offer_of_an_engine_that_announced_none_is_void() -> None:
    """It is no offer."""
    reply, _ = go(searched(b"offer draw", b"bestmove a1a2"))
    assert not reply.draw_offered


def test_a_death_while_something_is_due_is_a_crash() -> None:
    """How it ended is in the verdict."""
    for word in ("ugi", "isready", "uginewgame", "go"):
        wire = Wire({word: [[TransportClosed("was killed by SIGSEGV")]]})
        session = Session(wire, Deadlines(), wire.clock)
        with pytest.raises(EngineFault) as caught:
            session.handshake()
            session.announce_game(())
            session.await_game()
            go(session)
        assert caught.value.fault is Fault.CRASH and "SIGSEGV" in caught.value.detail


def test_too_much_output_is_malformed() -> None:
    """A cap exceeded loses at once, in a search as elsewhere."""
    flood = TransportFlooded("wrote a line of more than 65536 bytes")
    fault = lost(searched(flood))
    assert fault.fault is Fault.MALFORMED_MOVE and "65536" in fault.detail
    session, _ = wired({"isready": [[flood]]})
    assert broken(session.ready).fault is Fault.MALFORMED_MOVE


def test_gameover_goes_only_to_engines_that_announced_it() -> None:
    """Others never see the word."""
    session, wire = wired()
    session.game_over("p1win", "line")
    assert wire.heard == ["ugi"]
    session, wire = wired(None, b"UGI_GameOver type check default true")
    session.game_over("p1win", "line")
    assert wire.heard[-1] == "gameover p1win line"


def test_the_evidence_is_the_dialogue_in_its_written_form() -> None:
    """Both directions, in order, printable, and bounded however long a line or a game is."""
    session, _ = wired({"go": [[b"info string \xff", b"bestmove a1a2"]]})
    session.prepare(b"position startpos")
    go(session)
    session.quit()
    assert session.transcript_tail("fox")[-7:] == [
        "fox <- position startpos",
        "fox <- isready",
        "fox -> readyok",
        "fox <- go movetime 100",
        "fox -> info string \\xff",
        "fox -> bestmove a1a2",
        "fox <- quit",
    ]
    noisy = searched(*[b"info string " + b"x" * 60_000] * 2_000, b"bestmove a1a2")
    go(noisy)
    assert sum(map(len, noisy.transcript_tail())) < 2_000_000


def test_a_dialogue_can_be_observed() -> None:
    """The observer gets every line of both directions in order. The evidence stays the same."""
    session, _ = wired({"go": [[b"info depth 1", b"bestmove a1a2"]]})
    observed: list[bytes] = []
    session.observe(observed.append)
    session.prepare(b"position startpos")
    go(session)
    said = [b"position startpos\nisready\n", b"readyok", GO, b"info depth 1", b"bestmove a1a2"]
    assert observed == said
    assert session.transcript_tail()[-2:] == ["engine -> info depth 1", "engine -> bestmove a1a2"]


def test_quitting_passes_on_the_deadline_and_tells_the_end() -> None:
    """`quit` returns how the process ended."""
    session, wire = wired()
    assert session.quit() == (0, "exit status 0")
    assert wire.heard[-1] == "closed after 2000"


def test_what_an_engine_thinks_before_the_write_returns_is_on_its_clock() -> None:
    """On one CPU the write may wake it and come back only when it has moved: that is no free move."""

    class Preempted(Wire):
        def send(self, data: bytes, deadline_ns: int) -> None:
            super().send(data, deadline_ns)
            self.now += 7 * MS * data.startswith(b"go")

    wire = Preempted({"go": [[b"bestmove c4"]]})
    session = Session(wire, now_ns=wire.clock)
    session.prepare(b"position startpos")
    assert session.search(GO, 100 * MS, Fault.TIME)[1][0] == 7 * MS


def test_what_we_wait_before_the_write_is_not_on_its_clock() -> None:
    """We may lose our CPU while we prepare the measuring. Until it has been sent something, an engine owes nothing."""

    class Delayed(Stopwatch):
        def begin(self, now_ns: int, budget_ns: int = 0) -> None:
            super().begin(now_ns, budget_ns)
            wire.now += 90 * MS

    wire = Wire({"go": [[b"bestmove c4"]]})
    session = Session(wire, now_ns=wire.clock)
    watch = Delayed(Machine(Time()), lambda: 0)
    assert session.prepare(b"position startpos", watch, MS) is None
    assert session.search(GO, 100 * MS, Fault.TIME, watch)[1][0] == 0
