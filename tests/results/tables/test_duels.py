"""Elo with its error in each row, the engine of a gauntlet against each opponent, and the line of a match of two."""

import itertools
import json
import re

import pytest

from results.ratings import PairResult, fit
from results.tables.elo import elo, with_error
from results.tables.render import duel_rows, duel_table, legend, standings_notes
from results.tables.standings import Standings, standings
from results.tables.to_json import standings_json
from results.tally import PairCount, PairTally
from tests.results.ratings.played import as_counts, both_ways, played


def match_of(one: str, two: str, wins: int, draws: int, losses: int) -> list[PairResult]:
    """A match with both sides alike, as far as the counts allow."""
    first = [count // 2 for count in (wins, draws, losses)]
    rest = [count - half for count, half in zip((wins, draws, losses), first, strict=True)]
    return [PairResult(one, two, *first), PairResult(two, one, *rest[::-1])]


GAUNTLET = [
    *match_of("hero", "ten-nil", 10, 0, 0),
    *match_of("hero", "three-seven", 3, 0, 7),
    *match_of("hero", "level", 5, 0, 5),
]
MATCH = match_of("hero", "villain", 44, 13, 22)
SWEEP = match_of("hero", "villain", 10, 0, 0)


def found_in(games: list[PairResult], anchor: str | None = None) -> Standings:
    """The standings of these games."""
    return standings(as_counts(games), anchor=anchor)


def test_a_gauntlet_shows_its_engine_against_each_opponent() -> None:
    """As fastchess does: from the point of view of its engine, by the one fit, with an error or a bound."""
    found, whole = found_in(GAUNTLET), fit(GAUNTLET)
    heading, *rows = duel_rows(found)
    assert heading == ("opponent", "Elo", "+-", "LOS%", "games", "W-D-L", "score%")
    cells = {row[0]: row[1:] for row in rows}
    assert cells["ten-nil"][3:] == ("10", "10-0-0", "100.0") and re.fullmatch(r"\+\d+", cells["ten-nil"][0])
    for duel in found.duels:
        lead = whole.difference("hero", duel.two)
        assert duel.one == "hero" and duel.elo.value == pytest.approx(elo(lead.mean))
        if duel.two != "ten-nil":
            assert duel.elo.low == pytest.approx(elo(lead.lower)) and duel.elo.high == pytest.approx(elo(lead.upper))
    assert float(cells["three-seven"][0]) < -50 < float(cells["level"][0]) < 50
    title, *lines = duel_table(found)
    assert title == "hero against each opponent" and max(map(len, lines)) <= 80 and len(lines) == 4
    assert [duel["two"] for duel in json.loads(json.dumps(standings_json(found)))["duels"]] == [*cells]


def test_a_match_of_two_has_one_line_with_everything() -> None:
    """Elo of the difference, which is not that of a rating, with its error; LOS, draws and pairs."""
    pairs = [PairCount("callanish-9", "", "villain", "hero", PairTally((8, 4, 22, 3, 2), 20))]
    found = standings(as_counts(MATCH), pairs=pairs)
    (duel,) = found.duels
    line = standings_notes(found)[0]
    los = found.rows[0].rating and found.rows[0].rating.better_than_next
    assert (
        line
        == f"hero - villain: Elo {with_error(duel.elo)}, LOS {100 * (los or 0):.1f} %, draws 16.5 %, pairs +12 =22 -5"
    )
    assert re.match(r"hero - villain: Elo \+\d+ -\d+\+\d+, LOS 9\d\.\d %", line) and len(line) <= 80
    assert re.match(
        r"hero - villain: Elo \+\d+ \+- \d+, LOS 100.0 %, draws 0.0 %$", standings_notes(found_in(SWEEP))[0]
    )
    for anchor, shares in ((None, (0.5, -0.5)), ("villain", (1, 0)), ("hero", (0, -1))):
        points = [row.elo and row.elo.value for row in found_in(MATCH, anchor).rows]
        assert points == pytest.approx([share * duel.elo.value for share in shares]), anchor
    long = found_in(match_of("a-very-long-name-" * 3, "b-very-long-name-" * 3, 500, 1, 2))
    assert len(standings_notes(long)[0]) <= 80


def test_a_legend_says_against_whom_and_why_two_may_overlap() -> None:
    """The last sentence appears only where neighbours overlap of whom one is surely stronger."""
    names = "abcdefgh"
    close = played(
        {name: 0.2 * k for k, name in enumerate(names)}, both_ways(itertools.combinations(names, 2)), 1000, 1
    )
    overlap = "+- is against {}, so two may overlap though P>next is near 100"
    assert overlap.format("the field's mean") in "; ".join(legend([found_in(close)]))
    assert overlap.format("c") in "; ".join(legend([found_in(close, "c")]))
    assert "Elo: above c; +- holds 95 %" in legend([found_in(close, "c")])[0]
    assert "overlap" not in "; ".join(legend([found_in(MATCH)]))
    assert max(map(len, legend([found_in(close)]))) <= 80
