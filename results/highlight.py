"""The game of a run that is worth a look: the greatest upset, or where there is none, the longest decided game."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from results.ratings.scale import for_order
from results.record import FORFEITS
from results.store.reader import Brief


@dataclass(frozen=True, slots=True)
class Highlight:
    """A game, and in a few words why it was chosen."""

    game: Brief
    why: str


def highlight(games: Iterable[Brief], ratings: Mapping[str, float]) -> Highlight | None:
    """The game that the lower rated engine won against the greatest lead in rating; of equals the shortest.

    Games lost by a fault do not count. None where no game was decided on the board.
    """
    decided = [game for game in games if game.winner in ("p1", "p2") and game.termination not in FORFEITS]
    upsets = [(lead, game) for game in decided if (lead := _lead_of_loser(game, ratings)) > 0]
    if upsets:
        _, game = min(upsets, key=lambda each: (-each[0], each[1].plies, each[1].number))
        return Highlight(game, "the greatest upset")
    if decided:
        return Highlight(min(decided, key=lambda game: (-game.plies, game.number)), "the longest fight")
    return None


def _lead_of_loser(game: Brief, ratings: Mapping[str, float]) -> float:
    """By how much the loser's rating is above the winner's; 0 if one of the two has none."""
    winner, loser = (game.p1, game.p2) if game.winner == "p1" else (game.p2, game.p1)
    return for_order(ratings[loser] - ratings[winner]) if {winner, loser} <= ratings.keys() else 0.0
