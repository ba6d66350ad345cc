"""The referee's verdicts, each from a dialogue."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from arena.games import variants
from arena.games.game import Game
from arena.play.adjudication import Adjudication, parse_resign
from arena.play.jobs import Terms
from arena.play.referee import GameEnd, LoggedPly, play, plies_of
from arena.timing.time_control import parse
from protocol.faults import Fault
from results.record import Termination
from tests.arena.play.wire import MS, Said, Time, Wire, scripted, seat

CLOCK = Terms(parse("10+0.1"))


class Played:
    """A finished game and everything around it."""

    def __init__(
        self,
        one: Sequence[list[Said]],
        two: Sequence[list[Said]],
        terms: Terms = CLOCK,
        variant: str = "scottish",
        fen: str | None = None,
        options: tuple[tuple[str, ...], tuple[str, ...]] = ((), ()),
    ) -> None:
        time = Time()
        rules, start = variants.resolve(variant, "", fen)
        self.game = Game(rules, start)
        first, self.first = seat(scripted(one, options[0]), time)
        second, self.second = seat(scripted(two, options[1]), time)
        self.sheet: list[LoggedPly] = []
        self.verdict: GameEnd = play(self.game, (first, second), terms, self.sheet)

    @property
    def result(self) -> tuple[str | None, str]:
        return self.verdict.winner, str(self.verdict.termination)


def moves(*words: str) -> list[list[Said]]:
    return [[f"bestmove {word}"] for word in words]


def go_lines(wire: Wire) -> list[str]:
    return [line for line in wire.heard if line.startswith("go")]


def test_each_engine_hears_the_whole_game_before_each_of_its_moves() -> None:
    """The position from the start with all moves, then isready, then go with both clocks."""
    played = Played(moves("d1c1", "a1a1"), moves("d3c3"))
    assert played.first.heard[1:] == [
        "position startpos",
        "isready",
        "go p1time 10000 p2time 10000 p1inc 100 p2inc 100",
        "position startpos moves d1c1 d3c3",
        "isready",
        "go p1time 10100 p2time 10100 p1inc 100 p2inc 100",
    ]
    assert played.second.heard[1] == "position startpos moves d1c1"


def test_a_move_that_never_comes_loses_on_time_at_clock_and_margin() -> None:
    """10 s and 50 ms after go, whatever the engine prints meanwhile."""
    trickle: list[Said] = [part for _ in range(200) for part in (100, "info depth 1")]
    played = Played([trickle], [])
    assert played.result == ("p2", "time")
    assert played.verdict.fault is not None and played.verdict.fault.fault is Fault.TIME


@pytest.mark.parametrize("limit", ["nodes=100", "depth=3"])
def test_without_a_clock_the_move_limit_makes_a_stall(limit: str) -> None:
    """No move within 60 s under a nodes or depth limit."""
    played = Played([[60_001, "bestmove d1c1"]], [], Terms(parse(limit)))
    assert played.result == ("p2", "stall")
    assert go_lines(played.first) == [f"go {limit.replace('=', ' ')}"]


def test_an_engine_that_does_not_get_ready_stalls() -> None:
    """The clock has not started, so it is no loss on time."""

    def deaf(line: str) -> list[Said]:
        return ["ugiok"] if line == "ugi" else []

    time = Time()
    rules, start = variants.resolve("scottish")
    first, _ = seat(deaf, time)
    second, _ = seat(scripted([]), time)
    assert play(Game(rules, start), (first, second), CLOCK, []).termination == Termination.STALL


def test_a_word_that_is_understood_and_not_legal_is_an_illegal_move() -> None:
    """In the grammar, or one of the words for having no move. Anything else is malformed, and the detail shows it."""
    for word in ("a1a2", "d1d3", "d4d5", "0000", "(none)", "resign", "D1D9"):
        assert Played(moves(word), []).result == ("p2", "illegal-move"), word
    for said in ("", "e5", "hello", "z9z9", "d1-d3", "d1d3 d3d1"):
        played = Played([[f"bestmove {said}".strip()]], [])
        assert played.result == ("p2", "malformed-move"), said
        assert f"bestmove {said}".split()[-1] in played.verdict.detail


def test_an_engine_may_resign_only_if_it_said_so() -> None:
    """Announced it is a resignation, else an illegal move."""
    option = ("UGI_Resign type check default true",)
    assert Played(moves("resign"), [], options=(option, ())).result == ("p2", "resignation")
    assert Played(moves("resign"), []).result == ("p2", "illegal-move")


OFFER = ("UGI_Draw type check default true",)


def offers(*words: str) -> list[list[Said]]:
    return [["offer draw", f"bestmove {word}"] for word in words]


def test_a_draw_is_agreed_when_an_offer_meets_an_offer() -> None:
    """Both in turn; both moves are played. An offer does not wait for a later answer."""
    played = Played(offers("d1c1"), offers("d3c3"), options=(OFFER, OFFER))
    assert played.result == ("draw", "draw-agreed")
    assert len(played.sheet) == 2
    late = Played([*offers("d1c1"), *moves("c1d1", "x")], [*moves("d3c3"), *offers("c3d3")], options=(OFFER, OFFER))
    assert late.result == ("p2", "malformed-move")


def test_in_callanish_draw_offers_are_void() -> None:
    """The game has no draws."""
    played = Played([*offers("e5"), ["bestmove x"]], offers("e4"), variant="callanish-9", options=(OFFER, OFFER))
    assert played.result == ("p2", "malformed-move")


def test_a_ply_limit_adjudicates_a_draw() -> None:
    """The opening counts; the rules' own outcome comes first."""
    played = Played(moves("d1c1"), moves("d3c3"), Terms(parse("1"), max_plies=2))
    assert played.result == ("draw", "adjudication")


