"""What stornoway and buckquoy share: options, time management, info lines, and what to do without the library.

Knows the author's side of the protocol and the kernel. What a board looks like to the kernel is said by the engine.
"""

import gc
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from random import Random
from typing import Any

from arena.games.rules import Move, Position
from engines.alphabeta import AlphaBetaPlayer
from engines.budget import budget_of
from engines.common import HASH, SEED, Line, RulesEngine
from engines.native import weights
from engines.native.build import library
from engines.native.kernel import REPETITION, Kernel, KernelError, Limits, NoKernel, SearchState
from engines.scores import RepetitionRule, send_info
from protocol.engine import Limits as GoLimits
from protocol.engine import Option, Root, Search, run


@dataclass(frozen=True, slots=True)
class Grade:
    """One of the values of Strength."""

    nodes: int
    """Most nodes of a move."""
    slips: int = 0
    """How many of a hundred moves are drawn at random. Below a search of one node nothing else is weaker."""


HIGHEST_GRADE = 11
THREADS = Option("Threads", "spin", "1", min=1, max=64)
EVALUATION = Option("Evaluation", "combo", "learned", choices=("learned", "plain"))
WEIGHTS = Option("Weights", "string")
STRENGTH = Option("Strength", "spin", "0", min=0, max=HIGHEST_GRADE)

_LAG_MS = 4
"""Reserve of a clock in ms. The search in C looks at the clock itself, so it needs less than a search in Python."""
_LOOK_MS = 2
"""The time between two looks at the input while the search runs."""
_QUIET_MS = 5
"""Iterations that end sooner are not told, since a fast move should not be spent on telling them."""


