"""The pictures of pages: those of `results.plots` as inline SVG, which the style sheet of the pages colours."""

from collections.abc import Callable, Sequence
from functools import partial

from markupsafe import Markup

from results.eval_disagreement import centipawns
from results.plots import figures, game_figures, llr
from results.plots.drawing import NARROW, WIDE, Drawing, inline
from results.plots.history import Checkpoint
from results.tables.standings import Standings

MOST_RATED = 64
"""A picture of ratings has at most so many engines."""


def ratings(title: str, standings: Standings) -> Markup | None:
    """The rating of every rated engine with its interval. None where too few are rated, or too many."""
    rated = sum(row.rating is not None for row in standings.rows)
    return _in_two_widths(partial(figures.ratings, title, standings)) if 1 < rated <= MOST_RATED else None


def scores(names: tuple[str, str], texts: Sequence[str | None], first: int = 0) -> Markup | None:
    """Both engines' scores by ply, from p1's point of view. None where there are too few.

    `texts` are as the movers said them, such as `cp 31`. The first is that of p1, or of p2 if `first` is 1.
    """
    if sum(centipawns(score) is not None for score in texts) < 2:
        return None
    return _embedded(game_figures.evaluation("Scores by ply", names, texts, first))


def times(names: tuple[str, str], times_ms: Sequence[float | None], first: int = 0) -> Markup | None:
    """The time of each move as bars: p1 above the line, p2 below it. None where no time is known."""
    if all(time is None for time in times_ms):
        return None
    return _embedded(game_figures.move_times("Time of each move", names, times_ms, first))


def ratio(lower: float, upper: float, path: Sequence[tuple[int, float]]) -> Markup | None:
    """The log-likelihood ratio of a sequential test by game, between its bounds. None without a complete pair."""
    return _embedded(llr.llr("Sequential test", [(0, 0.0), *path], lower, upper)) if path else None


def history(name: str, points: Sequence[Checkpoint]) -> Markup | None:
    """The rating of one engine over the games of the whole field, with its interval. None with one point."""
    return _in_two_widths(partial(figures.history, name, points)) if len(points) > 1 else None


def _in_two_widths(draw: Callable[[float], Drawing]) -> Markup:
    """For a wide window and for a telephone; the style sheet shows one of the two."""
    both = ((name, _embedded(draw(width))) for name, width in (("wide", WIDE), ("narrow", NARROW)))
    return Markup("").join(Markup('<div class="{}">{}</div>').format(name, drawn) for name, drawn in both)


def _embedded(drawing: Drawing) -> Markup:
    return Markup(inline(drawing).strip())
