"""A tree grown where it looks best: selection by upper confidence, leaves judged instead of played out.

Owns nodes, selection, what goes back up and what is proven on the way. When to stop is asked from outside. Playouts at
random tell little in these games, where a careless ply loses at once; so a leaf is worth what its best move is
worth to the judge, which sees every immediate win and loss.
"""

from collections.abc import Hashable, Sequence
from itertools import islice
from math import atanh, sqrt, tanh
from random import Random
from typing import Literal

from arena.games.rules import Move, Position
from engines.evaluate import Judge
from engines.scores import SURE, WON

SLOT_BYTES = 120
"""What one move of one node takes, as measured."""

_EXPLORATION = 0.5
_SCALE = 150.0
"""The static worth that is taken for a clear advantage."""
_TRUST = 0.5
"""How much the best line below counts against the mean of all lines."""
_NARROW = 4
"""How many moves of a new node are considered; more come with visits."""
_WIDENING = 1.0
_NOISE = 0.002


class Node:
    """A position and its moves, best first. All worths are those of the side to move there."""

    __slots__ = (
        "best",
        "drawn",
        "final",
        "kids",
        "living",
        "moves",
        "position",
        "scores",
        "totals",
        "values",
        "visited",
        "visits",
    )

    def __init__(self, position: Position, ranked: list[tuple[int, Move]], chance: Random) -> None:
        self.position = position
        self.moves = [move for _, move in ranked]
        self.scores = [score for score, _ in ranked]
        """Of each move: its static worth, or how many plies from the end it is once that is proven."""
        self.values = [_squashed(score) for score in self.scores]
        """Of each move: the worth of its best line, from -1 to 1."""
        self.totals = [value + _NOISE * chance.random() for value in self.values]
        """Of each move: the sum of what its visits brought, the first being its static worth."""
        self.visits = [1] * len(ranked)
        self.kids: list[Node | None] = [None] * len(ranked)
        self.living = [number for number, score in enumerate(self.scores) if score > -SURE]
        """The moves of which nothing is proven."""
        self.drawn: int | None = None
        """A move proven to draw."""
        self.visited = 0
        self.best = max(self.values, default=0.0)
        self.final: int | None = None
        """The proven score, on the scale of `scores`; 0 for a draw."""


class SearchTree:
    """The tree of one root. `seen`: how often each position of the game has occurred, where `repetition` is judged."""

    def __init__(
        self,
        judge: Judge,
        position: Position,
        seen: dict[Hashable, int],
        repetition: Literal["draw", "loses"] | None,
        chance: Random,
    ) -> None:
        self._judge = judge
        self._seen = seen
        self._repetition = repetition
        self._chance = chance
        self.slots = 0
        """Moves held by all nodes: what the tree takes of memory."""
        self.depth = 1
        """Plies of the deepest line looked at."""
        moves = list(position.moves())
        # So that moves that are worth the same do not always come in the same order.
        chance.shuffle(moves)
        self.root = self._grown(position, moves)

    def simulate(self) -> None:
        """Go down to a move not yet looked behind, look behind it and take what is found back up."""
        path: list[tuple[Node, int]] = []
        node = self.root
        keys: list[Hashable] = []
        while True:
            number = _select(node)
            path.append((node, number))
            kid = node.kids[number]
            if kid is None:
                kid = node.kids[number] = self._behind(node, number, keys)
                break
            if kid.final is not None:
                break
            node = kid
            if self._repetition is not None:
                keys.append(node.position.key)
        if len(path) >= self.depth:
            self.depth = len(path) + 1
        value = _squashed(kid.final) if kid.final is not None else kid.best
        for node, number in reversed(path):
            value = -value
            kid = node.kids[number]
            assert kid is not None
            node.visited += 1
            node.visits[number] += 1
            node.totals[number] += value
            if kid.final is None:
                node.values[number] = -kid.best
            else:
                _prove(node, number, kid.final)
                if node.final is not None:
                    value = _squashed(node.final)
            node.best = max(node.values)

    def line(self) -> list[Move]:
        """The moves of the best line, the first being the one to play."""
        found = []
        node: Node | None = self.root
        while node is not None and node.moves:
            number = _choice(node)
            found.append(node.moves[number])
            node = node.kids[number]
        return found

    def score(self) -> int:
        """The worth of the root to its side to move, on the scale of `scores`."""
        node = self.root
        if node.final is not None:
            return node.final
        number = _choice(node)
        if number == node.drawn:
            return 0
        return _stretched(node.totals[number] / node.visits[number])

    def _grown(self, position: Position, moves: Sequence[Move]) -> Node:
        node = Node(position, self._judge.ranked(position, moves), self._chance)
        self.slots += len(node.moves)
        if node.scores[0] >= SURE or not node.living:
            node.final = node.scores[0]
        return node

    def _behind(self, node: Node, number: int, keys: list[Hashable]) -> Node:
        position = node.position.play(node.moves[number])
        final: int | None = None
        outcome = position.outcome
        if outcome is not None:
            final = 0 if outcome.winner == "draw" else WON if outcome.winner == position.side else -WON
        elif self._repetition is not None:
            key = position.key
            before = self._seen.get(key, 0) + keys.count(key)
            if self._repetition == "draw":
                final = 0 if before else None
            else:
                final = WON if before >= 2 else None
        if final is not None:
            ended = Node(position, [], self._chance)
            ended.final = final
            return ended
        return self._grown(position, self._judge.answers(position) or position.moves())


def _select(node: Node) -> int:
    """The move to look behind next: good so far, or likely and seldom visited."""
    explored = _EXPLORATION * sqrt(node.visited + 1)
    trust, most, chosen = _TRUST, -9.0, 0
    values, totals, visits = node.values, node.totals, node.visits
    for number in islice(node.living, _NARROW + int(sqrt(node.visited) * _WIDENING)):
        count = visits[number]
        worth = trust * values[number] + (1.0 - trust) * totals[number] / count + explored / (count * (number + 2))
        if worth > most:
            most, chosen = worth, number
    return chosen


def _choice(node: Node) -> int:
    """The move to play: proven to win soonest, else visited most or drawn for sure, else losing latest."""
    if node.living and (node.final is None or abs(node.final) < SURE):
        visits, values, totals = node.visits, node.values, node.totals
        most = max(node.living, key=lambda number: (visits[number], values[number]))
        if node.drawn is None or totals[most] >= 0.0:
            return most
        return node.drawn
    if node.final == 0 and node.drawn is not None:
        return node.drawn
    return max(range(len(node.scores)), key=lambda number: node.scores[number])


def _prove(node: Node, number: int, final: int) -> None:
    """Take what is proven behind a move back to the node that it leads from."""
    if number not in node.living:
        return
    node.living.remove(number)
    if abs(final) < SURE:
        node.values[number], node.drawn = 0.0, number
    else:
        node.scores[number] = score = 1 - final if final > 0 else -final - 1
        node.values[number] = _squashed(score)
        if score > 0:
            node.final = score
            return
    if not node.living:
        node.final = 0 if node.drawn is not None else max(node.scores)


def _squashed(score: int) -> float:
    """A score as a worth from -1 to 1."""
    return tanh(score / _SCALE)


def _stretched(value: float) -> int:
    """The score that a worth stands for, short of a proven one."""
    return round(_SCALE * atanh(max(-0.9999, min(0.9999, value))))
