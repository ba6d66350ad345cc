"""Ratings, their history and the sides as pictures, each with the same figures as a table and as JSON.

Independent of files.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from results.plots import svg
from results.plots.drawing import NARROW, SHEET, WIDE, Drawing, document, inline
from results.plots.history import Checkpoint
from results.plots.svg import Interval, Point
from results.ratings.estimates import Expected, Rating
from results.ratings.scale import MU
from results.safe_text import xml
from results.shares import percent
from results.tables import one_sided
from results.tables.elo import points_text, with_error
from results.tables.render import rating_notes
from results.tables.standings import Standings
from results.tables.text_width import cut, shortened
from results.tables.to_json import field_json
from results.tally import Tally
from results.variant_name import shown

LONGEST_NAME = 20
"""The columns of a name. Longer names are cut."""
UNIT = "TrueSkill mu"
"""Of curves: Elo of a part of the games would not add up to that of the table."""
MOST_CURVES = 16
"""A picture of the history draws no more engines than this."""


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


def ratings(title: str, standings: Standings) -> Picture:
    """The Elo of every rated engine with its interval, the best first: the figures of the table."""
    rated = [row for row in standings.rows if row.rating is not None and row.elo is not None]
    short = shortened((row.name for row in rated), LONGEST_NAME)
    rows, engines = [], []
    table: list[tuple[str, ...]] = [("engine", "Elo", "lower", "upper", "TrueSkill", "games")]
    for row in rated:
        assert row.rating is not None and row.elo is not None
        rows.append(Interval(short[row.name], *row.elo, with_error(row.elo).replace("+-", "±")))
        ends = map(_end, row.elo[1:])
        table.append((row.name, points_text(row.elo), *ends, f"{MU + row.rating.mean:.2f}", str(row.total.games)))
        engines.append({"name": row.name, **_figures(row.rating), "elo": row.elo.value, "games": row.total.games})
    above = "the field's mean" if standings.anchor is None else standings.anchor
    values = {**field_json(standings), "engines": engines}
    return _of_intervals(title, rows, f"Elo above {above}, with 95 % intervals", table, values, rating_notes(standings))


def _of_intervals(
    title: str,
    rows: Sequence[Interval],
    unit: str,
    table: Sequence[tuple[str, ...]],
    values: dict[str, object],
    notes: Sequence[str] = (),
) -> Picture:
    explained = tuple(note.replace("+-", "±") for note in notes)
    return Picture(title, partial(svg.intervals, title, rows, unit), tuple(table), values, explained, explained)


def _figures(rating: Rating) -> dict[str, object]:
    """With the keys of the standings: `one_sided` says which end of the interval games do not bound."""
    return {"rating": rating.mean, "lower": rating.lower, "upper": rating.upper, "one_sided": rating.one_sided}


def _marked(rating: Rating) -> str:
    return f"{one_sided.mark(rating.one_sided)}{MU + rating.mean:.2f}"


def _end(figure: float) -> str:
    return f"{figure:+z.0f}" if math.isfinite(figure) else "-"


def curve(name: str, checkpoints: Iterable[Checkpoint]) -> list[Point]:
    """The TrueSkill mu of an engine at each checkpoint that has it."""
    rated = [(games, there[name]) for games, there in checkpoints if name in there]
    return [
        Point(games, MU + each.mean, MU + one_sided.lower(each), MU + one_sided.upper(each)) for games, each in rated
    ]


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

    notes = one_sided.notes(rating for _, there in checkpoints for rating in there.values())
    edge = ["What reaches the edge of the picture goes on beyond it: few games bound it, or none."]
    edge = edge if notes or svg.leaves(series) else []
    drawing = partial(svg.curves, title, series, "games, in the schedule's order", UNIT)
    values = [
        {
            "name": name,
            "points": [{"games": games, **_figures(there[name])} for games, there in checkpoints if name in there],
        }
        for name in order
    ]
    below_table, drawn = (*notes, *others), (*edge, *missing, *others)
    return Picture(title, drawing, tuple(table), {"engines": values, "apart": list(apart)}, below_table, drawn)


def sides(title: str, scores: Mapping[str, tuple[Expected, Tally]]) -> Picture:
    """For each variant the score of p1 among equals by the fit, and what p1 scored in fact."""
    rows, values = [], []
    table: list[tuple[str, ...]] = [("variant", "p1 among equals", "lower", "upper", "p1 scored", "draws", "games")]
    short = shortened(map(shown, scores), LONGEST_NAME)
    for variant, (equal, scored) in scores.items():
        value, lower, upper = (100 * figure for figure in equal[:3])
        parts = (*equal[:3], scored.score / scored.games, scored.draws / scored.games)
        note = f"{value:.0f} % ({lower:.0f} - {upper:.0f})"
        rows.append(Interval(short[shown(variant)], value, lower, upper, note))
        table.append((shown(variant), *(f"{percent(part)} %" for part in parts), str(scored.games)))
        interval = {"score": equal.score, "lower": equal.lower, "upper": equal.upper}
        values.append({"variant": variant, **interval, "games": scored.games, **asdict(scored)})
    unit = "what p1 scores among equals, in per cent, with 95 % intervals"
    return _of_intervals(title, rows, unit, table, {"variants": values})
