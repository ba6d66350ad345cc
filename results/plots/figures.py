"""Ratings, their history, the crosstable and the sides as pictures, each with the same figures as a table and as JSON.

Independent of files and of the terminal.
"""

import math
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from results.plots import svg, terminal
from results.plots.drawing import NARROW, SHEET, WIDE, Drawing, document, inline
from results.plots.history import Checkpoint
from results.plots.svg import Cell, Interval, Point
from results.ratings.estimates import Expected, Rating
from results.ratings.scale import Z95
from results.safe_text import harmless, xml
from results.shares import percent
from results.tables import one_sided
from results.tables.crosstable import Crosstable
from results.tables.elo import elo
from results.tables.render import rating_notes
from results.tables.standings import Standings
from results.tables.text_width import columns, cut, shortened, some_games
from results.tables.to_json import crosstable_json, field_json
from results.tally import Tally
from results.variant_name import shown

LONGEST_NAME = 20
"""The columns of a name. Longer names are cut."""
MOST_CURVES = 16
"""A picture of the history draws no more engines than this."""
MOST_COLUMNS = 10
"""A heat map in a terminal shows no more engines than this."""


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture in all its forms."""

    title: str
    drawn: Callable[[float], Drawing]
    """Draws it for a window of this width, such as WIDE and NARROW. `inline` makes the part of a page of it."""
    rows: tuple[tuple[str, ...], ...]
    """The figures as a table. The first row has the headings."""
    values: dict[str, object]
    """The figures as plain values for JSON."""
    notes: tuple[str, ...]
    """What the signs in the table mean."""
    drawn_notes: tuple[str, ...]
    """What the signs in the picture mean."""
    lines: Callable[[int, bool], list[str]]
    """Makes the lines for a terminal, without the title, from its width and whether they must be ASCII."""

    @property
    def svg(self) -> str:
        """The picture as a file of its own, with its style sheet."""
        return document(self.drawn(WIDE), self.drawn_notes)

    @property
    def html(self) -> str:
        """A page that needs no other file and has no script."""
        from jinja2 import Environment  # late: only a page needs it

        page = Environment(trim_blocks=True, keep_trailing_newline=True)
        page.filters["xml"] = xml
        drawings = {name: inline(self.drawn(width)) for name, width in (("wide", WIDE), ("narrow", NARROW))}
        text = Path(__file__).with_name("picture.html").read_text(encoding="utf-8")
        return page.from_string(text).render(picture=self, sheet=SHEET, drawings=drawings)

    def text(self, width: int, plain: bool) -> list[str]:
        """The picture for a terminal of this width. With `plain` it is ASCII, except for names."""
        return [*_wrapped([self.title], width), "", *self.lines(width, plain)]


def ratings(title: str, standings: Standings) -> Picture:
    """The rating of every rated engine with its interval, the best first."""
    rated = [(row.rating, row.total.games) for row in standings.rows if row.rating is not None]
    short = shortened((rating.name for rating, _ in rated), LONGEST_NAME)
    rows, table = [], [("engine", "rating", "lower", "upper", "Elo", "games")]
    for rating, games in rated:
        lower, upper = one_sided.lower(rating), one_sided.upper(rating)
        half = "" if rating.one_sided else f" +- {Z95 * rating.sigma:.1f}"
        note = f"{one_sided.mark(rating.one_sided)}{rating.mean:+z.1f}{half}, {some_games(games)}"
        rows.append(Interval(short[rating.name], rating.mean, lower, upper, note))
        points = f"{one_sided.mark(rating.one_sided)}{elo(rating.mean):+z.0f}"
        table.append((rating.name, _marked(rating), _end(lower), _end(upper), points, str(games)))
    above = "the field's mean" if standings.anchor is None else standings.anchor
    unit = f"rating above {above}, with 95 % intervals"
    engines = [{"name": each.name, **_figures(each), "elo": elo(each.mean), "games": games} for each, games in rated]
    values = {**field_json(standings), "engines": engines}
    others = "the others" if standings.anchor is None else cut(standings.anchor, LONGEST_NAME)
    notes = [*one_sided.notes((rating for rating, _ in rated), others), *rating_notes(standings)]
    return _of_intervals(title, rows, unit, table, values, notes)


def _of_intervals(
    title: str,
    rows: Sequence[Interval],
    unit: str,
    table: Sequence[tuple[str, ...]],
    values: dict[str, object],
    notes: Sequence[str] = (),
) -> Picture:
    # A picture in a file has only room for the first part of a note.
    drawn = [row._replace(note=row.note.partition(", ")[0].replace("+-", "±")) for row in rows]
    explained = tuple(note.replace("+-", "±") for note in notes)
    return Picture(
        title,
        partial(svg.intervals, title, drawn, unit),
        tuple(table),
        values,
        explained,
        explained,
        lambda width, plain: [*terminal.intervals(rows, "", width, plain=plain), *_wrapped([unit, *notes], width)],
    )


def _figures(rating: Rating) -> dict[str, object]:
    """With the keys of the standings: `one_sided` says which end of the interval games do not bound."""
    return {"rating": rating.mean, "lower": rating.lower, "upper": rating.upper, "one_sided": rating.one_sided}


def _marked(rating: Rating) -> str:
    return f"{one_sided.mark(rating.one_sided)}{rating.mean:+z.2f}"


def _end(figure: float) -> str:
    return f"{figure:+z.2f}" if math.isfinite(figure) else "-"


def _wrapped(texts: Iterable[str], width: int) -> list[str]:
    return [line for text in texts for line in textwrap.wrap(harmless(text), width)]


def curve(name: str, checkpoints: Iterable[Checkpoint]) -> list[Point]:
    """The rating of an engine at each checkpoint that has it."""
    rated = [(games, there[name]) for games, there in checkpoints if name in there]
    return [Point(games, each.mean, one_sided.lower(each), one_sided.upper(each)) for games, each in rated]


def history(title: str, checkpoints: Sequence[Checkpoint], apart: Sequence[str] = ()) -> Picture:
    """A curve for each engine, the strongest at the end first. No games connect the engines in `apart` with them."""
    last = checkpoints[-1].ratings
    order = sorted(last, key=lambda name: (-last[name].mean, name))
    short = shortened(order, LONGEST_NAME)
    series = {short[name]: curve(name, checkpoints) for name in order[:MOST_CURVES]}
    table = [("games", *order)]
    table += [
        (str(games), *(_marked(there[name]) if name in there else "" for name in order)) for games, there in checkpoints
    ]
    more = len(order) - len(series)
    missing = [f"and {more} more, which the table in a file has (--html)"] * (more > 0)
    others = [f"not drawn, because no games connect them with these: {cut(', '.join(apart), 60)}"] if apart else []

    def lines(width: int, plain: bool) -> list[str]:
        return [*terminal.curves(series, "games", "rating", width), *_wrapped([*missing, *others], width)]

    # These notes explain bands, and a terminal draws none.
    notes = one_sided.notes(rating for _, there in checkpoints for rating in there.values())
    edge = ["What reaches the edge of the picture goes on beyond it: few games bound it, or none."]
    edge = edge if notes or svg.leaves(series) else []
    drawing = partial(svg.curves, title, series, "games, in the schedule's order", "rating")
    values = [
        {
            "name": name,
            "points": [{"games": games, **_figures(there[name])} for games, there in checkpoints if name in there],
        }
        for name in order
    ]
    below_table, drawn = (*notes, *others), (*edge, *missing, *others)
    return Picture(title, drawing, tuple(table), {"engines": values, "apart": list(apart)}, below_table, drawn, lines)


def crosstable(title: str, table: Crosstable) -> Picture:
    """Row against column, both sides together. The stronger the colour of a field, the better for the row."""
    short = list(shortened(table.engines, LONGEST_NAME).values())
    shares = [[None if met is None else Cell(met.score / met.games, met.games) for met in row] for row in table.cells]
    rows = [("engine", *short)]
    rows += [
        (name, *("" if cell is None else f"{cell.percent} % of {cell.games}" for cell in row))
        for name, row in zip(short, shares, strict=True)
    ]

    def lines(width: int, plain: bool) -> list[str]:
        names = list(shortened(table.engines, min(LONGEST_NAME, width // 3)).values())
        wide = max(map(columns, names), default=0) + 4
        most = max(2, min(MOST_COLUMNS, (width - wide) // 7))
        drawn = terminal.heat(names[:most], shares, plain=plain)
        more = len(names) - most
        texts = ["per cent of the points that the row took from the column"]
        return drawn + _wrapped(texts + [f"and {more} more, which a file has (--svg, --html)"] * (more > 0), width)

    return Picture(title, partial(svg.heat, title, short, shares), tuple(rows), crosstable_json(table), (), (), lines)


def sides(title: str, scores: Mapping[str, tuple[Expected, Tally]]) -> Picture:
    """For each variant the score of p1 among equals by the fit, and what p1 scored in fact."""
    rows, values = [], []
    table: list[tuple[str, ...]] = [("variant", "p1 among equals", "lower", "upper", "p1 scored", "draws", "games")]
    short = shortened(map(shown, scores), LONGEST_NAME)
    for variant, (equal, scored) in scores.items():
        value, lower, upper = (100 * figure for figure in equal[:3])
        parts = (*equal[:3], scored.score / scored.games, scored.draws / scored.games)
        note = f"{value:.0f} % ({lower:.0f} - {upper:.0f}), {some_games(scored.games)}"
        rows.append(Interval(short[shown(variant)], value, lower, upper, note))
        table.append((shown(variant), *(f"{percent(part)} %" for part in parts), str(scored.games)))
        interval = {"score": equal.score, "lower": equal.lower, "upper": equal.upper}
        values.append({"variant": variant, **interval, "games": scored.games, **asdict(scored)})
    unit = "what p1 scores among equals, in per cent, with 95 % intervals"
    return _of_intervals(title, rows, unit, table, {"variants": values})
