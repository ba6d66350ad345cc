"""How commands print: a console that keeps quiet about closed pipes, columns of plain text, boards.

Knows nothing of games, records and rules.
"""

# ruff: noqa: RUF001 - Japanese brackets look like others on purpose.

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from arena import drawing

if TYPE_CHECKING:
    from rich.console import Console


_UNBREAKABLE = re.compile(r"[（]*(?:[!-~]+|[ァ-ヺー]+|.)[、。）・]* *")
"""A word, in katakana too, or a single wide character, with what may not stand at the beginning or end of a line."""


def console() -> "Console":
    """A console on stdout that leaves a closed pipe to the command line's frame."""
    from rich.console import Console

    class PlainConsole(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    return PlainConsole(highlight=False, emoji=False)


def glyphs(ascii_only: bool, lang: drawing.Lang = "en") -> drawing.Glyphs:
    """The signs that stdout can carry."""
    return drawing.glyphs_for(sys.stdout.encoding, ascii_only, lang)


def draw(board: drawing.Board, signs: drawing.Glyphs, lang: drawing.Lang = "en") -> None:
    """Print a board and what its signs mean."""
    out = console()
    out.print(drawing.rich_text(board, signs), end="", soft_wrap=True)
    key = drawing.legend(board, signs, lang)
    if key:
        # Legends of crowded boards are longer than a line and break between two entries.
        lines = [""]
        for entry in key.split("   "):
            joined = f"{lines[-1]}   {entry}" if lines[-1] else entry
            lines[-1:] = [joined] if _columns(joined) <= max(out.width, 40) else [lines[-1], entry]
        out.print("\n".join(lines), markup=False, soft_wrap=True)


def table(rows: Sequence[Sequence[str]], right: frozenset[int] = frozenset()) -> str:
    """Rows as lines with aligned columns, two blanks between them; the columns in `right` are flush right."""
    widths = [max(map(_columns, column)) for column in zip(*rows, strict=True)]
    return "".join(
        "  ".join(
            " " * (width - _columns(cell)) + cell if number in right else cell + " " * (width - _columns(cell))
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        + "\n"
        for row in rows
    )


def wrap(text: str, width: int) -> list[str]:
    """A text as lines of at most `width` columns, broken between words, and in Japanese between characters.

    No line begins with a closing bracket or a full stop, which rich's own wrapping does not heed.
    """
    lines, line = [], ""
    for piece in _UNBREAKABLE.findall(text):
        if line and _columns((line + piece).rstrip()) > width:
            lines.append(line.rstrip())
            line = ""
        line += piece
    return [*lines, line.rstrip()]


def write_whole(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    part = path.with_name(path.name + ".part")
    try:
        # Exports choose their line ends themselves.
        part.write_text(text, encoding="utf-8", newline="")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _columns(text: str) -> int:
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)
