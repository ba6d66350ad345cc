"""A search in C as a Python object: it starts, is looked after, and stops.

The shared library searches in threads of its own, so Python may read its input meanwhile. What a game's positions look
like in words is the engine's business (`engines.stornoway`, `engines.buckquoy`).
"""

import ctypes
import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

MOST_PLIES = 128
FORCING = 1 << 31
"""A mark of the search in a move's number, which is no part of the move."""
REPETITION = {None: 0, "draw": 1, "loses": 2, "p2-loses": 3}
ALL, USEFUL = 0, 1
"""Kinds of moves: every one; those after which the opponent does not win at once."""

_u64, _i64, _u32 = ctypes.c_uint64, ctypes.c_int64, ctypes.c_uint32
_words = ctypes.POINTER(_u64)


class Limits(NamedTuple):
    """What a search may spend. Times are points on the monotonic clock in ns; 0 is no limit."""

    soft_ns: int = 0
    hard_ns: int = 0
    start_ns: int = 0
    nodes: int = 0
    depth: int = 0
    threads: int = 1
    seed: int = 1
    repetition: int = 0
    occurrences: int = 3
    """The occurrence of a position that ends the game by repetition."""


class SearchState(NamedTuple):
    """How a search stands. `line` are the numbers of the moves that it expects."""

    serial: int
    depth: int
    score: int
    nodes: int
    time_ns: int
    line: tuple[int, ...]


_NUMBERS = SearchState._fields[:-1]


# As search.h has them.
class _CLimits(ctypes.Structure):
    _fields_ = tuple((name, _i64) for name in Limits._fields)


class _CState(ctypes.Structure):
    _fields_ = (*((name, _i64) for name in _NUMBERS), ("length", _i64), ("line", _u32 * MOST_PLIES))


class KernelError(Exception):
    """A library is missing or does not fit; the message says which and why."""


class NoKernel(KernelError):
    """There is no search in C to play with: nobody compiled it, or the board is too large for it."""


_FEATURES: dict[str, tuple[object, list[object]]] = {
    "weight_count": (ctypes.c_int, []),
    "get_weights": (None, [ctypes.c_void_p, ctypes.POINTER(ctypes.c_int16)]),
    "set_weights": (ctypes.c_int, [ctypes.c_void_p, ctypes.POINTER(ctypes.c_int16)]),
    "plain": (ctypes.c_int, [ctypes.c_void_p]),
    "features": (ctypes.c_int, [ctypes.c_void_p, _words, ctypes.POINTER(ctypes.c_int32), _i64]),
    "guess": (ctypes.c_int, [ctypes.c_int]),
}
"""What a library has only if its evaluation can be tuned."""
_SIGNATURES: dict[str, tuple[object, list[object]]] = {
    "free": (None, [ctypes.c_void_p]),
    "resize": (ctypes.c_int, [ctypes.c_void_p, _i64]),
    "start": (ctypes.c_int, [ctypes.c_void_p, _words, _words, _i64, ctypes.POINTER(_CLimits)]),
    "think": (ctypes.c_int, [ctypes.c_void_p, _words, _words, _i64, ctypes.POINTER(_CLimits)]),
    "wait": (ctypes.c_int, [ctypes.c_void_p, _i64]),
    "stop": (None, [ctypes.c_void_p]),
    "report": (None, [ctypes.c_void_p, ctypes.POINTER(_CState)]),
    "perft": (_u64, [ctypes.c_void_p, _words, _i64]),
    "moves": (ctypes.c_int, [ctypes.c_void_p, _words, _i64, ctypes.POINTER(_u32)]),
    "most_moves": (ctypes.c_int, []),
    "play": (ctypes.c_int, [ctypes.c_void_p, _words, _u32, _words]),
    "outcome": (ctypes.c_int, [ctypes.c_void_p, _words]),
    "evaluate": (ctypes.c_int, [ctypes.c_void_p, _words]),
}


@cache
def load(path: Path) -> ctypes.CDLL:
    """The library at `path`. Raises NoKernel where there is none, and KernelError for one that does not load."""
    if not os.path.exists(path):  # false too if a contained engine may not look, unlike `path.exists()`
        raise NoKernel("its search in C is not compiled; `arena engines build` compiles it")
    try:
        return ctypes.CDLL(str(path))
    except OSError as error:
        raise KernelError(f"the library {path} does not load: {error}; delete it and compile it again") from None


