"""The words of a game in several languages: texts that are filled with the facts of a variant.

So all languages state each fact once, in the same order, and nothing else.
"""

from collections.abc import Sequence
from typing import Protocol


class Wording(Protocol):
    """What a module of texts in a language must have."""

    TEXTS: dict[str, str]
    LISTS: dict[str, tuple[str, ...]]


class Texts:
    """The texts of a language, filled with the facts of a variant and with values by name."""

    def __init__(self, facts: object, language: Wording) -> None:
        self._facts = facts
        self._language = language

    def __call__(self, key: str, **values: object) -> str:
        return self._language.TEXTS[key].format(facts=self._facts, **values)

    def lines(self, key: str, **values: object) -> list[str]:
        """Several sentences that belong together."""
        return [line.format(facts=self._facts, **values) for line in self._language.LISTS[key]]

    def joined(self, names: Sequence[str], word: str = "and") -> str:
        """The names in a row, with `and` or `or` before the last one."""
        row = self("comma").join(names[:-1])
        return f"{row}{self(word)}{names[-1]}" if row else names[-1]

    def far(self, key: str, steps: str, **values: object) -> str:
        """How far a piece may go: the text of this number of steps, or the one of any number."""
        own_key = f"{key} {steps}"
        return self(own_key if own_key in self._language.TEXTS else key, steps=steps, **values)
