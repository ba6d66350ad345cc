"""Books of openings: which one a game gets, and what a file must be."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games.rules import RulesError, UnknownVariant
from arena.openings.books import BadBook, Book, BookOrder, Opening, entries, load

FEN = "3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 p2 4"
OPENINGS = tuple(Opening(None, (f"a{number}",)) for number in range(1, 8))


def test_in_sequence_every_pairing_has_the_same_openings() -> None:
    """From the one that was asked for, and round again."""
    book = Book(OPENINGS, start=6)
    assert [book.choose(at, pairing, 1).moves[0] for pairing in ("x", "y") for at in range(3)] == ["a6", "a7", "a1"] * 2


def test_at_random_pairings_cycles_and_seeds_differ_and_repeat() -> None:
    """The same numbers, the same opening: a resumed run goes on as it would have."""
    book = Book(OPENINGS, "random")

    def order(pairing: str, cycle: int, seed: int) -> list[str]:
        return [book.choose(7 * cycle + at, pairing, seed).moves[0] for at in range(7)]

    orders = [order(*each) for each in (("x", 0, 1), ("y", 0, 1), ("x", 1, 1), ("x", 0, 2))]
    assert len({tuple(each) for each in orders}) == 4
    assert order("x", 0, 1) == orders[0]


def test_a_book_is_named_by_what_is_chosen_from_it() -> None:
    """Another opening, another order or another start make another run."""
    books = [Book(OPENINGS), Book(OPENINGS[::-1]), Book(OPENINGS, "random"), Book(OPENINGS, start=2)]
    books.append(Book((Opening(FEN, ()), *OPENINGS[1:])))
    assert len({book.sha256 for book in books}) == 5
    assert Book(tuple(OPENINGS)).sha256 == books[0].sha256


def written(folder: Path, text: str | bytes, name: str = "book.txt") -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_a_file_has_moves_and_positions(tmp_path: Path) -> None:
    """One a line, with comments, a position followed by moves, and Windows line ends."""
    text = f"\ufeff# openings\r\n\r\nd1c1 d3b3  # two plies\r\n{FEN}\r\n{FEN} moves d3b3 d1c1\r\n"
    found = entries(written(tmp_path, text), "scottish")
    assert [(entry.line, entry.opening) for entry in found] == [
        (3, Opening(None, ("d1c1", "d3b3"))),
        (4, Opening(FEN, ())),
        (5, Opening(FEN, ("d3b3", "d1c1"))),
    ]


def test_a_file_may_be_pgn(tmp_path: Path) -> None:
    """A game an opening, from the position in its tags; only so many plies where that is asked for."""
    text = f'[FEN "{FEN}"]\n[SetUp "1"]\n\n4... d3b3 5. d1c1 *\n\n[Variant "scottish"]\n\n1. d1c1 d3b3 2. c1d1 1-0\n'
    path = written(tmp_path, text)
    assert load(path, "scottish", BookOrder("random", 2, plies=1)) == Book(
        (Opening(FEN, ("d3b3",)), Opening(None, ("d1c1",))), "random", 2
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("d1c1\nd1c1 d1c1\n", "line 2: 'd1c1'"),
        ("9/9 p1 1\n", "line 1: "),
        ("\n# nothing\n", "has no opening: write one a line"),
        (b"d1c1\n\xff\xfe\n", "line 2 is not UTF-8 text: save the file as UTF-8, if it is a file of openings"),
        (b'[Event "x"]\n\n{Andr\xe9} d1c1 *\n', "line 3 is not UTF-8 text: save the file as UTF-8"),
        ("# a comment\u2028d1c1\n", "has no opening: write one a line"),
        ("d1c1\rd1c1 d1c1\r", "line 2: 'd1c1'"),
        ('[Site "s"]\n[Site "s"]\n\nd1c1 *\n', "line 2: the tag Site is in this game already"),
        ('[Event "x"]\n\n*\n', "line 1: this game has neither moves nor a tag FEN; take it out"),
        ('[Variant "brandub"]\n\nd1c1 *\n', "line 1: this game is of brandub, not of scottish"),
        ('[FEN "x"]\n\nd1c1 *\n', "line 1: "),
        ("d1c1 d3b3 c1d1 d4d3 d1c1 d3g3\n", "line 1: the game is over after 6 plies (king-escaped)"),
    ],
)
def test_what_cannot_be_played_from_is_named_with_its_line(tmp_path: Path, text: str | bytes, sentence: str) -> None:
    """File, line, and what is wrong there."""
    path = written(tmp_path, text)
    with pytest.raises(BadBook) as refused:
        entries(path, "scottish")
    assert str(refused.value).startswith(str(path))
    assert sentence in str(refused.value)


def test_a_wrong_variant_or_start_is_no_fault_of_a_line(tmp_path: Path) -> None:
    """Each has a sentence of its own."""
    path = written(tmp_path, "d1c1\n")
    with pytest.raises(UnknownVariant, match="scotish"):
        entries(path, "scotish")
    with pytest.raises(BadBook, match="has 1 openings: the first cannot be number 2"):
        load(path, "scottish", BookOrder(start=2))


@given(st.binary(max_size=80))
def test_any_bytes_are_read_or_refused(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    """Nothing else comes out of a file."""
    path = written(tmp_path_factory.getbasetemp(), data)
    try:
        assert entries(path, "scottish")
    except RulesError as refused:
        assert str(path) in str(refused)
