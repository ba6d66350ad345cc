"""A file of games costs bounded time and memory, whatever lies in it."""

import json
from pathlib import Path

import pytest

from arena.imports import import_readers, pgn_reader
from arena.imports.import_readers import read_games

TAGS = '[Event "e"]\n[White "a"]\n[Black "b"]\n[Variant "scottish"]\n'
GAME = f"{TAGS}\n1. d1c1 *\n\n"
RECORD = {"variant": "scottish", "winner": None, "p1": "a", "p2": "b"}


def refusals(path: Path) -> list[tuple[int, str]]:
    return [(game.line, game.refusal) for game in read_games(path)]


def test_a_game_that_is_too_long_is_refused_by_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The games before it are read, however many, and so are those of a long file without a tag Event."""
    monkeypatch.setattr(import_readers, "LONGEST_GAME", 2000)
    monkeypatch.setattr(import_readers, "LONGEST_LINE", 2000)
    monkeypatch.setattr(import_readers, "_CHUNK_BYTES", 300)
    path = tmp_path / "games"
    path.write_text(GAME * 50)
    assert refusals(path) == [(1 + 7 * number, "") for number in range(50)]
    path.write_text(GAME.replace('[Event "e"]\n', "") * 100)
    assert refusals(path) == [(1 + 6 * number, "") for number in range(100)]
    path.write_text(GAME * 50 + GAME.replace("d1c1", f"{{{'x ' * 1000}}} d1c1"))
    *before, (line, refusal) = refusals(path)
    assert {told for _, told in before} == {""} and line == 351 and "the game is longer than 0 MiB" in refusal
    record = json.dumps({**RECORD, "moves": ["d1c1"]})
    path.write_text(f"{record}\n{record[:-1]}{' ' * 2000}}}\n{record}\n")
    (one, told), (two, refusal) = refusals(path)
    assert (one, told, two) == (1, "", 2) and "the line is longer than" in refusal


def test_what_no_game_has_is_refused_in_one_short_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Moves and tags without end, and words and values that are longer than any."""
    monkeypatch.setattr(pgn_reader, "MOST_MOVES", 9)
    monkeypatch.setattr(pgn_reader, "MOST_TAGS", 9)
    path = tmp_path / "games.pgn"
    for text in (
        f"{TAGS}\n{'d1c1 ' * 10}*\n",
        f"{''.join(f'[T{number} {chr(34)}x{chr(34)}]{chr(10)}' for number in range(12))}\n*\n",
        f"{TAGS}\nd{'1' * 1001} *\n",
        f'[Event "{"e" * 100_001}"]\n\n*\n',
    ):
        path.write_text(text)
        ((_, refusal),) = refusals(path)
        assert "has more than" in refusal and len(refusal) < 100
    path.write_text(json.dumps({**RECORD, "moves": ["d1c1"], "p1": "a" * 301}))
    assert refusals(path)[0][1].endswith("a…; it is a text of at most 300 characters")
    path.write_text(json.dumps({**RECORD, "moves": ["d" * 100_000]}))
    ((_, refusal),) = refusals(path)
    assert len(refusal) <= 300 and refusal.endswith("…")


@pytest.mark.parametrize(
    ("field", "clause"),
    [
        ('"seed": 1e400', "has the number 1e400, which is none"),
        ('"seed": NaN', "has the number NaN, which is none"),
        ('"host": "\\ud800"', "has half a character"),
        (f'"about": {"[" * 900}{"]" * 900}', "is nested too deeply"),
        ('"p1": "z"', "has the key 'p1' twice"),
    ],
)
def test_json_that_other_programs_cannot_read_is_refused(tmp_path: Path, field: str, clause: str) -> None:
    """What Python's reader lets pass could not be stored, or written again."""
    path = tmp_path / "games.jsonl"
    path.write_text(f"{json.dumps({**RECORD, 'moves': ['d1c1']})[:-1]}, {field}}}\n")
    assert refusals(path) == [(1, f"the line {clause}{', such as ' + chr(92) + 'ud800' if 'half' in clause else ''}")]
