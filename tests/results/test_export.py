"""Games in the formats of other tools."""

import csv
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from io import StringIO

from hypothesis import example, given
from hypothesis import strategies as st

from arena.imports.replay import written
from results import export as exports
from results.export import CSV_HEADER, Format, comment, csv_row, jsonl
from results.plies import Ply
from results.record import GameRecord, Winner
from tests.results.made import GAME

TAG = re.compile(r'\[(\w+) "((?:[^"\\]|\\["\\])*)"\]')


def pgn(record: GameRecord, event: str = "?") -> str:
    return exports.pgn(record, written(record), event)


def text(record: GameRecord) -> str:
    return exports.text(record, written(record))


def export(games: Iterable[GameRecord], form: Format, events: Mapping[str, str]) -> Iterator[str]:
    return exports.export(games, form, events, written)


def tags(text: str) -> dict[str, str]:
    """The tags of a PGN game, as a reader of PGN takes them."""
    head, _, _ = text.partition("\n\n")
    found = {}
    for line in head.split("\n"):
        match = TAG.fullmatch(line)
        assert match, line
        found[match[1]] = re.sub(r"\\(.)", r"\1", match[2])
    return found


def test_a_game_in_pgn() -> None:
    """The seven tags in their order, ours after them, the moves numbered, the result, an empty line."""
    assert pgn(GAME, "evening") == (
        '[Event "evening"]\n'
        '[Site "box"]\n'
        '[Date "2024.01.02"]\n'
        '[Round "1.1"]\n'
        '[White "ann"]\n'
        '[Black "bob"]\n'
        '[Result "1-0"]\n'
        '[Variant "callanish-9"]\n'
        '[SetUp "1"]\n'
        '[FEN "9/9/9 p1 1"]\n'
        '[TimeControl "10+0.1"]\n'
        '[Termination "line"]\n'
        '[PlyCount "4"]\n'
        '[UTCTime "03:04:06"]\n'
        '[GameId "5ca1ab1e-000001"]\n'
        "\n"
        '1. a1 b2 2. c3 {+0.31/4 0.001200s, n=12345, tl=9.998s, pv="c3 d4"} d4\n{0.000900s} 1-0\n'
        "\n"
    )


def test_results_have_the_words_of_pgn() -> None:
    """White is p1; the tag and the end of the moves agree."""
    words: dict[Winner | None, str] = {"p1": "1-0", "p2": "0-1", "draw": "1/2-1/2", None: "*"}
    for winner, word in words.items():
        text = pgn(replace(GAME, winner=winner))
        assert tags(text)["Result"] == word
        assert text.split()[-1] == word


def test_a_game_that_p2_begins_is_numbered_so() -> None:
    """The number comes from the plies before the start, with dots where White's move is missing."""
    text = pgn(replace(GAME, start_ply=13, opening=GAME.moves, plies=()))
    assert text.endswith("\n\n7... a1 8. b2 c3 9. d4 1-0\n\n")


@given(st.text(max_size=30), st.text(max_size=30))
@example('say "hi" \\o/', "ends in \\")
def test_any_name_can_be_read_back(name: str, event: str) -> None:
    """Quotes and backslashes are escaped; what is no printable character is a blank, so that a tag is one line."""
    found = tags(pgn(replace(GAME, p1=name), event))
    assert found["White"] == "".join(c if c.isprintable() else " " for c in name)
    assert len(found) == 15


@given(st.lists(st.from_regex(r"[a-s][0-9]{1,2}[a-s][0-9]{1,2}", fullmatch=True), max_size=60))
def test_lines_keep_to_80_columns_and_no_move_is_lost(moves: list[str]) -> None:
    """The moves come back in their order from lines that any reader takes."""
    record = replace(GAME, opening=(), plies=tuple(Ply(move, 1, None, None) for move in moves))
    _, _, movetext = pgn(record).partition("\n\n")
    assert all(len(line) <= 80 for line in movetext.split("\n"))
    bare = re.sub(r"\{[^}]*\}", "", movetext)
    assert [word for word in bare.split() if not word.endswith(".")] == [*moves, "1-0"]


