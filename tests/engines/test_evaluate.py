"""The results of the evaluators, compared with playing every move."""

from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from arena.games import variants
from arena.games.rules import Move, Position
from arena.games.tafl.variants import OPTION_VALUES
from engines.evaluate import Evaluator, evaluator_for
from engines.scores import DECIDED, WIN, mate_plies, win_score

BOARDS = [
    "callanish-5",
    "callanish-7",
    "callanish-corners",
    "callanish-5:supply=4",
    "scottish",
    "scottish-king1",
    "brandub",
    "brandub-nielsen",
    "ard-ri",
    "ard-ri-two",
    "sea-battle-9",
    "scottish:corner_hostile=yes,king_captured_by=four,centre_hostile=yes,no_move=draw",
    *(f"scottish:centre_stop=any,king_captured_by={value}" for value in OPTION_VALUES["king_captured_by"]),
]


def positions(name: str, games: int, seed: int = 1) -> Iterator[Position]:
    """Every position of some random games that goes on."""
    chance = Random(seed)
    for _ in range(games):
        position: Position = variants.find(name).start()
        for _ in range(60):
            if position.outcome is not None:
                break
            yield position
            position = position.play(chance.choice(position.moves()))


def wins_at_once(position: Position) -> list[Move]:
    """The moves that end the game and win it, found by playing all of them."""
    return [move for move in position.moves() if winner(position.play(move)) == position.side]


def winner(position: Position) -> str | None:
    return None if position.outcome is None else position.outcome.winner


def other(position: Position) -> str:
    return "p2" if position.side == "p1" else "p1"


@cache
def sample(name: str) -> tuple[Evaluator, list[Position]]:
    found = list(positions(name, 6))
    return evaluator_for(variants.find(name), found[0]), Random(2).sample(found, min(len(found), 12))


def test_forced_ends_are_forced() -> None:
    """A forced end that an evaluator sees is really forced, for the winner and for the loser."""
    for name in BOARDS:
        evaluator, found = sample(name)
        for position in found:
            plies = evaluator.forced_plies(position)
            children = [position.play(move) for move in position.moves()]
            if plies == 1:
                assert wins_at_once(position), position.fen()
            elif plies == -1:
                assert all(winner(child) == other(position) for child in children), position.fen()
            elif plies == -2:
                assert all(winner(child) == other(position) or wins_at_once(child) for child in children), (
                    position.fen()
                )
            else:
                assert plies == 0


def test_no_escape_and_no_capture_is_overlooked() -> None:
    """In tafl an evaluator sees every move that frees or captures the king."""
    for name in [name for name in BOARDS if not name.startswith("callanish")]:
        evaluator, found = sample(name)
        for position in found:
            ends = [move for move in wins_at_once(position) if "king" in str(position.play(move).outcome)]
            assert bool(ends) == (evaluator.forced_plies(position) == 1), position.fen()


@pytest.mark.parametrize(
    "name", ["callanish-5", "callanish-7", pytest.param("callanish-corners", marks=pytest.mark.long)]
)
def test_no_unanswerable_check_is_overlooked(name: str) -> None:
    """In Callanish an evaluator sees every check that cannot be answered, after a turn and before it."""
    evaluator, found = sample(name)
    for position in found:
        for score, move in evaluator.ranked(position, position.moves()):
            child = position.play(move)
            replies = [child.play(reply) for reply in child.moves()]
            if replies and all(winner(reply) == position.side for reply in replies):
                assert evaluator.forced_plies(child) == -1
                assert score == win_score(2)


def test_moves_that_are_left_out_lose_at_once() -> None:
    """After each move that an evaluator leaves out of its candidates, the opponent wins with the next move."""
    for name in BOARDS:
        evaluator, found = sample(name)
        for position in found:
            kept = {move.text for move in evaluator.candidates(position)}
            for move in position.moves():
                if move.text not in kept:
                    assert wins_at_once(position.play(move)), (position.fen(), move.text)


def test_ranked_moves_are_worth_what_their_positions_are() -> None:
    """Ranking moves without playing them gives the same scores as playing them, best first, with no move missing."""
    for name in BOARDS:
        evaluator, found = sample(name)
        for position in found:
            ranked = evaluator.ranked(position, position.moves())
            assert sorted(move.text for _, move in ranked) == [move.text for move in position.legal_moves()]
            assert [score for score, _ in ranked] == sorted((score for score, _ in ranked), reverse=True)
            for score, move in ranked:
                child = position.play(move)
                if abs(score) < DECIDED:
                    assert score == (0 if winner(child) == "draw" else -evaluator.value(child))
                if winner(child) in ("p1", "p2"):
                    assert score == win_score(1 if winner(child) == position.side else -1)


def test_scores_of_won_games_count_plies() -> None:
    """A win in n plies and its score are each other's inverse, and nearer wins are worth more."""
    assert [mate_plies(win_score(plies)) for plies in (1, 2, -1, -2)] == [1, 2, -1, -2]
    assert WIN > win_score(1) > win_score(3) > DECIDED > win_score(-3) > win_score(-1)
    assert mate_plies(150) is None
