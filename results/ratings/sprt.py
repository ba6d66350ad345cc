"""The sequential probability ratio test: is an engine stronger by elo1 (H1), or only by elo0 (H0)?

Counts are of games (losses, draws, wins) or of pairs. A pair is one opening played with both sides, and pairs are
counted by the half points of the engine: 0 (both lost), 1, 2 (two draws, or a win and a loss), 3, 4. A pair's score is
free of any advantage of a side, so an unpaired game must never be counted among pairs.

The ratio is the generalised one of Michel Van den Bergh, as fastchess computes it; SPRT.md has the formulas.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from results.ratings.scale import Z95, settled
from results.record import GameRecord

Model = Literal["normalized", "logistic"]
State = Literal["running", "H0", "H1"]

PER_UNIT = 800 / math.log(10)
"""Normalized Elo per standard deviation of one game by which the mean score is above one half."""
NOTHING = 1e-3
"""A result that has not occurred counts this many times, because it is not impossible."""
FARTHEST = 200.0
"""Elo beyond which the iteration for the normalized model has no solution to start from."""
_CLOSE = 1e-4
_ROUNDS = 10
_HALVINGS = 200


class BadSprt(ValueError):
    """Bounds or error rates that make no test."""


class NoPair(ValueError):
    """Games that cannot be counted as a pair or for the engine. The message is a clause."""


class EloEstimate(NamedTuple):
    """A value and its 95 % interval. An end that the data do not bound is infinite."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test of H1: Elo >= `elo1` against H0: Elo <= `elo0`. Raises BadSprt.

    `alpha` is how often H1 is accepted where H0 holds, `beta` how often H0 is where H1 holds.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = "normalized"

    def __post_init__(self) -> None:
        for name, elo in (("elo0", self.elo0), ("elo1", self.elo1)):
            if not -FARTHEST <= elo <= FARTHEST:
                raise BadSprt(f"{name} {elo:g} is out of range: it must be from {-FARTHEST:g} to {FARTHEST:g}")
        if self.elo0 >= self.elo1:
            raise BadSprt(f"elo0 {self.elo0:g} is not below elo1 {self.elo1:g}: H1 is the stronger engine")
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < rate < 1:
                raise BadSprt(f"{name} {rate:g} is out of range: it must be between 0 and 1, such as 0.05")
        if self.alpha + self.beta >= 1:
            raise BadSprt(f"alpha {self.alpha:g} and beta {self.beta:g} together must be below 1, such as 0.05 each")

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at which H0 is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at which H1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def llr(self, counts: Sequence[int]) -> float:
        """The log-likelihood ratio of H1 to H0, from 3 counts of games or 5 of pairs."""
        weights = seen(counts)
        return sum(weight * part for weight, part in zip(weights, self.parts(weights), strict=True))

    def parts(self, weights: Sequence[float]) -> list[float]:
        """How much one result of each kind adds to the ratio, if results come with these weights, none of them 0."""
        shares = [weight / sum(weights) for weight in weights]
        likeliest = with_mean if self.model == "logistic" else _with_distance
        zero, one = (likeliest(shares, self._target(elo, len(shares))) for elo in (self.elo0, self.elo1))
        return [math.log(q / p) for p, q in zip(zero, one, strict=True)]

    def state(self, llr: float) -> State:
        return "H1" if settled(llr - self.upper) >= 0 else "H0" if settled(llr - self.lower) <= 0 else "running"

    def _target(self, elo: float, kinds: int) -> float:
        """The mean score of a strength, or for the normalized model its distance from one half in deviations."""
        if self.model == "logistic":
            return 1 / (1 + 10 ** (-elo / 400))
        # The mean of two games deviates less than one game.
        return elo / PER_UNIT * math.sqrt(_games(kinds))


def half_points(game: GameRecord, engine: str) -> int:
    """The half points of `engine` in a game: 0, 1 or 2. Raises NoPair where it did not play, or without a result."""
    if game.winner is None or engine not in (game.p1, game.p2):
        raise NoPair(f"game {game.id} was not decided with {engine}")
    return 1 if game.winner == "draw" else 2 * ((game.p1 if game.winner == "p1" else game.p2) == engine)


def pair_points(first: GameRecord, second: GameRecord, engine: str) -> int:
    """The half points of `engine` in a pair, from 0 to 4. Raises NoPair where the two games are no pair."""
    same = (first.variant, first.fen, first.opening) == (second.variant, second.fen, second.opening)
    if not same or (first.p1, first.p2) != (second.p2, second.p1):
        raise NoPair(f"games {first.id} and {second.id} are not one opening played with both sides")
    return half_points(first, engine) + half_points(second, engine)


def seen(counts: Sequence[int]) -> list[float]:
    """The counts, as often as each result is taken to have occurred."""
    return [count or NOTHING for count in counts]


