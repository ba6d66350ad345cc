"""Recorded games against the rules: agreement, every kind of disagreement, and input that is no record."""

import json
import zlib
from pathlib import Path

import pytest

from arena.games.variants import find
from arena.imports.replay import Disagreement, check_lines, check_record

TRACES = sorted((Path(__file__).parents[1] / "games" / "traces").glob("*.jsonl"))
DRAWN = "d1c1 d3c3 c1d1 c3d3 d1c1 d3c3 c1d1 c3d3"


def messages(record: dict[str, object]) -> list[str]:
    return [f"{found.ply}: {found.message}" for found in check_record(record)]


def trace(variant: str, number: int = 0) -> dict[str, object]:
    path = next(path for path in TRACES if path.stem == variant)
    record = json.loads(path.read_text().splitlines()[number])
    assert isinstance(record, dict)
    return record


@pytest.mark.parametrize("step", [8, pytest.param(1, marks=pytest.mark.long)])
def test_games_that_other_programs_played_and_judged_agree(step: int) -> None:
    """Every move, count of legal moves, list of them, winner and reason of Ludii's and OpenTafl's games."""
    for path in TRACES:
        lines = path.read_bytes().splitlines()[::step]
        assert [found for found in check_lines(lines) if found[1]] == [], path.stem


SCOTTISH = {"variant": "scottish", "moves": "d1c1 d3c3", "winner": None}
ADJUDICATED = {"winner": "draw", "reason": "adjudication"}
BRANDUB: dict[str, object] = {"variant": "brandub", "moves": "", "winner": "p2"}


