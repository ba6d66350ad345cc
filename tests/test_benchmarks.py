"""The benchmarks measure what they say; never how fast anything is."""

import pytest

from arena.games import variants
from arena.games.game import Game
from benchmarks import compare
from benchmarks.speed import contenders, page, plies, scripts
from benchmarks.speed.rows import Row, Scale, compared, row, workspace

SMALLEST = Scale(rounds=1, games=2, plies=10, crowd_games=0, alone=True)


@pytest.mark.long
def test_the_smallest_benchmark_has_a_figure_for_the_floor_and_for_the_referee() -> None:
    """Real games over real pipes: a row for each contender and each kind of cost, none of them empty."""
    if not contenders.built():
        pytest.skip("there is no C compiler")
    with workspace(SMALLEST) as space:
        rows = plies.measure(space)
    names = [
        "C floor, 2 round trips, one CPU",
        "C floor, 1 round trip, one CPU",
        "arena, contained: none, one CPU",
    ]
    assert [row.what for row in rows] == [f"{kind}: {name}" for kind in ("ply", "between games") for name in names]
    assert all(row.median is not None and row.median > 0 for row in rows)
    assert rows[0].ratio == 1


@pytest.mark.long
def test_two_checkouts_are_compared_by_all_figures() -> None:
    """A round of this checkout has every figure that the table has a line for."""
    if not contenders.built():
        pytest.skip("there is no C compiler")
    with workspace(SMALLEST) as space:
        found = compare.figures(compare.side(str(compare.ROOT), space.scripts / "base"), space)
    assert found.keys() == compare.FIGURES.keys() and min(found.values()) > 0


def test_a_ratio_is_of_two_figures_of_one_round() -> None:
    """A machine whose speed changes between rounds changes no ratio; a slow round widens the interval alone."""
    base = [dict.fromkeys(compare.FIGURES, at * 1.0) for at in range(1, 11)]
    here = [dict.fromkeys(compare.FIGURES, at * 1.1) for at in range(1, 11)]
    here[4] = dict.fromkeys(compare.FIGURES, 50.0)
    lines = compare.table(base, here).splitlines()[1:]
    assert len(lines) == len(compare.FIGURES)
    assert all(line.split("  ")[0] in compare.FIGURES and " 1.100  1.100 to 1.100" in line for line in lines)
    assert compare.interval([0.9, 1.0, 1.3]) == (1.0, 0.9, 1.3)


@pytest.mark.parametrize(("variant", "most"), [("scottish", 150), ("callanish-9", 48)])
def test_the_script_is_a_legal_game_of_its_length(variant: str, most: int) -> None:
    """The referee finds no fault in it and no end before its last ply."""
    words = scripts.legal_game(variant, most)
    rules = variants.find(variant)
    game = Game(rules, rules.start())
    for word in words:
        assert game.outcome is None
        game.play(word)
    assert len(game.moves) == most
    assert game.outcome is None


def test_the_page_shows_every_row_and_why_a_figure_is_missing() -> None:
    """The table, the page and the plot are made of the rows alone."""
    rows = [
        compared(row("a", "ply: arena, one CPU", "us", [20.0, 40.0, 30.0]), [[20.0, 40.0, 30.0]], [[12.0, 10.0]]),
        Row("a", "ply: fastchess, one CPU", "us", note="not installed"),
        row("c", "command to first go: arena", "ms", [1234.5]),
    ]
    for text in (page.table(rows), page.markdown(rows, {"CPU": "one of them"}, "plot.svg")):
        for shown in ("ply: arena, one CPU", "30", "20", "40", "2.73", "2", "not installed", "1 234"):
            assert shown in text
    plot = page.svg(rows)
    assert "arena" in plot
    assert "fastchess" not in plot
