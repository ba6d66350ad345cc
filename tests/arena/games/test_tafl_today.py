"""The tafl games of today's championships against what their programs and rule pages say.

`copenhagen-formations.txt` has rows, forts and rings with one move each, and what the rule page, npm `tafl` 4.0.0 and
others say of them. `tablut-ashton-positions.txt` has positions of the server of the Tablut Challenge, with the board
after each legal move.
"""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.games.game import Game
from arena.games.game_words import legal_words
from arena.games.illegal import why_illegal
from arena.games.rules import IllegalMove
from arena.games.tafl.rules import TaflPosition, TaflRules
from arena.games.variants import find, resolve
from tests.arena.games.slow import SlowTafl, write

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

Grid = dict[tuple[int, int], str]


def rows(chance: random.Random, last: int) -> tuple[Grid, str, bool]:
    """A row on the first rank with men in front of it, and a piece that may close it; perhaps with a king in it."""
    grid: Grid = {}
    mover, enemy = chance.choice(("ad", "da"))
    length = chance.randint(1, min(4, last - 3))
    first = chance.choice((1, 1, chance.randint(2, max(2, last - length - 1))))
    for file in range(first, first + length):
        grid[file, 0] = enemy
        if chance.random() < 0.95:
            grid[file, 1] = mover
    if first > 1 and chance.random() < 0.9:
        grid[first - 1, 0] = mover
    if first + length < last:
        grid[first + length, chance.randint(1, 4)] = mover
    if chance.random() < 0.5:
        file = chance.randrange(first, first + length)
        grid[file, 0 if mover == "a" else 1] = "k"
    return grid, "p1" if mover == "a" else "p2", True


def forts(chance: random.Random, last: int) -> tuple[Grid, str, bool]:
    """A king on the first rank with a wall around free squares, from which a man may be missing."""
    width, height = chance.randint(1, 3), chance.randint(1, 3)
    first = chance.randint(1, last - width)
    grid: Grid = dict.fromkeys(((file, height) for file in range(first, first + width)), "d")
    grid |= dict.fromkeys(((file, rank) for file in (first - 1, first + width) for rank in range(height)), "d")
    for file in range(first - 1, first + width + 1):
        for rank in range(height + 2):
            if chance.random() < 0.2:
                grid[file, rank] = chance.choice("dda.")
    grid[chance.randrange(first, first + width), 0] = "k"
    return grid, "p2", False