@pytest.mark.parametrize(
    "record",
    [
        {"variant": "scottish", "moves": DRAWN, "winner": "draw", "reason": "repetition"},
        {"variant": "scottish", "moves": DRAWN.split(), "winner": "draw", "termination": "repetition", "more": [1]},
        {"variant": "scottish", "moves": DRAWN, "winner": "draw", "reason": "repetition", "termination": "repetition"},
        {"variant": "scottish:repetition=loses", "moves": DRAWN, "winner": "p1", "reason": "repetition"},
        {"variant": "scottish", "moves": [], "winner": None, "reason": "unfinished"},
        {"variant": "scottish", "fen": None, "moves": "d1c1", "winner": "p1", "reason": "time", "legal": [48, 23]},
        {"variant": "scottish", "moves": "d1c1", "winner": "draw", "reason": "draw-agreed"},
        {"variant": "callanish", "moves": "e5 b2", "legal": [81, 80]} | ADJUDICATED,
        {"variant": "callanish", "fen": "5/5/2*2/5/5 p1 1", "moves": "a1", "winner": "p1", "reason": "resignation"},
        {"variant": "scottish", "fen": "7/7/7/3k3/7/7/7 p1 1", "moves": "", "winner": "p2", "reason": "no-move"},
        *(BRANDUB | {"reason": reason} for reason in ("illegal-move", "malformed-move", "crash", "stall")),
        {"variant": "brandub", "moves": "d1c1 d3c3", "opening": [], "winner": "p1", "reason": "crash"},
        BRANDUB | {"moves": "d1c1 d3c3", "opening": ["d1c1", "d3c3"], "winner": "p1", "reason": "malformed-move"},
        *(
            BRANDUB | {"reason": reason, "evidence": {"side": "p1", "fault": "stall"}}
            for reason in ("stall", "resignation")
        ),
        SCOTTISH | {"opening": None, "plies": 2, "p1": "a", "p2": "b"},
        SCOTTISH | {"ply_data": [{"move": "d3c3"}]},
        SCOTTISH | {"moves": ["d1c1", "d3c3"], "opening": "d1c1", "ply_data": [{"move": "d3c3", "wall_us": 3}]},
    ],
)
def test_records_that_the_rules_confirm(record: dict[str, object]) -> None:
    """Ends by the rules, by forfeit, by agreement, by adjudication, and no end at all."""
    assert messages(record) == []


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({"moves": "d1d4", "winner": None}, "0: 'd1d4' is no legal move in 3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 p1 1"),
        ({"moves": "d1c1 xyz", "winner": None}, "1: 'xyz' is no legal move"),
        ({"moves": f"{DRAWN} d1c1 d3c3", "winner": "draw"}, "8: the game was over (draw by repetition) before d1c1"),
        ({"moves": DRAWN, "winner": "p2"}, "None: the record says winner p2, the rules draw by repetition"),
        ({"moves": DRAWN, "winner": "draw", "reason": "no-move"}, "None: the record says reason no-move, the rules"),
        ({"moves": "", "winner": "p1"}, "None: the record says winner p1 without a reason, but"),
        ({"moves": "", "winner": "p1", "reason": "boredom"}, "None: the record says winner p1 by boredom"),
        ({"moves": "", "winner": None, "reason": "time"}, "None: the record says reason time and no winner"),
        ({"moves": "", "winner": "draw", "reason": "crash"}, "None: the record says crash and winner draw"),
        ({"moves": "", "winner": "p1", "reason": "draw-agreed"}, "None: the record says draw-agreed and winner p1"),
        *(
            (
                {"moves": "d1c1", "winner": "p2", "reason": reason},
                f"None: the record says winner p2 by {reason}, but p2 is to move: only that side can lose so",
            )
            for reason in ("time", "illegal-move", "malformed-move", "resignation")
        ),
        (
            {"moves": "d1c1 d3c3", "opening": ["d1c1"], "winner": "p1", "reason": "malformed-move"},
            "None: the record says winner p1 by malformed-move, but p1 is to move",
        ),
        ({"moves": "", "winner": "p1", "reason": "time"}, "None: the record says winner p1 by time, but p1 is to move"),
        *(
            (
                {"moves": "d1c1", "winner": "p1", "reason": "time", "evidence": evidence},
                f"None: the record says winner p1 by time, and its evidence {said}",
            )
            for evidence, said in (({"side": "p1"}, "time of p1"), ({"side": "p2", "fault": "stall"}, "stall of p2"))
        ),
        ({"moves": "d1c1", "winner": None, "start_ply": 7}, "None: start_ply is 7, but 0 plies came before its positi"),
        (
            {"moves": DRAWN, "winner": "draw", "reason": "repetition", "termination": "no-move"},
            "None: the record says reason repetition and termination no-move",
        ),
        ({"moves": "d1c1", "opening": "d1c1 d3c3", "winner": None}, "None: the moves do not begin with the opening"),
        ({"moves": "d1c1", "plies": 2, "winner": None}, "None: plies is 2, but there are 1 moves"),
        ({"moves": "d1c1", "plies": True, "winner": None}, "None: plies is True; it is the number of moves"),
        ({"moves": "d1c1", "opening": 3, "winner": None}, "None: opening is neither a list of words nor"),
        ({"moves": "d1c1", "ply_data": [{}], "winner": None}, "None: ply_data is no list of"),
        *(
            (SCOTTISH | {"opening": "d1c1", "ply_data": data}, "None: the moves of ply_data are not those after the")
            for data in ([], [{"move": "d3b3"}], [{"move": "d1c1"}, {"move": "d3c3"}])
        ),
        ({"moves": "d1c1", "winner": None, "p1": "a", "p2": "a"}, "None: p1 and p2 are both 'a'"),
        ({"variant": "callanish-9", "moves": "e5 c4 e5g4f3", "winner": None}, "2: the move e5g4f3 is stored as e5f3g4"),
        ({"moves": "d1c1", "winner": None, "legal": [True]}, "None: legal is no list of numbers"),
        ({"moves": "d1c1", "winner": None, "legal": [47]}, "0: the record counts 47 legal moves, the rules 48"),
        ({"moves": "d1c1", "winner": None, "legal": [48, 20]}, "1: the record counts 20 legal moves, the rules 23"),
        ({"moves": DRAWN, "winner": "draw", "legal": [None] * 8 + [1]}, "8: the record counts 1 legal moves, the rul"),
        ({"variant": "callanish-9", "moves": "", "winner": "draw", "reason": "draw-agreed"}, "None: the record says"),
        ({"moves": "d1c1", "winner": None, "legal": [48, 23, 9]}, "None: legal has 3 entries for 1 moves"),
        ({"moves": "d1c1", "winner": None, "legal_crc32": ["00000000"]}, "0: the record's legal_crc32 is 00000000"),
        ({"moves": "", "winner": None, "samples": [{"ply": 1, "legal": []}]}, "1: samples has ply 1"),
        ({"moves": "", "winner": None, "samples": [{"ply": 0, "legal": ["d1c1"]}]}, "0: the record's sample of legal"),
        ({"variant": "scotish", "moves": "", "winner": None}, "None: "),
        ({"fen": "7/7 p1", "moves": "", "winner": None}, "None: scottish has 7 files and 7 ranks"),
        ({"winner": None}, "None: the record has no moves"),
        ({"moves": ""}, "None: the record has no winner"),
        ({"variant": 3, "moves": "", "winner": None}, "None: variant is 3; it is a name"),
        ({"fen": 3, "moves": "", "winner": None}, "None: fen is 3; it is a position string"),
        ({"moves": 3, "winner": None}, "None: moves is neither a list of words nor"),
        ({"moves": "", "winner": "white"}, "None: winner is 'white'; it is p1, p2, draw or null"),
        ({"moves": "", "winner": None, "reason": 3}, "None: reason is 3; it is a word"),
        ({"moves": "", "winner": None, "samples": 3}, "None: samples is no list of"),
        ({"moves": "", "winner": None, "samples": [None]}, "None: samples is no list of"),
    ],
)
def test_what_the_rules_do_not_confirm_is_said_with_its_ply(record: dict[str, object], said: str) -> None:
    """One disagreement, at the ply where it shows."""
    found = messages({"variant": "scottish"} | record)
    assert len(found) == 1 and found[0].startswith(said), found


