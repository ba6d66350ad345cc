"""Monte Carlo tree search: selection by upper confidence bound, static evaluation instead of random playouts.

The caller decides when to stop. Random playouts tell little in these games, where one careless ply loses at once. So a
leaf has the evaluation of its best move, and the evaluator sees every immediate win and loss.
"""

from collections.abc import Hashable, Sequence
from itertools import islice
from math import atanh, sqrt, tanh
from random import Random

from arena.games.rules import Move, Position
from engines.evaluate import Evaluator
from engines.scores import DECIDED, WIN, RepetitionRule

MOVE_BYTES = 120
"""The measured memory of one move of one node, in bytes."""

_EXPLORATION = 0.5
_SCALE = 150.0
"""The static score of a clear advantage, in hundredths of a stone."""
_TRUST = 0.5
"""The weight of the best line against the mean of all lines, from 0 to 1."""
_NARROW = 4
"""The number of moves that a new node considers. Visits add more (progressive widening)."""
_WIDENING = 1.0
_NOISE = 0.002


class Node:
    """A position and its moves, best first. All values are from the side to move there."""

    __slots__ = (
        "best", "children", "drawn", "moves", "position", "proven", "scores", "totals", "unproven", "values",
        "visit_count", "visits",
    )  # fmt: skip

    def __init__(self, position: Position, ranked: list[tuple[int, Move]], chance: Random) -> None:
        self.position = position
        self.moves = [move for _, move in ranked]
        self.scores = [score for score, _ in ranked]
        """Per move: its static score, or the score of its proven result."""
        self.values = [_to_value(score) for score in self.scores]
        """Per move: the value of its best line, from -1 to 1."""
        self.totals = [value + _NOISE * chance.random() for value in self.values]
        """Per move: the sum of the values of its visits. Its static value counts as the first visit."""
        self.visits = [1] * len(ranked)
        self.children: list[Node | None] = [None] * len(ranked)
        self.unproven = [number for number, score in enumerate(self.scores) if score > -DECIDED]
        """The moves without a proven result."""
        self.drawn: int | None = None
        """A move that is proven to draw."""
        self.visit_count = 0
        self.best = max(self.values, default=0.0)
        self.proven: int | None = None
        """The proven score, on the scale of `scores`; 0 for a draw."""


class SearchTree:
    """The tree of one root. `occurrences` counts the positions of the game so far, if `repetition` matters."""

    def __init__(
        self,
        evaluator: Evaluator,
        position: Position,
        occurrences: dict[Hashable, int],
        repetition: RepetitionRule | None,
        chance: Random,
    ) -> None:
        self._evaluator = evaluator
        self._occurrences = occurrences
        self._repetition = repetition
        self._chance = chance
        self.stored_moves = 0
        """The number of moves in all nodes, which determines the memory of the tree."""
        self.depth = 1
        """The length of the deepest line, in plies."""
        moves = list(position.moves())
        # Moves of equal score should not always come in the same order.
        chance.shuffle(moves)
        self.root = self._new_node(position, moves)

    def simulate(self) -> None:
        """One simulation: select a leaf, expand it and propagate its value back to the root."""
        path: list[tuple[Node, int]] = []
        node = self.root
        keys: list[Hashable] = []
        while True:
            number = _select(node)
            path.append((node, number))
            child = node.children[number]
            if child is None:
                child = node.children[number] = self._expanded(node, number, keys)
                break
            if child.proven is not None:
                break
            node = child
            if self._repetition is not None:
                keys.append(node.position.key)
        if len(path) >= self.depth:
            self.depth = len(path) + 1
        value = _to_value(child.proven) if child.proven is not None else child.best
        for node, number in reversed(path):
            value = -value
            child = node.children[number]
            assert child is not None
            node.visit_count += 1
            node.visits[number] += 1
            node.totals[number] += value
            if child.proven is None:
                node.values[number] = -child.best
            else:
                _prove(node, number, child.proven)
                if node.proven is not None:
                    value = _to_value(node.proven)
            node.best = max(node.values)

    def line(self) -> list[Move]:
        """The best line. Its first move is the one to play."""
        moves = []
        node: Node | None = self.root
        while node is not None and node.moves:
            number = _choice(node)
            moves.append(node.moves[number])
            node = node.children[number]
        return moves

    def score(self) -> int:
        """The score of the root for its side to move, on the scale of `scores`."""
        node = self.root
        if node.proven is not None:
            return node.proven
        number = _choice(node)
        if number == node.drawn:
            return 0
        return _to_score(node.totals[number] / node.visits[number])

    def _new_node(self, position: Position, moves: Sequence[Move]) -> Node:
        node = Node(position, self._evaluator.ranked(position, moves), self._chance)
        self.stored_moves += len(node.moves)
        if node.scores[0] >= DECIDED or not node.unproven:
            node.proven = node.scores[0]
        return node

    def _expanded(self, node: Node, number: int, keys: list[Hashable]) -> Node:
        position = node.position.play(node.moves[number])
        proven: int | None = None
        outcome = position.outcome
        if outcome is not None:
            proven = 0 if outcome.winner == "draw" else WIN if outcome.winner == position.side else -WIN
        elif self._repetition is not None:
            key = position.key
            before = self._occurrences.get(key, 0) + keys.count(key)
            result = self._repetition.expected(before, position.side)
            proven = None if result is None else result * WIN
        if proven is not None:
            terminal = Node(position, [], self._chance)
            terminal.proven = proven
            return terminal
        return self._new_node(position, self._evaluator.candidates(position) or position.moves())


def _select(node: Node) -> int:
    """The move to visit next: it has a good value so far, or a good rank and few visits."""
    explored = _EXPLORATION * sqrt(node.visit_count + 1)
    trust, most, chosen = _TRUST, -9.0, 0
    values, totals, visits = node.values, node.totals, node.visits
    for number in islice(node.unproven, _NARROW + int(sqrt(node.visit_count) * _WIDENING)):
        count = visits[number]
        priority = trust * values[number] + (1.0 - trust) * totals[number] / count + explored / (count * (number + 2))
        if priority > most:
            most, chosen = priority, number
    return chosen


def _choice(node: Node) -> int:
    """The move to play: the fastest proven win, else the most visited move or a proven draw, else the slowest loss."""
    if node.unproven and (node.proven is None or abs(node.proven) < DECIDED):
        visits, values, totals = node.visits, node.values, node.totals
        most = max(node.unproven, key=lambda number: (visits[number], values[number]))
        if node.drawn is None or totals[most] >= 0.0:
            return most
        return node.drawn
    if node.proven == 0 and node.drawn is not None:
        return node.drawn
    return max(range(len(node.scores)), key=lambda number: node.scores[number])


def _prove(node: Node, number: int, proven: int) -> None:
    """Record that a move has a proven result, and derive the node's own result from it."""
    if number not in node.unproven:
        return
    node.unproven.remove(number)
    if abs(proven) < DECIDED:
        node.values[number], node.drawn = 0.0, number
    else:
        node.scores[number] = score = 1 - proven if proven > 0 else -proven - 1
        node.values[number] = _to_value(score)
        if score > 0:
            node.proven = score
            return
    if not node.unproven:
        node.proven = 0 if node.drawn is not None else max(node.scores)


def _to_value(score: int) -> float:
    """The value of a score, from -1 to 1."""
    return tanh(score / _SCALE)


def _to_score(value: float) -> int:
    """The score of a value. It never reaches the score of a proven result."""
    return round(_SCALE * atanh(max(-0.9999, min(0.9999, value))))
