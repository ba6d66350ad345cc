"""The words of a game in several languages: texts that are filled with the facts of a variant.

So all languages state each fact once, in the same order, and nothing else. The texts lie in the folder of the game, in
a file for each language: `english.toml`, `japanese.toml`.
"""

import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from arena.games.kind import Lang

_FILES: dict[Lang, str] = {"en": "english.toml", "ja": "japanese.toml"}


class Texts:
    """The texts of a language, filled with the facts of a variant and with values by name."""

    def __init__(self, facts: object, lang: Lang, beside: str) -> None:
        """`beside` is a module in the folder of the texts, by its `__file__`."""
        self._facts = facts
        self._texts = _read(Path(beside).with_name(_FILES[lang]))

    def __call__(self, key: str, **values: object) -> str:
        text: str = self._texts[key]
        return text.format(facts=self._facts, **values)

    def lines(self, key: str, **values: object) -> list[str]:
        """Several sentences that belong together."""
        return [line.format(facts=self._facts, **values) for line in self._texts["lists"][key]]

    def joined(self, names: Sequence[str], word: str = "and") -> str:
        """The names in a row, with `and` or `or` before the last one."""
        row = self("comma").join(names[:-1])
        return f"{row}{self(word)}{names[-1]}" if row else names[-1]

    def far(self, key: str, steps: str, **values: object) -> str:
        """How far a piece may go: the text of this number of steps, or the one of any number."""
        own_key = f"{key} {steps}"
        return self(own_key if own_key in self._texts else key, steps=steps, **values)


@cache
def _read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))
