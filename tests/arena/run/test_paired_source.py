"""Formats that pair by results: rounds do not depend on the order of the finish, and going on changes nothing."""

import random
from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest

from arena.formats.base import Format
from arena.formats.knockout import Knockout
from arena.formats.registry import FormatConfig
from arena.formats.swiss import Swiss
from arena.openings.books import Start
from arena.play.jobs import GameJob, Terms
from arena.run.run import GamesToPlay
from arena.run.source import OddGame, PairedSource, RunSetting, game_seed
from arena.timing.time_control import parse
from results.plies import Ply
from results.record import GameRecord, Termination, Winner, faulty
from tests.results.made import game_of

STARTS = (Start("a"), Start("b"))
FORMATS: dict[str, Format] = {
    "swiss": Swiss(7, 4, 2, len(STARTS)),
    "swiss of single games": Swiss(6, 3, 1, len(STARTS)),
    "knockout": Knockout(7, 4, len(STARTS)),
    "contest": FormatConfig(
        "contest", groups=2, champion="e7", points="3-1-0", tie_breaks=["direct-encounter", "sonneborn-berger"]
    ).make([f"e{i}" for i in range(8)], len(STARTS), 1),
}

STEPS = [("swiss", 4), ("knockout", 4), *(pytest.param(name, 1, marks=pytest.mark.long) for name in FORMATS)]
"""The formats, and at how many of their games a run is stopped: at every fourth, or at each."""


def setting(format_: Format) -> RunSetting:
    names = tuple(f"e{i}" for i in range(format_.players))
    return RunSetting("run", names, STARTS, 2, 1, Terms(parse("nodes=1")))


def result(job: GameJob) -> GameRecord:
    """The record of a game: the same for the same game."""
    winners: tuple[Winner, ...] = ("p1", "p2", "draw")
    winner = winners[game_seed(f"{job.p1} {job.p2} {job.seed}") % 3]
    return game_of(job, round=job.round, variant=job.variant, winner=winner, opening=(), plies=(), seed=job.seed)


def games_of(format_: Format, stored: list[GameRecord], out: Iterable[str] = ()) -> GamesToPlay:
    """The games of a run that are not stored; engines are `out` from an earlier session."""
    source = PairedSource(setting(format_), format_, stored)
    return GamesToPlay(
        source, stored=map(source.result, stored), withdrawn=dict.fromkeys(out, ""), fault_budget=3, run_id="run"
    )


def run(
    format_: Format,
    stored: list[GameRecord],
    withdrawn: set[str],
    at_once: int = 1,
    most: int = 10_000,
    result: Callable[[GameJob], GameRecord] = result,
) -> list[GameRecord]:
    """Play `most` games, `at_once` at a time, which end in any order. Their records, in the order of their numbers.

    Who is withdrawn in the end is added to `withdrawn`.
    """
    games = games_of(format_, stored, withdrawn)
    chance = random.Random(at_once)
    going: list[GameJob] = []
    ended: list[GameRecord] = []
    while len(ended) < most:
        while len(going) < at_once and isinstance(job := games.next(), GameJob):
            going.append(job)
        if not going:
            break
        record = result(going.pop(chance.randrange(len(going))))
        games.ended(record, faulty(record))
        ended.append(record)
    withdrawn.update(games.withdrawn)
    return sorted(ended, key=lambda record: record.number)


@pytest.mark.parametrize("name", FORMATS)
def test_rounds_do_not_depend_on_the_order_in_which_games_end(name: str) -> None:
    """One game at a time or nine: the same games, numbered from 1 without a gap."""
    alone = run(FORMATS[name], [], set())
    assert [record.number for record in alone] == list(range(1, len(alone) + 1))
    assert alone == run(FORMATS[name], [], set(), at_once=9)
    assert len(alone) <= FORMATS[name].most * len(STARTS)


