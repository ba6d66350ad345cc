"""The tables of docs/studies/BALANCE_STUDY.md, from counts. Plays nothing."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from arena.studies.trend import Trend, trend, wilson
from results.tally import Tally

COUNTS = Path(__file__).with_name("balance_study.json")
PAGE = Path(__file__).parents[2] / "docs" / "studies" / "BALANCE_STUDY.md"
BEGIN, END = "<!-- made by benchmarks.balance_study -->", "<!-- end -->"
EVALUATIONS = ("learned", "plain")


class Cell(NamedTuple):
    """The games of one evaluation against itself at one number of nodes. Identical games count once."""

    evaluation: str
    nodes: int
    tally: Tally
    """From p1's point of view."""
    games: int
    """Identical games included."""
    announced: int
    """Games in which the side to move after the opening announced a forced win with its first move."""
    capped: int
    """Games that were ended as draws because they were too long."""


class Study(NamedTuple):
    """The cells of a variant, and what the engine finds in the start position."""

    variant: str
    cells: tuple[Cell, ...]
    start: str

    def tally(self, nodes: int, evaluation: str = "") -> Tally:
        found = (each.tally for each in self.cells if each.nodes == nodes and evaluation in ("", each.evaluation))
        return sum(found, Tally())

    @property
    def nodes(self) -> list[int]:
        return sorted({each.nodes for each in self.cells})

    def trend(self, decided: bool = False) -> Trend | None:
        return trend([self.levels(evaluation, decided) for evaluation in EVALUATIONS])

    def levels(self, evaluation: str, decided: bool = False) -> list[tuple[int, Tally]]:
        tallies = [(nodes, self.tally(nodes, evaluation)) for nodes in self.nodes]
        return [(nodes, _without_draws(each, decided)) for nodes, each in tallies]


def _without_draws(tally: Tally, decided: bool) -> Tally:
    return Tally(tally.wins, 0, tally.losses) if decided else tally


def load() -> list[Study]:
    """The counts that are kept in the repository."""
    kept: Mapping[str, Any] = json.loads(COUNTS.read_text(encoding="utf-8"))
    studies = []
    for variant, found in kept.items():
        cells = tuple(
            Cell(
                row["evaluation"],
                row["nodes"],
                Tally(row["wins"], row["draws"], row["losses"]),
                row["games"],
                row["announced"],
                row["capped"],
            )
            for row in found["rungs"]
        )
        studies.append(Study(variant, cells, found["start"]))
    return studies


def save(studies: Sequence[Study]) -> None:
    """Write the counts, one line for each rung."""
    parts = []
    for study in studies:
        rows = [
            {
                "evaluation": each.evaluation,
                "nodes": each.nodes,
                "games": each.games,
                "wins": each.tally.wins,
                "draws": each.tally.draws,
                "losses": each.tally.losses,
                "announced": each.announced,
                "capped": each.capped,
            }
            for each in study.cells
        ]
        lines = ",\n".join(f"    {json.dumps(row)}" for row in rows)
        parts.append(f' {json.dumps(study.variant)}: {{"start": {json.dumps(study.start)}, "rungs": [\n{lines}\n ]}}')
    COUNTS.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


def write_page() -> None:
    """Put the tables of the kept counts between the marks of the page. The prose around them is written by people."""
    text = PAGE.read_text(encoding="utf-8")
    head, _, rest = text.partition(BEGIN)
    _, _, tail = rest.partition(END)
    lines = "\n".join(tables(load()))
    PAGE.write_text(f"{head}{BEGIN}\n\n{lines}\n\n{END}{tail}", encoding="utf-8")


def tables(studies: Sequence[Study]) -> list[str]:
    """An overview of all variants, then the rungs of each."""
    lines = ["### Overview", "", *overview(studies), ""]
    lines += ["### Start positions", "", "| variant | search of the start position |", "|---|---|"]
    lines += [f"| `{study.variant}` | {study.start} |" for study in studies]
    for study in studies:
        lines += ["", f"### {study.variant}", "", *rungs(study)]
    return lines


def overview(studies: Sequence[Study]) -> list[str]:
    most = sorted({nodes for study in studies for nodes in study.nodes})
    lines = [
        f"| variant | {' | '.join(f'{_many(nodes)} nodes' for nodes in most)} | for ten times the nodes | p |",
        "|---|" + "--:|" * (len(most) + 2),
    ]
    for study in studies:
        cells = [_share(study.tally(nodes)) for nodes in most]
        lines.append(f"| `{study.variant}` | {' | '.join(cells)} | {_slope(study.trend())} |")
    return lines


def rungs(study: Study) -> list[str]:
    """A row for each rung of each evaluation, then both together, then the trends."""
    lines = [
        "| evaluation | nodes | games | p1 wins | draws | p2 wins | p1 % (95 %) | decided: p1 % (95 %) | announced |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for evaluation in (*EVALUATIONS, ""):
        for nodes in study.nodes:
            tally = study.tally(nodes, evaluation)
            if not tally.games:
                continue
            its = [each for each in study.cells if each.nodes == nodes and evaluation in ("", each.evaluation)]
            announced, games = sum(each.announced for each in its), sum(each.games for each in its)
            told = f"{100 * announced / games:.0f} %" if games else "-"
            decided = _share(_without_draws(tally, True))
            lines.append(
                f"| {evaluation or 'both'} | {_many(nodes)} | {tally.games} | {tally.wins} | {tally.draws} "
                f"| {tally.losses} | {_share(tally)} | {decided} | {told} |"
            )
    lines += ["", "| trend of | for ten times the nodes | p |", "|---|--:|--:|"]
    for evaluation in EVALUATIONS:
        lines.append(f"| p1 %, {evaluation} | {_slope(trend([study.levels(evaluation)]))} |")
    lines.append(f"| p1 %, both | {_slope(study.trend())} |")
    lines.append(f"| p1 % of decided games, both | {_slope(study.trend(decided=True))} |")
    capped = sum(each.capped for each in study.cells)
    if capped:
        lines += ["", f"{capped} of these draws are games that were ended because they were too long."]
    return lines


def _share(tally: Tally) -> str:
    if not tally.games:
        return "-"
    share, lower, upper = (100 * value for value in wilson(tally.score, tally.games))
    return f"{share:.1f} ({lower:.0f} - {upper:.0f})"


def _slope(found: Trend | None) -> str:
    if found is None:
        return "- | -"
    slope, lower, upper = (100 * value for value in (found.slope, found.lower, found.upper))
    p = "< 0.0001" if found.p < 0.0001 else f"{found.p:.4f}"
    return f"{slope:+.1f} ({lower:+.1f} to {upper:+.1f}) | {p}"


def _many(number: int) -> str:
    return f"{number:,}".replace(",", " ")
