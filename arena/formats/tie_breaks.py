"""Each player's points, opponents, byes and sides so far, and the tie-breaks computed from them.

Points are half points. The rules are those of the FIDE Handbook, C.07 of 2026, with two exceptions: a bye's worth for
Buchholz, and no clause 6.3, on encounters that are missing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from arena.formats.base import Faults, Played, Values

Break = Literal["buchholz", "sonneborn-berger", "direct-encounter", "wins", "captures", "shortest-win"]
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
    captures: int = 0
    shortest: int = 0
    """The plies of its shortest win; 0: it has none."""


def tally(players: int, games: int, past: Sequence[Played], win: int = 2) -> list[TieBreaks]:
    """What each player has. A pairing has `games` games in all, and a bye counts as winning them.

    A draw counts 1 and a win `win`: 2 makes half points.
    """
    scores = [TieBreaks() for _ in range(players)]
    for round_, pair_scores, _ in past:
        for bye in round_.byes:
            scores[bye].points += win * games
            scores[bye].byes += 1
        for met in pair_scores:
            sides = (met.won + met.drawn + met.lost) % 2 * (-1 if round_.swapped else 1)
            for me, other, points, wins, extra_p1, captures, shortest in zip(
                *((met.first, met.second), (met.second, met.first), met.worth(win), (met.won, met.lost)),
                *((sides, -sides), met.captures, met.shortest),
                strict=True,
            ):
                score = scores[me]
                score.captures += captures
                score.shortest = shorter(score.shortest, shortest)
                score.points += points
                score.wins += wins
                score.extra_p1 += extra_p1
                score.against[other] = score.against.get(other, 0) + points
                score.met[other] = score.met.get(other, 0) + 1
            scores[met.first].firsts += 1
    return scores


def shorter(one: int, two: int) -> int:
    """The shorter of two wins by their plies, where 0 is none."""
    return min(filter(None, (one, two)), default=0)


@dataclass(frozen=True, slots=True)
class FinalPlace:
    """A line of the final table: `values` are the tie-breaks in the order of the file."""

    player: int
    points: float
    values: tuple[float, ...]


def table(players: int, games: int, past: Sequence[Played], breaks: Sequence[Break]) -> list[FinalPlace]:
    """All players by points; ties are broken by each of `breaks` in turn, then by seed."""
    tied = ranked(range(players), tally(players, games, past), games, breaks)
    return [place for places in tied for place in places]


def ranked(
    players: Sequence[int], scores: Sequence[TieBreaks], games: int, breaks: Sequence[Break], win: int = 2
) -> list[list[FinalPlace]]:
    """These players by points, then by each of `breaks` in turn. Those that stay tied stand in one list."""
    groups = [list(players)]
    rules: list[Break | None] = [None, *breaks]
    values: dict[int, list[Fraction]] = {player: [] for player in players}
    for rule in rules:
        split: list[list[int]] = []
        for group in groups:
            for player in group:
                values[player].append(_worth(rule, player, group, scores))
            split += _split(rule, group, scores)
        groups = split
    unit = 2 if win == 2 else 1  # half points are shown as points
    scale = [
        1 if rule in ("wins", "captures") else unit * win * games if rule == "sonneborn-berger" else unit
        for rule in rules
    ]

    def place(player: int) -> FinalPlace:
        points, *rest = (float(value / step) for value, step in zip(values[player], scale, strict=True))
        if "shortest-win" in breaks:
            rest[breaks.index("shortest-win")] = scores[player].shortest
        return FinalPlace(player, points, tuple(rest))

    return [[place(player) for player in group] for group in groups]


def _split(rule: Break | None, tied: Sequence[int], scores: Sequence[TieBreaks]) -> list[list[int]]:
    """Players that are tied so far, in groups that are still tied, the best group first."""
    worth = {player: _worth(rule, player, tied, scores) for player in tied}
    steps = sorted(set(worth.values()), reverse=True)
    groups = [[player for player in tied if worth[player] == step] for step in steps]
    if rule == "direct-encounter" and len(groups) > 1:
        # A smaller group counts fewer encounters, and these may decide what all of them left open (FIDE C.07, 6.2).
        return [smaller for group in groups for smaller in _split(rule, group, scores)]
    return groups


def _worth(rule: Break | None, player: int, tied: Sequence[int], scores: Sequence[TieBreaks]) -> Fraction:
    """The value of a tie-break for a player among players that are tied so far; None: the points themselves."""
    mine = scores[player]
    match rule:
        case None:
            return Fraction(mine.points)
        case "buchholz":
            # Each encounter counts (FIDE C.07, 4.4). A bye counts as an opponent with the player's own points.
            met = sum(times * scores[other].points for other, times in mine.met.items())
            return Fraction(met + mine.byes * mine.points)
        case "sonneborn-berger":
            return Fraction(sum(points * scores[other].points for other, points in mine.against.items()))
        case "direct-encounter":
            if any(other not in scores[one].met for one in tied for other in tied if other != one):
                return Fraction(0)
            # Who met twice has no more to win than others: the mean of both counts (FIDE C.07, 6.1.2).
            return sum((Fraction(mine.against[each], mine.met[each]) for each in tied if each != player), Fraction())
        case "wins":
            return Fraction(mine.wins)
        case "captures":
            return Fraction(mine.captures)
        case "shortest-win":
            return quickness(mine.shortest)


def quickness(shortest: int) -> Fraction:
    """How much a shortest win of so many plies is worth: the shorter the more, and nothing without one."""
    return Fraction(1, shortest) if shortest else Fraction()


def strange_tie_breaks(values: Values, known: Sequence[str]) -> Faults:
    """The words of `tie_breaks` that a format with the words `known` does not have."""
    for word in values["tie_breaks"] or ():
        if word not in known:
            yield "tie_breaks", f"{word!r} is not one of this format: choose from {', '.join(known)}"
