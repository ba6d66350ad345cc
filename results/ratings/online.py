"""Online TrueSkill over the games of a pool, replayed in the order of the schedule.

Knows skills as Gaussians. Refuses to know who is listed first and how it is shown. The order of the games given is the
order in which they are rated: finish order would make a rating depend on how busy the machine was, so hand games over
as the store gives them. Tau is 0, because an engine does not learn between the games of a run.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from results.ratings.scale import BETA, MU
from results.record import Result
from results.tally import Tally, counted, meetings

if TYPE_CHECKING:
    from trueskill import TrueSkill

SIGMA = MU / 3

FAR = 30.0
"""Standard units of surprise from which the limit of the update replaces the package's."""


@dataclass(frozen=True, slots=True)
class OnlineRating:
    """An engine's skill in one pool, and the decided games that it rests on, by side."""

    name: str
    mu: float
    sigma: float
    p1: Tally
    p2: Tally

    @property
    def conservative(self) -> float:
        """The skill that the engine has almost surely: mu - 3 sigma."""
        return self.mu - 3 * self.sigma

    @property
    def total(self) -> Tally:
        """Both sides together."""
        return self.p1 + self.p2


def rate(results: Iterable[Result], names: Iterable[str] = ()) -> dict[str, OnlineRating]:
    """The rating of every engine that plays in `results` or is listed in `names`.

    A game without a winner and without a draw is not rated.
    """
    results = list(results)
    engines = list(dict.fromkeys([*names, *(name for game in results for name in (game.p1, game.p2))]))
    env = _environment(_draw_share(results))
    skill = dict.fromkeys(engines, (MU, SIGMA))
    for game in results:
        one, two = skill[game.p1], skill[game.p2]
        match game.winner:
            case "p1":
                skill[game.p1], skill[game.p2] = _after(env, one, two, drawn=False)
            case "p2":
                skill[game.p2], skill[game.p1] = _after(env, two, one, drawn=False)
            case "draw":
                skill[game.p1], skill[game.p2] = _after(env, one, two, drawn=True)
    p1 = dict.fromkeys(engines, Tally())
    p2 = dict.fromkeys(engines, Tally())
    for (first, second), tally in meetings(counted(results)).items():
        p1[first] += tally
        p2[second] += tally.reversed
    return {name: OnlineRating(name, *skill[name], p1[name], p2[name]) for name in engines}


def _draw_share(results: list[Result]) -> float:
    """The share of draws among the rated games, short of 1, where the margin of a draw would be infinite."""
    rated = [game.winner for game in results if game.winner is not None]
    if not rated:
        return 0.0
    return min(rated.count("draw"), len(rated) - 0.5) / len(rated)


def _environment(draw_share: float) -> "TrueSkill":
    # An object of our own: the package's global one changes results from afar.
    from trueskill import TrueSkill

    return TrueSkill(mu=MU, sigma=SIGMA, beta=BETA, tau=0.0, draw_probability=draw_share)


Skill = tuple[float, float]
"""mu, sigma"""


def _after(env: "TrueSkill", winner: Skill, loser: Skill, drawn: bool) -> tuple[Skill, Skill]:
    """Both skills after a game; where it was drawn, `winner` and `loser` are just the two sides."""
    from trueskill import calc_draw_margin, rate_1vs1

    # The package divides densities of the normal distribution, which vanish some 38 standard units out: there it
    # raises FloatingPointError, for an upset and for a foregone win alike, and shortly before that an unlikely draw
    # makes sigma grow. From FAR on the update is its own limit: a foregone win teaches nothing, and a surprise is taken
    # as a performance that lay just on the border of the possible (v = the distance to the border, w = 1).
    (mu, sigma), (other_mu, other_sigma) = winner, loser
    spread = math.sqrt(2 * env.beta**2 + sigma**2 + other_sigma**2)
    ahead = (mu - other_mu) / spread
    margin = calc_draw_margin(env.draw_probability, 2, env) / spread
    if not drawn and ahead - margin > FAR:
        return winner, loser
    surprise = abs(ahead) - margin if drawn else margin - ahead
    if surprise <= FAR:
        first, second = rate_1vs1(
            env.create_rating(mu, sigma), env.create_rating(other_mu, other_sigma), drawn, env=env
        )
        return (first.mu, first.sigma), (second.mu, second.sigma)
    up = -math.copysign(surprise, ahead) if drawn else surprise
    return _moved(winner, up, spread), _moved(loser, -up, spread)


def _moved(skill: Skill, up: float, spread: float) -> Skill:
    mu, sigma = skill
    return mu + sigma**2 / spread * up, sigma * math.sqrt(1 - (sigma / spread) ** 2)