def test_a_ply_s_comment_has_what_is_known() -> None:
    """From the mover's side; what an engine said that is no score stays outside, so that no comment is broken."""
    for score, depth, said in (
        ("cp -7", None, "{-0.07 0.000001s}"),
        ("cp 1234", 12, "{+12.34/12 0.000001s}"),
        ("mate 5", 3, "{+M5/3 0.000001s}"),
        ("mate -4", 3, "{-M4/3 0.000001s}"),
        (None, 3, "{?/3 0.000001s}"),
        ("cp } 1-0 {", None, "{0.000001s}"),
    ):
        assert comment(Ply("a1", 1, None, None, depth, None, score)) == said


def test_a_game_for_people() -> None:
    """A line about it, where it began, its moves and why it ended."""
    assert text(replace(GAME, detail="four in a row")) == (
        "5ca1ab1e-000001, round 1: ann - bob, callanish-9, 10+0.1\n9/9/9 p1 1\n"
        "1. a1 b2 2. c3 d4 1-0 by line: four in a row\n\n"
    )


def test_a_game_as_json() -> None:
    """The keys are fixed; moves start with the opening's, ply_data with the first move of an engine."""
    assert json.loads(json.dumps(jsonl(GAME))) == {
        "id": "5ca1ab1e-000001",
        "run": "5ca1ab1e",
        "number": 1,
        "round": 1,
        "p1": "ann",
        "p2": "bob",
        "variant": "callanish-9",
        "fen": "9/9/9 p1 1",
        "moves": ["a1", "b2", "c3", "d4"],
        "opening": ["a1", "b2"],
        "winner": "p1",
        "termination": "line",
        "detail": "",
        "plies": 4,
        "wall_ms": 3,
        "tc": "10+0.1",
        "seed": 11,
        "started_at": "2024-01-02T03:04:06+00:00",
        "ply_data": [
            {
                "move": "c3",
                "wall_us": 1200,
                "cpu_us": 1100,
                "left_ms": 9998,
                "depth": 4,
                "nodes": 12345,
                "score": "cp 31",
                "late_us": None,
                "reading_us": 0,
                "pv": ["c3", "d4"],
            },
            {
                "move": "d4",
                "wall_us": 900,
                "cpu_us": None,
                "left_ms": None,
                "depth": None,
                "nodes": None,
                "score": None,
                "late_us": None,
                "reading_us": 0,
                "pv": [],
            },
        ],
        "host": "box",
        "clock": "fair",
        "measured": True,
        "flagged": False,
        "machine": False,
        "burns_idle": [],
        "p1_idle_us": None,
        "p2_idle_us": None,
        "evidence": None,
    }
    assert jsonl(replace(GAME, winner=None))["winner"] is None


def test_an_export_is_its_games_one_after_another() -> None:
    """PGN has the name of each game's run; the CSV begins with its headings, once, even where there is no game."""
    games, events = [GAME, replace(GAME, number=2)], {"5ca1ab1e": "evening"}
    assert "".join(export(games, "pgn", events)) == pgn(games[0], "evening") + pgn(games[1], "evening")
    assert "".join(export(games, "text", events)) == text(games[0]) + text(games[1])
    assert [json.loads(line)["number"] for line in export(games, "jsonl", events)] == [1, 2]
    assert [line.split(",")[2] for line in export(games, "csv", events)] == ["number", "1", "2"]
    assert "".join(export([], "csv", events)) == ",".join(CSV_HEADER) + "\n"


def test_a_game_as_csv() -> None:
    """One field for each heading, whatever a field holds."""
    odd = replace(GAME, winner=None, detail='said "x, y"\nand left')
    out = StringIO()
    csv.writer(out).writerows([CSV_HEADER, csv_row(odd)])
    (row,) = csv.DictReader(StringIO(out.getvalue()))
    assert row["detail"] == odd.detail
    assert row["winner"] == ""
    assert (row["moves"], row["ply_count"], row["run"]) == ("a1 b2 c3 d4", "4", "5ca1ab1e")
