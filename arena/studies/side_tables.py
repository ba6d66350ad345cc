"""The findings of a study of sides, for people: rows of tables, bars of a plot, and sentences."""

from collections.abc import Iterator, Mapping, Sequence

from arena.studies.side_advantage import NodeLevel, SideFindings
from arena.studies.trend import Trend
from results.plots.svg import Interval
from results.ratings.estimates import Expected

HEAD = ("nodes", "rating", "games", "p1 %", "95 %", "draws %", "won %", "95 %")


def level_rows(levels: Sequence[NodeLevel]) -> list[tuple[str, ...]]:
    """A heading, and a row for each node count."""
    return [HEAD, *map(_row, levels)]


def fitted_row(findings: SideFindings, fitted: Expected) -> tuple[str, ...]:
    """The row of what was fitted to all games."""
    return "fitted", "", str(findings.distinct), *_share(fitted), f"{100 * fitted.draw:.1f}", "", ""


def bars(findings: SideFindings) -> list[Interval]:
    """p1's score in per cent at each node count, and as fitted."""
    named = [(f"{level.nodes} nodes", level.score) for level in findings.levels] + [("fitted", findings.fitted)]
    return [Interval(name, 100 * p1.score, 100 * p1.lower, 100 * p1.upper) for name, p1 in named if p1 is not None]


def trends(score: Trend | None, decided: Trend | None) -> Iterator[str]:
    """A sentence for each trend that is known."""
    if score is not None:
        yield f"trend of p1 %: {_trend(score)}"
    if decided is not None:
        yield f"trend of won %: {_trend(decided)}"


def notes(findings: SideFindings, withdrawn: Mapping[str, str]) -> Iterator[str]:
    """What stands below the tables. `withdrawn` are engines, each with the reason."""
    yield "nodes: games of a rung against itself; won %: p1 among games without draws"
    yield "fitted: all games together"
    yield from trends(findings.trend, findings.decided_trend)
    if findings.uneven:
        yield "rungs differ by more than chance: read their lines, not the fitted one"
    if findings.distinct < findings.games:
        yield f"identical games count once: {findings.distinct} of {findings.games} differ; more --openings vary them"
    for name, reason in withdrawn.items():
        yield f"withdrawn: {name}: {reason}"


def _row(level: NodeLevel) -> tuple[str, ...]:
    rating = "-" if level.rating is None else f"{level.rating:+z.2f}"
    drawn = "-" if level.score is None else f"{100 * level.score.draw:.1f}"
    return str(level.nodes), rating, str(level.scored.games), *_share(level.score), drawn, *_share(level.decided)


def _share(figures: Sequence[float] | None) -> tuple[str, str]:
    if figures is None:
        return "-", "-"
    share, lower, upper = (100 * figure for figure in figures[:3])
    return f"{share:.1f}", f"{lower:.1f} - {upper:.1f}"


def _trend(trend: Trend) -> str:
    p = "p < 0.0001" if trend.p < 0.0001 else f"p = {trend.p:.4f}"
    slope, lower, upper = (100 * figure for figure in (trend.slope, trend.lower, trend.upper))
    return f"{slope:+z.1f} for ten times the nodes ({lower:+z.1f} to {upper:+z.1f}), {p}"