def test_a_record_has_what_the_engine_said_last() -> None:
    """Depth, nodes and score of the last info before the move."""
    said: list[Said] = ["info depth 3 score cp 5 nodes 10", "info depth 4 score mate -3 nodes 99", "bestmove d1c1"]
    ply = plies_of(Played([said, ["bestmove x"]], moves("d3c3")).sheet)[0]
    assert (ply.depth, ply.nodes, ply.score) == (4, 99, "mate -3")


def test_moves_to_go_are_told_to_engines_that_asked_for_them() -> None:
    """And to no others."""
    terms = Terms(parse("3/60+0"))
    option = ("UGI_MovesToGo type check default true",)
    played = Played(moves("d1c1", "c1d1", "d1c1", "x"), moves("d3c3", "c3d3", "d5c5"), terms, options=(option, ()))
    assert [line.split()[-1] for line in go_lines(played.first)] == ["3", "2", "1", "3"]
    assert all("movestogo" not in line for line in go_lines(played.second))


def scored(*pairs: tuple[str, str]) -> list[list[Said]]:
    """Moves with what the engine says of them."""
    return [[f"info depth 1 score {score}", f"bestmove {word}"] for word, score in pairs]


def test_a_side_that_gives_itself_up_often_enough_has_lost_where_that_was_asked_for() -> None:
    """Two moves in a row at -600 or worse; the rules are not asked, and without the rule nothing happens."""
    asked = replace(CLOCK, adjudication=Adjudication(resign=parse_resign("score=600,moves=2")))
    one = scored(("d1c1", "cp -700"), ("c1d1", "mate -4"), ("d1c1", "cp -700"))
    two = scored(("d3c3", "cp 5"), ("d4d3", "cp 5"), ("d3g3", "cp 5"))
    played = Played(one, two, asked)
    assert played.result == ("p2", "adjudication")
    assert played.verdict.detail == "p1 said -600 cp or worse in 2 moves in a row"
    assert len(played.sheet) == 3
    assert Played(one, two).result == ("p2", "king-escaped")


def test_the_rules_own_outcome_comes_before_any_adjudication() -> None:
    """The king escapes with the very move whose score would have resigned."""
    asked = replace(CLOCK, adjudication=Adjudication(resign=parse_resign("score=600,moves=3")))
    two = scored(("d3c3", "cp -700"), ("d4d3", "cp -700"), ("d3g3", "cp -700"))
    played = Played(moves("d1c1", "c1d1", "d1c1"), two, asked)
    assert played.result == ("p2", "king-escaped")


def test_each_side_has_its_own_time_control_where_there_is_a_handicap() -> None:
    """p1 has a clock and p2 a fixed time: the go line must name both times, so p2's is told as p1's."""
    terms = Terms(parse("10+0.1"), p2_limit=parse("nodes=50"))
    played = Played(moves("d1c1", "c1d1", "d1c1"), moves("d3c3", "d4d3", "d3g3"), terms)
    assert go_lines(played.first)[0] == "go p1time 10000 p2time 10000 p1inc 100 p2inc 0"
    assert set(go_lines(played.second)) == {"go nodes 50"}
    assert [left for *_, left, _ in played.sheet][:2] == [10_100 * MS, None]


def test_each_side_may_be_late_by_a_margin_of_its_own() -> None:
    """P2 by less than p1, with a clock as with a fixed time."""
    for limit, ms in (("1", 1_000), ("movetime=100", 100)):
        terms = Terms(parse(limit), margin_ms=50, p2_margin_ms=20)
        assert [terms.of(side).margin_ms for side in (0, 1)] == [50, 20]
        assert Played([[ms + 50, "bestmove a1a1"]], [], terms).result == ("p2", "illegal-move")
        assert Played([[ms + 51, "bestmove a1a1"]], [], terms).result == ("p2", "time")
        assert Played(moves("d1c1"), [[ms + 20, "bestmove a1a1"]], terms).result == ("p1", "illegal-move")
        assert Played(moves("d1c1"), [[ms + 21, "bestmove a1a1"]], terms).result == ("p1", "time")


