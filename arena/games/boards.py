"""Boards that people draw: a file in, a variant's name and a position string out.

A drawing has its rows from the top rank down, one character a square: `.` empty, `*` a hole, and the letters of the
position string. It is the whole file, or the key `board` of a TOML file that may also say `variant`, `side`, `turn`.
"""

import tomllib
from pathlib import Path

from arena.games.callanish import LETTERS as CALLANISH_LETTERS
from arena.games.rules import BadPosition, RulesError
from arena.games.squares import check_rows, write_rows
from arena.games.tafl import LETTERS as TAFL_LETTERS
from arena.games.variants import ANY_BOARD, TAFL, find

_KEYS = ("variant", "side", "turn", "board")


def read_board(path: str | Path, variant: str = ANY_BOARD) -> tuple[str, str]:
    """The canonical variant and the position string that a file draws; `variant` holds where the file names none.

    Raises BadPosition naming the file and, where one is to blame, the key, row or square.
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8-sig")
        # No row of a drawing has an equals sign and no TOML that says anything is without one.
        said: dict[str, object] = tomllib.loads(text) if "=" in text else {"board": text}
        return _read(said, variant)
    except OSError as error:
        raise BadPosition(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise BadPosition(f"{path}: is no UTF-8 text; draw the board with plain characters") from error
    except tomllib.TOMLDecodeError as error:
        raise BadPosition(f"{path}: is no TOML: {error}") from error
    except RulesError as error:
        raise BadPosition(f"{path}: {error}") from error


def _read(said: dict[str, object], default: str) -> tuple[str, str]:
    for key in said:
        if key not in _KEYS:
            raise BadPosition(f"unknown key {key!r}; a board file may say {', '.join(_KEYS)}")
    variant, side = said.get("variant", default), said.get("side", "p1")
    turn, board = said.get("turn", 1), said.get("board")
    if not isinstance(variant, str):
        raise BadPosition(f"variant is {variant!r}; write a name in quotes")
    if not isinstance(board, str):
        raise BadPosition('the key board is missing; write board = """, the rows, and """')
    if not isinstance(turn, int) or isinstance(turn, bool):
        raise BadPosition(f"turn is {turn!r}; write a whole number from 1")
    rules = find(variant)
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
    return rules.name, rules.parse(f"{write_rows(rows)} {side} {turn}").fen()
