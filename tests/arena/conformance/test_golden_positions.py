"""The golden positions are what the rules say, as they stand in the files."""

import json
import zlib
from typing import Any

import pytest

from arena.conformance.judge.positions import GoldenBook, load
from arena.games.game import Game
from arena.games.game_words import legal_words, result_word
from arena.games.kinds import built_in
from arena.games.line import played
from arena.games.rules import Position
from arena.games.variants import resolve
from tests.arena.conformance.golden_files import books, golden_positions

NAMES = tuple(name for kind in built_in() for name in kind.variants())
BOOKS = {name: book for kind in built_in() for name, book in books(kind.name).items()}
SAMPLE = ("callanish-5", "brandub", "ard-ri-two")


def checksums(variant: str) -> list[list[int]]:
    games: Any = BOOKS[variant]["games"]
    return [game["legal_crc32"] for game in games]


def book_of(variant: str) -> GoldenBook:
    book = load(variant)
    assert book is not None
    return book


@pytest.mark.long
@pytest.mark.parametrize("variant", NAMES)
def test_the_files_are_what_the_generator_makes(variant: str) -> None:
    """`python -m tests.arena.conformance.golden_files` changes nothing."""
    assert BOOKS[variant] == json.loads(json.dumps(golden_positions(variant)))


def test_every_variant_has_golden_positions() -> None:
    """No variant is without them, and no positions are without a variant."""
    assert tuple(BOOKS) == NAMES


@pytest.mark.parametrize(
    "variant", [pytest.param(name, marks=[] if name in SAMPLE else [pytest.mark.long]) for name in NAMES]
)
def test_games_replay(variant: str) -> None:
    """Every count, checksum and result of every game follows from its moves."""
    for trace, crc32 in zip(book_of(variant).games, checksums(variant), strict=True):
        game = Game(*resolve(variant, "", trace.fen))
        for ply in range(len(trace.moves) + 1):
            legal = [] if game.outcome else [move.text for move in game.position.legal_moves()]
            assert len(legal) == trace.legal[ply], ply
            assert zlib.crc32(" ".join(legal).encode()) == crc32[ply], ply
            if ply < len(trace.moves):
                game.play(trace.moves[ply])
        assert (game.outcome is None) == (trace.result == "none")
        assert ("unfinished" if game.outcome is None else game.outcome.reason) == trace.reason


@pytest.mark.parametrize("names", [(*SAMPLE, "copenhagen"), pytest.param(NAMES, marks=pytest.mark.long)])
def test_special_positions_are_special(names: tuple[str, ...]) -> None:
    """Legal moves, side and result are right, and what a position is there for can be seen in it."""
    for variant, special in ((name, special) for name in names for special in book_of(name).specials):
        line = played(variant, special.position.fen, special.position.moves)
        found = tuple(legal_words(line)), line.position.side, result_word(line)
        assert found == (special.legal, special.side, special.result), variant
        if special.about == "one-move":
            assert len(special.legal) == 1, variant
        if special.move is not None:
            line.play(special.move)
            ended = result_word(line)
            won = f"{special.side}win"
            expected = {"win-in-1": won, "encircled-next": "p1win", "fort-next": "p2win", "shieldwall-next": "none"}
            assert ended == expected.get(special.about, ended), variant
            assert (ended == "none") == (special.about == "shieldwall-next"), variant


@pytest.mark.long
def test_forced_ends_are_forced() -> None:
    """The plies of a forced end are confirmed by a search that looks at everything."""
    for variant in ("scottish", "brandub", "callanish-7", "callanish-9"):
        checked = 0
        for special in book_of(variant).specials:
            if special.plies is not None and special.position.fen is not None:
                position = resolve(variant, "", special.position.fen)[1]
                assert forced(position, abs(special.plies)) == special.plies
                checked += 1
        assert checked >= 4


def forced(position: Position, depth: int) -> int | None:
    """The slow and obvious version: in how many plies the mover wins or, negative, loses."""
    if position.outcome is not None:
        won = position.outcome.winner
        return 0 if won == "draw" else (1 if won == position.side else -1) * 1_000
    if depth == 0:
        return None
    best: list[int | None] = []
    for move in position.moves():
        after = position.play(move)
        if after.outcome is not None:
            best.append(0 if after.outcome.winner == "draw" else 1 if after.outcome.winner == position.side else -1)
            continue
        theirs = forced(after, depth - 1)
        best.append(None if theirs in (None, 0) else (-theirs + (1 if theirs < 0 else -1)))
    wins = [plies for plies in best if plies is not None and plies > 0]
    if wins:
        return min(wins)
    return min(plies for plies in best if plies is not None) if best and None not in best and 0 not in best else None


@pytest.mark.long
def test_every_variant_has_both_sides_late_positions_and_every_rarity_that_could_be_found() -> None:
    """The boards people play have every kind, mostly for both sides; the largest at least long games."""
    for variant in NAMES:
        book = book_of(variant)
        assert len(book.longest.moves) >= min(15, len(book.longest.legal)), variant
        kinds = {(special.about, special.side) for special in book.specials}
        if variant in ("scottish", "brandub", "brandub-nielsen", "callanish-7", "callanish-9", "callanish"):
            wanted = {"win-in-1", "check", "no-move-next", "mate", "mate-far", "lost"}
            assert {(about, side) for about in wanted for side in ("p1", "p2")} <= kinds, variant
            assert "one-move" in {about for about, _ in kinds}, variant
        if variant == "copenhagen":
            wanted = {"encircled", "fort", "shieldwall", "encircled-next", "fort-next", "shieldwall-next"}
            assert wanted <= {about for about, _ in kinds}
        if "callanish" not in variant:
            assert {"repetition", "repetition-next"} <= {about for about, _ in kinds}, variant
        assert len(book.impossible) >= 10, variant