def test_a_lag_is_free_in_each_move_and_what_is_not_used_of_it_is_gone() -> None:
    """On 1 s with 250 ms: 250 ms cost nothing, 300 ms cost 50, for either side; a quick move earns nothing."""
    terms = Terms(parse("1 lag=250"))
    late: list[list[Said]] = [[250, "bestmove d1c1"], [300, "bestmove c1d1"], ["bestmove d1c1"], [1_251, "bestmove x"]]
    played = Played(late, [["bestmove d3c3"], [400, "bestmove c3d3"], ["bestmove d3c3"]], terms)
    assert [left // MS for *_, left, _ in played.sheet if left is not None] == [1000, 1000, 950, 850, 950, 850]
    assert played.result == ("p2", "time") and played.verdict.fault is not None
    assert played.verdict.fault.detail == "no bestmove within 1250.000 ms of go"
    assert go_lines(played.first)[1] == "go p1time 1000 p2time 1000 p1inc 0 p2inc 0"


@pytest.mark.parametrize(("limit", "ms"), [("1 lag=250", 1_300), ("movetime=100 lag=250", 400)])
def test_a_move_may_take_its_time_the_margin_and_the_lag(limit: str, ms: int) -> None:
    """And not a moment more. The overrun stays on the clock, within the margin, and the lag is not granted for it."""
    assert Played([[ms, "bestmove a1a1"]], [], Terms(parse(limit))).result == ("p2", "illegal-move")
    assert Played([[ms + 1, "bestmove a1a1"]], [], Terms(parse(limit))).result == ("p2", "time")
    again = Played([[ms, "bestmove d1c1"], [251, "bestmove a1a1"]], moves("d3c3"), Terms(parse(limit)))
    assert again.result == ("p2", "time" if limit.startswith("1") else "illegal-move")


def slow_reader(reads_ms: Sequence[int], *words: str) -> Callable[[str], Sequence[Said]]:
    """An engine that takes so long to read each position, and then plays these moves at once."""
    readings, replies = iter(reads_ms), iter(words)
    position = False

    def answer(line: str) -> Sequence[Said]:
        nonlocal position
        word = line.split()[0]
        was_position, position = position, word == "position"
        if word == "isready":
            return [next(readings), "readyok"] if was_position else ["readyok"]
        return [f"bestmove {next(replies)}"] if word == "go" else ["ugiok"] if word == "ugi" else []

    return answer


def read_slowly(
    reads_ms: Sequence[int], words: Sequence[str], terms: Terms, moves_of_two: Sequence[str] = ("d3c3", "c3d3")
) -> tuple[GameEnd, list[LoggedPly], list[str], list[str]]:
    """A game of a slow reader as p1: the verdict, the log, the `go` lines that it gets, the remarks of its trace."""
    time = Time()
    one, wire = seat(slow_reader(reads_ms, *words), time)
    two, _ = seat(scripted(moves(*moves_of_two)), time)
    log: list[LoggedPly] = []
    remarks: list[str] = []
    seats = replace(one, remark=remarks.append), two
    verdict = play(Game(*variants.resolve("scottish")), seats, terms, log)
    return verdict, log, go_lines(wire), remarks


def test_reading_a_position_is_free_for_a_moment_and_then_goes_off_the_clock() -> None:
    """5 ms and 0.1 ms for each move are free; of 105 ms for the start position 100 are charged before `go`."""
    verdict, log, told, remarks = read_slowly([105, 5, 6], ["d1c1", "c1d1", "x"], Terms(parse("1")))
    assert [line.split()[2] for line in told] == ["900", "900", "899"]
    plies = plies_of(log)
    assert [(ply.reading_us, ply.wall_us, ply.left_ms) for ply in plies[::2]] == [(100_000, 0, 900), (0, 0, 900)]
    assert remarks[0] == "reading the position took 105.000 ms, of which 5.000 ms are free" and len(remarks) == 2
    assert verdict.termination == Termination.MALFORMED_MOVE


@pytest.mark.parametrize("limit", ["1", "movetime=1000"])
def test_thinking_in_a_position_loses_on_time(limit: str) -> None:
    """What reads for longer than the move may take has lost before its `go`; the figures of the fault say so."""
    verdict, _, told, _ = read_slowly([1_056], ["d1c1"], Terms(parse(limit)))
    assert (verdict.winner, verdict.termination, told) == ("p2", Termination.TIME, [])
    assert verdict.fault is not None and verdict.fault.times == (1_055 * MS, 1_056 * MS, None, None, False)
    assert "1056.000 ms, of which 5.000 ms are free" in verdict.detail
    assert read_slowly([1_055], ["x"], Terms(parse(limit)))[0].termination == Termination.MALFORMED_MOVE


def test_reading_counts_in_the_budget_of_a_move() -> None:
    """100 ms of which reading took 40 beyond what is free: the engine is told of 60, and has those and the margin.

    In a move by nodes it is a stall, as for the move itself.
    """
    verdict, log, told, _ = read_slowly([45, 500], ["d1c1", "c1d1"], Terms(parse("movetime=100")))
    assert told[0] == "go movetime 60" and plies_of(log)[0].reading_us == 40_000
    assert verdict.termination == Termination.TIME
    by_nodes = Terms(parse("nodes=5"), move_limit_ms=2_000)
    assert read_slowly([6_000], ["d1c1"], by_nodes)[0].termination == Termination.STALL
