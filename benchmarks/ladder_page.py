"""The tables of LADDER_RESULTS.md, and the ratings of the grades in ENGINES.md, from the database of the ladders.

The prose around the tables is written by people.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple, Protocol

from engines.native.player import Grade
from results.published import of_meetings
from results.ratings.fit import Fit
from results.record import FORFEITS, ResultCount
from results.store.filter import Filter
from results.store.store import Store
from results.tally import counted, meetings

DOCS = Path(__file__).parents[1] / "docs"
PAGE, ENGINES = DOCS / "studies" / "LADDER_RESULTS.md", DOCS / "authors" / "ENGINES.md"
BEGIN, END = "<!-- made by benchmarks.ladder_results -->", "<!-- end -->"
ANCHOR = 6
"""Points count from this grade. It is in the middle, so that intervals are narrow."""
POINTS = 47
"""Elo points for a unit of mu, near equality. Sums of steps keep their sense in these points."""
FEWEST = 8
"""An engine that played fewer games has no line."""


class Ladder(Protocol):
    """What a table needs to know of a ladder."""

    @property
    def variant(self) -> str: ...

    @property
    def engine(self) -> str: ...

    @property
    def grades(self) -> Sequence[Grade]: ...


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


def write(ladders: Sequence[Ladder], store: Store) -> None:
    """Put the tables of all ladders between the marks of both pages."""
    lines, strengths = [], []
    for engine, its in groupby(ladders, key=lambda ladder: ladder.engine):
        rungs: dict[str, list[Rung]] = {}
        for ladder in its:
            found = store.counts(Filter(variant=ladder.variant))
            rungs[ladder.variant] = rungs_of(found, f"{engine} {ANCHOR}")
            lines += ["", f"## {ladder.variant}", "", f"{_games(found)} games.", "", *table(rungs[ladder.variant])]
        strengths += ["", *grades_table(engine, ladder.grades, rungs)]
    _replace(PAGE, lines)
    _replace(ENGINES, strengths)


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


def grades_table(engine: str, grades: Sequence[Grade], rungs: Mapping[str, Sequence[Rung]]) -> list[str]:
    """What each grade of an engine is, and what it is worth in each variant."""
    lines = [f"| Strength of `{engine}` | nodes | {' | '.join(rungs)} |", f"|--:|--:|{'--:|' * len(rungs)}"]
    for number, grade in enumerate(grades, 1):
        nodes = f"{grade.nodes:,}".replace(",", " ") + (f", {grade.slips} % random" if grade.slips else "")
        worth = (_worth([rung for rung in its if rung.name == f"{engine} {number}"]) for its in rungs.values())
        lines.append(f"| {number} | {nodes} | {' | '.join(worth)} |")
    return lines


def _worth(found: Sequence[Rung]) -> str:
    if not found:
        return "not played"
    points = found[0].points
    if points is None:
        return "0, the anchor"
    mean, lower, upper = points
    return f"{mean:+.0f} ± {(upper - lower) / 2:.0f}"


def _replace(page: Path, lines: Sequence[str]) -> None:
    """Put lines between the marks of a page."""
    head, begin, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    _, end, tail = rest.partition(END)
    assert begin and end, f"{page} has no marks"
    page.write_text(f"{head}{BEGIN}\n{chr(10).join(lines)}\n\n{END}{tail}", encoding="utf-8")
