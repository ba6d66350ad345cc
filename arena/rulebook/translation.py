"""The Japanese of the texts of a room, by their English: its file `japanese.toml`."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources

from arena.rulebook.board_drawing import Lang

LANGUAGES: tuple[Lang, ...] = ("en", "ja")


@cache
def japanese(room: str) -> Mapping[str, str]:
    """The Japanese of each English text of a room such as `arena.web`. Both have the same braces."""
    return tomllib.loads((resources.files(room) / "japanese.toml").read_text(encoding="utf-8"))
