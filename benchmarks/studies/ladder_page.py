"""The tables of LADDER_RESULTS.md, and the ratings of the grades in ENGINES.md, from the ladders' databases.

The prose around the tables is written by people.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from engines.native.player import Grade
from results.published import of_meetings
from results.ratings.fit import Fit
from results.record import FORFEITS, ResultCount
from results.store.filter import Filter
from results.store.store import Store
from results.tally import counted, meetings

DOCS = Path(__file__).parents[2] / "docs"
PAGE, ENGINES = DOCS / "studies" / "LADDER_RESULTS.md", DOCS / "authors" / "ENGINES.md"
BEGIN, END = "<!-- made by benchmarks.ladder_results: {name} -->", "<!-- end -->"
ANCHOR = 6
"""Points count from this grade. It is in the middle, so that intervals are narrow."""
POINTS = 47
"""Elo points for a unit of mu, near equality. Sums of steps keep their sense in these points."""
FEWEST = 8
"""An engine that played fewer games has no line."""


class Games(NamedTuple):
    """The games of one ladder."""

    name: str
    engine: str
    grades: Sequence[Grade]
    database: Path


class Rung(NamedTuple):
    """An engine's line in a table. Points count from the anchor, and a step from the next rung below."""

    name: str
    games: int
    score: float
    points: tuple[float, float, float] | None
    """The mean, and the ends of the 95 % interval; None for the anchor."""
    step: tuple[float, float, float] | None
    """The same of the step; None for the lowest rung."""
    faults: int


def write(ladder: Games) -> None:
    """Put the tables of one ladder between its marks in both pages."""
    with Store.open_existing(ladder.database) as store:
        found = store.counts(Filter())
    rungs = rungs_of(found, f"{ladder.engine} {ANCHOR}")
    lines = ["", f"## {ladder.name.capitalize()}", "", f"{_games(found)} games.", "", *table(rungs)]
    for variant in sorted({count.variant for count in found}):
        its = [count for count in found if count.variant == variant]
        lines += ["", f"### {variant}", "", f"{_games(its)} games.", ""]
        lines += table(rungs_of(its, f"{ladder.engine} {ANCHOR}"))
    _replace(PAGE, ladder.name, lines)
    _replace(ENGINES, ladder.name, ["", *grades_table(ladder, rungs)])


def _games(counts: Sequence[ResultCount]) -> int:
    return sum(count.games for count in counts if count.winner is not None)


def rungs_of(counts: Sequence[ResultCount], anchor: str) -> list[Rung]:
    """The lines of a table, the best first, from one fit of these games."""
    fit = of_meetings(meetings(counted(counts), distinct=True), anchor)
    assert fit is not None, "a ladder without a decided game has no page"
    names = [name for name in sorted(fit.names, key=lambda name: -fit[name].mean) if _played(counts, name) >= FEWEST]
    return [_rung(counts, fit, anchor, name, below) for name, below in zip(names, [*names[1:], None], strict=True)]


def _rung(counts: Sequence[ResultCount], fit: Fit, anchor: str, name: str, below: str | None) -> Rung:
    rating = fit[name]
    points = None if name == anchor else (POINTS * rating.mean, POINTS * rating.lower, POINTS * rating.upper)
    step = None
    if below is not None:
        lead = fit.difference(name, below)
        step = (POINTS * lead.mean, POINTS * lead.lower, POINTS * lead.upper)
    games = _played(counts, name)
    won = sum(each.games for each in counts if name == {"p1": each.p1, "p2": each.p2}.get(each.winner or ""))
    drawn = sum(each.games for each in counts if each.winner == "draw" and name in (each.p1, each.p2))
    lost = sum(each.games for each in counts if _fault_of(each) == name)
    return Rung(name, games, (won + drawn / 2) / games, points, step, lost)


def _played(counts: Sequence[ResultCount], name: str) -> int:
    return sum(each.games for each in counts if each.winner is not None and name in (each.p1, each.p2))


def _fault_of(count: ResultCount) -> str | None:
    """The engine that lost these games by a fault of its own."""
    if count.termination not in FORFEITS or count.winner not in ("p1", "p2"):
        return None
    return count.p2 if count.winner == "p1" else count.p1


def table(rungs: Sequence[Rung]) -> list[str]:
    """A ladder as a table, the best first."""
    lines = [
        "| rung | games | score % | points | 95 % | step | 95 % of the step | lost by faults |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for rung in rungs:
        points, interval = ("0", "the anchor") if rung.points is None else _figures(rung.points)
        step, of_step = ("", "") if rung.step is None else _figures(rung.step)
        score = f"{100 * rung.score:.0f}"
        lines.append(
            f"| {rung.name} | {rung.games} | {score} | {points} | {interval} | {step} | {of_step} | {rung.faults} |"
        )
    return lines


def _figures(estimate: tuple[float, float, float]) -> tuple[str, str]:
    mean, lower, upper = estimate
    return f"{mean:+.0f}", f"{lower:+.0f} to {upper:+.0f}"


def grades_table(ladder: Games, rungs: Sequence[Rung]) -> list[str]:
    """What each grade of an engine is and what it is worth."""
    lines = [f"| Strength of `{ladder.engine}` | nodes | points, 95 % |", "|--:|--:|--:|"]
    for number, grade in enumerate(ladder.grades, 1):
        nodes = f"{grade.nodes:,}".replace(",", " ") + (f", {grade.slips} % random" if grade.slips else "")
        found = [rung for rung in rungs if rung.name == f"{ladder.engine} {number}"]
        lines.append(f"| {number} | {nodes} | {_worth(found)} |")
    return lines


def _worth(found: Sequence[Rung]) -> str:
    if not found:
        return "not played"
    points = found[0].points
    if points is None:
        return "0, the anchor"
    mean, interval = _figures(points)
    return f"{mean} ({interval})"


def _replace(page: Path, name: str, lines: Sequence[str]) -> None:
    """Put lines between the marks of a ladder."""
    mark = BEGIN.format(name=name)
    head, begin, rest = page.read_text(encoding="utf-8").partition(mark)
    _, end, tail = rest.partition(END)
    assert begin and end, f"{page} has no marks for {name}"
    page.write_text(f"{head}{mark}\n{chr(10).join(lines)}\n\n{END}{tail}", encoding="utf-8")