def rings(chance: random.Random, last: int) -> tuple[Grid, str, bool]:
    """A ring of attackers with the king and some defenders in it, from which one attacker may stand aside."""
    low, high = chance.randint(1, last // 2 - 1), chance.randint(last // 2 + 1, last - 1)
    line = range(low, high + 1)
    ring = {(file, rank) for file in line for rank in line if {file, rank} & {low, high}}
    ring -= {(file, rank) for file in (low, high) for rank in (low, high) if chance.random() < 0.6}
    grid: Grid = dict.fromkeys(ring, "a")
    for _ in range(chance.randint(0, 4)):
        grid[chance.randint(low + 1, high - 1), chance.randint(low + 1, high - 1)] = chance.choice("ddda")
    grid[chance.randint(low + 1, high - 1), chance.randint(low + 1, high - 1)] = "k"
    return grid, "p1", chance.random() < 0.1


def built(chance: random.Random, count: int) -> Iterator[tuple[TaflRules, str]]:
    """Position strings with rules, of boards of all sizes, with some pieces more, turned by chance."""
    for _ in range(count):
        base = chance.choice(("brandub", "tablut-ashton", "copenhagen", "copenhagen"))
        options = {
            "escape": "corner",
            "shieldwall": chance.choice(("corner", "corner", "yes")),
            "fort": "wins",
            "encirclement": "wins",
            "king_armed": chance.choice(("yes", "yes", "no")),
            "corner_hostile": chance.choice(("yes", "yes", "no")),
            "king_captured_by": chance.choice(("four", "all-sides", "four-two")),
            "camps": "no",
        }
        rules = find(base, " ".join(f"{option}={value}" for option, value in options.items()))
        assert isinstance(rules, TaflRules)
        last = rules.size - 1
        grid, side, more = chance.choice((rows, forts, rings))(chance, last)
        for _ in range(chance.randint(0, 12) if more else chance.randint(0, 3)):
            grid.setdefault((chance.randint(0, last), chance.randint(0, last)), chance.choice("aadd."))
        if "k" not in grid.values():
            grid[last // 2, last // 2] = "k"
        for corner in ((0, 0), (0, last), (last, 0), (last, last)):
            grid.pop(corner, None)
        if "k" not in grid.values():
            continue
        turn, mirror = chance.random() < 0.5, chance.random() < 0.5
        grid = {
            ((r, f) if turn else (f, r)) if not mirror else ((last - r, f) if turn else (last - f, r)): piece
            for (f, r), piece in grid.items()
        }
        board = {(file, rank): grid.get((file, rank), ".") for file in range(last + 1) for rank in range(last + 1)}
        yield rules, f"{write(board)} {side} 1"


@pytest.mark.parametrize("count", [5, pytest.param(3000, marks=pytest.mark.long)])
def test_built_rows_forts_and_rings_are_judged_alike_by_both_versions(count: int) -> None:
    """After every move that captures or ends the game, and after some others; also the positions themselves."""
    chance, seen, fallen = random.Random(6), set[str](), 0
    for rules, fen in built(chance, count):
        start = rules.parse(fen)
        assert_alike(start, SlowTafl.parse(fen, dict(rules.options.items())), fen)
        moves = start.legal_moves()
        after = {move.text: start.play(move) for move in moves}
        pieces = (start.own | start.other).bit_count()
        busy = [word for word, at in after.items() if at.outcome or (at.own | at.other).bit_count() < pieces]
        for word in chance.sample(busy, min(6, len(busy))) + chance.sample(list(after), min(4, len(after))):
            found, slow = both(rules, fen, word)
            assert_alike(found, slow, f"{rules.name}: {fen} {word}")
            assert found.legal_moves() == [] or [move.text for move in found.legal_moves()] == slow.legal()
            seen.add(found.outcome.reason if found.outcome else "none")
            fallen += (found.own | found.other).bit_count() < pieces - 1
    assert {"encircled", "fort"} <= seen and fallen > count // 20


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


@pytest.mark.parametrize(
    ("options", "fen", "word", "legal"),
    [
        ("centre_pass=any", "7/7/7/1k5/7/3a3/7 p1 1", "d2d6", True),
        ("centre_pass=king", "7/7/7/1k5/7/3a3/7 p2 1", "b4f4", True),
        ("centre_pass=nobody", "7/7/7/1k5/7/3a3/7 p2 1", "b4c4", True),
        ("centre_pass=nobody centre_stop=any", "7/7/7/1k5/7/3a3/7 p1 1", "d2d4", True),
        ("centre_pass=nobody centre_stop=any", "7/7/7/1k5/7/3a3/7 p1 1", "d2d5", False),
    ],
)
def test_who_may_pass_over_the_centre(options: str, fen: str, word: str, legal: bool) -> None:
    """Stopping on it is another matter."""
    rules = find("scottish", options)
    assert (rules.parse(fen).find(word) is not None) == legal


@pytest.mark.parametrize(
    ("value", "fen", "word", "captured"),
    [
        # On the centre four, elsewhere two, beside the centre, too.
        ("four-two", "7/7/3a3/2akaa1/7/3a3/7 p1 1", "d2d3", True),
        ("four-two", "7/7/3a3/2ak3/7/3a3/7 p1 1", "d2d3", False),
        ("four-two", "7/7/2ak1a1/7/7/7/7 p1 1", "f5e5", True),
        ("all-sides", "7/7/7/7/a6/k6/1a5 p1 1", "b1a1", False),
        ("all-sides", "7/7/7/7/a6/ka5/1a5 p1 1", "b1a1", True),
        ("four", "7/7/7/7/a6/ka5/1a5 p1 1", "b1a1", False),
    ],
)
def test_what_captures_the_king(value: str, fen: str, word: str, captured: bool) -> None:
    """`four-two` asks for four on the centre alone; `all-sides` captures beside an edge, too."""
    rules = find("brandub", f"king_captured_by={value} corner_stop=any corner_hostile=no")
    assert isinstance(rules, TaflRules)
    after, slow = both(rules, fen, word)
    assert (after.outcome is not None and after.outcome.reason == "king-captured") == captured
    assert_alike(after, slow, fen)


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


def test_a_centre_that_is_always_hostile_helps_against_a_man_with_the_king_on_it() -> None:
    """With `yes` it is hostile while it is empty only."""
    for value, fallen in (("always", True), ("yes", False), ("no", False)):
        rules = find("scottish", f"centre_hostile={value}")
        start = rules.parse("7/7/7/2dk3/1a5/7/7 p1 1")
        move = start.find("b3b4")
        assert move is not None
        assert (start.play(move).fen().split()[0].count("d") == 0) == fallen
