"""Games of a file added to a store, without the command line."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.imports import game_import
from arena.imports.game_import import Imported, ImportRefused, import_games
from arena.imports.import_readers import IncomingGame, read_games
from arena.imports.replay import written as pgn_moves
from results.export import pgn
from results.plies import Ply
from results.record import Termination
from results.store.store import Store
from tests.results import made

GOOD = {"p1": "a", "p2": "b", "variant": "scottish", "moves": ["d1c1"], "winner": "p1", "termination": "resignation"}


def written(path: Path, *records: dict[str, Any]) -> Path:
    """A file with these records."""
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def test_the_numbers_of_new_and_known_games_are_returned(tmp_path: Path, sentences: list[str]) -> None:
    """A game is known by its id, and without one by players, moves, time and round."""
    file = written(tmp_path / "games.jsonl", GOOD, GOOD | {"p1": "c"})
    with Store.in_memory() as store:
        assert import_games(file, store) == Imported(new=2, known=0)
        written(file, GOOD, GOOD | {"round": 2})
        assert import_games(file, store) == Imported(new=1, known=1)
        assert [game.p1 for game in store.games()] == ["a", "c", "a"]
    assert sentences == []


def test_fields_that_a_line_leaves_out_have_defaults(tmp_path: Path) -> None:
    """Such a game was judged by no clock of ours, and nothing is known of idle CPU and faults."""
    with Store.in_memory() as store:
        import_games(written(tmp_path / "games.jsonl", GOOD), store)
        (game,) = store.games()
    assert (game.number, game.round, game.tc, game.clock, game.measured) == (1, 1, "-", "wall", True)
    assert (game.detail, game.host, game.seed, game.p1_idle_us, game.evidence) == ("", "", 0, None, None)


def test_others_may_store_games_while_the_file_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that plays into the database would otherwise end, since it waits some seconds only."""
    file, db = written(tmp_path / "games.jsonl", GOOD), tmp_path / "games.db"

    def slowly_read(path: Path) -> Iterator[IncomingGame]:
        with Store.create_or_open(db) as run, run.transaction():
            yield from read_games(path)

    monkeypatch.setattr(game_import, "read_games", slowly_read)
    with Store.create_or_open(db) as store:
        assert import_games(file, store) == Imported(new=1, known=0)


def test_a_remark_in_a_comment_costs_the_figures_up_to_it_and_no_more(tmp_path: Path) -> None:
    """Of that move and of those before it nothing is known, so they count as the opening."""
    moves = "d3b3 d1c1 b3a3".split()
    plies = tuple(Ply(move, 1_000 + at, None, None, nodes=10**19) for at, move in enumerate(moves))
    fen = "3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 p2 3"
    ended = replace(made.GAME, plies=plies, winner="p2", termination=Termination.RESIGNATION)
    game = replace(ended, variant="scottish", fen=fen, opening=())
    text = pgn(game, pgn_moves(game), "evening")
    path = tmp_path / "g.pgn"
    remarks = (("", "", 3), ("d1c1 {", "d1c1 {a blunder! ", 1), ("b3a3 {", "b3a3 {! ", 0))
    for plain, remark, known in remarks:
        said = text.replace(plain, remark) if plain else text
        path.write_text(said)
        (found,) = read_games(path)
        assert found.record is not None and (found.record.moves, len(found.record.plies)) == (tuple(moves), known)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"measured": 1}, "measured is 1"),
        ({"clock": 3}, "clock is 3; it is a text"),
        ({"wall_ms": 2**63}, "it has at most 63 bits"),
        ({"evidence": {"side": "p1", "transcript": []}}, "evidence is not as it was exported"),
        ({"p2": 5}, "p2 is 5; it is a text"),
        ({"number": -1}, "it is game -1 of round 2; games count from 1"),
    ],
)
def test_a_field_that_cannot_be_stored_is_refused(
    tmp_path: Path, change: dict[str, object], why: str, sentences: list[str]
) -> None:
    """The report has file, line and field; the store stays empty, though the line before is good."""
    file = written(tmp_path / "games.jsonl", GOOD, GOOD | {"round": 2} | change)
    with Store.in_memory() as store:
        with pytest.raises(ImportRefused, match=r"1 game of .* refused; nothing was imported"):
            import_games(file, store)
        assert ([*store.games()], store.runs()) == ([], [])
    assert len(sentences) == 1
    assert sentences[0].startswith(f"{file}:2: ") and why in sentences[0]


def test_a_line_that_is_no_utf8_text_is_named(tmp_path: Path, sentences: list[str]) -> None:
    """Wherever it is in a file of PGN; an editor of the old days wrote the name in Latin-1."""
    file = tmp_path / "games.pgn"
    good = b'[Variant "scottish"]\n[Result "1-0"]\n\n1. d1c1 {Andr%s} 1-0\n\n'
    file.write_bytes(good % b"e" + good % b"\xe9")
    with Store.in_memory() as store, pytest.raises(ImportRefused, match="nothing was imported"):
        import_games(file, store)
    assert sentences == [f"{file}:9: this line is not UTF-8 text: save the file as UTF-8"]
