"""The pictures of ratings: the Elo of every engine, as its table has it, and the rating of one engine over time."""

import math
from collections.abc import Sequence

from results.plots import svg
from results.plots.drawing import WIDE, Drawing
from results.plots.history import Checkpoint
from results.plots.svg import Interval, Point
from results.ratings.estimates import Rating
from results.ratings.scale import MU
from results.tables.elo import with_error
from results.tables.standings import Standings
from results.tables.text_width import shortened

LONGEST_NAME = 20
"""The columns of a name. Longer names are cut."""


def ratings(title: str, standings: Standings, width: float = WIDE) -> Drawing:
    """The Elo of every rated engine with its interval, the best first."""
    rated = [(row.name, row.elo) for row in standings.rows if row.elo is not None]
    short = shortened((name for name, _ in rated), LONGEST_NAME)
    rows = [Interval(short[name], *elo, with_error(elo).replace("+-", "±")) for name, elo in rated]
    above = "the field's mean" if standings.anchor is None else standings.anchor
    return svg.intervals(title, rows, f"Elo above {above}, with 95 % intervals", width)


def history(name: str, checkpoints: Sequence[Checkpoint], width: float = WIDE) -> Drawing:
    """TrueSkill's mu of one engine at these checkpoints: Elo of a part of the games is not that of the table."""
    points = [Point(games, *(MU + figure for figure in _ends(there[name]))) for games, there in checkpoints]
    return svg.curve("Rating over time", points, "games, in the schedule's order", "TrueSkill mu", width)


def _ends(rating: Rating) -> tuple[float, float, float]:
    """The rating and both ends of its interval. An end that games do not bound is infinite."""
    lower = -math.inf if rating.one_sided == "at most" else rating.lower
    return rating.mean, lower, math.inf if rating.one_sided == "at least" else rating.upper
