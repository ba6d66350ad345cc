"""Boards that people draw, and what a game starts from: a variant, knobs, a file or a position string in, rules out.

A drawing has its rows from the top rank down, one character a square: `.` empty, `*` a hole, and the letters of the
position string. It is the whole file, or the key `board` of a TOML file that may also say `variant`, `side`, `turn`.
"""

import tomllib
from pathlib import Path

from arena.games.callanish import LETTERS as CALLANISH_LETTERS
from arena.games.rules import BadPosition, Position, Rules, RulesError
from arena.games.squares import check_rows, write_rows
from arena.games.tafl import LETTERS as TAFL_LETTERS
from arena.games.variants import ANY_BOARD, DEFAULT, TAFL, find, resolve

MAX_BYTES = 64 * 1024
"""No drawing is longer, with all its comments; a device without end is told from a file by this."""
_KEYS = ("variant", "side", "turn", "board")


def start_of(
    variant: str | None = None, knobs: str = "", board: str | Path | None = None, fen: str | None = None
) -> tuple[Rules, Position]:
    """The rules and the position that a game starts from, out of what a user said; `variant` None: nothing.

    A drawing may name its variant itself; without one it is of `variant`, and of `callanish` where that is None.
    Raises UnknownVariant, and BadPosition naming the drawing and, where one is to blame, its key, row or square.
    """
    if board is None:
        return resolve(DEFAULT if variant is None else variant, knobs, fen)
    if fen is not None:
        raise BadPosition("a board and a position string both say where to start: give one of them")
    if variant is not None:
        find(variant, knobs)
    return _drawn(Path(board), variant, knobs)


def read_board(path: str | Path, variant: str = ANY_BOARD) -> tuple[str, str]:
    """The canonical variant and the position string that a file draws; `variant` holds where the file names none.

    Raises BadPosition naming the file and, where one is to blame, the key, row or square.
    """
    rules, position = _drawn(Path(path), None, "", variant)
    return rules.name, position.fen()


def _drawn(path: Path, asked: str | None, knobs: str, default: str = ANY_BOARD) -> tuple[Rules, Position]:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise BadPosition(f"is longer than {MAX_BYTES} bytes: that is no drawing of a board")
        text = data.decode("utf-8-sig")
        # No row of a drawing has an equals sign and no TOML that says anything is without one.
        said: dict[str, object] = tomllib.loads(text) if "=" in text else {"board": text}
        return _read(said, asked, knobs, default)
    except OSError as error:
        raise BadPosition(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise BadPosition(f"{path}: is no UTF-8 text; draw the board with plain characters") from error
    except RulesError as error:
        raise BadPosition(f"{path}: {error}") from error
    except (ValueError, RecursionError) as error:  # of tomllib: numbers and nesting beyond Python's own limits, too
        raise BadPosition(f"{path}: is no TOML: {error}") from error


def _read(said: dict[str, object], asked: str | None, knobs: str, default: str) -> tuple[Rules, Position]:
    for key in said:
        if key not in _KEYS:
            raise BadPosition(f"unknown key {key!r}; a board file may say {', '.join(_KEYS)}")
    named, side = said.get("variant"), said.get("side", "p1")
    turn, board = said.get("turn", 1), said.get("board")
    if not isinstance(named, str | None):
        raise BadPosition(f"variant is {named!r}; write a name in quotes")
    if not isinstance(board, str):
        raise BadPosition('the key board is missing; write board = """, the rows, and """')
    if not isinstance(turn, int) or isinstance(turn, bool):
        raise BadPosition(f"turn is {turn!r}; write a whole number from 1")
    rules = find(_agreed(named, asked, default), knobs)
    rows = [row.strip() for row in board.strip().splitlines()]
    tafl = rules.base in TAFL
    try:
        check_rows(rows, TAFL_LETTERS if tafl else CALLANISH_LETTERS)
    except BadPosition as error:
        if tafl or not set("".join(rows)) & set(TAFL_LETTERS):
            raise
        raise BadPosition(
            f"{error}; a, d and k belong to the tafl variants: name one, here or in a TOML file"
        ) from error
    return rules, rules.parse(f"{write_rows(rows)} {side} {turn}")


def _agreed(named: str | None, asked: str | None, default: str) -> str:
    """The variant of a file that may name one and a user who may; where one is bare, the other may add knobs."""
    if named is None:
        return default if asked is None else asked
    if asked is None:
        return named
    ours, theirs = find(named), find(asked)
    if ours.base == theirs.base and (not ours.knobs or not theirs.knobs or ours.knobs == theirs.knobs):
        return named if ours.knobs else asked
    raise BadPosition(
        f"says that its variant is {ours.name}, but {theirs.name} was asked for: ask for the same, or change the file"
    )
