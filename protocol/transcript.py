"""The written form of a dialogue in logs, tests, bug reports and the examples of SPEC.md.

NAME <- what the engine was sent
NAME -> what the engine said
"""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

Direction = Literal["<-", "->"]


class TranscriptLine(NamedTuple):
    """One line: the engine's name, the direction (`<-` to it, `->` from it), the text without its newline."""

    name: str
    direction: Direction
    text: str

    def __str__(self) -> str:
        return f"{self.name} {self.direction} {self.text}".rstrip()


def show(name: str, direction: Direction, data: bytes) -> list[str]:
    """The transcript of some bytes, line by line. Bytes outside of printable ASCII are written as `\\xff`."""
    return [str(TranscriptLine(name, direction, line)) for line in printable(data)]


def printable(data: bytes) -> list[str]:
    """The lines in some bytes, with `\\xff` for bytes outside of printable ASCII."""
    lines = data.decode("utf-8", "backslashreplace").removesuffix("\n").split("\n")
    return ["".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in line) for line in lines]


_LINE = re.compile(r"(?P<name>\S.*?) (?P<direction><-|->)(?: (?P<text>.*))?")


def read(text: str) -> Iterator[TranscriptLine]:
    """The lines of a transcript, without blank lines and lines that start with `#`. Raises ValueError."""
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        match = _LINE.fullmatch(line)
        if match is None:
            raise ValueError(f"line {number} of the transcript is not `NAME <- text` or `NAME -> text`: {line!r}")
        yield TranscriptLine(match["name"], "<-" if match["direction"] == "<-" else "->", match["text"] or "")
