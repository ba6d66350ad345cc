"""Each player's points, opponents, byes and sides so far, and the tie-breaks computed from them.

Owns the meaning of every tie-break's name. Points are half points.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from arena.formats.base import Faults, Played, Values

Break = Literal["buchholz", "sonneborn-berger", "direct-encounter", "wins"]
BREAKS: tuple[Break, ...] = ("buchholz", "sonneborn-berger", "direct-encounter", "wins")


@dataclass(slots=True)
class TieBreaks:
    """What one player has."""

    points: int = 0
    wins: int = 0
    """Games won, without byes."""
    byes: int = 0
    extra_p1: int = 0
    """How many games more it was p1 than p2."""
    firsts: int = 0
    """How often it stood first in a pairing."""
    against: dict[int, int] = field(default_factory=dict)
    """Points from each opponent."""
    met: dict[int, int] = field(default_factory=dict)
    """In how many rounds it met each opponent."""


def tally(players: int, games: int, past: Sequence[Played]) -> list[TieBreaks]:
    """What each player has. A pairing has `games` games in all, and a bye counts as winning them."""
    scores = [TieBreaks() for _ in range(players)]
    for round_, pair_scores, _ in past:
        for bye in round_.byes:
            scores[bye].points += 2 * games
            scores[bye].byes += 1
        for met in pair_scores:
            sides = (met.won + met.drawn + met.lost) % 2 * (-1 if round_.swapped else 1)
            for me, other, points, wins, extra_p1 in (
                (met.first, met.second, met.points[0], met.won, sides),
                (met.second, met.first, met.points[1], met.lost, -sides),
            ):
                score = scores[me]
                score.points += points
                score.wins += wins
                score.extra_p1 += extra_p1
                score.against[other] = score.against.get(other, 0) + points
                score.met[other] = score.met.get(other, 0) + 1
            scores[met.first].firsts += 1
    return scores


@dataclass(frozen=True, slots=True)
class FinalPlace:
    """A line of the final table: `values` are the tie-breaks in the order of the file."""

    player: int
    points: float
    values: tuple[float, ...]


def table(players: int, games: int, past: Sequence[Played], breaks: Sequence[Break]) -> list[FinalPlace]:
    """All players by points; ties are broken by each of `breaks` in turn, then by seed."""
    scores = tally(players, games, past)
    groups = [list(range(players))]
    rules: list[Break | None] = [None, *breaks]
    values: dict[int, list[int]] = {player: [] for player in range(players)}
    for rule in rules:
        split: list[list[int]] = []
        for group in groups:
            worth = {player: _worth(rule, player, group, scores) for player in group}
            for player in group:
                values[player].append(worth[player])
            for each in sorted(set(worth.values()), reverse=True):
                split.append([player for player in group if worth[player] == each])
        groups = split
    scale = [2 if rule != "wins" else 1 for rule in rules]
    if "sonneborn-berger" in rules:
        scale[rules.index("sonneborn-berger")] = 4 * games
    return [
        FinalPlace(
            player, values[player][0] / 2, tuple(v / s for v, s in zip(values[player][1:], scale[1:], strict=True))
        )
        for group in groups
        for player in group
    ]


def _worth(rule: Break | None, player: int, tied: Sequence[int], scores: Sequence[TieBreaks]) -> int:
    """The value of a tie-break for a player among players that are tied so far; None: the points themselves."""
    mine = scores[player]
    match rule:
        case None:
            return mine.points
        case "buchholz":
            # Each encounter counts (FIDE C.07, 4.4). A bye counts as an opponent with the player's own points.
            return sum(times * scores[other].points for other, times in mine.met.items()) + mine.byes * mine.points
        case "sonneborn-berger":
            return sum(points * scores[other].points for other, points in mine.against.items())
        case "direct-encounter":
            return sum(points for other, points in mine.against.items() if other in tied)
        case "wins":
            return mine.wins


def strange_tie_breaks(values: Values, known: Sequence[str]) -> Faults:
    """The words of `tie_breaks` that a format with the words `known` does not have."""
    for word in values["tie_breaks"] or ():
        if word not in known:
            yield "tie_breaks", f"{word!r} is none of this format: choose from {', '.join(known)}"