def elo(counts: Sequence[int]) -> EloEstimate | None:
    """Logistic Elo of the mean score; None without results, and while all are the same but not even.

    The interval comes from a normal distribution of the mean score.
    """
    if (figures := moments(counts)) is None:
        return None
    mean, _, error = figures
    return EloEstimate(*(elo_of(score) for score in (mean, mean - Z95 * error, mean + Z95 * error)))


def los(counts: Sequence[int]) -> float | None:
    """The likelihood of superiority: how probable Elo > 0 is, by a normal distribution; None as for `elo`."""
    if (figures := moments(counts)) is None:
        return None
    mean, _, error = figures
    return 0.5 * math.erfc((0.5 - mean) / (error * math.sqrt(2)))


def nelo(counts: Sequence[int]) -> EloEstimate | None:
    """Normalized Elo: the mean score's distance from one half in deviations of one game; None as for `elo`.

    The interval takes the deviation as known.
    """
    if (figures := moments(counts)) is None:
        return None
    mean, deviation, error = figures
    unit = PER_UNIT / (deviation * math.sqrt(_games(len(counts))))
    return EloEstimate(*(unit * (score - 0.5) for score in (mean, mean - Z95 * error, mean + Z95 * error)))


def _games(kinds: int) -> int:
    """The number of games in one result, if results have so many kinds: 1 or 2."""
    return (kinds - 1) // 2


def _scores(kinds: int) -> list[float]:
    return [points / (kinds - 1) for points in range(kinds)]


def _mean_and_deviation(shares: Sequence[float]) -> tuple[float, float]:
    scores = _scores(len(shares))
    mean = sum(share * score for share, score in zip(shares, scores, strict=True))
    return mean, math.sqrt(sum(share * (score - mean) ** 2 for share, score in zip(shares, scores, strict=True)))


def moments(counts: Sequence[int]) -> tuple[float, float, float] | None:
    """Mean score, standard deviation of one result, standard error of the mean; None as for `elo`.

    Results that were all even do not prove that no other can occur: one more is taken to have gone half to each engine.
    """
    total, weights = float(sum(counts)), list(map(float, counts))
    if total and counts[len(counts) // 2] == total:
        weights[0], weights[-1], total = 0.5, 0.5, total + 1
    if sum(weight > 0 for weight in weights) < 2:
        return None
    mean, deviation = _mean_and_deviation([weight / total for weight in weights])
    return mean, deviation, deviation / math.sqrt(total)


def elo_of(score: float) -> float:
    """Logistic Elo of a mean score; infinite at 0 and 1."""
    if not 0 < score < 1:
        return math.copysign(math.inf, score - 0.5)
    return -400 * math.log10(1 / score - 1)


def with_mean(shares: Sequence[float], mean: float) -> list[float]:
    """The distribution with this mean score under which the observed shares are most likely."""
    return _tilted(shares, [score - mean for score in _scores(len(shares))])


def _with_distance(shares: Sequence[float], distance: float) -> list[float]:
    """The most likely distribution whose mean is so many of its own standard deviations above one half.

    It is found by iteration from the uniform distribution. The iteration stops where fastchess's does, so that the
    ratios agree.
    """
    scores = _scores(len(shares))
    likeliest = [1 / len(shares)] * len(shares)
    for _ in range(_ROUNDS):
        mean, deviation = _mean_and_deviation(likeliest)
        slope = distance * deviation / 2
        gaps = [score - 0.5 - slope * (1 + ((score - mean) / deviation) ** 2) for score in scores]
        before, likeliest = likeliest, _tilted(shares, gaps)
        if max(abs(new - old) for new, old in zip(likeliest, before, strict=True)) < _CLOSE:
            break
    return likeliest


def _tilted(shares: Sequence[float], gaps: Sequence[float]) -> list[float]:
    """The shares q / (1 + x g) whose mean gap g is 0. Newton's steps find the root x, or bisection if they fail."""
    least, most = -1 / max(gaps), -1 / min(gaps)
    x = 0.0
    for _ in range(_HALVINGS):
        slopes = [gap / (1 + x * gap) for gap in gaps]
        excess = sum(share * slope for share, slope in zip(shares, slopes, strict=True))
        least, most = (x, most) if excess > 0 else (least, x)
        newton = x + excess / sum(share * slope * slope for share, slope in zip(shares, slopes, strict=True))
        before, x = x, newton if least < newton < most else (least + most) / 2
        # If the root is very close to an end, a small step is not enough: the shares must also add up to one.
        if abs(x - before) <= 1e-12 * (1 + abs(x)) and abs(before * excess) <= 1e-9:
            break
    return [share / (1 + x * gap) for share, gap in zip(shares, gaps, strict=True)]
