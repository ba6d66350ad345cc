"""Books of openings, and which opening a game is played from. Each is checked by the rules, so that it can be played.

The opening of a game is computed from numbers alone, so a resumed run plays the same ones. Both games of an encounter
have the same opening, so each is played from both sides. A pairing is a text here, whatever its engines are.

A line of the file is an opening: moves, a position string, or a position string, the word `moves`, and moves. A
comment begins with #. A file that begins like PGN is read as PGN; each of its games is an opening.

For some variants a book comes with the game, `books/VARIANT.txt` in its folder, and its games start from there where
nothing else is said. A comment at the head of each tells how it was made. Another book makes another run, so these
books change only with a new version. A test judges every opening by the rules, so that no run has to: that took longer
than the start of a match.
"""

import hashlib
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

from arena.games import variants
from arena.games.game import Game
from arena.games.kinds import kind_of_variant
from arena.games.rules import IllegalMove, RulesError
from arena.games.user_file import NotUtf8, read_start, utf8_text
from arena.imports import pgn_reader
from arena.play.random_opening import wins_at_once
from arena.timing.time_control import Limit

LARGEST = 64 << 20
"""The largest file in bytes. It has more openings than a tournament can have games."""
DEFAULT = "default"
"""The word for the book that comes with a variant, in options and files."""


Order = Literal["sequential", "random"]
_ROUNDS = 6


@dataclass(frozen=True, slots=True)
class Opening:
    """A position string, or None for the variant's own start, and moves from there."""

    fen: str | None
    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Book:
    """Openings, at least one, and the order in which a pairing goes through them.

    `sequential`: every pairing uses the book's order. `random`: every pairing has an order of its own, and a new one
    each time that it has used the whole book. No pairing has an opening twice before it has had all.
    """

    openings: tuple[Opening, ...]
    order: Order = "sequential"
    start: int = 1
    """The number, from 1, of the first opening in the book's or the shuffled order."""
    name: str = field(default="", compare=False)
    """The name of a book that comes with the arena; empty for a user's file."""

    @property
    def sha256(self) -> str:
        """A digest of everything that decides which openings are chosen. It names the book in a run's configuration."""
        text = "\n".join(f"{opening.fen} {' '.join(opening.moves)}" for opening in self.openings)
        return hashlib.sha256(f"{self.order} {self.start}\n{text}".encode()).hexdigest()

    def choose(self, encounter: int, pairing: str, seed: int) -> Opening:
        """The opening of a pairing's encounter. Encounters are counted from 0 within the pairing."""
        size = len(self.openings)
        cycle, index = divmod(encounter, size)
        index = (index + self.start - 1) % size
        if self.order == "random":
            index = permuted(index, size, f"{seed}/book/{pairing}/{cycle}")
        return self.openings[index]


@dataclass(frozen=True, slots=True)
class Start:
    """Where games start: a canonical variant name, and a position string unless it is the variant's own start.

    Each opening of a book starts from its own position string or from the variant's start.
    """

    variant: str
    fen: str | None = None
    book: Book | None = None
    limit: Limit | None = None
    """The time control of its games. None: that of the run."""


class BadBook(RulesError):
    """A file of openings that cannot be used. The message is one sentence that names file and line."""


@dataclass(frozen=True, slots=True)
class BookOrder:
    """How a book is used."""

    order: Order = "sequential"
    start: int = 1
    plies: int = 0
    """The number of moves taken from each opening. 0: all."""


USUAL_ORDER = BookOrder("random")
"""Of a book that comes with a variant: the seed decides which openings come first."""


class Entry(NamedTuple):
    """An opening with its place in a file."""

    line: int
    opening: Opening
    key: Hashable
    """The key of the position after the opening."""
    decided: bool
    """True where the side to move can win at once."""


class _Unchecked(NamedTuple):
    """An opening as the file has it, before the rules have checked it."""

    line: int
    fen: str | None
    moves: tuple[str, ...]
    lines: tuple[int, ...]
    """The line of each move."""


def load(path: Path, variant: str, use: BookOrder) -> Book:
    """The book in a file. Raises BadBook, UnknownVariant and OSError with the file's name."""
    openings = tuple(entry.opening for entry in entries(path, variant, use.plies))
    if not 1 <= use.start <= len(openings):
        raise BadBook(f"{path} has {len(openings)} openings: the first cannot be number {use.start}")
    return Book(openings, use.order, use.start)


def entries(path: Path, variant: str, plies: int = 0) -> list[Entry]:
    """The openings of a file, at least one, in its order. Raises as `load` does."""
    variants.find(variant)  # an unknown variant is not an error of the file
    openings = [_checked(path, variant, raw, plies) for raw in _read(path, variant)]
    if not openings:
        raise BadBook(f"{path} has no opening: write one a line, such as the words of its moves")
    return openings


