"""Tests a kind of game against its own promises by random play. It knows no rules: a kind may be wrong in them."""

import contextlib
import io
import signal
from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random
from types import MappingProxyType
from typing import NamedTuple

from arena.games.game import RAISED, Game, GameFailed, raised
from arena.games.kind import GameKind
from arena.games.kinds import fault
from arena.games.rules import Position, Rules

_STRANGE = ("", "0000", "zz99", "a1\n", "(none)")
"""Words that engines may send, and that `find` must survive."""
_PLIES = 80
_WORDS = 40
"""How many legal words, and as many of other positions, are tried with `find` at each position."""
LONGEST_S = 10.0
"""The seconds that the rules may take between two positions."""


class Checked(NamedTuple):
    """What came of a check."""

    wrong: str
    """The first promise that the kind breaks, in a sentence with the position; empty if none is broken."""
    games: int = 0
    plies: int = 0
    endings: Mapping[str, int] = MappingProxyType({})
    """How the games ended, for those that did."""

    def __str__(self) -> str:
        ended = ", ".join(f"{word} {count}" for word, count in sorted(self.endings.items())) or "none"
        return f"{self.games} random games, {self.plies} plies; endings seen: {ended}"


class _TooLong(Exception):
    """The rules did not return."""


def check(kind: GameKind, games: int = 5, seed: int = 1) -> Checked:
    """Play this number of random games of each variant, in the main thread: a signal ends rules that do not return."""
    if wrong := fault(kind):
        return Checked(wrong)
    plies, endings = 0, Counter[str]()
    with _alarm(), contextlib.redirect_stdout(io.StringIO()) as printed:
        for name, rules in kind.variants().items():
            for number in range(games):
                where, game = f"{name}, at its start", Game(rules, rules.start())
                try:
                    for where, wrong in _game(kind, name, game, Random(f"{name} {seed} {number}")):
                        signal.setitimer(signal.ITIMER_REAL, LONGEST_S)
                        if wrong:
                            return Checked(f"{where}: {wrong}")
                        if printed.getvalue():
                            return Checked(f"{where}: the rules print to stdout, which belongs to the protocol")
                except (GameFailed, _TooLong) as failure:
                    return Checked(f"{where}: {failure}")
                except RAISED as error:
                    return Checked(f"{where}: the rules raised {raised(error)}")
                plies += len(game.moves)
                if game.outcome is not None:
                    endings[game.outcome.reason] += 1
    return Checked("", games * len(kind.variants()), plies, endings)


@contextlib.contextmanager
def _alarm() -> Iterator[None]:
    def ring(number: int, frame: object) -> None:
        raise _TooLong(f"the rules did not return within {LONGEST_S:.0f} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, LONGEST_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _game(kind: GameKind, name: str, game: Game, chance: Random) -> Iterator[tuple[str, str]]:
    """Where a random game is and what is wrong there, before each look and after it."""
    rules = game.rules
    if rules != kind.variants()[name] or hash(rules) != hash(kind.variants()[name]):
        yield name, "two calls of variants() give rules that are not equal, or not equally hashed"
    seen = dict[str, None]()
    while True:
        at = game.position
        where = f"{name}, {at.fen()!r} after {' '.join(game.moves) or 'no move'}"
        yield where, ""
        for wrong in _position(kind, rules, at, list(seen), chance):
            yield where, wrong
        if game.outcome is not None or len(game.moves) >= _PLIES:
            return
        move = chance.choice(at.moves())
        seen |= {each.text: None for each in at.moves()}
        before = at.fen(), hash(at), at.key
        game.advance(move)
        if (at.fen(), hash(at), at.key) != before:
            yield where, f"play({move.text}) changed the position that it was called on"
        if at.play(move) != game.position:
            yield where, f"play({move.text}) gives another position the second time"
        if game.position.side == at.side:
            yield where, f"after {move.text} the same side is to move: sides alternate, so make passing a move"
        if game.position.turn != at.turn + (at.side == "p2"):
            yield where, f"after {move.text} the turn number is {game.position.turn}: it grows by 1 after a move of p2"


def _position(kind: GameKind, rules: Rules, at: Position, others: list[str], chance: Random) -> Iterator[str]:
    fen = at.fen()
    if not fen.isprintable() or fen != " ".join(fen.split()) or not fen:
        yield f"the position string {fen!r} is not one line of printable words with single blanks"
    again = rules.parse(fen) if at.outcome is None else at  # a game need not read the board of its end
    if again != at or hash(again) != hash(at) or again.fen() != fen or again.key != at.key:
        yield "parse(fen()) is not an equal position with an equal hash, key and position string"
    rows = kind.rows(at)
    if len({len(row) for row in rows}) != 1:
        yield f"the rows of its board are not equally long: {rows}"
    words = [move.text for move in at.legal_moves()]
    if words != sorted(words) or len({*words}) != len(words):
        yield "legal_moves() are not sorted by their words, or a word comes twice"
    if sorted(move.text for move in at.moves()) != words:
        yield "moves() and legal_moves() have different words"
    if at.outcome is not None:
        if words:
            yield "the game is over, and there are legal moves"
        if at.outcome.reason not in kind.endings:
            yield f"the game ended by {at.outcome.reason!r}, which is not among its endings"
        if at.outcome.winner not in ("p1", "p2", "draw"):
            yield f"the winner is {at.outcome.winner!r}, and not p1, p2 or draw"
    elif not words:
        yield "the game goes on, and there is no legal move"
    for word in chance.sample(words, min(_WORDS, len(words))):
        found = at.find(word)
        if found is None or found.text != word:
            yield f"find({word!r}) does not find a move of moves()"
        if not rules.wellformed(word) or word != "".join(word.split()) or not word.isprintable():
            yield f"the move {word!r} is not one printable word, or wellformed() refuses it"
    illegal = sorted({*chance.sample(others, min(_WORDS, len(others))), *_STRANGE} - {*words})
    for word in illegal:
        try:
            found = at.find(word)
        except Exception as error:
            yield f"find({word!r}) raised {raised(error)}: return None for a word that names no legal move"
            return
        if found is not None and found.text not in words:
            yield f"find({word!r}) finds {found.text!r}, which moves() does not have"
