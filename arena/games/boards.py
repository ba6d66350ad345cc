"""What a game starts from: rules and a position, read from a variant, rule options, a drawn board or a position string.

A drawing has its rows from the top rank down, with one character for each square: `.` is empty, `*` is a hole, and the
letters are those of the position string. The drawing is the whole file, or the key `board` of a TOML file that may also
have the keys `variant`, `side` and `turn`.
"""

import tomllib
from pathlib import Path

from arena.games import variant_file
from arena.games.drawn_text import check_drawing, naming, read_text, rows_of
from arena.games.rules import BadPosition, Position, Rules
from arena.games.variants import DEFAULT, find, kind_of, resolve

_ANY_BOARD = kind_of(find(DEFAULT)).any_board
"""The variant of a drawing that names none."""
_KEYS = ("variant", "side", "turn", "board")


def start_of(
    variant: str | None = None,
    options: str = "",
    board: str | Path | None = None,
    fen: str | None = None,
    folder: Path | None = None,
) -> tuple[Rules, Position]:
    """The rules and the position that a game starts from. `variant` is None if the user named none.

    `variant` may be the file of a user's own variant, relative to `folder`. A drawing may name its own variant. If it
    does not, it is read as `variant`, or as `callanish` if that is None. Raises UnknownVariant, BadVariantFile, and
    BadPosition, which names the drawing and, if possible, its key, row or square.
    """
    if variant is not None:
        variant = variant_file.named(variant, folder)
    if board is None:
        return resolve(DEFAULT if variant is None else variant, options, fen)
    if fen is not None:
        raise BadPosition("a board and a position string both say where the game starts: give one of them")
    own = None if variant is None else find(variant, options).own
    if own is not None and own.start is not None:
        raise BadPosition(f"{board}: the variant {own.name} has a board of its own: leave out the drawing")
    return _drawn(Path(board), variant, options)


def _drawn(path: Path, asked: str | None, options: str) -> tuple[Rules, Position]:
    with naming(path, BadPosition):
        text = read_text(path)
        # A drawing has no equals sign, and a TOML file that sets a key has one.
        table: dict[str, object] = tomllib.loads(text) if "=" in text else {"board": text}
        return _read(table, asked, options)


def _read(table: dict[str, object], asked: str | None, options: str) -> tuple[Rules, Position]:
    for key in table:
        if key == "base":
            raise BadPosition("is a variant of your own: give it with --variant in place of --board")
        if key not in _KEYS:
            raise BadPosition(f"unknown key {key!r}; a board file may say {', '.join(_KEYS)}")
    named, turn, board = table.get("variant"), table.get("turn", 1), table.get("board")
    if not isinstance(named, str | None):
        raise BadPosition(f"variant is {named!r}; write a name in quotes")
    if not isinstance(board, str):
        raise BadPosition('the key board is missing; write board = """, the rows, and """')
    if not isinstance(turn, int) or isinstance(turn, bool):
        raise BadPosition(f"turn is {turn!r}; write a whole number from 1")
    rules = find(_agreed(named, asked), options)
    rows = rows_of(board)
    check_drawing(rows, rules, "name a variant of {}, here or in a TOML file")
    side = table.get("side", rules.start().side)
    return rules, rules.parse(kind_of(rules).position_of(rules, rows, str(side), turn))


def _agreed(named: str | None, asked: str | None) -> str:
    """The variant of a drawing, which the file or the user or both may name. One of them may add rule options."""
    if named is None:
        return _ANY_BOARD if asked is None else asked
    if asked is None:
        return named
    ours, theirs = find(named), find(asked)
    one_is_bare = not ours.changed_options or not theirs.changed_options
    if ours.base == theirs.base and (one_is_bare or ours.changed_options == theirs.changed_options):
        return named if ours.changed_options else asked
    raise BadPosition(
        f"says that its variant is {ours.name}, but {theirs.name} was given: give the same, or change the file"
    )
