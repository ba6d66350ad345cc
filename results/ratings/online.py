"""Online TrueSkill over the games of a rating list, in the order of the schedule.

Skills are Gaussians. Games are rated in the order in which they are given, which should be the store's: in the order of
their finish, a rating would depend on how busy the machine was. Tau is 0, because an engine does not learn between the
games of a run.
"""

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from results.ratings.scale import BETA, MU
from results.record import Result

if TYPE_CHECKING:
    from trueskill import TrueSkill

SIGMA = MU / 3
"""The standard deviation of a skill before its first game."""
FAR = 30.0
"""A game that is more than this many standard deviations surprising gets the limit of the update, not the package's."""


class OnlineRating(NamedTuple):
    """An engine's skill by the games of one rating list."""

    mu: float
    sigma: float


def rate(results: Iterable[Result], names: Iterable[str] = ()) -> dict[str, OnlineRating]:
    """The rating of every engine that plays in `results` or is listed in `names`.

    A game without a winner and without a draw is not rated.
    """
    results = list(results)
    engines = list(dict.fromkeys([*names, *(name for game in results for name in (game.p1, game.p2))]))
    env = environment(_draw_share(results))
    skill = dict.fromkeys(engines, OnlineRating(MU, SIGMA))
    for game in results:
        if game.p1 == game.p2:  # it tells nothing of a skill
            continue
        one, two = skill[game.p1], skill[game.p2]
        match game.winner:
            case "p1":
                skill[game.p1], skill[game.p2] = _updated(env, one, two, drawn=False)
            case "p2":
                skill[game.p2], skill[game.p1] = _updated(env, two, one, drawn=False)
            case "draw":
                skill[game.p1], skill[game.p2] = _updated(env, one, two, drawn=True)
    return skill


def _draw_share(results: list[Result]) -> float:
    """The share of draws among the rated games, kept below 1, where the margin of a draw is infinite."""
    rated = [game.winner for game in results if game.winner is not None]
    if not rated:
        return 0.0
    return min(rated.count("draw"), len(rated) - 0.5) / len(rated)


def environment(draw_share: float) -> "TrueSkill":
    """The package's model with our scale, which is its own, and this share of draws among equals."""
    # Not the package's global environment: other code can change that.
    from trueskill import TrueSkill

    return TrueSkill(mu=MU, sigma=SIGMA, beta=BETA, tau=0.0, draw_probability=draw_share)


def _updated(
    env: "TrueSkill", winner: OnlineRating, loser: OnlineRating, drawn: bool
) -> tuple[OnlineRating, OnlineRating]:
    """Both skills after a game. If it was drawn, `winner` and `loser` are just the two sides."""
    from trueskill import calc_draw_margin, rate_1vs1

    # The package divides densities of the normal distribution, which are 0 beyond some 38 standard deviations. There it
    # raises FloatingPointError, for an upset and for a certain win alike, and a little before that an unlikely draw
    # makes sigma grow. So from FAR on the limit of the update is used: a certain win changes nothing, and a surprise
    # counts as a performance exactly on the border (v = the distance to the border, w = 1).
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
        return OnlineRating(first.mu, first.sigma), OnlineRating(second.mu, second.sigma)
    up = -math.copysign(surprise, ahead) if drawn else surprise
    return _moved(winner, up, spread), _moved(loser, -up, spread)


def _moved(skill: OnlineRating, up: float, spread: float) -> OnlineRating:
    mu, sigma = skill
    return OnlineRating(mu + sigma**2 / spread * up, sigma * math.sqrt(1 - (sigma / spread) ** 2))
