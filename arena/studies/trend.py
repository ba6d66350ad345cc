"""Does a share change from level to level? A test for a trend, and an interval for a share. Knows only counts."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from results.ratings.scale import Z95
from results.tally import Tally

Level = tuple[int, Tally]
"""Nodes for each move, and the games."""


@dataclass(frozen=True, slots=True)
class Trend:
    """How p1's score changes with each tenfold of the nodes, as the straight line that fits best."""

    slope: float
    """From -1 to 1: -0.1 is ten points of a hundred less for each tenfold."""
    sigma: float
    """Its standard deviation if there were no trend."""

    @property
    def lower(self) -> float:
        """The lower end of the 95 % interval."""
        return self.slope - Z95 * self.sigma

    @property
    def upper(self) -> float:
        """The upper end."""
        return self.slope + Z95 * self.sigma

    @property
    def p(self) -> float:
        """How often chance alone would bring a slope at least so steep, up or down."""
        return math.erfc(abs(self.slope) / self.sigma / math.sqrt(2))


def trend(groups: Iterable[Sequence[Level]]) -> Trend | None:
    """The common trend of groups of levels, such as one group for each engine. None where nothing could show one.

    Cochran (Biometrics 10, 1954) and Armitage (Biometrics 11, 1955), with the logarithm of the nodes as the dose.
    Mantel (JASA 58, 1963) adds groups up and allows for scores other than 0 and 1, such as the half of a draw. A group
    is only compared with itself, so a difference between engines is no trend.
    """
    covariance = spread = variance = 0.0
    for levels in groups:
        counts = [(math.log10(nodes), tally) for nodes, tally in levels]
        n = sum(tally.games for _, tally in counts)
        if n < 2:
            continue
        dose = sum(x * tally.games for x, tally in counts) / n
        total = sum((tally for _, tally in counts), Tally())
        mean = total.score / n
        doses = sum(tally.games * (x - dose) ** 2 for x, tally in counts)
        squares = total.wins + total.draws / 4 - n * mean**2
        covariance += sum((x - dose) * tally.score for x, tally in counts)
        spread += doses
        variance += max(squares, 0.0) / (n - 1) * doses
    # Rounding leaves a trace where all games ended alike.
    if spread <= 0 or variance < 1e-12:
        return None
    return Trend(covariance / spread, math.sqrt(variance) / spread)


def wilson(points: float, games: int) -> tuple[float, float, float]:
    """A share of at least one game with Wilson's interval (Journal of the American Statistical Association 22, 1927).

    A draw counts as half a win, which makes the interval too wide rather than too narrow.
    """
    share, spare = points / games, Z95**2 / games
    middle = (share + spare / 2) / (1 + spare)
    half = Z95 * math.sqrt(share * (1 - share) / games + spare / (4 * games)) / (1 + spare)
    return share, max(0.0, middle - half), min(1.0, middle + half)
