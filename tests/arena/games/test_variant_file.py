"""Variants of users' own, in files."""

import re
from pathlib import Path

import pytest

from arena.games.boards import start_of
from arena.games.drawn_text import MAX_BYTES
from arena.games.rules import BadPosition, RulesError, UnknownVariant
from arena.games.variant_file import BadVariantFile, named, read
from arena.games.variants import find, names, resolve
from tests.arena.games.own_variants import LOCHS_FILE

LOCHS = "callanish:name=two-lochs,board=9/9/2**5/2**5/9/5**2/5**2/9/9"
HEAD = 'base = "callanish"\nname = "Mine"\n'
TAFL_HEAD = 'base = "scottish"\nname = "Mine"\n'
BOARD = 'board = """\n.....\n.....\n.....\n"""\n'
CROSS = "...a...\n...a...\n...d...\naadkdaa\n...d...\n...a...\n...a..."


def written(folder: Path, text: str, name: str = "mine.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_rules_alone_make_a_variant_and_so_does_a_board_alone(tmp_path: Path) -> None:
    """A drawing of the base's own start is no board of one's own; a table and a text of rules say the same."""
    table = read(written(tmp_path, f'{TAFL_HEAD}[rules]\nking_steps = 2\nking_armed = "yes"')).rules
    text = read(
        written(tmp_path, f'{TAFL_HEAD}rules = "king_armed=yes, king_steps=2"\nboard = """\n{CROSS}\n"""')
    ).rules
    assert table == text
    assert table.name == "scottish:name=mine,king_armed=yes,king_steps=2"
    assert table.start() == find("scottish:king_armed=yes,king_steps=2").start()
    assert read(written(tmp_path, HEAD + BOARD)).rules.name == "callanish:name=mine,board=5/5/5"


@pytest.mark.parametrize("base", ["tablut-ashton", "tablut-saami"])
def test_a_board_of_ones_own_has_the_side_of_its_base_to_move(tmp_path: Path, base: str) -> None:
    """Where the file names none; the whole name says which side it is."""
    rows = [*["." * 9] * 3, "....a....", "....k....", *["." * 9] * 4]
    head = f'base = "{base}"\nname = "Mine"\n'
    board = 'board = """\n' + "\n".join(rows) + '\n"""\n'
    rules = read(written(tmp_path, head + board)).rules
    assert rules.start().side == find(base).start().side
    assert rules.name.endswith(",side=p2") == (base == "tablut-ashton") and find(rules.name) == rules
    other = read(written(tmp_path, f'{head}side = "p1"\n{board}', "other.toml")).rules
    assert other.start().side == "p1" and find(other.name) == other
    drawn = written(tmp_path, f'variant = "{base}"\n{board}', "board.toml")
    assert start_of(board=drawn)[1].side == find(base).start().side


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", 'is empty: write at least base = "callanish-9" and name'),
        ("base = ", "is not TOML"),
        ("#" * (MAX_BYTES + 1), "is longer than"),
        ('name = "Mine"\nrules = ""', "the key base is missing; write base = "),
        ('base = "scottish"', "the key name is missing; write name = "),
        ("base = 'scotish'\nname = 'Mine'", "base: "),
        ("base = 'scottish:king_steps=2'\nname = 'Mine'", "base is 'scottish:king_steps=2': write the variant alone"),
        ("base = 'scottish'\nname = \"a\\u0000b\"", "name is 'a\\x00b': write a name of printable characters"),
        ("base = 'scottish'\nname = '二つの湖'", "is no name of a variant: take small letters"),
        ("base = 'scottish'\nname = 'Brandub'", "in short 'brandub', which is the name of a variant"),
        (f"base = 'scottish'\nname = '{'x' * 61}'", "name has 61 characters"),
        (f"base = 'scottish'\nname = '{'x' * 50}'", "is too long for a name: take at most 40"),
        (TAFL_HEAD + "name_ja = 3", "name_ja is 3: write it in quotes"),
        (TAFL_HEAD + "nam_ja = 'x'", "unknown key 'nam_ja'; did you mean name_ja?"),
        (TAFL_HEAD + "zoo = 'x'", "unknown key 'zoo'; a variant may say base, name, name_ja, board, side, rules"),
        (TAFL_HEAD + "rules = 3", "rules is 3: write a table"),
        (TAFL_HEAD + "rules = 'king_steps'", "rules: 'king_steps' sets no rule option"),
        (
            TAFL_HEAD + "rules = 'occurrences=4'",
            "rules: occurrences=4 of scottish is out of range: occurrences is 3 or",
        ),
        (TAFL_HEAD + "[rules]\nking_steps = 99", "rules: king_steps=99 of scottish is out of range"),
        (TAFL_HEAD + "[rules]\nking_armed = true", 'rules.king_armed is true: write "yes" or "no", in quotes'),
        (TAFL_HEAD + "[rules]\nking_armed = 'yes,name=x'", "rules.king_armed is 'yes,name=x': write a word"),
        (TAFL_HEAD + "side = 'p2'", "side says who moves on a board: draw a board, or leave side out"),
        (TAFL_HEAD + f"side = 'white'\nboard = '''\n{CROSS}\n'''", 'side is \'white\': write "p1" or "p2"'),
        (TAFL_HEAD + "board = 3", "board is 3: write it in quotes"),
        (TAFL_HEAD + f"board = '''\n{CROSS.replace('k', 'd')}\n'''", "board: the board has no king"),
        (TAFL_HEAD + f"board = '''\n{CROSS.replace('k', 'w')}\n'''", "'w' on d4; a square may hold a d k"),
        (TAFL_HEAD + "board = '''\n...k...\n'''", "board: scottish has 7 files and 7 ranks"),
        (HEAD, "callanish has no board of its own: draw one, or take callanish-9 as the base"),
        (HEAD + f"board = '''\n{CROSS}\n'''", "belong to tafl: take a variant of tafl as the base"),
        (HEAD + "board = '''\n**\n*.\n'''", "board: the board has fewer than 2 playable squares"),
        (HEAD + "board = '''\nwww\n...\n...\n'''", "board: the game is over at its start (p1 by line): draw another"),
        ('base = "callanish-9"\nname = "Mine"\n' + BOARD, "board: callanish-9 has 9 files and 9 ranks"),
        (BOARD, "is a drawn board: give it with --board, or make it a variant"),
        ("[tournament]\nname = 'cup'", "unknown key 'tournament'"),
    ],
)
def test_a_bad_file_is_refused_in_one_sentence(tmp_path: Path, text: str, part: str) -> None:
    """Which file, which key, what would do."""
    path = written(tmp_path, text)
    with pytest.raises(BadVariantFile) as refused:
        read(path)
    assert str(refused.value).startswith(f"{path}: ") and part in str(refused.value)
    assert "\n" not in str(refused.value)


