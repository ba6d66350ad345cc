"""Games of an engine in C against itself, without processes, and the positions that its weights are learned from."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np

from arena.games import variants
from arena.games.rules import Position
from engines.buckquoy import BuckquoyPlayer
from engines.native import weights
from engines.native.build import library
from engines.native.kernel import USEFUL, Kernel, KernelError, Limits
from engines.native.player import NativePlayer, repetition_of
from engines.scores import DECIDED, WIN, RepetitionRule
from engines.stornoway import StornowayPlayer

MOST_PLIES = 240
"""A longer game is a draw."""
TABLE_MB = 2

Words = Sequence[int]


class Table(NamedTuple):
    """One variant with its engine."""

    variant: str
    player: NativePlayer
    start: Position
    repetition: RepetitionRule | None

    @property
    def engine(self) -> str:
        """stornoway or buckquoy."""
        return self.player.library

    def kernel(self, source: Path | None = None) -> Kernel:
        """A search with the weights in use, or with those of a file. Raises KernelError."""
        board = self.player.board(self.start)
        if board is None:
            raise KernelError(f"the board of {self.variant} is too large for the search in C")
        kernel = Kernel(library(self.engine), *board, TABLE_MB)
        if source is not None:
            numbers = weights.read(source)
            try:
                kernel.set_weights(numbers)
            except KernelError as error:
                raise KernelError(f"{source}: {error}") from None
        return kernel

    def side(self, words: Words) -> int:
        """Whose turn it is in a position of the kernel: 0 or 1."""
        return words[5] if self.engine == "buckquoy" else words[12]

    def place(self, words: Words) -> tuple[int, ...]:
        """What makes two positions of the kernel the same: all but the plies since the last capture, which buckquoy
        counts behind the board."""
        return tuple(words[:7] if self.engine == "buckquoy" else words)

    def limits(self, nodes: int, seed: int) -> Limits:
        repetition, occurrences = repetition_of(self.repetition)
        return Limits(nodes=nodes, seed=seed, repetition=repetition, occurrences=occurrences)


class Game(NamedTuple):
    """A game that has been played: its positions with their scores for the side to move, and how side 1 has done."""

    positions: list[Words]
    scores: list[int]
    result: int
    """0 for a loss of side 1, 1 for a draw, 2 for a win."""


def table_of(variant: str) -> Table:
    """The variant's engine and start. Raises RulesError."""
    rules, start = variants.resolve(variant)
    player = BuckquoyPlayer() if variant in BuckquoyPlayer.variants else StornowayPlayer()
    rule = None if rules.repetition is None else RepetitionRule(rules.repetition, rules.occurrences)
    return Table(variant, player, start, rule)


def opening(table: Table, kernel: Kernel, chance: Random, most_plies: int) -> Words:
    """A position after 1 to `most_plies` random moves that do not lose at once. The game goes on there."""
    while True:
        line = random_line(table, kernel, chance, chance.randint(1, most_plies))
        if line:
            return line[-1][1]


def random_line(table: Table, kernel: Kernel, chance: Random, plies: int) -> list[tuple[int, Words]]:
    """Random moves that do not lose at once, each with the position after it; empty if the game ends there."""
    words: Words = table.player.words(table.start)
    line: list[tuple[int, Words]] = []
    for _ in range(plies):
        moves = kernel.moves(words, USEFUL)
        if not moves:
            return []
        move = chance.choice(moves)
        after = kernel.play(words, move)
        assert after is not None
        words = after
        if kernel.outcome(words):
            return []
        line.append((move, words))
    return line


def play_game(table: Table, kernel: Kernel, words: Words, nodes: int, chance: Random) -> Game:
    """Play on from a position, both sides by the same search. A proven score ends the game."""
    positions: list[Words] = []
    scores: list[int] = []
    occurrences: Counter[tuple[int, ...]] = Counter()
    kernel.resize(TABLE_MB)
    for _ in range(MOST_PLIES):
        side, outcome = table.side(words), kernel.outcome(words)
        if outcome:
            return Game(positions, scores, 1 if outcome == 3 else 2 * side if outcome == 1 else 2 - 2 * side)
        key, rule = table.place(words), table.repetition
        result = None if rule is None else rule.result(occurrences[key], "p2" if side else "p1")
        if result is not None:
            return Game(positions, scores, 1 + result if side else 1 - result)
        occurrences[key] += 1
        report = kernel.think(words, positions, table.limits(nodes, chance.randrange(1 << 30)))
        positions.append(words)
        scores.append(report.score)
        if abs(report.score) >= DECIDED:
            return Game(positions, scores, 2 * side if report.score > 0 else 2 - 2 * side)
        after = kernel.play(words, report.line[0])
        assert after is not None
        words = after
    return Game(positions, scores, 1)


def play(table: Table, target: Path, games: int, nodes: int, seed: int, plies: int, source: Path | None) -> int:
    """Write the positions of so many games that the evaluation can say something about, and return how many."""
    kernel, chance = table.kernel(source), Random(seed)
    rows: list[list[int]] = []
    scores, results, numbers = [], [], []
    for number in range(games):
        game = play_game(table, kernel, opening(table, kernel, chance, plies), nodes, chance)
        for words, score in zip(game.positions, game.scores, strict=True):
            features = kernel.features(words)
            # Where a threat decides, or the next moves do, the search does not ask for the evaluation.
            if features is None or score >= WIN - 3:
                continue
            rows.append(features)
            scores.append(score)
            results.append(game.result if table.side(words) else 2 - game.result)
            numbers.append(number)
    padded = np.zeros((len(rows), max(map(len, rows), default=0)), dtype=np.int16)
    for row, features in enumerate(rows):
        padded[row, : len(features)] = features
    np.savez_compressed(
        target,
        features=padded,
        score=np.array(scores, dtype=np.int16),
        result=np.array(results, dtype=np.int8),
        game=np.array(numbers, dtype=np.int32),
    )
    return len(rows)
