"""The pictures of pages: those of `results.plots` in the form that a page embeds."""

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from results.plots import figures, game_figures, llr
from results.plots.drawing import Drawing, inline
from results.plots.history import Checkpoint
from results.record import Side
from results.tables.standings import Standings

MOST_RATED = 64
"""A picture of ratings has at most so many engines."""
_WIDE = 640
"""The width of a picture that has a column of the page for itself, in pixels."""
_ENOUGH = 2
"""So many figures are worth a picture."""


class Chart(NamedTuple):
    """A picture, and what its signs mean."""

    svg: Markup
    notes: tuple[str, ...] = ()


class PlyFigure(NamedTuple):
    """What a picture shows of a ply; None where it is not known."""

    side: Side
    score: str | None
    time_ms: float | None


def ratings(title: str, standings: Standings) -> Chart:
    """The rating of every rated engine with its interval."""
    return _chart(figures.ratings(title, standings))


def history(name: str, points: Sequence[Checkpoint]) -> Chart | None:
    """The rating of one engine over the games of the whole field, with its interval. None with one point."""
    if len(points) < _ENOUGH:
        return None
    own = [point._replace(ratings={name: point.ratings[name]}) for point in points]
    return _chart(figures.history(name, own))


def scores(names: tuple[str, str], plies: Sequence[PlyFigure]) -> Chart | None:
    """Both engines' scores by ply, from p1's point of view. None where there are too few."""
    if sum(bool(ply.score) for ply in plies) < _ENOUGH:
        return None
    return _drawn(game_figures.evaluation(" - ".join(names), names, [ply.score for ply in plies], _first(plies)))


def times(names: tuple[str, str], plies: Sequence[PlyFigure]) -> Chart | None:
    """The time of each move. None where none is known."""
    if all(ply.time_ms is None for ply in plies):
        return None
    return _drawn(game_figures.move_times(" - ".join(names), names, [ply.time_ms for ply in plies], _first(plies)))


def ratio(lower: float, upper: float, path: Sequence[tuple[int, float]]) -> Chart | None:
    """The log-likelihood ratio of a sequential test by game, between its bounds. None without a complete pair."""
    return _drawn(llr.llr("LLR", [(0, 0.0), *path], lower, upper, _WIDE)) if path else None


def _first(plies: Sequence[PlyFigure]) -> int:
    return int(plies[0].side == "p2")


def _chart(picture: figures.Picture) -> Chart:
    return Chart(Markup(inline(picture.drawn(_WIDE))), picture.drawn_notes)


def _drawn(drawing: Drawing) -> Chart:
    return Chart(Markup(inline(drawing)))
