"""The search of proofs, against brute force and against what is known of small boards."""

from collections.abc import Iterator
from random import Random

import pytest

from arena.games.rules import Position
from arena.games.variants import find
from arena.solving.search import Search
from arena.solving.solve import Solver

GAMES = ("callanish-5", "callanish-7", "callanish-5:supply=4", "scottish", "brandub", "brandub-nielsen", "ard-ri")


def plainly_wins(position: Position, plies: int) -> bool:
    """Whether the side to move wins within so many plies: all moves, no table, no bounds."""
    side = position.side
    return any(
        after.outcome.winner == side if after.outcome is not None else plies > 1 and plainly_loses(after, plies - 1)
        for after in map(position.play, position.moves())
    )


def plainly_loses(position: Position, plies: int) -> bool:
    """Whether the side to move loses within so many plies, whatever it plays."""
    side = position.side
    return all(
        after.outcome.winner not in (side, "draw")
        if after.outcome is not None
        else plies > 1 and plainly_wins(after, plies - 1)
        for after in map(position.play, position.moves())
    )


def late_positions(variant: str, count: int) -> Iterator[Position]:
    """Positions of random games near their end, where something is to be won."""
    chance, start = Random(variant), find(variant).start()
    while count:
        moves = start.playout(chance, 200).moves
        position = start
        for move in moves[: -chance.randrange(1, 6)]:
            position = position.play(move)
        if position.outcome is None and position is not start:
            count -= 1
            yield position


@pytest.mark.parametrize("variant", GAMES)
def test_the_search_answers_as_brute_force_does(variant: str) -> None:
    """Up to 3 plies it says the same of wins and losses, though it folds, remembers and leaves out."""
    won = lost = 0
    for position in late_positions(variant, 12):
        search = Search(position)
        for plies in (1, 2, 3) if len(position.moves()) < 40 else (1, 2):
            wins, loses = search.wins(position, plies), search.loses(position, plies)
            assert wins == plainly_wins(position, plies), (position.fen(), plies)
            assert loses == plainly_loses(position, plies), (position.fen(), plies)
            won, lost = won + wins, lost + loses
    assert won > 0, "no position here was won, so nothing was compared"


def test_the_second_side_wins_callanish_5_quickly_after_a_placement_at_the_edge() -> None:
    """After a1 within 3 more plies, after a2 within 6: a part of the value of the board that is quick to see."""
    rules = find("callanish-5")
    for fen, plies in (("5/5/5/5/w4 p2 1", 3), ("5/5/5/w4/5 p2 1", 6)):
        start = rules.parse(fen)
        assert Search(start).shortest(start, 9) == plies


@pytest.mark.long
def test_the_second_side_wins_callanish_5_after_every_first_placement() -> None:
    """Within 9 plies, the placement included, and no sooner: the value of the smallest board."""
    rules = find("callanish-5")
    solver = Solver(rules, rules.start(), Search(rules.start()))
    told: list[tuple[str, int, bool]] = []
    solver.run(20, lambda *answer: told.append(answer))
    assert solver.win == ("p2", 9)
    assert told[-2:] == [("p1", 9, False), ("p2", 9, True)]
    assert [(first.move, first.plies) for first in solver.first_moves()] == [
        ("a1", 4),
        ("a2", 7),
        ("a3", 9),
        ("b2", 9),
        ("b3", 9),
        ("c3", 9),
    ]


def test_a_small_table_forgets_and_still_answers_right() -> None:
    """Memory bounds cost time, never truth."""
    rules = find("callanish-5")
    search = Search(rules.parse("5/5/5/5/4w p2 1"), most_entries=3)
    start = rules.parse("5/5/5/5/4w p2 1")
    assert search.shortest(start, 9) == 3
    assert len(search.table) <= 3


def test_a_forced_escape_is_found_at_its_fastest() -> None:
    """In brandub the king goes to the edge with two ways to a corner, and the attackers can close only one."""
    rules = find("brandub")
    start = rules.parse("7/2a4/7/3k3/7/7/a6 p2 1")
    solver = Solver(rules, start, Search(start))
    solver.run(10, lambda *answer: None)
    assert solver.win == ("p2", 3)
    assert any(first.plies == 3 for first in solver.first_moves())
