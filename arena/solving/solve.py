"""A start position solved step by step: at each depth one question for each side, until one of them wins.

What was found can be written to a file and read again, so that a long search goes on where it was left.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, NamedTuple

from arena.games.rules import Position, Rules, RulesError, Side
from arena.solving.search import MOST_PLIES, Known, Search

WORK: Final = "callanish-arena-solve-1"


class BadWork(RulesError):
    """A file that does not hold what another search of the same start has found."""


class Win(NamedTuple):
    """The value of a start."""

    side: Side
    plies: int
    """The longest line of play takes so many plies if both sides play their best."""


class FirstMove(NamedTuple):
    """A first move, for all those that are its images, and what it is worth."""

    move: str
    plies: int
    """The winner has won within so many plies, this move included; 0 if he needs more than the best play takes."""


class Solver:
    """The search of one start, and how far it has come."""

    def __init__(self, rules: Rules, start: Position, search: Search) -> None:
        self.rules, self.start, self.search = rules, start, search
        self.no_win: dict[Side, int] = {"p1": 0, "p2": 0}
        """No forced win within so many plies from the start."""
        self.asking: tuple[Side, int] = start.side, 1
        """The question that is searched: does this side win within so many plies?"""
        self.win: Win | None = None
        self.nodes_before = 0
        """Nodes of earlier searches that were read from a file."""

    @property
    def nodes(self) -> int:
        """All nodes of this search, over all its sittings."""
        return self.nodes_before + self.search.nodes

    def run(self, most_plies: int, told: Callable[[Side, int, bool], None]) -> None:
        """Search until a side wins, or to this depth. `told` hears each answer. Raises SearchEnded."""
        mover: Side = self.start.side
        other: Side = "p2" if mover == "p1" else "p1"
        for plies in range(1, most_plies + 1):
            for side in (mover, other):
                if self.win is not None:
                    return
                if plies > self.no_win[side]:
                    self.asking = side, plies
                    ask = self.search.wins if side == mover else self.search.loses
                    if ask(self.start, plies):
                        self.win = Win(side, plies)
                    else:
                        self.no_win[side] = plies
                    told(side, plies, self.win is not None)

    def first_moves(self) -> list[FirstMove]:
        """The first moves of the start, which must be solved, folded: one for all its images. Raises SearchEnded."""
        assert self.win is not None
        moves: dict[str, FirstMove] = {}
        for move in self.start.legal_moves():
            after = self.start.play(move)
            if (key := self.search.fold.position(after)) not in moves:
                moves[key] = FirstMove(move.text, self._plies_after(after, self.win))
        return list(moves.values())

    def _plies_after(self, after: Position, win: Win) -> int:
        if after.outcome is not None:
            return 1 if after.outcome.winner == win.side else 0
        if after.side == win.side:
            fewest = self.search.shortest(after, win.plies - 1)
        else:
            fewest = win.plies - 1 if self.search.loses(after, win.plies - 1) else 0
        return fewest + 1 if fewest else 0


def write(solver: Solver) -> Iterator[str]:
    """What a search has found as JSON lines: a header, then one line for each position of the table."""
    head = {
        "format": WORK,
        "variant": solver.rules.name,
        "start": solver.start.fen(),
        "no_win": solver.no_win,
        "win": solver.win,
        "nodes": solver.nodes,
    }
    yield f"{json.dumps(head)}\n"
    for key, known in solver.search.table.items():
        if known.depth:
            yield f"{json.dumps([key, known.won, known.no_win, known.lost, known.no_loss])}\n"


def read(solver: Solver, lines: Iterable[str]) -> None:
    """Go on with what `write` has written. Raises BadWork, which names the line, and then nothing is changed."""
    rest = iter(lines)
    head = _json(next(rest, ""))
    if not isinstance(head, dict) or head.get("format") != WORK:
        raise BadWork("holds no search of `arena solve`: name another file, or a new one")
    name, start = solver.rules.name, solver.start.fen()
    if (head.get("variant"), head.get("start")) != (name, start):
        raise BadWork(f"is a search of {head.get('variant')} from {head.get('start')}: name another file")
    no_win, win, nodes = head.get("no_win"), head.get("win"), head.get("nodes")
    if not (isinstance(no_win, dict) and set(no_win) == {"p1", "p2"} and all(map(_is_depth, no_win.values()))):
        raise BadWork("line 1: no_win must have a depth for p1 and p2: delete the file and search again")
    if win is not None and not (isinstance(win, list) and len(win) == 2 and win[0] in no_win and _is_depth(win[1])):
        raise BadWork("line 1: win must be null, or a side and its plies: delete the file and search again")
    if type(nodes) is not int or nodes < 0:
        raise BadWork("line 1: nodes must be a number from 0: delete the file and search again")
    length = len(solver.search.fold.position(solver.start))
    table: dict[str, Known] = {}
    for number, line in enumerate(rest, 2):
        entry = _json(line)
        if not (isinstance(entry, list) and len(entry) == 5 and all(map(_is_depth, entry[1:]))):
            raise BadWork(f"line {number}: is no position with four depths: delete the file and search again")
        if not isinstance(entry[0], str) or len(entry[0]) != length:
            raise BadWork(f"line {number}: is a position of another board: delete the file and search again")
        table[entry[0]] = Known(*entry[1:])
    solver.no_win = {"p1": no_win["p1"], "p2": no_win["p2"]}
    solver.win = None if win is None else Win(*win)
    solver.nodes_before = nodes
    solver.search.table = table


def _is_depth(number: object) -> bool:
    return type(number) is int and 0 <= number <= MOST_PLIES


def _json(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None
