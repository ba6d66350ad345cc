"""The engine's parser of the referee's commands. It is lenient, since real runners leave words out.

The values are plain classes: dataclasses and typing would double the start-up time of an engine, and a tournament pays
that for every process.
"""

_GO_WORDS = frozenset("p1time p2time p1inc p2inc movestogo movetime nodes depth infinite".split())


class _Value:
    """A frozen value that is compared by content."""

    __slots__: tuple[str, ...] = ()

    def _set(self, **fields: object) -> None:
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, _: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen: {name} cannot be set")

    def _fields(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in self.__slots__)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Value) and type(other) is type(self) and self._fields() == other._fields()

    def __hash__(self) -> int:
        return hash(self._fields())

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__slots__)
        return f"{type(self).__name__}({fields})"


class Root(_Value):
    """The position to search, as text: variant, changed rule options, position string and all moves since."""

    __slots__ = ("fen", "moves", "rules", "variant")
    variant: str
    rules: str
    """The text of UGI_Rules, empty if no rule option is changed."""
    fen: str | None
    """None is the variant's start position."""
    moves: tuple[str, ...]

    def __init__(self, variant: str, rules: str, fen: str | None, moves: tuple[str, ...]) -> None:
        self._set(variant=variant, rules=rules, fen=fen, moves=moves)


class Limits(_Value):
    """The limits of a search. `time_ms` and `inc_ms` are the mover's own. None is no such limit."""

    __slots__ = ("depth", "inc_ms", "infinite", "moves_to_go", "movetime_ms", "nodes", "time_ms")
    time_ms: int | None
    inc_ms: int
    moves_to_go: int | None
    movetime_ms: int | None
    nodes: int | None
    depth: int | None
    infinite: bool

    def __init__(
        self,
        time_ms: int | None = None,
        inc_ms: int = 0,
        moves_to_go: int | None = None,
        movetime_ms: int | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        infinite: bool = False,
    ) -> None:
        self._set(time_ms=time_ms, inc_ms=inc_ms, moves_to_go=moves_to_go, movetime_ms=movetime_ms)
        self._set(nodes=nodes, depth=depth, infinite=infinite)


def words_of(line: bytes) -> list[str]:
    """The words of a line, without blanks and line ends. A blank line has none."""
    return line.replace(b"\0", b" ").decode("utf-8", "replace").split()


def integer(word: str) -> int | None:
    """The value of a whole number of at most 19 digits, None for anything else."""
    digits = word.removeprefix("-")
    return int(word) if digits.isascii() and digits.isdigit() and len(digits) < 20 else None


def read_setoption(words: list[str]) -> tuple[str, str | None]:
    """Name and value after `setoption`; both may have blanks. The value is None if missing, "" for `<empty>`."""
    if words[:1] == ["name"]:
        words = words[1:]
    if "value" not in words[1:]:
        return " ".join(words), None
    at = words.index("value", 1)
    value = " ".join(words[at + 1 :])
    return " ".join(words[:at]), "" if value == "<empty>" else value


def read_position(words: list[str]) -> tuple[str | None, tuple[str, ...]]:
    """Position string (None for `startpos`) and moves after `position`. Raises ValueError with a sentence."""
    at = words.index("moves") if "moves" in words else len(words)
    where, moves = words[:at], tuple(words[at + 1 :])
    if where == ["startpos"]:
        return None, moves
    if len(where) > 1 and where[0] == "fen":
        return " ".join(where[1:]), moves
    raise ValueError(f"position needs `startpos` or `fen` and a position string, not {' '.join(where) or 'nothing'!r}")


_SOON_MS = 1_000
"""The time for a move of a `go` without a limit."""


def read_go(words: list[str], p1_turn: bool) -> Limits:
    """The limits after `go`. A number that is missing, unreadable or too small counts as the smallest allowed one.

    So a garbled `go` is answered at once, and one without any limit soon (SPEC.md 7.1).
    """
    numbers: dict[str, int] = {}
    for at, word in enumerate(words):
        if word in _GO_WORDS:
            least = 0 if word in ("p1inc", "p2inc", "depth") else 1
            numbers[word] = max(least, integer(words[at + 1] if at + 1 < len(words) else "") or 0)
    mine, other = ("p1", "p2") if p1_turn else ("p2", "p1")
    clock = not numbers.keys().isdisjoint(("p1time", "p2time", "p1inc", "p2inc", "movestogo"))
    return Limits(
        # A runner that names only one clock means it for both sides.
        time_ms=numbers.get(f"{mine}time", numbers.get(f"{other}time", 1)) if clock else None,
        inc_ms=numbers.get(f"{mine}inc", 0),
        moves_to_go=numbers.get("movestogo"),
        movetime_ms=numbers.get("movetime") if numbers else _SOON_MS,
        nodes=numbers.get("nodes"),
        depth=numbers.get("depth"),
        infinite="infinite" in numbers,
    )
