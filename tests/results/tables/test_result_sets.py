"""Ten result sets as organisers have them: every number that two outputs show is the same number, and right."""

import itertools
import json
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from arena.cli.view.rating_list_tables import print_standings
from arena.web.pages.source import Choice, PageSource
from arena.web.pages.standings import standings_page
from arena.web.privacy import Privacy
from results.plots import figures
from results.ratings import sprt
from results.record import GameRecord, Player, Winner
from results.store.store import Store
from results.tables.crosstable import Crosstable
from results.tables.elo import points_text
from results.tables.rating_lists import RatingLists, rating_lists_of_runs
from results.tables.to_json import crosstables_json, rating_lists_json
from tests.results.made import GAME, RUN

Pair = tuple[str, str, str]
"""Two engines, and what the first one scored in their two games, as p1 and as p2: `1` won, `0` lost, `=` drew."""
SWISS = [
    ("abcdefg"[one], "abcdefg"[two], "11" if (one + two) % 3 else "=0")
    for one, two in ((0, 1), (2, 3), (4, 5), (0, 2), (1, 6), (3, 4), (0, 6), (2, 5), (1, 4), (0, 4), (2, 6), (3, 5))
]
SETS: dict[str, Sequence[Pair]] = {
    "1-0": [("ann", "bob", "1")],
    "2-0": [("ann", "bob", "11")],
    "20-0": [("ann", "bob", "11")] * 10,
    "73-73": [("ann", "bob", "10")] * 36 + [("ann", "bob", "01")] * 37,
    "all draws": [("ann", "bob", "==")] * 10,
    "a gauntlet": [
        ("hero", name, score)
        for name, scores in {"ten": ["11"] * 5, "level": ["10", "01"] * 3, "weak": ["11", "1=", "10"]}.items()
        for score in scores
    ],
    "a hopeless engine": [(one, two, "10") for one, two in itertools.combinations("abc", 2)] * 3
    + [(one, "hopeless", "11") for one in "abc"] * 3,
    "a Swiss of 7": SWISS,
    "roles": [("ann", "bob", "10")] * 10
    + [("ann", "cyd", "10")] * 10
    + [("bob", "cyd", "11"), ("bob", "cyd", "00")] * 5,
    "a circle": [pair for one, two in ("ab", "bc", "ca") for pair in [(one, two, "11")] * 4 + [(one, two, "00")]],
}


def played(path: Path, pairs: Sequence[Pair]) -> Store:
    """These games in a database: no two are alike, and those of a pair have one opening."""
    store = Store.create_or_open(path)
    names = sorted({name for pair in pairs for name in pair[:2]})
    store.add_run(RUN, [Player(name, "1", "", (name,), "") for name in names])
    store.add_games(game for number, pair in enumerate(pairs) for game in games_of(number, pair))
    return store


def games_of(number: int, pair: Pair) -> list[GameRecord]:
    one, two, score = pair
    games = []
    for at, sign in enumerate(score):
        sides = (one, two) if at == 0 else (two, one)
        winner: Winner = "draw" if sign == "=" else "p1" if (sign == "1") == (at == 0) else "p2"
        opening, first = (f"a{number}", "b2"), 2 * number + at + 1
        games.append(
            replace(
                GAME,
                id=f"{RUN.id}-{first}",
                number=first,
                round=number + 1,
                opening=opening,
                p1=sides[0],
                p2=sides[1],
                winner=winner,
            )
        )
    return games


