"""PGN as people and programs write it."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.imports.pgn_reader import BadPgn, PgnGame, read
from arena.imports.replay import written
from results.export import pgn
from results.plies import Ply
from results.record import Termination
from tests.results import made

GAME = replace(
    made.GAME,
    variant="scottish",
    p1="al\\pha",
    p2='be"ta"',
    fen="3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 p2 3",
    opening=("d3b3", "d1c1"),
    plies=(Ply("c3d3", 1, None, None),),
    winner="p2",
    termination=Termination.RESIGNATION,
)


def only(text: str) -> PgnGame:
    (game,) = read(text)
    return game


@given(st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S"), include_characters=" "), max_size=20))
def test_what_the_arena_writes_it_reads(name: str) -> None:
    """Tags with any name in them, moves and result of an exported game come back, twice over."""
    game = replace(GAME, p1=name)
    first, second = read(pgn(game, written(game), "evening") * 2)
    assert (first.tags["White"], first.tags["Black"], first.tags["FEN"]) == (name, game.p2, game.fen)
    assert (first.moves, first.result, first.line_number) == (game.moves, "0-1", 1)
    assert second.tags == first.tags
    assert second.line_number == 1 + pgn(game, written(game), "evening").count("\n")


def test_annotations_are_skipped() -> None:
    """Comments of both kinds, escaped lines, NAGs, marks, nested variations and every way of numbering."""
    text = """% made by hand
[Event "x"]
1. e5! {the middle (so they say}; and ( to the end of the line } [
1... d4 $14 (1... c3?! {not} (1... b2) 2. e5c4d7) 2.e5f3g4 2...d4b5c6 3 a1b3c2 ?
"""
    game = only(text)
    assert game.moves == ("e5", "d4", "e5f3g4", "d4b5c6", "a1b3c2")
    assert game.lines == (3, 4, 4, 4, 4)
    assert (game.line_number, game.result) == (2, None)


def test_games_are_told_apart() -> None:
    """By a result, and by tags after moves and a blank line; games without tags or moves are games."""
    text = 'e5 d4 *\na1 1-0 [Event "b"]\n\nb2 {to be continued}\n\n[Event "d"] 1/2-1/2'
    found = [(game.tags.get("Event"), game.moves, game.result) for game in read(text)]
    assert found == [(None, ("e5", "d4"), "*"), (None, ("a1",), "1-0"), ("b", ("b2",), None), ("d", (), "1/2-1/2")]
    assert [*read(""), *read("\ufeff \r\n; nothing\r\n")] == []


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("e5\n{ no end\nd4", "line 2: a comment begins here and is never closed; add its '}'"),
        ("e5 (d4\n(c3)", "line 1: a variation begins here and is never closed; add its ')'"),
        ("e5)", "line 1: ')' closes no variation"),
        ("\n[Event x]", """line 2: '[Event x]' is not a tag; write [Name "value"] on one line"""),
        ('[Event "x\ny"]', """line 1: '[Event "x' is not a tag; write [Name "value"] on one line"""),
        ("e5\n\n-- d4", "line 3: '--' is neither a move nor a part of PGN; take it out"),
        (
            '[Site "s"]\n[Event "x"]\n\n[Site "s"]\n\n1. e5 *',
            "line 4: the tag Site is in this game already; take one out, or end the game before it with *",
        ),
        ('[Variant "v"]\n[fen "x"]\n\n1. e5 *', "line 2: there is no tag fen; write FEN"),
        (
            '[Event "x"]\n[SetUp "1"]\n\n1. e5 *',
            "line 1: the game has a tag SetUp and no tag FEN; add the position, or take SetUp out",
        ),
        (
            '1. e5\n[Annotator "x"]\n2. d4 *',
            "line 2: the tag Annotator comes after moves; if another game begins here, end the one before it with *",
        ),
        ("1. e5 d4\n\n1. e5 c3 *", "line 3: move 1 comes after move 1; end the game before it with *"),
        ("1. e5 *\n2. d4 *", "line 2: the game begins with move 2; begin with move 1, or write the tag FEN"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_line(text: str, sentence: str) -> None:
    """One sentence, and no half game."""
    with pytest.raises(BadPgn) as refused:
        list(read(text))
    assert str(refused.value) == sentence


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    """Nothing else may come out of it, and it ends."""
    try:
        for game in read(text):
            assert len(game.moves) == len(game.lines)
    except BadPgn as refused:
        assert str(refused).startswith("line ")
