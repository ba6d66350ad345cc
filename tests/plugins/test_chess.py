"""Chess as a plug-in, over the package `chess`."""

import io
from dataclasses import replace
from pathlib import Path
from random import Random

import chess
import chess.pgn
import pytest
from callanish_chess.kind import KIND

from arena.games.game import Game
from arena.games.perft import perft
from arena.games.rules import BadPosition, plies_before
from arena.games.variants import find, names, resolve
from arena.imports.import_readers import read_games
from arena.imports.replay import written
from arena.openings.books import BookOrder, load
from results.export import pgn
from tests.results.made import GAME

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def test_the_variants_are_found_by_name() -> None:
    """An installed plug-in needs no more than its entry point."""
    assert {"chess", "chess960"} <= {*names()}


def test_perft_is_that_of_chess() -> None:
    """Castling, captures in passing and promotions are all counted."""
    for fen, counts in (
        (chess.STARTING_FEN, [20, 400, 8_902]),
        (KIWIPETE, [48, 2_039]),
        ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", [24, 496]),
    ):
        start = find("chess").parse(fen)
        assert [perft(start, depth) for depth in range(1, len(counts) + 1)] == counts


def test_a_game_ends_as_chess_says() -> None:
    """Each ending that the kind declares."""
    for fen, moves, winner, reason in (
        (chess.STARTING_FEN, "f2f3 e7e5 g2g4 d8h4", "p2", "checkmate"),
        ("7k/5K2/8/8/8/8/8/6Q1 w - - 0 1", "g1g6", "draw", "stalemate"),
        ("8/8/8/8/8/3k4/1r6/K7 w - - 0 1", "a1b2", "draw", "insufficient-material"),
        ("8/8/8/8/R7/3k4/8/K7 w - - 98 80", "a4a5 d3d4", "draw", "fifty-moves"),
        (chess.STARTING_FEN, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", "draw", "repetition"),
    ):
        game = Game(*resolve("chess", fen=fen))
        for word in moves.split():
            game.play(word)
        assert game.outcome is not None and (game.outcome.winner, game.outcome.reason) == (winner, reason)
        assert reason in KIND.endings


def test_an_impossible_position_is_refused_in_one_sentence() -> None:
    """No kings, a side in check that is not to move, no FEN at all."""
    for fen in ("", "nonsense", "8/8/8/8/8/8/8/8 w - - 0 1", "k6R/8/8/8/8/8/8/K7 w - - 0 1"):
        with pytest.raises(BadPosition, match=r"is no (FEN|position)"):
            find("chess").parse(fen)


@pytest.mark.parametrize("variant", ["chess", "chess960"])
def test_a_game_in_pgn_is_read_by_chess_programs_and_by_us(variant: str, tmp_path: Path) -> None:
    """SAN, the position and the variant: the package `chess` replays the moves, and so does the arena."""
    shuffled = "nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w BGbg - 0 1"
    rules, start = resolve(variant, fen=shuffled if variant == "chess960" else KIWIPETE.replace(" w ", " b "))
    game = Game(rules, start)
    chance = Random(variant)
    while game.outcome is None and len(game.moves) < 120:
        game.advance(chance.choice(game.position.moves()))
    moves = tuple(game.moves)
    record = replace(GAME, variant=rules.name, fen=start.fen(), start_ply=plies_before(start), opening=moves, plies=())
    record = replace(record, winner=None, termination="unfinished")
    text = pgn(record, written(record), "test")
    other = chess.pgn.read_game(io.StringIO(text))
    assert other is not None and not other.errors
    board = other.board()
    words: list[str] = []
    for move in other.mainline_moves():
        words.append(board.uci(move))
        board.push(move)
    assert words == game.moves and board.fen() == game.position.fen() and board.chess960 == (variant == "chess960")
    (tmp_path / "it.pgn").write_text(text)
    (read,) = read_games(tmp_path / "it.pgn")
    assert read.record is not None and read.record.moves == record.moves and read.record.start_ply == record.start_ply


def test_a_book_of_chess_is_read(tmp_path: Path) -> None:
    """Openings in PGN, with SAN and no tag for the variant, and positions one a line."""
    (tmp_path / "book.pgn").write_text(
        '[Event "?"]\n[Result "*"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O *\n\n'
        f'[Event "?"]\n[SetUp "1"]\n[FEN "{KIWIPETE}"]\n[Result "*"]\n\n1. O-O-O hxg2 2. Nxf7 gxh1=Q+ *\n'
    )
    book = load(tmp_path / "book.pgn", "chess", BookOrder())
    assert book.openings[0].moves == ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "e1g1")
    assert book.openings[1].moves[-1] == "g2h1q"
    (tmp_path / "book.epd").write_text(f"{KIWIPETE}\n{chess.STARTING_FEN}\n")
    assert len(load(tmp_path / "book.epd", "chess", BookOrder()).openings) == 2