@pytest.mark.parametrize(("name", "step"), STEPS)
def test_a_withdrawn_engine_loses_its_unplayed_games_and_a_resume_agrees(name: str, step: int) -> None:
    """Two engines are withdrawn during the run: the others play to the end, and a resume comes to the same games."""
    for most in (1, 4, 9):
        before = run(FORMATS[name], [], set(), 1, most)
        out = {"e2", "e0"}
        rest = run(FORMATS[name], before, out, 4)
        assert not any({record.p1, record.p2} & out for record in rest)
        known = [*before, *rest]
        for kept in range(len(before), len(known), step):
            assert run(FORMATS[name], known[:kept], out) == known[kept:]


def often_broken(job: GameJob) -> GameRecord:
    """As `result`, but e1 breaks down in every game and e3 in two of three, which loses it the game."""
    sides: tuple[tuple[str, Winner], ...] = ((job.p1, "p2"), (job.p2, "p1"))
    for broken, winner in sides:
        if broken == "e1" or (broken == "e3" and job.seed % 3):
            return replace(result(job), winner=winner, termination=Termination.CRASH)
    return result(job)


@pytest.mark.parametrize(("name", "step"), STEPS)
def test_who_is_withdrawn_for_faults_does_not_depend_on_the_order_in_which_games_end(name: str, step: int) -> None:
    """Three faults in a row, in the order of the games: the same games one at a time, nine, and after a resume."""
    out: set[str] = set()
    whole = run(FORMATS[name], [], out, result=often_broken)
    assert "e1" in out
    for at_once in (2, 5, 9):
        also_out: set[str] = set()
        assert run(FORMATS[name], [], also_out, at_once, result=often_broken) == whole and also_out == out
    for most in range(0, len(whole), step):
        part_out: set[str] = set()
        before = run(FORMATS[name], [], part_out, 5, most, often_broken)
        after = run(FORMATS[name], before, part_out, 3, result=often_broken)
        assert sorted([*before, *after], key=lambda record: record.number) == whole and part_out == out


def test_a_contest_is_told_captures_the_shortest_win_and_missed_games_of_both_engines() -> None:
    """A win by the opponent's fault is not the shortest one. A stored game counts as one that was just played."""
    made = FormatConfig("contest").make(["e0", "e1", "e2"], 1, 1)
    asked = replace(setting(made), starts=(Start("scottish"),))
    ways = {"e0": ("d7a7 d5a5 d6a6", "king-captured"), "e1": ("d7a7", Termination.CRASH)}
    """What p1 plays before it wins: e0 captures a man in three plies, e1's opponent breaks down."""

    def captured(job: GameJob) -> GameRecord:
        moves, termination = ways[job.p1]
        plies = tuple(Ply(move, 0, None, None) for move in moves.split())
        start = "3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 p1 1"
        return replace(result(job), variant="scottish", fen=start, plies=plies, winner="p1", termination=termination)

    stored: list[GameRecord] = []
    for _ in range(2):
        source = PairedSource(asked, made, stored)
        games = GamesToPlay(source, stored=map(source.result, stored))
        source.job(1, games.results)  # it is paired before it is withdrawn
        games.withdraw("e2", "")
        while isinstance(job := games.next(), GameJob) and job.round == 1:
            stored.append(captured(job))
            games.ended(stored[-1], faulty(stored[-1]))
        (met,) = (score for score in source.past[0].scores if 2 not in score[:2])
        own = (met.first, met.second).index(0)
        assert (met.captures[own], met.captures[1 - own]) == (1, 0)
        assert (met.shortest[own], met.shortest[1 - own]) == (3, 0)
        with_e2 = [score for score in source.past[0].scores if 2 in score[:2]]
        assert [score.missed[(score.first, score.second).index(2)] for score in with_e2] == [2, 2]
    assert len(stored) == 2
    stored[0] = replace(stored[0], plies=(Ply("d7d6", 0, None, None),))
    with pytest.raises(OddGame, match=r"game run-\d+ has the illegal move d7d6: restore the file from a copy"):
        source.result(stored[0])


def test_a_stored_game_that_cannot_be_of_this_run_is_refused() -> None:
    """The file was changed by hand: the error names the game, and no wrong table is printed."""
    whole = run(FORMATS["swiss"], [], set())
    whole[1] = replace(whole[1], p1="e4")
    with pytest.raises(OddGame, match="game 2 of run run is stored as e4 - "):
        run(FORMATS["swiss"], whole, set())
