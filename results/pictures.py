"""The published ratings as pictures: which figures `charts` and `plots` are given, and the same as a table.

Refuses to know files and terminals.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from results import charts, plots
from results.charts import Cell, Interval, Point
from results.columns import columns, shortened
from results.history import Checkpoint
from results.model import Expected, Fit, Rating
from results.tally import Tally

LONG = 20
"""Columns; longer names are cut: they have no more room."""
MOST_CURVES = 16
MOST_COLUMNS = 10
"""In a terminal; a heat map of more is for files."""
_OPEN = {"at least": ">", "at most": "<"}


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture in its forms."""

    title: str
    svg: str
    rows: tuple[tuple[str, ...], ...]
    """The figures as a table, the headings first."""
    lines: Callable[[int, bool], list[str]]
    """For a terminal, given its columns and whether it can show ASCII only."""

    @property
    def html(self) -> str:
        """A page that needs no other file and runs nothing."""
        head, *rows = self.rows
        cells = ["".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows]
        return "\n".join(
            [
                "<!doctype html>",
                f"<html lang='en'><head><meta charset='utf-8'><title>{escape(self.title)}</title>",
                f"<style>{_STYLE}</style></head><body>",
                self.svg.rstrip(),
                f"<table><thead><tr>{''.join(f'<th>{escape(cell)}</th>' for cell in head)}</tr></thead><tbody>",
                *(f"<tr>{row}</tr>" for row in cells),
                "</tbody></table></body></html>",
                "",
            ]
        )


_STYLE = (
    "body{font-family:sans-serif;margin:2em}svg{max-width:100%;height:auto}table{border-collapse:collapse}"
    "td,th{padding:.2em .8em;border-bottom:1px solid #ccc;text-align:right}td:first-child,th:first-child"
    "{text-align:left}"
)


def ratings(title: str, fit: Fit) -> Picture:
    """Every engine's rating with its interval, the best first."""
    short = shortened((rating.name for rating in fit.ratings), LONG)
    rows = [_interval(short[rating.name], rating, fit.ratings) for rating in fit.ratings]
    table = [("engine", "rating", "lower", "upper", "Elo", "games")]
    table += [
        (r.name, f"{r.mean:+.2f}", f"{r.lower:+.2f}", f"{r.upper:+.2f}", f"{r.elo:+.0f}", str(r.games))
        for r in fit.ratings
    ]
    unit = "rating above the field's mean, with 95 % intervals"
    return _of_intervals(title, rows, unit, table)


def _of_intervals(title: str, rows: Sequence[Interval], unit: str, table: Sequence[tuple[str, ...]]) -> Picture:
    """A file's picture has room for the first part of a note."""
    drawn = [row._replace(note=row.note.partition(", ")[0]) for row in rows]
    return Picture(
        title,
        charts.intervals(title, drawn, unit),
        tuple(table),
        lambda width, plain: [*plots.intervals(rows, "", width, plain=plain), unit],
    )


def _interval(name: str, rating: Rating, field: Sequence[Rating]) -> Interval:
    """One without an end is drawn as far as others reach: its own figure for that end is the prior's alone."""
    open_ = _OPEN.get(rating.one_sided or "", "")
    lower, upper = rating.lower, rating.upper
    bounded = [other for other in field if other.one_sided is None]
    if open_ == "<":
        lower = max(lower, min((rating.mean, *(other.lower for other in bounded))))
    if open_ == ">":
        upper = min(upper, max((rating.mean, *(other.upper for other in bounded))))
    note = f"{rating.mean:+.1f} +- {rating.upper - rating.mean:.1f}, {rating.games} games"
    return Interval(name, rating.mean, lower, upper, note, open_)


def history(title: str, checkpoints: Sequence[Checkpoint]) -> Picture:
    """A curve for each engine, the strongest in the end first."""
    last = checkpoints[-1].ratings
    order = sorted(
        {name: None for checkpoint in checkpoints for name in checkpoint.ratings},
        key=lambda name: (name not in last, -last[name].mean if name in last else 0.0, name),
    )
    short = shortened(order, LONG)
    series = {
        short[name]: [
            Point(games, there[name].mean, there[name].lower, there[name].upper)
            for games, there in checkpoints
            if name in there
        ]
        for name in order[:MOST_CURVES]
    }
    table = [("games", *order)]
    table += [
        (str(games), *(f"{there[name].mean:+.2f}" if name in there else "" for name in order))
        for games, there in checkpoints
    ]

    def lines(width: int, plain: bool) -> list[str]:
        found = plots.curves(series, "games", "rating", width - len(" games"))
        left = len(order) - len(series)
        return found + [f"and {left} more, which a file has as a table (--html)"] * (left > 0)

    return Picture(title, charts.curves(title, series, "games, in the schedule's order", "rating"), tuple(table), lines)


def crosstable(title: str, names: Sequence[str], met: Mapping[tuple[str, str], Tally]) -> Picture:
    """Row against column on both sides together; the darker the better for the row."""
    cut = shortened(names, LONG)
    cells: dict[tuple[str, str], Cell] = {}
    for one in names:
        for two in names:
            both = met.get((one, two), Tally()) + met.get((two, one), Tally()).reversed
            if one != two and both.games:
                cells[cut[one], cut[two]] = Cell(both.score / both.games, both.games)
    short = list(cut.values())
    table = [("engine", *short)]
    for one in short:
        row = [cells.get((one, two)) for two in short]
        table.append((one, *("" if cell is None else f"{100 * cell.share:.0f} % of {cell.games}" for cell in row)))

    def lines(width: int, plain: bool) -> list[str]:
        wide = max(map(columns, short), default=0) + 4
        most = max(2, min(MOST_COLUMNS, (width - wide) // 7))
        found = plots.heat(short[:most], cells, plain=plain)
        found.append("per cent of the points that the row took from the column")
        left = len(short) - most
        return found + [f"and {left} more, which a file has (--svg, --html)"] * (left > 0)

    return Picture(title, charts.heat(title, short, cells), tuple(table), lines)


def sides(title: str, found: Mapping[str, tuple[Expected, Tally]]) -> Picture:
    """For each variant what p1 scores among equals by the fit, and what p1 scored in fact."""
    rows, table = [], [("variant", "p1 among equals", "lower", "upper", "p1 scored", "draws", "games")]
    short = shortened(found, LONG)
    for variant, (equal, scored) in found.items():
        value, lower, upper = (100 * figure for figure in equal[:3])
        share, drawn = (100 * part / scored.games for part in (scored.score, scored.draws))
        note = f"{value:.0f} % ({lower:.0f} - {upper:.0f}), {scored.games} games"
        rows.append(Interval(short[variant], value, lower, upper, note))
        figures = (f"{value:.1f} %", f"{lower:.1f} %", f"{upper:.1f} %", f"{share:.1f} %", f"{drawn:.1f} %")
        table.append((variant, *figures, str(scored.games)))
    unit = "what p1 scores among equals, in per cent, with 95 % intervals"
    return _of_intervals(title, rows, unit, table)
