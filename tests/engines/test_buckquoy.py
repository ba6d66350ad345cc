"""buckquoy: its rules in C are those in Python, under every rule option, and its search finds the fastest wins."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from arena.games import variants
from arena.games.perft import perft
from arena.games.rules import BadPosition
from arena.games.squares import write_rows
from arena.games.tafl.rules import TaflPosition, TaflRules
from arena.games.tafl.variants import OPTION_VALUES, TAFL, conflict
from engines.buckquoy import BuckquoyPlayer
from engines.native.build import library
from engines.native.kernel import ALL, REPETITION, USEFUL, Kernel, Limits
from tests.engines.shared import IN_C

WINS = json.loads(Path(__file__).with_name("tafl_wins.json").read_text())
"""Positions, and the fewest plies in which the side to move wins, found by brute force."""
PLAYER = BuckquoyPlayer()

pytestmark = IN_C


def kernel_of(position: TaflPosition, megabytes: int = 1) -> Kernel:
    board = PLAYER.board(position)
    assert board is not None
    return Kernel(library("buckquoy"), *board, megabytes)


def rules_of(name: str, options: str = "") -> TaflRules:
    rules = variants.find(name, options)
    assert isinstance(rules, TaflRules)
    return rules


def start_of(name: str) -> TaflPosition:
    return rules_of(name).start()


def position_of(name: str, fen: str) -> TaflPosition:
    return rules_of(name).parse(fen)


def random_rules(chance: Random, **wanted: str) -> TaflRules:
    """A variant with some of its rule options changed."""
    while True:
        rules = rules_of(chance.choice(list(TAFL)))
        options = {
            name: chance.choice(values[:5] if values[0] != "any" else values[:4])
            for name, values in OPTION_VALUES.items()
            if chance.random() < 0.4
        } | wanted
        if not conflict(rules.options.changed(options), rules.size):
            return rules_of(rules.base, " ".join(f"{name}={value}" for name, value in options.items()))


def random_board(rules: TaflRules, chance: Random) -> TaflPosition:
    """Men anywhere: also where no game has led."""
    size = rules.size
    letters = "k" + "a" * chance.randint(0, 3 * size) + "d" * chance.randint(0, size)
    squares = list(letters.ljust(size * size, "."))
    while True:
        chance.shuffle(squares)
        position = drawn(rules, squares, chance)
        if position is not None:
            return position


def drawn(rules: TaflRules, squares: list[str], chance: Random) -> TaflPosition | None:
    """The position with these letters, rank by rank; None if it is over, or none that the variant allows."""
    size = rules.size
    rows = ["".join(squares[row * size : (row + 1) * size]) for row in range(size)]
    try:
        position = rules.parse(f"{write_rows(rows)} {chance.choice(['p1', 'p2'])} 1")
    except BadPosition:  # the king stands where he has escaped
        return None
    # No game leads to a board where p2 is surrounded and p1 is to move.
    return position if type(position) is TaflPosition else None


def ring_board(rules: TaflRules, chance: Random) -> TaflPosition:
    """Attackers all around the board but for some gaps, and some pieces inside."""
    size = rules.size
    depths = [min(at % size, at // size, size - 1 - at % size, size - 1 - at // size) for at in range(size * size)]
    inner = chance.choice((1, 2))
    while True:
        squares = [
            "." if depth < inner else "a" if depth == inner and chance.random() < 0.95 else chance.choice("......dda")
            for depth in depths
        ]
        squares[chance.choice([at for at, depth in enumerate(depths) if depth > inner])] = "k"
        for _ in range(3):
            squares[chance.choice([at for at, depth in enumerate(depths) if depth < inner])] = chance.choice("aa.")
        position = drawn(rules, squares, chance)
        if position is not None:
            return position


def edge_board(rules: TaflRules, chance: Random) -> TaflPosition:
    """Men crowded along the edges, a wall of defenders on one of them, and the king there or not far."""
    size = rules.size
    while True:
        squares = [
            chance.choice("aaddd....") if min(at % size, at // size, size - 1 - at % size, size - 1 - at // size) < 2
            else chance.choice("......ad")
            for at in range(size * size)
        ]  # fmt: skip
        middle, high, wide = chance.randrange(1, size - 1), chance.randint(1, 3), chance.randint(1, 3)
        for file in range(max(middle - wide - 1, 0), min(middle + wide + 2, size)):
            for rank in range(high + 1):
                is_wall = rank == high or abs(file - middle) > wide
                squares[rank * size + file] = (
                    ("d" if chance.random() < 0.9 else ".") if is_wall else chance.choice(".....d")
                )
        squares[chance.choice((0, 0, high - 1)) * size + middle] = "k"
        if chance.random() < 0.5:
            squares = [squares[at % size * size + at // size] for at in range(size * size)]
        position = drawn(rules, squares, chance)
        if position is not None:
            return position


def row_board(rules: TaflRules, chance: Random) -> TaflPosition:
    """A row of men on an edge with men of the other side around it, one of whom can complete the shieldwall."""
    size = rules.size
    while True:
        own, enemy = chance.sample("ad", 2)
        squares = [chance.choice("........ad") if at // size > 2 else "." for at in range(size * size)]
        count, end = chance.choice((1, 2, 2, 3, 4)), chance.choice((0, 0, chance.randrange(size - 5)))
        squares[end] = chance.choice((own, own, ".", enemy))
        for file in range(end + 1, end + count + 1):
            squares[file], squares[size + file] = enemy, own if chance.random() < 0.9 else chance.choice("ad.")
        squares[3 * size + end + count + 1] = own
        squares[chance.choice([end, end + 1, size + end + 1, *range(2 * size, size * size)])] = "k"
        if chance.random() < 0.5:
            squares = [squares[at % size * size + at // size] for at in range(size * size)]
        if chance.random() < 0.5:
            squares.reverse()
        position = drawn(rules, squares, chance)
        if position is not None:
            return position


def held_board(rules: TaflRules, chance: Random) -> TaflPosition:
    """Attackers on nearly all sides of the king, who stands on an edge, in the centre, beside it or anywhere."""
    size, middle = rules.size, rules.size // 2
    while True:
        squares = [chance.choice("........aad") for _ in range(size * size)]
        file, rank = chance.choice(((0, 1), (middle, middle), (middle, middle + 1), (1, 2)))
        file = chance.choice((file, chance.randrange(size)))
        for near_file, near_rank in ((file, rank - 1), (file, rank + 1), (file - 1, rank), (file + 1, rank)):
            if 0 <= near_file < size and 0 <= near_rank < size:
                squares[near_rank * size + near_file] = "a" if chance.random() < 0.75 else chance.choice("...d")
        squares[rank * size + file] = "k"
        position = drawn(rules, squares, chance)
        if position is not None:
            return position


def compare(
    kernel: Kernel, position: TaflPosition, chance: Random, met: Counter[str] | None = None
) -> TaflPosition | None:
    """Compare one position with C, and return one after a random move. None if the game is over.

    `met` counts the wins in one by their reasons, the threats that were answered, and the rows that fell.
    """
    met = Counter() if met is None else met
    words, outcome = PLAYER.words(position), position.outcome
    at = position.fen()
    if outcome is not None:
        expected = 3 if outcome.winner == "draw" else 1 if outcome.winner == position.side else 2
        assert kernel.outcome(words) == expected, at
        return None
    assert kernel.outcome(words) == 0, at
    numbers = {PLAYER.move(position, number): number for number in kernel.moves(words, ALL)}
    moves = position.legal_moves()
    assert sorted(numbers) == [move.text for move in moves], at
    after = {move.text: position.play(move) for move in moves}
    wins = {
        text
        for text, child in after.items()
        if child.outcome and child.outcome.winner == position.side and child.outcome.reason != "no-move"
    }
    useful = {PLAYER.move(position, number) for number in kernel.moves(words, USEFUL)}
    assert useful and useful <= set(numbers), at
    if wins:
        assert useful <= wins, at
    met.update({child.outcome.reason for text, child in after.items() if child.outcome and text in wins})
    men = position.own.bit_count() + position.other.bit_count()
    rows = {text for text, child in after.items() if child.own.bit_count() + child.other.bit_count() < men - 1}
    met["rows"] += len(rows)
    edge = [move.text for move in moves if move.to & position.board.edge]
    some = chance.sample(sorted(useful), min(len(useful), 4)) + chance.sample(edge, min(len(edge), 8))
    for text in {chance.choice(moves).text, *sorted(wins)[:3], *some, *rows}:
        played, child = kernel.play(words, numbers[text]), after[text]
        assert played is not None, (at, text)
        if child.king:
            assert played[:7] == list(PLAYER.words(child))[:7], (at, text)
    left = set() if wins else set(numbers) - useful
    for text in chance.sample(sorted(left), min(len(left), 12)):
        child = after[text]
        if child.outcome is None:
            replies = [reply for move in child.moves() if (reply := child.play(move).outcome)]
            assert any(reply.winner == child.side for reply in replies), (at, text)
            met.update({f"left {reply.reason}" for reply in replies})
    return after[chance.choice(moves).text]


def test_rules_in_c_are_those_in_python() -> None:
    """In random games, moves, captures and results are the same in C; moves that are left out lose at once."""
    for name in sorted(TAFL):
        chance = Random(name)
        position: TaflPosition | None = start_of(name)
        assert position is not None
        kernel = kernel_of(position)
        for _ in range(16 if position.board.size == 7 else 4):
            position = compare(kernel, position, chance)
            if position is None:
                break


def test_rule_options_in_c_are_those_in_python() -> None:
    """So it is with random rule options, from random boards."""
    chance = Random(19)
    for _ in range(5):
        position: TaflPosition | None = random_board(random_rules(chance), chance)
        assert position is not None
        kernel = kernel_of(position)
        for _ in range(4):
            position = compare(kernel, position, chance)
            if position is None:
                break


@pytest.mark.parametrize("count", [6, pytest.param(300, marks=pytest.mark.long)])
@pytest.mark.parametrize(
    ("draw", "wanted", "expected"),
    [
        (ring_board, {"encirclement": "wins"}, {"encircled", "left encircled"}),
        (edge_board, {"fort": "wins", "escape": "corner", "shieldwall": "corner"}, {"fort", "left fort", "rows"}),
        pytest.param(row_board, {"shieldwall": "yes"}, {"rows"}, marks=pytest.mark.long),
        pytest.param(row_board, {"shieldwall": "corner", "escape": "corner"}, {"rows"}, marks=pytest.mark.long),
        pytest.param(
            held_board, {"king_captured_by": "all-sides", "escape": "corner"}, {"king-captured"}, marks=pytest.mark.long
        ),
        (held_board, {"king_captured_by": "four-two", "escape": "corner"}, {"king-captured"}),
    ],
)
def test_rings_forts_and_rows_in_c_are_those_in_python(
    draw: Callable[[TaflRules, Random], TaflPosition], wanted: dict[str, str], expected: set[str], count: int
) -> None:
    """Rows that fall, and rings and forts that the next move closes, are seen; a move that allows one is left out."""
    chance, met = Random(count), Counter[str]()
    for _ in range(count):
        position: TaflPosition | None = draw(random_rules(chance, **wanted), chance)
        for _ in range(2):
            position = position and compare(kernel_of(position), position, chance, met)
    assert expected <= set(+met), met


def test_perft_is_the_same() -> None:
    """Move sequences are as many in C as in Python."""
    for name, depth in (
        ("brandub", 3),
        ("ard-ri", 3),
        ("sea-battle-9", 2),
        ("tawlbwrdd", 2),
        ("copenhagen", 2),
        ("tablut-ashton", 2),
    ):
        position = start_of(name)
        assert kernel_of(position).perft(PLAYER.words(position), depth) == perft(position, depth)


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.long) for part in range(1, 5))])
def test_fastest_wins_are_found(part: int) -> None:
    """Every win that brute force has proven is found, and none slower than it is."""
    assert len(WINS) >= 40
    for name, plies, fen in WINS[part::5]:
        position = position_of(name, fen)
        report = kernel_of(position).think(PLAYER.words(position), [], Limits(nodes=200_000, repetition=1))
        assert 30_000 - report.score == plies, (name, fen, report)


def test_repetition_is_seen() -> None:
    """A position that occurs again is a draw, or its last occurrence loses; without it the king here escapes."""
    for rule, occurrences, before, score in (
        ("draw", 3, 0, -29_998),
        ("draw", 3, 1, 0),
        ("loses", 3, 1, -29_998),
        ("loses", 3, 2, -29_999),
        ("loses", 2, 1, -29_999),
        ("p2-loses", 3, 1, -29_998),
        ("p2-loses", 3, 2, 29_999),
        ("p2-loses", 2, 1, 29_999),
    ):
        position = position_of("scottish", "7/7/7/3k3/7/d6/a1d4 p1 1")
        (move,) = position.moves()
        again, words = PLAYER.words(position.play(move)), PLAYER.words(position)
        history = [[], [again], [again, words, again]][before]
        limits = Limits(depth=3, repetition=REPETITION[rule], occurrences=occurrences)
        assert kernel_of(position).think(words, history, limits).score == score


def test_a_win_by_zugzwang_is_found() -> None:
    """The defenders lose because they must move. A search in which they may pass does not see it."""
    for seed in (1, 2, 3):
        words = [3098861406604, 0, 67072, 0, 17, 0, 0, 1]
        kernel = kernel_of(start_of("ard-ri"))
        assert kernel.prove(words, 3, 1_000_000) == 3
        assert kernel.think(words, [], Limits(nodes=2_000, seed=seed, repetition=1)).score == 29_997


def test_one_thread_repeats_a_search() -> None:
    """The same nodes, seed and position give the same answer; a limit of nodes is kept to the node."""
    position = start_of("brandub")
    limits = Limits(nodes=3_000, seed=5, repetition=1)
    found = [kernel_of(position).think(PLAYER.words(position), [], limits) for _ in range(2)]
    assert found[0]._replace(time_ns=0) == found[1]._replace(time_ns=0)
    assert found[0].nodes == 3_000


def test_features_and_weights_give_the_evaluation() -> None:
    """What tuning learns from is what the search adds up."""
    chance, compared = Random(4), 0
    for _ in range(6):
        position = random_board(random_rules(chance), chance)
        kernel, words = kernel_of(position), PLAYER.words(position)
        pairs = None if position.outcome else kernel.features(words)
        if pairs is not None:
            weights = kernel.weights()
            compared += 1
            assert kernel.evaluate(words) == sum(
                weights[weight] * times for weight, times in zip(pairs[::2], pairs[1::2], strict=True)
            )
    assert compared > 2
