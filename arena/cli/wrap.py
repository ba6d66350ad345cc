"""Text fitted to the terminal that shows it. What goes into a file or a pipe stays in one line, as programs read it."""

# ruff: noqa: RUF001 - Japanese brackets look like others on purpose.

import os
import re
from collections.abc import Sequence
from itertools import chain
from typing import TextIO

from results.safe_text import harmless
from results.tables.text_width import columns, padded

_UNBREAKABLE = re.compile(r"[（]*(?:[!-~À-ʯ…]+|[ァ-ヺー]+|.)[、。）・]* *")
"""A word, in katakana too, or a single wide character, with what may not stand at the beginning or end of a line."""


_DEEPEST = 3
"""The further lines of a text are indented at most by the third part of the width."""
_CONTINUED = 4
"""Blanks before the further lines of a row that takes several."""
_HANGING = re.compile(r" *(?:[-*] |\d+\. )?")


def terminal_width(stream: TextIO | None) -> int | None:
    """The columns of the terminal behind a stream; None for a file or a pipe."""
    if stream is None or stream.closed or not stream.isatty():
        return None
    given = os.environ.get("COLUMNS", "")
    if given.isdecimal() and int(given):
        return int(given)
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except OSError:
        return 80


def wrap(text: str, width: int) -> list[str]:
    """A text as lines of at most `width` columns, broken between words, and in Japanese between characters.

    No line begins with a closing bracket or a full stop, which rich's own wrapping does not heed.
    """
    lines, line = [], ""
    for piece in _UNBREAKABLE.findall(text):
        if line and columns((line + piece).rstrip()) > width:
            lines.append(line.rstrip())
            line = ""
        line += piece
    return [*lines, line.rstrip()]


def sentence(text: str, stream: TextIO | None, indent: int | None = None) -> str:
    """The text for this stream: on a terminal no word of it is broken that fits into a line.

    Further lines are indented like the first, behind the mark of a list item, or by `indent` blanks.
    """
    width = terminal_width(stream)
    if width is None:
        return text
    return "\n".join(part for line in text.split("\n") for part in hanging(line, width, indent))


def hanging(line: str, width: int, indent: int | None = None) -> list[str]:
    """The line as lines of at most `width` columns, of which all but the first are indented."""
    if columns(line) <= width:
        return [line]
    start = _HANGING.match(line)
    blanks = (start.end() if start else 0) if indent is None else indent
    blanks = min(blanks, width // _DEEPEST)
    first, rest = line[:blanks], line[blanks:]
    parts = wrap(rest, max(width - blanks, 1))
    return [first + parts[0], *(" " * blanks + part for part in parts[1:])]


def table(rows: Sequence[Sequence[str]], right: frozenset[int] = frozenset(), gap: int = 2) -> list[str]:
    """Rows as lines with aligned columns, `gap` blanks between them; the columns in `right` are flush right.

    What a cell holds is made harmless.
    """
    rows = [[harmless(cell) for cell in row] for row in rows]
    widths = [max(map(columns, column)) for column in zip(*rows, strict=True)]
    return [
        (" " * gap)
        .join(
            " " * (width - columns(cell)) + cell if number in right else padded(cell, width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        .rstrip()
        for row in rows
    ]


def fitted_table(rows: Sequence[Sequence[str]], right: frozenset[int], width: int | None, keep: int = 1) -> list[str]:
    """The rows as lines of at most `width` columns, None for any.

    A wider table comes in several parts, below each other, and each begins with the first `keep` columns. With none to
    keep it stays one list, and each row takes several lines.
    """
    lines = table(rows, right)
    if width is None or _widest(lines) <= width:
        return lines
    lines = table(rows, right, 1)
    if _widest(lines) <= width:
        return lines
    parts = _column_groups(rows, width, keep)
    printed = [
        table([[row[at] for at in part] for row in rows], frozenset(n for n, at in enumerate(part) if at in right), 1)
        for part in parts
    ]
    if keep:
        return list(chain.from_iterable([*([""] if number else []), *part] for number, part in enumerate(printed)))
    indent = " " * _CONTINUED
    folded = []
    for lines_of_row in zip(*printed, strict=True):
        for number, line in enumerate(lines_of_row):
            text = indent * (number > 0) + (line.lstrip() if number else line)
            folded += hanging(text, width, _CONTINUED) if text.strip() else []
    return folded


def _widest(lines: Sequence[str]) -> int:
    return max(map(columns, lines), default=0)


def _column_groups(rows: Sequence[Sequence[str]], width: int, keep: int) -> list[list[int]]:
    """Which columns stand side by side; each group begins with the first `keep` ones."""
    widths = [max(columns(harmless(cell)) for cell in column) for column in zip(*rows, strict=True)]
    groups = [list(range(keep))]
    for at in range(keep, len(widths)):
        used = sum(widths[each] + 1 for each in groups[-1]) + _CONTINUED * (len(groups) > 1 and not keep)
        if used + widths[at] > width and len(groups[-1]) > keep:
            groups.append(list(range(keep)))
        groups[-1].append(at)
    return groups
