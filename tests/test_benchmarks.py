"""The benchmarks measure what they say; never how fast anything is."""

from dataclasses import replace

import pytest

from arena.games import variants
from arena.games.game import Game
from benchmarks import compare
from benchmarks.speed import contenders, page, referees, scripts
from benchmarks.speed.rows import Row, workspace
from protocol.containment.policy import Level


@pytest.mark.long
def test_the_smallest_benchmark_has_all_figures_of_the_floor_and_of_the_referee(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Real games over real pipes; a peer that is not there has its reason."""
    if not contenders.built():
        pytest.skip("there is no C compiler")
    monkeypatch.setenv("ARENA_PEERS", "/nowhere")
    works = [replace(referees.WORKS[at], plies=10, games=2) for at in (0, -1)]
    with workspace(1) as space:
        rows = referees.measure(space, works, [Level.NONE])
    assert [row.what for row in rows] == [
        *("a ply, one CPU", "between two games, one CPU"),
        *("from the command to the first `go`", "from the last `bestmove` to the prompt"),
        "start of an engine, contained: none",
    ]
    assert all((row.median("arena") or 0) > 0 for row in rows)
    assert all((row.median("C floor") or 0) > 0 for row in rows[:2])
    assert rows[0].notes.keys() == set(contenders.PEERS)


@pytest.mark.long
def test_two_checkouts_are_compared_by_all_figures() -> None:
    """A round of this checkout has every figure that the table has a line for."""
    if not contenders.built():
        pytest.skip("there is no C compiler")
    with workspace(1) as space:
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


def test_the_page_begins_with_what_peers_do_better_and_shows_every_row() -> None:
    """A ratio is of figures of the same rounds; a missing figure has its reason; the plot has who was measured."""
    rows = [
        Row(
            *("a", "a ply, one CPU", "us"),
            {"arena": [[20.0, 30.0, 40.0], [60.0]], "fastchess": [[60.0], [240.0]], "c-chess-cli": [[15.0], [20.0]]},
            cause="it is C",
            notes={"cutechess-cli": "not installed"},
        ),
        Row("a", "games of 20 plies", "games/s", {"arena": [[90.0]], "fastchess": [[45.0]]}, more_is_better=True),
        Row("c", "arena standings", "s", {"arena": [[1234.5]]}),
    ]
    text = page.markdown(rows, "one of them", "make bench", "plot.svg")
    assert "ahead in:\n\n* a ply, one CPU: c-chess-cli by a factor of 2.50; it is C.\n\n" in text
    table = [line.replace(" ", "") for line in text.splitlines()]
    assert "|aply,oneCPU|us|2.50|35|150|17.5|-|" in table and "*cutechess-cli:notinstalled." in table
    assert "|gamesof20plies|games/s|2|90|45|||" in table and "|arenastandings|s|1234|" in table
    plot = page.svg(rows)
    assert "fastchess" in plot and "cutechess-cli" not in plot
