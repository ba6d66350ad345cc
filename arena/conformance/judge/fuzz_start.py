"""A position from which a random line of play begins, as each family of games makes it for a theme."""

import random
from collections.abc import Callable
from typing import NamedTuple

from arena.games.rules import Rules

Rows = list[list[str]]
"""The letters of a board, from the top."""


class MadeStart(NamedTuple):
    """A position string, and the first moves where the position is made for some."""

    fen: str
    moves: str = ""


Theme = Callable[[Rules, random.Random], MadeStart]
"""Makes a start. The rules may refuse it: then another one is made."""