def test_only_a_name_that_ends_in_toml_is_a_file(tmp_path: Path) -> None:
    """It is found in the folder that counts. Rule options behind it are refused; other names stay as they are."""
    written(tmp_path, LOCHS_FILE, "lochs.toml")
    assert named("lochs.toml", tmp_path) == LOCHS
    assert named(str(tmp_path / "lochs.toml")) == LOCHS
    assert [named(name) for name in names()] == [*names()]
    with pytest.raises(BadVariantFile, match="takes no rule options after its name"):
        named("lochs.toml:supply=20", tmp_path)
    for name in ("./lochs", "lochs.txt", "boards/lochs"):
        with pytest.raises(BadVariantFile, match=r"is no name of a variant, and the file .* ends in \.toml"):
            named(name)


def test_a_record_never_names_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is read from strangers is looked up by name alone."""
    monkeypatch.chdir(tmp_path)
    written(tmp_path, LOCHS_FILE, "lochs.toml")
    with pytest.raises(UnknownVariant, match=r"'lochs\.toml'"):
        resolve("lochs.toml")


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("callanish:name=Two Lochs", "sets no rule option"),
        ("callanish:name=Lochs,board=5/5/5", "name=Lochs of callanish is no name of a variant"),
        ("callanish:name=scottish,board=5/5/5", "is the name of a variant that the arena has"),
        ("scottish:side=p2", "no rule option 'side'"),
        ("scottish:name=mine,side=p2", "also give the board"),
        ("callanish:name=mine", "callanish has no board of its own"),
        ("scottish:name=mine,king_steps=0", "out of range"),
    ],
)
def test_a_bad_whole_name_is_refused(name: str, part: str) -> None:
    """As files, records may hold anything."""
    with pytest.raises(RulesError, match=re.escape(part)):
        find(name)


def test_a_variant_of_ones_own_is_not_changed_further(tmp_path: Path) -> None:
    """Neither by rule options nor by a drawing: games of one name would be different games."""
    path = written(tmp_path, LOCHS_FILE)
    board = written(tmp_path, ".....\n.....\n.....", "board.txt")
    with pytest.raises(UnknownVariant, match="two-lochs has rules of its own, so supply=20 cannot change them"):
        start_of(str(path), "supply=20")
    with pytest.raises(BadPosition, match="two-lochs has a board of its own: leave out the drawing"):
        start_of(str(path), board=board)
    with pytest.raises(BadPosition, match="two-lochs has 9 files and 9 ranks, this board has 5 and 3"):
        start_of(str(path), fen="5/5/5 p1")
    with pytest.raises(BadPosition, match="is a variant of your own: give it with --variant"):
        start_of(board=path)
    rules, start = start_of(str(path), fen="9/9/2**5/2**5/4w4/5**2/5**2/9/9 p2 1")
    assert (rules.name, start.side) == (LOCHS, "p2")
