"""The written form of a dialogue in logs, tests, bug reports and the examples of SPEC.md.

NAME <- what the engine was sent
NAME -> what the engine said
"""

from typing import Literal

Direction = Literal["<-", "->"]


def show(name: str, direction: Direction, data: bytes) -> list[str]:
    """The transcript of some bytes, line by line. Bytes outside of printable ASCII are written as `\\xff`."""
    return [f"{name} {direction} {line}".rstrip() for line in printable(data)]


def printable(data: bytes) -> list[str]:
    """The lines in some bytes, with `\\xff` for bytes outside of printable ASCII."""
    lines = data.decode("utf-8", "backslashreplace").removesuffix("\n").split("\n")
    return ["".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in line) for line in lines]