class Kernel:
    """The search of one board, with its table. Positions are sequences of words, as the game's C file says."""

    def __init__(self, path: Path, prefix: str, settings: Sequence[int], megabytes: int) -> None:
        """`prefix` begins the names in the library, such as stornoway_1. Raises KernelError."""
        library = load(path)
        self._call = {}
        for name, (result, arguments) in (_SIGNATURES | _FEATURES).items():
            try:
                function = library[f"{prefix}_{name}"]
            except AttributeError:
                if name in _FEATURES:
                    continue
                raise KernelError(f"{path.name} has no {prefix}_{name}") from None
            function.restype, function.argtypes = result, arguments  # type: ignore[assignment]
            self._call[name] = function
        create = library[f"{prefix}_new"]
        create.restype, create.argtypes = ctypes.c_void_p, [ctypes.POINTER(_i64)]
        self._engine = create((_i64 * len(settings))(*[_signed(word) for word in settings]))
        if not self._engine:
            raise KernelError(f"{path.name} does not play on this board")
        self.resize(megabytes)
        self._state = _CState()
        self._room = 64
        """For so many features of a position; it grows when one has more."""

    def close(self) -> None:
        """Stop and free everything. The kernel cannot be used afterwards."""
        if self._engine:
            self._call["free"](self._engine)
            self._engine = None

    def __del__(self) -> None:
        if getattr(self, "_engine", None):
            self.close()

    def resize(self, megabytes: int) -> None:
        """Empty the table and give it this size. Raises KernelError if there is not so much memory."""
        if not self._call["resize"](self._engine, megabytes):
            raise KernelError(f"there is no memory for a table of {megabytes} MB: set Hash to less")

    def start(self, root: Sequence[int], history: Sequence[Sequence[int]], limits: Limits) -> None:
        """Start a search. `history` are the positions before the root that may occur again, the oldest first."""
        self._begin("start", root, history, limits)

    def think(self, root: Sequence[int], history: Sequence[Sequence[int]], limits: Limits) -> SearchState:
        """Search to the end in this thread."""
        self._begin("think", root, history, limits)
        return self.state()

    def _begin(self, how: str, root: Sequence[int], history: Sequence[Sequence[int]], limits: Limits) -> None:
        before, reference = [word for position in history for word in position], ctypes.byref(_CLimits(*limits))
        if not self._call[how](self._engine, _array(root), _array(before), len(history), reference):
            raise KernelError("the search could not start: there is no thread or no memory for it")

    def wait(self, most_ms: float) -> bool:
        """Wait for the end of the search, for at most so long. True once it has ended."""
        return bool(self._call["wait"](self._engine, int(most_ms * 1_000)))

    def stop(self) -> None:
        """Ask the search to end."""
        self._call["stop"](self._engine)

    def state(self) -> SearchState:
        """How the search stands."""
        state = self._state
        self._call["report"](self._engine, ctypes.byref(state))
        line = tuple(move & ~FORCING for move in state.line[: state.length])
        return SearchState._make([*(getattr(state, name) for name in _NUMBERS), line])

    def perft(self, root: Sequence[int], depth: int) -> int:
        """The number of move sequences of this length."""
        return int(self._call["perft"](self._engine, _array(root), depth))

    def moves(self, root: Sequence[int], kind: int = ALL) -> list[int]:
        """The numbers of the moves of a kind."""
        numbers = (_u32 * self._call["most_moves"]())()
        count = int(self._call["moves"](self._engine, _array(root), kind, numbers))
        return list(numbers[:count])

    def play(self, root: Sequence[int], move: int) -> list[int] | None:
        """The position after a move. None if what was updated differs from the same position set up anew."""
        after = (_u64 * len(root))()
        return list(after) if self._call["play"](self._engine, _array(root), move, after) else None

    def outcome(self, root: Sequence[int]) -> int:
        """0 while the game goes on; for the side to move 1 is won, 2 lost, 3 drawn."""
        return int(self._call["outcome"](self._engine, _array(root)))

    def evaluate(self, root: Sequence[int]) -> int:
        """The static score for the side to move."""
        return int(self._call["evaluate"](self._engine, _array(root)))

    def weights(self) -> list[int]:
        """The weights of the evaluation."""
        weights = (ctypes.c_int16 * self._call["weight_count"]())()
        self._call["get_weights"](self._engine, weights)
        return list(weights)

    def set_weights(self, weights: Sequence[int]) -> None:
        """Evaluate with these weights from now on. Raises KernelError if they are of another game or board."""
        count = self._call["weight_count"]()
        if len(weights) != count:
            raise KernelError(f"there are {len(weights)} weights, and the evaluation of this board has {count}")
        if not self._call["set_weights"](self._engine, (ctypes.c_int16 * len(weights))(*weights)):
            raise KernelError("there is no memory for the tables of the evaluation")

    def evaluate_plainly(self) -> None:
        """Use the plain weights of the C file from now on."""
        if not self._call["plain"](self._engine):
            raise KernelError("there is no memory for the tables of the evaluation")

    def features(self, root: Sequence[int]) -> list[int] | None:
        """The number of a weight and how often it counts, in turn; None where only a search can say anything."""
        while True:
            pairs = (ctypes.c_int32 * (2 * self._room))()
            count = int(self._call["features"](self._engine, _array(root), pairs, self._room))
            if count <= self._room:
                return None if count < 0 else list(pairs[: 2 * count])
            self._room = count

    def guesses(self) -> list[int]:
        """For each weight the one by which moves are sorted that stands for the same; -1 if there is none."""
        return [int(self._call["guess"](weight)) for weight in range(self._call["weight_count"]())]


def words_of(squares: int, count: int = 3) -> list[int]:
    """A set of squares as 64-bit words, the lowest first."""
    return [squares >> 64 * word & (1 << 64) - 1 for word in range(count)]


def _array(words: Sequence[int]) -> "ctypes.Array[ctypes.c_uint64]":
    return (_u64 * len(words))(*words)


def _signed(word: int) -> int:
    return word - (1 << 64) if word >= 1 << 63 else word
