"""The books of openings that come with a game: for some variants a file, `books/VARIANT.txt` in the game's folder.

Games of these variants start from them where nothing else is said. A comment at the head of each file says how it was
made. Another book makes another run, so the books change only with a new version. A test judges every opening by the
rules, so that no run has to: that took longer than the start of a match.
"""

from functools import cache
from pathlib import Path

from arena.games.kinds import kind_of_variant
from arena.openings.book import Book, Opening
from arena.openings.book_reader import BadBook, BookOrder

DEFAULT = "default"
"""The word for such a book in options and files."""
USUAL_ORDER = BookOrder("random")
"""The seed decides which openings come first."""


def file_of(variant: str) -> Path:
    """The book of a variant, by its canonical name. Raises BadBook if it has none."""
    if (file := _file(variant)) is None:
        raise BadBook(f"no book of openings for {variant!r} comes with the arena: name a file")
    return file


@cache
def _file(variant: str) -> Path | None:
    kind = None if ":" in variant else kind_of_variant(variant)  # changed rules have no book
    file = None if kind is None else kind.file(f"books/{variant}.txt")
    return file if file is not None and file.is_file() else None


def load(variant: str, use: BookOrder = USUAL_ORDER) -> Book:
    """The book of a variant. Raises BadBook where it has none, or where it is smaller than `use` asks for."""
    openings = _openings(variant, use.plies)
    if not 1 <= use.start <= len(openings):
        raise BadBook(f"the book of {variant} has {len(openings)} openings: the first cannot be number {use.start}")
    return Book(openings, use.order, use.start, name=variant)


def by_default(variant: str) -> Book | None:
    """The book that games of a variant start from where nothing is said; None where it has none."""
    return load(variant) if _file(variant) is not None else None


@cache
def _openings(variant: str, plies: int) -> tuple[Opening, ...]:
    lines = file_of(variant).read_text(encoding="utf-8").splitlines()
    words = (line.partition("#")[0].split() for line in lines)
    return tuple(Opening(None, tuple(moves[: plies or None])) for moves in words if moves)
