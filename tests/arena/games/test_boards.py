"""Boards drawn by people, in files."""

from pathlib import Path

import pytest

from arena.games.boards import start_of
from arena.games.drawn_text import MAX_BYTES
from arena.games.rules import BadPosition

STONES = """
    .......
    .w...b.
    ...*...
    ..***..
    ...*...
    .b.W.B.
    .......
"""


def drawn(folder: Path, text: str, name: str = "board.txt") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def read_board(path: Path) -> tuple[str, str]:
    rules, position = start_of(board=path)
    return rules.name, position.fen()


def test_a_plain_drawing_is_a_callanish_board(tmp_path: Path) -> None:
    """Rows from the top rank down, p1 to move, turn 1."""
    assert read_board(drawn(tmp_path, STONES)) == ("callanish", "7/1w3b1/3*3/2***2/3*3/1b1W1B1/7 p1 1")


def test_toml_may_say_variant_side_and_turn(tmp_path: Path) -> None:
    """Each of them may be left out."""
    text = f'variant = "callanish:supply=40"\nside = "p2"\nturn = 9\nboard = """{STONES}"""\n'
    assert read_board(drawn(tmp_path, text, "b.toml")) == (
        "callanish:supply=40",
        "7/1w3b1/3*3/2***2/3*3/1b1W1B1/7 p2 9",
    )
    assert read_board(drawn(tmp_path, f"board = '''{STONES}'''", "c.toml"))[0] == "callanish"


def test_a_tafl_board_names_its_variant(tmp_path: Path) -> None:
    """And is then read with the letters a d k."""
    rows = "\n".join(("a.....a", ".......", ".......", "...k...", "...d...", ".......", "a.....a"))
    assert read_board(drawn(tmp_path, f'variant = "brandub"\nboard = """\n{rows}\n"""')) == (
        "brandub",
        "a5a/7/7/3k3/3d3/7/a5a p1 1",
    )
    with pytest.raises(BadPosition, match="name a variant of tafl, here or in a TOML file"):
        read_board(drawn(tmp_path, rows))


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "no squares"),
        ("...\n..x\n...", "row 2 from the top (rank 2) has 'x' on c2"),
        ("...\n..\n...", "row 2 from the top (rank 2) has 2 squares, but row 1 has 3"),
        ("...\n. .\n...", "row 2 from the top (rank 2) has ' ' on b2"),
        ("." * 26, "more than 25"),
        ("***\n*.*", "fewer than 2 playable squares"),
        ('board = "..."\ncolour = "red"', "unknown key 'colour'; a board file may say variant, side, turn, board"),
        ('variant = "callanish"', "the key board is missing"),
        ('variant = 3\nboard = "..."', "variant is 3"),
        ('turn = 0\nboard = "..."', "turn number"),
        ('side = "white"\nboard = "..."', "p1 or p2, not 'white'"),
        ('variant = "callanish-8"\nboard = "..."', "no variant 'callanish-8'"),
        ('variant = "scottish"\nboard = "..."', "scottish has 7 files"),
        ('variant = "scottish"\nboard = "..w"', "'w' on c1; a square may hold a d k"),
        ("board = ", "is not TOML"),
        ("turn = " + "9" * 5000, "is not TOML"),
        ("." * (MAX_BYTES + 1), "is longer than"),
    ],
)
def test_a_bad_drawing_is_refused_with_file_and_square(tmp_path: Path, text: str, part: str) -> None:
    """One sentence: which file, which row or square or key, what would do."""
    path = drawn(tmp_path, text)
    with pytest.raises(BadPosition) as refused:
        read_board(path)
    assert str(refused.value).startswith(f"{path}: ") and part in str(refused.value)


def test_a_drawing_is_of_the_variant_that_it_or_the_user_names(tmp_path: Path) -> None:
    """The user's counts where the file names none; where both do, one may only add rule options to the other."""
    rows = "a.....a\n.......\n.......\n...k...\n...d...\n.......\na.....a"
    plain = drawn(tmp_path, rows)
    bare = drawn(tmp_path, f'variant = "brandub"\nboard = """{rows}"""', "bare.toml")
    changed = drawn(tmp_path, f'variant = "brandub:king_steps=2"\nboard = """{rows}"""', "changed.toml")
    for path, variant, name in (
        (plain, "scottish", "scottish"),
        (bare, None, "brandub"),
        (bare, "brandub:king_steps=1", "brandub:king_steps=1"),
        (changed, None, "brandub:king_steps=2"),
        (changed, "brandub", "brandub:king_steps=2"),
    ):
        assert start_of(variant, board=path)[0].name == name
    assert start_of("brandub", "king_steps=3", bare)[0].name == "brandub:king_steps=3"
    assert start_of(None, "", drawn(tmp_path, STONES, "stones.txt"))[0].name == "callanish"
    for path, variant in ((bare, "scottish"), (bare, "callanish"), (changed, "brandub:king_steps=1")):
        with pytest.raises(
            BadPosition, match=rf"{path.name}: says that its variant is brandub.*but {variant} was given"
        ):
            start_of(variant, board=path)
