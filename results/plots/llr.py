"""The path of a sequential test: the log-likelihood ratio between its bounds, by game."""

from collections.abc import Sequence

from results.plots.drawing import Drawing, colour, grid, pairs, soft, text
from results.plots.scale import Scale, figure_text, range_of, ticks

MOST_POINTS = 300
"""A longer path is thinned to its extremes."""
_WIDTH, _LEFT, _TOP, _BOTTOM = 480, 44, 30, 210


def llr(title: str, path: Sequence[tuple[int, float]], lower: float, upper: float) -> Drawing:
    """The ratio after so many games, one pair at least.

    The test ends at the upper bound, where H1 is accepted, or at the lower one.
    """
    last, ratio = path[-1]
    # Room at the right for the last figure.
    across = Scale(0, last, _LEFT, _WIDTH - 52)
    up = Scale(*range_of([lower, upper, *(ratio for _, ratio in path)], 0.08), _BOTTOM, _TOP)
    parts = [soft(8, 14, "log-likelihood ratio")]
    for bound, says, below in ((upper, "H1 accepted", -6), (lower, "H0 accepted", 15)):
        y = up.at(bound)
        dashes = "fill='none' stroke='currentColor' stroke-width='1.5' stroke-dasharray='6 4'"
        parts.append(f"<path class='axis' d='M{_LEFT} {y:.1f}H{across.end:.1f}' {dashes}/>")
        parts.append(soft(_LEFT - 6, y + 4, figure_text(round(bound, 2)), "end"))
        parts.append(soft(_LEFT + 6, y + below, says))
    parts.append(grid(f"M{_LEFT} {up.at(0):.1f}H{across.end:.1f}"))
    parts.append(soft(_LEFT - 6, up.at(0) + 4, "0", "end"))
    for value in ticks(0, last, 5, whole=True):
        parts.append(soft(across.at(value), _BOTTOM + 30, figure_text(value), "middle"))
    parts.append(soft((across.start + across.end) / 2, _BOTTOM + 48, "games", "middle"))
    points = [(across.at(games), up.at(ratio)) for games, ratio in thinned(path)]
    parts.append(f"<polyline {colour(0)} points='{pairs(points)}' fill='none' stroke='currentColor' stroke-width='2'/>")
    x, y = points[-1]
    parts.append(f"<circle {colour(0)} cx='{x:.1f}' cy='{y:.1f}' r='4' fill='currentColor'/>")
    parts.append(text(x + 8, y + 4, figure_text(round(ratio, 2))))
    state = "H1 is accepted" if ratio >= upper else "H0 is accepted" if ratio <= lower else "undecided"
    words = f"After {last} games the ratio is {ratio:.2f}; the bounds are {lower:.2f} and {upper:.2f}: {state}."
    return Drawing(title, words, _WIDTH, _BOTTOM + 56, tuple(parts))


def thinned(path: Sequence[tuple[int, float]]) -> list[tuple[int, float]]:
    """At most MOST_POINTS points of a path: the first, the last, and the extremes of each part between them."""
    if len(path) <= MOST_POINTS:
        return list(path)
    chosen = {0, len(path) - 1}
    parts = MOST_POINTS // 2 - 1
    for part in range(parts):
        numbers = range(part * len(path) // parts, (part + 1) * len(path) // parts)
        chosen |= {min(numbers, key=lambda at: path[at][1]), max(numbers, key=lambda at: path[at][1])}
    return [path[at] for at in sorted(chosen)]
