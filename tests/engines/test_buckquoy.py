"""buckquoy: its rules in C are those in Python, under every rule option, and its search finds the fastest wins."""

import json
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from arena.conformance.judge.random_lines import random_lines
from arena.games import variants
from arena.games.line import played
from arena.games.perft import perft
from arena.games.tafl.rules import TaflPosition, TaflRules
from arena.games.tafl.variants import TAFL
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


def made_positions(count: int) -> Iterator[TaflPosition]:
    """Positions by theme, with rule options at random: before the last move of the lines that the check F10 sends."""
    announced = [rules_of(name) for name in TAFL]
    for name in ("copenhagen", "tablut-saami", "scottish"):
        for line in islice(random_lines(name, 1, announced), count):
            position = played(line.variant, line.fen, line.moves[:-1]).position
            # No game leads to a board where p2 is surrounded and p1 is to move.
            if type(position) is TaflPosition:
                yield position


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
        now, child = kernel.play(words, numbers[text]), after[text]
        assert now is not None, (at, text)
        if child.king:
            assert now[:7] == list(PLAYER.words(child))[:7], (at, text)
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


@pytest.mark.parametrize("count", [20, pytest.param(700, marks=[pytest.mark.long, pytest.mark.timeout(300)])])
def test_rule_options_in_c_are_those_in_python(count: int) -> None:
    """Rows that fall, and rings and forts that the next move closes, are seen; a move that allows one is left out."""
    chance, met = Random(count), Counter[str]()
    for position in made_positions(count):
        compare(kernel_of(position), position, chance, met)
    ends = {"king-captured", "king-escaped"}
    assert ends | {f"left {end}" for end in ends} | {"encircled", "fort", "rows"} <= set(+met), met


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
    compared = 0
    for position in made_positions(2):
        kernel, words = kernel_of(position), PLAYER.words(position)
        pairs = None if position.outcome else kernel.features(words)
        if pairs is not None:
            weights = kernel.weights()
            compared += 1
            assert kernel.evaluate(words) == sum(
                weights[weight] * times for weight, times in zip(pairs[::2], pairs[1::2], strict=True)
            )
    assert compared > 2
