"""A board as a user draws it in a file: rows from the top rank down, with one character for each square."""

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from arena.games.kinds import built_in
from arena.games.rules import BadPosition, Rules, RulesError
from arena.games.squares import EMPTY, check_rows
from arena.games.user_file import NotUtf8, read_start, utf8_text, why_no_toml
from arena.games.variants import kind_of

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
    except FileNotFoundError:
        raise error_type(f"{path}: there is no such file; check the path") from None
    except OSError as error:
        raise error_type(f"{path}: cannot be read ({error.strerror})") from error
    except RulesError as error:
        raise error_type(f"{path}: {error}") from error
    except (ValueError, RecursionError) as error:  # tomllib raises both: numbers and nesting may exceed Python's limits
        raise error_type(f"{path}: is not TOML: {why_no_toml(error)}") from error


def rows_of(board: str) -> list[str]:
    """The rows of a drawing, the top rank first."""
    return [row.strip() for row in board.strip().splitlines()]


def check_drawing(rows: Sequence[str], rules: Rules, remedy: str) -> None:
    """Raise BadPosition if these are no rows of a board of this game.

    `remedy` is what to do where the letters of another game stand on the board, with its name for the braces.
    """
    kind = kind_of(rules)
    if not kind.drawn_letters:
        raise BadPosition(f"{kind.name} takes no drawn boards: give the position with --fen")
    try:
        check_rows(rows, kind.drawn_letters)
    except BadPosition as error:
        foreign = set("".join(rows)) - {*kind.drawn_letters, EMPTY}
        other = next((each for each in built_in() if foreign & set(each.drawn_letters)), None)
        if other is None:
            raise
        most, last = other.drawn_letters[:-1], other.drawn_letters[-1]
        letters = f"the letters {', '.join(most)} and {last}"
        raise BadPosition(f"{error}; {letters} belong to {other.name}: {remedy.format(other.name)}") from error
