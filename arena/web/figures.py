"""The pictures of pages: those of `results.plots` in the form that a page embeds."""

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from results.plots import figures, game_figures, llr
from results.plots.drawing import Drawing, inline
from results.plots.history import Checkpoint
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


def ratings(title: str, standings: Standings) -> Chart:
    """The rating of every rated engine with its interval."""
    return _chart(figures.ratings(title, standings))


def history(name: str, points: Sequence[Checkpoint]) -> Chart | None:
    """The rating of one engine over the games of the whole field, with its interval. None with one point."""
    if len(points) < _ENOUGH:
        return None
    own = [point._replace(ratings={name: point.ratings[name]}) for point in points]
    return _chart(figures.history(name, own))


def scores(names: tuple[str, str], said: Sequence[str | None], first: int = 0) -> Chart | None:
    """Both engines' scores by ply, from p1's point of view. None where there are too few.

    `said` are as the movers said them, such as `cp 31`. The first is that of p1, or of p2 if `first` is 1.
    """
    if sum(bool(score) for score in said) < _ENOUGH:
        return None
    return _drawn(game_figures.evaluation(" - ".join(names), names, said, first))


def times(names: tuple[str, str], times_ms: Sequence[float | None], first: int = 0) -> Chart | None:
    """The time of each move, the first that of p1, or of p2 if `first` is 1. None where none is known."""
    if all(time is None for time in times_ms):
        return None
    return _drawn(game_figures.move_times(" - ".join(names), names, times_ms, first))


def ratio(lower: float, upper: float, path: Sequence[tuple[int, float]]) -> Chart | None:
    """The log-likelihood ratio of a sequential test by game, between its bounds. None without a complete pair."""
    return _drawn(llr.llr("LLR", [(0, 0.0), *path], lower, upper, _WIDE)) if path else None


def _chart(picture: figures.Picture) -> Chart:
    return Chart(Markup(inline(picture.drawn(_WIDE))), picture.drawn_notes)


def _drawn(drawing: Drawing) -> Chart:
    return Chart(Markup(inline(drawing)))