class NativePlayer(RulesEngine):
    """An engine whose search is in C. Without its library it searches as `alphabeta` does, and says so."""

    options = (SEED, HASH, THREADS, STRENGTH, EVALUATION, WEIGHTS, Option("UGI_MovesToGo", "check", "true"))
    library = ""
    """What the name of its shared library begins with."""
    grades: tuple[Grade, ...] = ()
    """What Strength 1, 2 and so on mean, `HIGHEST_GRADE` of them."""

    def __init__(self) -> None:
        self._kernel: Kernel | None = None
        self._board: tuple[str, tuple[int, ...]] | None = None
        self._used = False
        """Whether the table holds anything of this game."""
        self._substitute: AlphaBetaPlayer | None = None
        super().__init__()

    def new_game(self) -> None:
        super().new_game()
        if self._kernel is not None and self._used:
            self._kernel.resize(int(self.settings["Hash"]))
        self._used = False
        self._substitute = None

    def prepare(self, root: Root) -> None:
        # The system takes long to find the memory of the table: in the first searches that would be time of moves.
        with suppress(KernelError):
            self._kernel_of(Line(root).position)

    def board(self, position: Any) -> tuple[str, tuple[int, ...]] | None:
        """What the library needs to know of the board: the prefix of its functions and its settings. None if the board
        is too large for it."""
        raise NotImplementedError

    def words(self, position: Any) -> Sequence[int]:
        """The position as the library reads it."""
        raise NotImplementedError

    def move(self, position: Any, number: int) -> str:
        """The word of a move of the library."""
        raise NotImplementedError

    def choose(self, line: Line, search: Search) -> str:
        position = line.position
        if (slip := self._slip(line)) is not None:
            return slip.text
        try:
            kernel = self._kernel_of(position)
            kernel.start(
                self.words(position), [self.words(before) for before in line.before], self._limits(search, line)
            )
        except KernelError as error:
            if self.settings["Weights"] or not isinstance(error, NoKernel):
                # To play on otherwise would deceive whoever compares two files, or two engines.
                raise ValueError(str(error)) from None
            return self._search_without(line.root, search, str(error))
        self._used = True
        last_sent = 0
        while not kernel.wait(_LOOK_MS):
            if search.stopped():
                kernel.stop()
            state = kernel.state()
            if state.serial > last_sent and state.time_ns >= _QUIET_MS * 1_000_000:
                last_sent = state.serial
                self._send_info(search, position, state)
        state = kernel.state()
        self._send_info(search, position, state)
        return self.move(position, state.line[0])

    @property
    def _grade(self) -> Grade | None:
        number = int(self.settings["Strength"])
        return self.grades[number - 1] if number else None

    def _slip(self, line: Line) -> Move | None:
        """A random move where the grade makes a slip, else None. The seed, the ply and the position decide."""
        if self._grade is None or not self._grade.slips:
            return None
        chance = Random(f"{self.settings['Seed']} {len(line.root.moves)} {line.position.fen()}")
        return chance.choice(line.position.moves()) if chance.random() * 100 < self._grade.slips else None

    def _kernel_of(self, position: Position) -> Kernel:
        board = self.board(position)
        if board is None:
            raise NoKernel("the board is larger than 13x13")
        if self._kernel is None or self._board != board:
            self._kernel, self._board = None, None
            self._kernel = Kernel(_library(self.library), *board, int(self.settings["Hash"]))
            if self.settings["Evaluation"] == "plain":
                self._kernel.evaluate_plainly()
            elif self.settings["Weights"]:
                self._kernel.set_weights(weights.read(Path(self.settings["Weights"])))
            self._board = board
        return self._kernel

    def set_option(self, name: str, value: str) -> None:
        super().set_option(name, value)
        if name in ("Hash", "Evaluation", "Weights") and self._kernel is not None:
            self._kernel.close()
            self._kernel, self._board = None, None
        if name == "Weights" and value:
            try:
                weights.read(Path(value))
            except KernelError as error:
                raise ValueError(str(error)) from None

    def _limits(self, search: Search, line: Line) -> Limits:
        limits, settings = search.limits, self.settings
        budget = budget_of(limits, _LAG_MS)
        nodes = self._nodes(limits)
        start_ns = search.start_ns
        repetition, occurrences = repetition_of(line.repetition)
        return Limits(
            start_ns=start_ns,
            soft_ns=0 if budget.soft_ms is None else start_ns + max(int(budget.soft_ms * 1_000_000), 1),
            hard_ns=0 if budget.hard_ms is None else start_ns + max(int(budget.hard_ms * 1_000_000), 1),
            nodes=nodes,
            depth=limits.depth or 0,
            # Several threads do not repeat a search with a limit of nodes.
            threads=1 if nodes else min(int(settings["Threads"]), _cpus()),
            seed=int(settings["Seed"]),
            repetition=repetition,
            occurrences=occurrences,
        )

    def _nodes(self, limits: GoLimits) -> int:
        """The nodes that `go` and the grade allow; 0 where neither limits them."""
        grade = self._grade
        return min((count for count in (limits.nodes, grade.nodes if grade else None) if count), default=0)

    def _send_info(self, search: Search, position: Position, state: SearchState) -> None:
        pv: list[Move] = []
        for number in state.line:
            move = position.find(self.move(position, number))
            if move is None:
                break
            pv.append(move)
            position = position.play(move)
        time_ms = ceil(state.time_ns / 1_000_000) - 1 if state.time_ns else 0
        send_info(search, state.depth, state.nodes, state.score, pv, time_ms)

    def _search_without(self, root: Root, search: Search, reason: str) -> str:
        if self._substitute is None:
            search.info(string=f"{self.name} searches in Python as alphabeta does: {reason}")
            self._substitute = AlphaBetaPlayer()
            self._substitute.set_option("Hash", self.settings["Hash"])
        fields = {name: getattr(search.limits, name) for name in GoLimits.__slots__}
        search.limits = GoLimits(**fields | {"nodes": self._nodes(search.limits) or None})
        return self._substitute.search(root, search)


def repetition_of(rule: RepetitionRule | None) -> tuple[int, int]:
    """The rule as the limits of a search have it: its number, and the occurrences."""
    return (REPETITION[None], 3) if rule is None else (REPETITION[rule.kind], rule.occurrences)


def _library(engine: str) -> Path:
    """The library that the command line names, since a contained engine does not see the user's cache; else where
    libraries lie."""
    named = (path for path in map(Path, sys.argv[1:]) if path.name.startswith(f"{engine}-"))
    return next(named, None) or library(engine)


def _cpus() -> int:
    """The CPUs that this process may use. More threads would only wait for each other, and the clock would run out."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def play(player: RulesEngine) -> None:
    """Speak the protocol until the end."""
    # What lives now lives to the end, and a search makes no reference cycles.
    gc.collect()
    gc.freeze()
    gc.disable()
    run(player)
