"""Which games of a database get a page of their own in a report."""

from dataclasses import dataclass

from arena.web.pages.games import last_forfeits
from results.store.filter import EVERYTHING, Order, Selection
from results.store.reader import Brief, Reader

MOST = 2_000
"""A report has pages of at most so many games, unless more are asked for."""
_WORDS = ("all", "lost", "disputed", "longest", "shortest")
_MOST_DIGITS = 9


class BadChoice(ValueError):
    """Words that name no games. The message goes on after the name of the option."""


@dataclass(frozen=True, slots=True)
class GameChoice:
    """The games asked for."""

    words: frozenset[str] = frozenset()
    last: int | None = None
    """How many of the last games."""


LAST = GameChoice(last=MOST)


def parse_choice(text: str | None) -> GameChoice:
    """`lost,disputed,100` as a choice. None is the last `MOST` games. Raises BadChoice."""
    if text is None:
        return LAST
    words, last = set(), None
    for word in (part.strip() for part in text.split(",")):
        if word in _WORDS:
            words.add(word)
        elif word.isascii() and word.isdigit() and len(word) <= _MOST_DIGITS:
            last = int(word)
        else:
            raise BadChoice(
                f"{word!r} names no games: write words such as lost,disputed,100 ({', '.join(_WORDS)}, or N)"
            )
    return GameChoice(frozenset(words), last)


def chosen(store: Reader, choice: GameChoice) -> list[Brief]:
    """The games asked for in the schedule's order. Raises StoreError."""
    if "all" in choice.words:
        return list(store.briefs(Selection()))
    games: set[Brief] = set()
    if choice.last is not None:
        games.update(store.briefs(Selection(limit=choice.last, last=True)))
    if "lost" in choice.words:
        games.update(last_forfeits(store, EVERYTHING, MOST))
    orders: tuple[Order, ...] = ("disputed", "longest", "shortest")
    for order in orders:
        if order in choice.words:
            games.update(store.briefs(Selection(order=order, limit=100)))
    place = {run.id: at for at, run in enumerate(store.runs())}
    return sorted(games, key=lambda game: (place[game.run], game.number))
