"""A board as a user draws it in a file: rows from the top rank down, with one character for each square."""

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from arena.games.callanish import LETTERS as CALLANISH_LETTERS
from arena.games.rules import BadPosition, Rules, RulesError
from arena.games.squares import check_rows
from arena.games.tafl import LETTERS as TAFL_LETTERS
from arena.games.tafl_variants import TAFL
from arena.games.user_file import NotUtf8, read_start, utf8_text, why_no_toml

MAX_BYTES = 64 * 1024
"""The largest size of a file with a drawing, in bytes. The limit also ends the reading of an endless device."""


def read_text(path: Path, what: str = "drawing of a board") -> str:
    """The text of a file with a drawing. Raises OSError, and BadPosition, which does not name the file."""
    data = read_start(path, MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise BadPosition(f"is longer than {MAX_BYTES} bytes, so it is no {what}")
    try:
        return utf8_text(data)
    except NotUtf8 as error:
        raise BadPosition(str(error)) from error


@contextlib.contextmanager
def naming(path: Path, error_type: type[RulesError]) -> Iterator[None]:
    """Turn what goes wrong while a file is read and parsed as TOML into this error, which names the file."""
    try:
        yield
    except OSError as error:
        raise error_type(f"{path}: cannot be read ({error.strerror})") from error
    except RulesError as error:
        raise error_type(f"{path}: {error}") from error
    except (ValueError, RecursionError) as error:  # tomllib raises both: numbers and nesting may exceed Python's limits
        raise error_type(f"{path}: is not TOML: {why_no_toml(error)}") from error


def rows_of(board: str) -> list[str]:
    """The rows of a drawing, the top rank first."""
    return [row.strip() for row in board.strip().splitlines()]


def check_drawing(rows: Sequence[str], rules: Rules, tafl_remedy: str) -> None:
    """Raise BadPosition if these are no rows of a board of this game.

    `tafl_remedy` is what to do where the letters of tafl stand on a board of Callanish.
    """
    tafl = rules.base in TAFL
    try:
        check_rows(rows, TAFL_LETTERS if tafl else CALLANISH_LETTERS)
    except BadPosition as error:
        if tafl or not set("".join(rows)) & set(TAFL_LETTERS):
            raise
        raise BadPosition(f"{error}; the letters a, d and k belong to tafl: {tafl_remedy}") from error
