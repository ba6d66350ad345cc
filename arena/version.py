"""Which arena this is: its version, and whether its inner loop runs as it is written or compiled (`make fast`).

Both play the same; a figure of speed means something only with the one that it was measured with.
"""

from importlib.metadata import version
from importlib.util import find_spec

INNER = "arena.play.referee"
"""It is compiled where anything is."""


def number() -> str:
    """The version, such as `0.1.0`."""
    return version("callanish-arena")


def compiled() -> bool:
    """Is the inner loop machine code?"""
    spec = find_spec(INNER)
    return spec is not None and spec.origin is not None and not spec.origin.endswith(".py")