def printed(lists: RatingLists, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The standings as a terminal of 80 columns shows them."""
    print_standings(lists)
    return capsys.readouterr().out.splitlines()


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.long] * (name in ("2-0", "20-0", "all draws", "roles", "a circle")))
        for name in SETS
    ],
)
def test_all_outputs_show_the_same_numbers(tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Table, crosstable, JSON, page and picture; the scores are those of the games, and nothing is wider than 80."""
    pairs = SETS[name]
    with played(tmp_path / "some.db", pairs) as store:
        lists = rating_lists_of_runs(store, [RUN.id])
        page = standings_page(PageSource(store, Privacy()), Choice())
    picture = figures.ratings("", page.tables[0][0].standings)
    lines, told = printed(lists, capsys), json.loads(json.dumps(rating_lists_json(lists)))
    assert max(map(len, lines)) <= 80
    rows = lists.overall.standings.rows
    assert [row.elo for row in page.tables[0][0].standings.rows] == [row.elo for row in rows]
    table: Crosstable = lists.overall.crosstable
    crossed = json.loads(json.dumps(crosstables_json(lists)))
    for at, (row, values) in enumerate(zip(rows, told["engines"], strict=True)):
        games = sum(len(score) for one, two, score in pairs if row.name in (one, two))
        points = sum(points_of(score, row.name == one) for one, two, score in pairs if row.name in (one, two))
        assert row.elo is not None and (values["games"], values["score"], values["elo"]) == (
            games,
            points,
            row.elo.value,
        )
        assert table.elos[row.name] == row.elo and crossed["elo"][at]["value"] == row.elo.value
        assert sum(cell.score for cell in table.cells[at] if cell is not None) == points
        shown = next(line.split() for line in lines if line.startswith(f"{row.rank} {row.name} "))
        assert shown[2] == points_text(row.elo) and f"{row.name} {shown[2]} " in picture.words
        assert shown[4].startswith(f"{values['mu']:.1f}"[:3]) and shown[5:8] == [
            str(games),
            row.total.text,
            f"{100 * points / games:.1f}",
        ]
        if values["better_than_next"] is not None:
            assert shown[8] == f"{100 * values['better_than_next']:.1f}"
    for duel in told["duels"]:
        one, two = (next(each for each in told["engines"] if each["name"] == duel[key]) for key in ("one", "two"))
        assert (one["elo"] >= two["elo"]) == (duel["elo"]["value"] >= 0) or abs(duel["elo"]["value"]) < 1


def points_of(score: str, is_first: bool) -> float:
    own = sum({"1": 1.0, "=": 0.5, "0": 0.0}[sign] for sign in score)
    return own if is_first else len(score) - own


@pytest.mark.parametrize("name", ["20-0", "73-73", "all draws"])
def test_two_engines_alone_have_figures_that_a_hand_can_compute(tmp_path: Path, name: str) -> None:
    """Pentanomial counts, Elo, its error, LOS and normalized Elo, from the formulas of SPRT.md."""
    counts = [0] * 5
    for _, _, score in SETS[name]:
        counts[int(2 * points_of(score, True))] += 1
    with played(tmp_path / "some.db", SETS[name]) as store:
        (duel,) = rating_lists_of_runs(store, [RUN.id]).overall.standings.duels
    assert duel.pairs is not None and list(duel.pairs.points) == counts
    if len([count for count in counts if count]) == 1 and not counts[2]:
        assert (
            sprt.elo(counts) is None and duel.elo.high == math.inf and 100 < duel.elo.value <= 1200 and duel.los > 0.8
        )
        return
    pairs = sum(counts)
    if counts[2] == pairs:  # one more that went half to each
        counts, pairs = [0.5, 0, counts[2], 0, 0.5], pairs + 1  # type: ignore[list-item]
    mean = sum(count * k / 4 for k, count in enumerate(counts)) / pairs
    deviation = math.sqrt(sum(count * (k / 4 - mean) ** 2 for k, count in enumerate(counts)) / pairs)
    error = 1.959964 * deviation / math.sqrt(pairs)
    by_hand = [-400 * math.log10(1 / score - 1) for score in (mean, mean - error, mean + error)]
    assert list(duel.elo) == pytest.approx(by_hand, abs=1e-3)
    assert duel.los == pytest.approx(0.5 * math.erfc((0.5 - mean) / (deviation / math.sqrt(pairs)) / math.sqrt(2)))
    normalized = sprt.nelo(duel.pairs.points)
    assert normalized is not None
    assert normalized.value == pytest.approx((mean - 0.5) / (deviation * math.sqrt(2)) * 800 / math.log(10), abs=1e-6)
