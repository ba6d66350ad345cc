"""The version of the arena, and whether its inner loop is compiled (`make fast`) or runs as Python source.

Both play the same games. A measured speed belongs to the one that it was measured with.
"""

from importlib.metadata import version
from importlib.util import find_spec

INNER = "arena.play.referee"
"""The module that shows it: `make fast` compiles it in any case."""


def number() -> str:
    """The version, such as `0.2.0`."""
    return version("callanish-arena")


def compiled() -> bool:
    """True where the inner loop is machine code."""
    spec = find_spec(INNER)
    return spec is not None and spec.origin is not None and not spec.origin.endswith(".py")
