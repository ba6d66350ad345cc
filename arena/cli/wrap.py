"""Sentences fitted to the terminal that shows them. In a file or a pipe they stay in one line, as programs read."""

import os
import re
import textwrap
from typing import TextIO

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


def wrap(text: str, width: int, indent: int = 0) -> list[str]:
    """A text as lines of at most `width` columns, of which all but the first are indented. No word is broken."""
    blanks = " " * min(indent, width // 3)
    lines = textwrap.wrap(
        text, width, subsequent_indent=blanks, break_long_words=False, break_on_hyphens=False, drop_whitespace=True
    )
    start = text[: len(text) - len(text.lstrip())]
    return [start + lines[0].lstrip(), *lines[1:]] if lines else [""]


def sentence(text: str, stream: TextIO | None, indent: int | None = None) -> str:
    """The text for this stream. On a terminal further lines are indented, as the text is after the mark of an item."""
    width = terminal_width(stream)
    if width is None:
        return text
    lines = []
    for line in text.split("\n"):
        mark = _HANGING.match(line)
        lines += wrap(line, width, (mark.end() if mark else 0) if indent is None else indent)
    return "\n".join(lines)