def test_a_good_crc_and_a_good_sample_agree_and_a_double_move_in_one_does_not() -> None:
    """The crc covers the sorted words with one blank between them; a sample may come in any order."""
    words = [move.text for move in find("brandub").start().legal_moves()]
    record: dict[str, object] = {
        "variant": "brandub",
        "moves": "",
        "winner": None,
        "legal_crc32": [f"{zlib.crc32(' '.join(sorted(words)).encode()):08x}"],
        "samples": [{"ply": 0, "legal": words[::-1]}, {"ply": 0, "legal": " ".join(words)}],
    }
    assert messages(record) == []
    record["samples"] = [{"ply": 0, "legal": [*words, words[0]]}]
    assert messages(record) == ["0: the record's sample of legal moves differs in a move listed twice"]


def test_every_line_is_counted_and_bad_ones_are_said_by_number() -> None:
    """Blank lines are no records; nothing in a line stops the rest."""
    good = '{"variant": "scottish", "moves": "d1c1", "winner": null}'
    lines: list[str | bytes] = [good, "", "  \n", "{", "[1]", b"\xff", b"7", "[" * 100_000, "9" * 5000, good.encode()]
    found = dict(check_lines(lines))
    assert list(found) == [1, 4, 5, 6, 7, 8, 9, 10]
    assert found[1] == found[10] == []
    for number, part in ((4, "no JSON:"), (5, "no JSON object"), (6, "UTF-8"), (7, "no JSON object"), (8, "nested")):
        assert len(found[number]) == 1 and part in found[number][0].message
    assert isinstance(found[9][0], Disagreement)


@pytest.mark.parametrize(
    "line",
    [
        '{"variant": "scottish", "moves": "", "winner": null, "winner": "p1"}',
        '{"variant": "scottish", "moves": "", "winner": null, "about": {"winner": 1, "winner": 2}}',
    ],
)
def test_a_key_that_is_there_twice_is_named(line: str) -> None:
    """Another reader would take the other value, so neither can be trusted."""
    assert list(check_lines([line])) == [(1, [Disagreement(None, "the line has the key 'winner' twice")])]
