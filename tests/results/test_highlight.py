"""The game of a run that is worth a look."""

from results.highlight import highlight
from results.record import Termination, Winner
from results.store.reader import Brief

RATINGS = {"weak": -8.0, "fair": 0.0, "good": 5.0}


def game(number: int, p1: str, p2: str, winner: Winner | None, plies: int = 30, termination: str = "line") -> Brief:
    return Brief("ab", f"ab-{number}", number, 1, p1, p2, "scottish", winner, termination, plies, "1+0", "", 0, 0, "")


def chosen(*games: Brief) -> tuple[int, str] | None:
    found = highlight(games, RATINGS)
    return None if found is None else (found.game.number, found.why)


def test_the_greatest_upset_is_chosen() -> None:
    """The lower rated engine won against the greatest lead; of equals the shortest game, then the first."""
    games = [
        game(1, "good", "weak", "p1"),
        game(2, "good", "fair", "p2", 9),
        game(3, "weak", "good", "p1", 40),
        game(4, "good", "weak", "p2", 20),
        game(5, "good", "weak", "p2", 20),
    ]
    assert chosen(*games) == (4, "the greatest upset")


def test_without_an_upset_the_longest_game_is_chosen() -> None:
    """Draws and games without a result are none."""
    games = [
        game(1, "good", "weak", "p1", 30),
        game(2, "good", "fair", "p1", 50),
        game(3, "good", "weak", "draw", 99, "repetition"),
        game(4, "good", "weak", None, 200, Termination.UNFINISHED),
    ]
    assert chosen(*games) == (2, "the longest fight")


def test_a_game_lost_by_a_fault_is_never_chosen() -> None:
    """A crash of the strong engine is no upset."""
    assert chosen(game(1, "good", "weak", "p2", 9, Termination.CRASH)) is None
    assert chosen() is None
