"""The published ladders: their tournaments can be played, and their tables say what the games say."""

from pathlib import Path

import pytest

from arena.config.load import load_registry, load_tournament
from benchmarks import ladder_page, ladder_results
from benchmarks.ladder_page import ENGINES, PAGE, grades_table, rungs_of, table
from benchmarks.ladder_results import LADDERS, Ladder
from engines.native.player import HIGHEST_GRADE
from results.record import ResultCount, Termination, Winner
from results.store.filter import Filter
from results.store.store import Store


@pytest.mark.parametrize("ladder", LADDERS, ids=lambda ladder: ladder.variant)
def test_the_tournament_of_a_ladder_connects_all_rungs(ladder: Ladder, tmp_path: Path) -> None:
    """It is a valid file. Each grade meets the next two, and `random` and all others play."""
    file = tmp_path / "ladder.toml"
    file.write_text(ladder_results.tournament_file(ladder))
    table, specs, _ = load_tournament(file, load_registry())
    assert tuple(table.variants) == (ladder.variant,)
    met = {frozenset(pair) for pair in ladder_results.neighbours(ladder)}
    rungs = ["random", *map(ladder.rung, range(1, HIGHEST_GRADE + 1))]
    assert {frozenset(rungs[at : at + 2]) for at in range(HIGHEST_GRADE)} <= met
    assert {frozenset(rungs[at : at + 3 : 2]) for at in range(HIGHEST_GRADE - 1)} <= met
    assert set().union(*met) == {spec.name for spec in specs}
    grades = {spec.name: spec.options["Strength"] for spec in specs if "Strength" in spec.options}
    assert grades == {rungs[grade]: str(grade) for grade in range(1, HIGHEST_GRADE + 1)}
    limits = {spec.name: str(spec.limit) for spec in specs if spec.limit is not None}
    assert limits == {"alphabeta 10000 nodes": "nodes=10000", "mcts 300 nodes": "nodes=300"}


def games(p1: str, p2: str, winner: Winner, count: int, how: str = "line") -> ResultCount:
    return ResultCount("callanish-7", "nodes=1", p1, p2, winner, how, games=count, distinct=count)


def both_ways(one: str, two: str, won: int, lost: int) -> list[ResultCount]:
    """So many games are won and lost by `one` on each side."""
    as_p1 = [games(one, two, "p1", won), games(one, two, "p2", lost)]
    return [*as_p1, games(two, one, "p2", won), games(two, one, "p1", lost)]


COUNTS = [
    *both_ways("stornoway 7", "stornoway 6", 15, 5),
    *both_ways("stornoway 6", "stornoway 5", 15, 5),
    *both_ways("stornoway 5", "slow", 10, 5),
    games("stornoway 5", "slow", "p1", 5, Termination.TIME),
    games("seldom", "slow", "p1", 2),
]


def test_a_table_has_the_rungs_from_the_top_with_their_steps() -> None:
    """A step of 15 wins in 20 games is some 200 points. Faults count for their engine; who played too little is out."""
    rungs = {rung.name: rung for rung in rungs_of(COUNTS, "stornoway 6")}
    assert list(rungs) == ["stornoway 7", "stornoway 6", "stornoway 5", "slow"]
    assert rungs["stornoway 6"].points is None
    assert (rungs["slow"].faults, rungs["stornoway 5"].faults) == (5, 0)
    assert (rungs["stornoway 6"].games, rungs["stornoway 6"].score) == (80, 0.5)
    step = rungs["stornoway 7"].step
    assert step is not None and 150 < step[0] < 250 and step[1] < step[0] < step[2]
    lines = table(list(rungs.values()))
    assert lines[2].startswith("| stornoway 7 | 40 | 75 | +") and lines[2].endswith(" | 0 |")
    assert lines[-1].endswith(" |  |  | 5 |")


def cells(lines: list[str]) -> list[list[str]]:
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if line.startswith("|")]


def between_marks(page: Path) -> str:
    return page.read_text().partition(ladder_page.BEGIN)[2].partition(ladder_page.END)[0]


@pytest.mark.parametrize("engine", sorted({ladder.engine for ladder in LADDERS}))
def test_the_table_of_strength_has_the_nodes_of_the_engines(engine: str) -> None:
    """The published one has its variants and a row for each grade, with the nodes that the engines have now."""
    its = [ladder for ladder in LADDERS if ladder.engine == engine]
    rows = cells(grades_table(engine, its[0].grades, {ladder.variant: [] for ladder in its}))
    assert len(rows) == 2 + HIGHEST_GRADE and rows[-1][1] == f"{its[0].grades[-1].nodes:,}".replace(",", " ")
    published = between_marks(ENGINES)
    found = cells(published[published.index(rows[0][0]) - 2 :].splitlines())[: len(rows)]
    assert found[0] == rows[0]
    assert [row[:2] for row in found] == [row[:2] for row in rows]


def test_each_ladder_is_published() -> None:
    """The page has a table for each variant that is played, with a line for each grade."""
    chapters = {text.split("\n")[0]: text for text in between_marks(PAGE).split("\n## ")[1:]}
    assert list(chapters) == [ladder.variant for ladder in LADDERS]
    for ladder in LADDERS:
        for grade in range(1, HIGHEST_GRADE + 1):
            assert f"\n| {ladder.rung(grade)} |" in chapters[ladder.variant]


def test_the_tables_are_put_between_the_marks_of_both_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each ladder has the games of its variant. What people wrote around the marks stays as it is."""
    pages = {}
    for name in ("PAGE", "ENGINES"):
        pages[name] = tmp_path / f"{name}.md"
        pages[name].write_text(f"before\n{ladder_page.BEGIN}\nold\n{ladder_page.END}\nafter")
        monkeypatch.setattr(ladder_page, name, pages[name])
    store = Store.create_or_open(tmp_path / "games.db")
    asked: list[str | None] = []

    def counts(_: Store, where: Filter) -> list[ResultCount]:
        asked.append(where.variant)
        return COUNTS

    monkeypatch.setattr(Store, "counts", counts)
    with store:
        ladder_page.write(LADDERS[:2], store)
    assert asked == [ladder.variant for ladder in LADDERS[:2]]
    for page in pages.values():
        text = page.read_text()
        assert text.startswith("before\n") and text.endswith("\nafter") and "old" not in text
    assert "## callanish-9\n" in pages["PAGE"].read_text()
    assert cells(pages["ENGINES"].read_text().splitlines())[8][:2] == ["7", "450"]