def _read(path: Path, variant: str) -> Iterator[_Unchecked]:
    data = read_start(path, LARGEST + 1)
    if len(data) > LARGEST:
        raise BadBook(f"{path} is larger than {LARGEST >> 20} MiB: split it")
    try:
        # Lines as editors count them. `splitlines` knows more ends of lines, and what follows one would be an opening.
        text = utf8_text(data).replace("\r\n", "\n").replace("\r", "\n")
    except NotUtf8 as wrong:
        raise BadBook(f"{path}, {wrong}, if it is a file of openings") from None
    yield from _from_pgn(path, variant, text) if text.lstrip().startswith(("[", "%")) else _from_lines(text)


def _from_lines(text: str) -> Iterator[_Unchecked]:
    for line, content in enumerate(text.split("\n"), 1):
        words = content.partition("#")[0].split()
        if not words:
            continue
        fen = None
        if "/" in words[0]:
            at = words.index("moves") if "moves" in words else len(words)
            fen, words = " ".join(words[:at]), words[at + 1 :]
        yield _Unchecked(line, fen, tuple(words), (line,) * len(words))


def _from_pgn(path: Path, variant: str, text: str) -> Iterator[_Unchecked]:
    wanted = variants.resolve(variant)[0].name
    try:
        for game in pgn_reader.read(text):
            named = game.tags.get("Variant", wanted)
            if named != wanted:
                raise BadBook(f"{path}, line {game.line_number}: this game is of {named}, not of {wanted}")
            if not game.moves and "FEN" not in game.tags:
                raise BadBook(
                    f"{path}, line {game.line_number}: this game has neither moves nor a tag FEN; take it out"
                )
            yield _Unchecked(game.line_number, game.tags.get("FEN"), game.moves, game.lines)
    except pgn_reader.BadPgn as bad:
        raise BadBook(f"{path}, {bad}") from None


def _checked(path: Path, variant: str, raw: _Unchecked, plies: int) -> Entry:
    """Play the opening. Raises BadBook where a move is not legal or the game is over."""
    line = raw.line
    try:
        rules, start = variants.resolve(variant, "", raw.fen)
        game = Game(rules, start)
        kind = variants.kind_of(rules)
        for number, word in enumerate(raw.moves[: plies or None]):
            line = raw.lines[number]
            if game.outcome is not None or (move := kind.find_written(game.position, word)) is None:
                raise IllegalMove(word, game.position.fen())
            game.advance(move)
    except RulesError as refused:
        raise BadBook(f"{path}, line {line}: {refused}") from None
    if game.outcome is not None:
        ended = f"the game is over after {len(game.moves)} plies ({game.outcome.reason})"
        raise BadBook(f"{path}, line {line}: {ended}; an opening leaves a game to play: take fewer plies of it")
    opening = Opening(None if raw.fen is None else start.fen(), tuple(game.moves))
    return Entry(raw.line, opening, game.position.key, wins_at_once(game.position))


def file_of(variant: str) -> Path:
    """The book of a variant, by its canonical name. Raises BadBook if it has none."""
    if (file := shipped_file(variant)) is None:
        raise BadBook(f"no book of openings for {variant!r} comes with the arena: name a file")
    return file


@cache
def shipped_file(variant: str) -> Path | None:
    """The book that comes with a variant, by its canonical name; None if it has none."""
    kind = None if ":" in variant else kind_of_variant(variant)  # changed rules have no book
    file = None if kind is None else kind.file(f"books/{variant}.txt")
    return file if file is not None and file.is_file() else None


def shipped_book(variant: str, use: BookOrder = USUAL_ORDER) -> Book:
    """The book of a variant. Raises BadBook where it has none, or where it is smaller than `use` asks for."""
    openings = _openings(variant, use.plies)
    if not 1 <= use.start <= len(openings):
        raise BadBook(f"the book of {variant} has {len(openings)} openings: the first cannot be number {use.start}")
    return Book(openings, use.order, use.start, name=variant)


@cache
def _openings(variant: str, plies: int) -> tuple[Opening, ...]:
    lines = file_of(variant).read_text(encoding="utf-8").splitlines()
    words = (line.partition("#")[0].split() for line in lines)
    return tuple(Opening(None, tuple(moves[: plies or None])) for moves in words if moves)


def permuted(index: int, size: int, key: str) -> int:
    """The image of `index` under a permutation of range(size) that `key` selects. The rest of it is not computed.

    A Feistel network over the smallest square of a power of two that holds `size`, repeated until back in range
    (Black and Rogaway, Ciphers with Arbitrary Finite Domains, 2002).
    """
    bits = max(2, (size.bit_length() + 1) // 2)
    mask = (1 << bits) - 1
    while True:
        left, right = index >> bits, index & mask
        for number in range(_ROUNDS):
            mixed = hashlib.sha256(f"{key}/{number}/{right}".encode()).digest()
            left, right = right, left ^ int.from_bytes(mixed[:8], "big") & mask
        index = left << bits | right
        if index < size:
            return index
