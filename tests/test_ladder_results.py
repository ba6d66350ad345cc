"""The published ladder: its tournaments can be played, and its tables say what the games say."""

from pathlib import Path

import pytest

from arena.config.load import load_registry, load_tournament
from benchmarks import ladder_results
from benchmarks.ladder_results import LADDERS, Ladder
from benchmarks.studies import ladder_page
from benchmarks.studies.ladder_page import ENGINES, Games, grades_table, rungs_of, table
from engines.native.player import HIGHEST_GRADE
from results.record import ResultCount, Termination, Winner
from results.store.store import Store


@pytest.mark.parametrize("ladder", LADDERS, ids=lambda ladder: ladder.name)
def test_the_tournament_of_the_grades_connects_all_rungs(ladder: Ladder, tmp_path: Path) -> None:
    """It is a valid file. Each grade meets the next two, and `random` and all others play."""
    file = tmp_path / "grades.toml"
    file.write_text(ladder_results.grades_file(ladder))
    table, specs, _ = load_tournament(file, load_registry())
    assert tuple(table.variants) == ladder.variants
    met = {frozenset(pair) for pair in ladder_results.neighbours(ladder)}
    rungs = ["random", *(ladder_results.rung(ladder, grade) for grade in range(1, HIGHEST_GRADE + 1))]
    assert {frozenset(rungs[at : at + 2]) for at in range(HIGHEST_GRADE)} <= met
    assert {frozenset(rungs[at : at + 3 : 2]) for at in range(HIGHEST_GRADE - 1)} <= met
    assert set().union(*met) == {spec.name for spec in specs}
    grades = {spec.name: spec.options["Strength"] for spec in specs if "Strength" in spec.options}
    assert grades == {rungs[grade]: str(grade) for grade in range(1, HIGHEST_GRADE + 1)}


@pytest.mark.parametrize("ladder", LADDERS, ids=lambda ladder: ladder.name)
def test_the_tournament_of_the_rivals_has_those_that_were_given(ladder: Ladder, tmp_path: Path) -> None:
    """A rival has a time for a move and the grades nodes. Who has no command does not play."""
    file = tmp_path / "rivals.toml"
    file.write_text(ladder_results.rivals_file(ladder, {"Ludii Alpha-Beta": ["ludii"]}))
    _, specs, _ = load_tournament(file, load_registry())
    limits = {spec.name: str(spec.limit) for spec in specs if spec.limit is not None}
    assert limits == {"Ludii Alpha-Beta": "movetime=1000"}
    assert len(specs) == 1 + len(ladder.rivals["Ludii Alpha-Beta"])


def games(p1: str, p2: str, winner: Winner, count: int, how: Termination = Termination.LINE) -> ResultCount:
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


@pytest.mark.parametrize("ladder", LADDERS, ids=lambda ladder: ladder.name)
def test_the_table_of_strength_has_the_nodes_of_the_engines(ladder: Ladder, tmp_path: Path) -> None:
    """The published one has a row for each grade, with the nodes that the engines have now."""
    games_of = Games(ladder.name, ladder.engine, ladder.grades, tmp_path)
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in grades_table(games_of, [])[2:]]
    mark = ladder_page.BEGIN.format(name=ladder.name)
    published = ENGINES.read_text().partition(mark)[2].partition(ladder_page.END)[0]
    found = [[cell.strip() for cell in line.split("|")[1:-1]] for line in published.strip().splitlines()[2:]]
    assert len(rows) == HIGHEST_GRADE and rows[-1][1] == f"{ladder.grades[-1].nodes:,}".replace(",", " ")
    assert [row[:2] for row in rows] == [row[:2] for row in found]


def test_one_ladder_can_be_published_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its tables change, and those of the other ladder stay as they are."""
    pages = {}
    for name in ("PAGE", "ENGINES"):
        pages[name] = tmp_path / f"{name}.md"
        tables = [
            f"{ladder_page.BEGIN.format(name=ladder)}\nold {ladder}\n{ladder_page.END}" for ladder in ("one", "two")
        ]
        pages[name].write_text("\n".join(["before", *tables, "after"]))
        monkeypatch.setattr(ladder_page, name, pages[name])
    file = tmp_path / "games.db"
    Store.create_or_open(file).close()
    monkeypatch.setattr(Store, "counts", lambda *_: COUNTS)
    ladder_page.write(Games("two", "stornoway", LADDERS[0].grades, file))
    for page in pages.values():
        text = page.read_text()
        assert "old one" in text and "old two" not in text and text.startswith("before") and text.endswith("after")
    assert "## Two" in pages["PAGE"].read_text() and "| 7 | 450 | +" in pages["ENGINES"].read_text()
