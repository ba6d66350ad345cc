"""The tafl games of today's championships against what their programs and rule pages say.

`copenhagen-formations.txt` has rows, forts and rings with one move each, and what the rule page, npm `tafl` 4.0.0 and
others say of them. `tablut-ashton-positions.txt` has positions of the server of the Tablut Challenge, with the board
after each legal move.
"""

from pathlib import Path

import pytest

from arena.games.game import Game
from arena.games.game_words import legal_words
from arena.games.illegal import why_illegal
from arena.games.rules import IllegalMove
from arena.games.tafl.rules import TaflPosition, TaflRules
from arena.games.variants import find, resolve
from tests.arena.games.slow import SlowTafl

TRACES = Path(__file__).parent / "traces"
FORMATIONS = [line.split() for line in (TRACES / "copenhagen-formations.txt").read_text().splitlines()]


def verdict(position: TaflPosition) -> str:
    """`none`, or the winner and the reason, as the file has it."""
    return "none" if position.outcome is None else f"{position.outcome.winner}win {position.outcome.reason}"


def both(rules: TaflRules, fen: str, word: str) -> tuple[TaflPosition, SlowTafl]:
    """The position after the move, by both versions of the rules."""
    start = rules.parse(fen)
    move = start.find(word)
    assert move is not None, (fen, word)
    return start.play(move), SlowTafl.parse(fen, dict(rules.options.items())).play(word)


def assert_alike(quick: TaflPosition, slow: SlowTafl, story: str) -> None:
    assert quick.fen() == slow.fen(), story
    assert (quick.outcome and (quick.outcome.winner, quick.outcome.reason)) == slow.ending, story


@pytest.mark.parametrize("step", [12, pytest.param(1, marks=pytest.mark.long)])
def test_formations_of_copenhagen_are_judged_as_its_rules_say(step: int) -> None:
    """The board after the move and the result, of rows, forts, rings and captures of the king."""
    rules = find("copenhagen")
    assert isinstance(rules, TaflRules)
    seen = set()
    for board, side, turn, word, after, *said in FORMATIONS[::step]:
        found, slow = both(rules, f"{board} {side} {turn}", word)
        assert verdict(found) == " ".join(said), (board, word)
        seen.add(" ".join(said))
        if said[-1] != "king-captured":  # some programs leave the captured king on the board
            assert found.fen().split()[0] == after, (board, word)
        assert_alike(found, slow, f"{board} {word}")
    assert len(FORMATIONS) == 725 and {"p1win encircled", "p2win fort", "none"} <= seen


def test_positions_of_the_tablut_challenge_have_its_moves_boards_and_results() -> None:
    """Every legal move of its server, the board that it makes of it, and who has won."""
    rules = find("tablut-ashton")
    position, left = rules.start(), set[str]()
    for line in (TRACES / "tablut-ashton-positions.txt").read_text().splitlines():
        if not line.startswith(" "):
            assert not left, position.fen()
            position = rules.parse(line)
            left = {move.text for move in position.legal_moves()}
            continue
        word, board, winner = line.split()
        left.remove(word)
        move = position.find(word)
        assert move is not None
        after = position.play(move)
        assert (after.outcome.winner if after.outcome else "-") == winner, (position.fen(), word)
        # Its server leaves a captured king on the board.
        captured = after.outcome is not None and after.outcome.reason == "king-captured"
        assert captured or after.fen().split()[0] == board, (position.fen(), word)


# Boards built by chance, against the second version


# What the options mean, one by one


@pytest.mark.parametrize(("value", "first"), [("draw", "draw"), ("loses", "p1"), ("p2-loses", "p1")])
def test_the_second_occurrence_ends_the_game_where_two_are_allowed(value: str, first: str) -> None:
    """p2 completes it here: with `loses` p1 wins, and with `p2-loses`, too."""
    game = Game(*resolve("scottish", f"occurrences=2 repetition={value}"))
    for word in "d1c1 d3c3 c1d1 c3d3".split():
        assert game.outcome is None
        game.play(word)
    assert game.outcome is not None and (game.outcome.winner, game.outcome.reason) == (first, "repetition")


def test_the_defenders_may_not_repeat_a_board_where_that_is_forbidden() -> None:
    """The move is not legal, is not among the legal moves, and the reason is told. The attackers may repeat one."""
    game = Game(*resolve("scottish", "repetition=forbidden-p2"))
    for word in "d1c1 d3c3 c1d1".split():
        game.play(word)
    assert game.find("c3d3") is None and game.position.find("c3d3") is not None
    assert "c3d3" not in legal_words(game) and len(legal_words(game)) == len(game.position.moves()) - 1
    assert why_illegal(game, "c3d3").startswith("the board has been so before")
    with pytest.raises(IllegalMove):
        game.play("c3d3")


@pytest.mark.parametrize("no_move", ["loses", "draw"])
def test_a_ring_comes_before_the_lack_of_a_move(no_move: str) -> None:
    """In a game as in a position that was set up with the ring closed, where the attackers move elsewhere."""
    rules = find("copenhagen", f"no_move={no_move}")
    assert isinstance(rules, TaflRules)
    for board, word in (
        ("11/11/11/11/5a5/4aka4/4aa5/11/11/11/11", "e5e4"),
        ("11/11/11/11/5a5/3a1ka4/5a5/11/11/11/11", "d6e6"),
    ):
        after, slow = both(rules, f"{board} p1 1", word)
        assert after.outcome is not None and after.outcome.winner == "p1"
        assert_alike(after, slow, board)
