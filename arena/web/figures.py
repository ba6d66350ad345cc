"""The pictures of pages: those of `results.plots` as inline SVG, which the style sheet of the pages colours."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from markupsafe import Markup

from results.eval_disagreement import centipawns
from results.plots import figures, game_figures, llr, svg
from results.plots.drawing import NARROW, WIDE, Drawing, inline
from results.plots.history import Checkpoint
from results.plots.svg import Point
from results.tables import one_sided
from results.tables.standings import Standings
from results.tables.text_width import cut

MOST_RATED = 64
"""A picture of ratings has at most so many engines."""
_SMALL = 480
"""Width of the figures of one game in pixels."""


class Chart(NamedTuple):
    """A picture. It is true: a page leaves out what has none."""

    svg: Markup


def ratings(title: str, standings: Standings) -> Chart:
    """The rating of every rated engine with its interval."""
    picture = figures.ratings(title, standings)
    return _in_two_widths(picture.drawn)


def scores(names: tuple[str, str], spoken: Sequence[str | None], first: int = 0) -> Chart | None:
    """Both engines' scores by ply, from p1's point of view. None where there are too few.

    `spoken` are as the movers said them, such as `cp 31`. The first is that of p1, or of p2 if `first` is 1.
    """
    if sum(centipawns(score) is not None for score in spoken) < 2:
        return None
    return Chart(_embedded(game_figures.evaluation("Scores by ply", names, spoken, first, len(spoken), _SMALL)))


def times(names: tuple[str, str], times_ms: Sequence[float | None], first: int = 0) -> Chart | None:
    """The time of each move as bars: p1 above the line, p2 below it. None where no time is known."""
    if all(time is None for time in times_ms):
        return None
    return Chart(_embedded(game_figures.move_times("Time of each move", names, times_ms, first, len(times_ms), _SMALL)))


def ratio(lower: float, upper: float, path: Sequence[tuple[int, float]]) -> Chart | None:
    """The log-likelihood ratio of a sequential test by game, between its bounds. None without a complete pair."""
    return Chart(_embedded(llr.llr("Sequential test", [(0, 0.0), *path], lower, upper, _SMALL))) if path else None


def history(name: str, points: Sequence[Checkpoint]) -> Chart | None:
    """The rating of one engine over the games of the whole field, with its interval. None with one point."""
    if len(points) < 2:
        return None
    curve = [
        Point(games, there[name].mean, one_sided.lower(there[name]), one_sided.upper(there[name]))
        for games, there in points
    ]
    series = {cut(name, figures.LONGEST_NAME): curve}
    return _in_two_widths(
        lambda width: svg.curves("Rating over time", series, "games, in the schedule's order", "rating", width)
    )


def _in_two_widths(draw: Callable[[float], Drawing]) -> Chart:
    """For a wide window and for a telephone; the style sheet shows one of the two."""
    both = ((name, _embedded(draw(width))) for name, width in (("wide", WIDE), ("narrow", NARROW)))
    return Chart(Markup("").join(Markup('<div class="{}">{}</div>').format(name, drawn) for name, drawn in both))


def _embedded(drawing: Drawing) -> Markup:
    return Markup(inline(drawing).strip())
