"""OTG, OpenTafl's game files: what the arena writes it reads, and what others write as far as the rules agree."""

import io
import random
from dataclasses import replace
from pathlib import Path

import pytest

from arena.games.game import Game
from arena.games.otn import can_tell
from arena.games.rules import RulesError
from arena.games.tafl_variants import TAFL
from arena.games.variants import resolve
from arena.imports import import_readers, otg
from arena.imports.import_readers import read_games
from results.plies import Plies, Ply
from results.record import GameRecord, Termination

BRANDUB = "dim:7 surf:n ks:w cenh: cenhe: start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"
TAGS = f"[date:2015.05.04]\n[attackers:Xerxes]\n[defenders:Animals]\n[result:1]\n[rules:{BRANDUB}]\n"
GAME = f"{TAGS}\n1. d1-c1 d3-c3\n[|]\n\n2. d2-f2 ---\n"
"""An own game in the form of OpenTafl's."""


def played(variant: str, seed: int, fen: str | None = None, most: int = 120) -> GameRecord:
    """A random game with costs for its last moves."""
    chance = random.Random(f"{variant} {seed}")
    game = Game(*resolve(variant, fen=fen))
    while game.outcome is None and len(game.moves) < most:
        game.play(chance.choice(game.position.moves()).text)
    opening = chance.choice([0, 3, len(game.moves)])
    plies = Plies.of(
        Ply(word, 1000 * at, None, 9000 - at, 4, 17, chance.choice(["cp 31", "mate -4", None]), pv="d1d3 d3d1")
        for at, word in enumerate(game.moves[opening:])
    )
    return GameRecord(
        id=f"aa11-{seed}",
        number=seed,
        round=2,
        variant=game.rules.name,
        p1="al[ph]a %5B",
        p2='b]e"t|a',
        fen=game.start.fen(),
        opening=tuple(game.moves[:opening]),
        plies=plies,
        winner=None if game.outcome is None else game.outcome.winner,
        termination=Termination("unfinished" if game.outcome is None else str(game.outcome.reason)),
        detail="",
        tc="5+0.05",
        seed=0,
        started_at="2026-01-02T03:04:05+00:00",
        wall_ms=plies.sums.wall_us // 1000,
        host="box",
        clock="wall",
    )


def read(text: str | bytes, folder: Path) -> list[import_readers.IncomingGame]:
    """The games of a file with this text."""
    path = folder / "games.otg"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return list(read_games(path))


def test_games_come_back_as_they_were_written(tmp_path: Path) -> None:
    """Of every variant that OpenTafl has, of one's own rules, from a position; with the costs of the plies."""
    names = [name for name in TAFL if can_tell(TAFL[name].options)]
    own = "scottish:name=my-own,board=3a3/3a3/3d3/aadkda1/3d3/3a3/3a3,centre_stop=any,occurrences=2"
    games = [played(name, seed) for seed, name in enumerate([*names, own, "brandub:king_steps=3"], 1)]
    games.append(played("copenhagen", 99, "11/5a5/11/5d5/4dd5/3ak6/11/11/11/5a5/11 p2 7"))
    back = read("".join(otg.write(game, "even[ing]") for game in games), tmp_path)
    assert [game.refusal for game in back] == [""] * len(games)
    assert [game.record for game in back] == games
    assert {game.event for game in back} == {"even[ing]"}


def test_moves_are_written_as_opentafl_does() -> None:
    """Moves of the king have a K, captured squares stand behind an x, and OpenTafl reads four of them at most."""
    start = "11/11/11/11/11/11/11/4k6/11/2aaaaaa1a1/1adddddd3 p1 1"
    moves = ("j2j1", "e4e5", "j1i1")
    game = replace(played("copenhagen", 1), fen=start, opening=moves, plies=Plies.of(()), winner=None)
    assert otg.write(game, "").splitlines()[-4:] == ["1. j2-j1 Ke4-e5", "", "2. j1-i1xc1/d1/e1/f1", ""]
    fallen = replace(game, variant="brandub", fen="7/7/4a2/3dk2/7/3aa2/7 p1 1", opening=("e2e3",))
    assert otg.write(fallen, "").splitlines()[-2:] == ["1. e2-e3xKe4", ""]


def test_comments_and_variations_are_skipped(tmp_path: Path) -> None:
    """Comments over several lines, one that looks like a tag, variations with theirs, and marks of a threat."""
    text = (
        f"{TAGS}[start-comment:two\n\n1. lines]\n\n1. d1-c1 d3-c3\n[note: well\n\nplayed|so it is]\n\n"
        "1b.1.1a. ..... Kd4-d5\n[not this]\n\n2. d2-f2+ Kd4-d3-\n[|]\n\n3. c1-b1 ---\n\n[event:next]\n" + GAME
    )
    first, second = read(text, tmp_path)
    assert first.record is not None and second.record is not None, (first, second)
    assert first.record.moves == ("d1c1", "d3c3", "d2f2", "d4d3", "c1b1")
    assert (first.record.termination, first.record.winner) == (Termination.RESIGNATION, "p1")
    assert (second.event, second.record.moves, second.line) == ("next", ("d1c1", "d3c3", "d2f2"), 23)


def test_a_result_that_the_file_leaves_open_is_that_of_the_rules(tmp_path: Path) -> None:
    """OpenTafl writes `?` where it does not know."""
    end = "[position:/7/7/7/2t3K/7/7/7/]\n"
    (game,) = read(GAME[: GAME.index("\n1.")].replace("result:1", "result:?") + end + "\n1. c4-c5 Kg4-g1\n", tmp_path)
    assert game.record is not None and game.record.fen == "7/7/7/2a3k/7/7/7 p1 1"
    assert (game.record.winner, game.record.termination) == ("p2", Termination.KING_ESCAPED)


@pytest.mark.parametrize(
    ("old", "new", "line", "why"),
    [
        (f"[rules:{BRANDUB}]\n", "", 1, "no tag rules"),
        ("[attackers:Xerxes]\n", "", 1, "no tag attackers"),
        ("surf:n", "surf:n sneaky:y", 5, "tag rules: there is no rule sneaky:y; known are dim name"),
        ("surf:n", "surf:n linc:y", 5, "tag rules: our rules have nothing like the rule linc:y"),
        ("surf:n", "tfr:l", 5, "nothing like the rule tfr:l"),
        ("surf:n", "efe:y esc:e", 5, "fort=wins with escape=edge"),
        ("surf:n", "ber:m", 5, "nothing like the rule ber:m"),
        ("dim:7", "dim:8", 5, "dim:8"),
        ("ttTKTtt", "ttTTTtt", 5, "no king"),
        ("ttTKTtt", "ttTKTt99", 5, "tag rules"),
        (BRANDUB, "", 1, "no tag rules"),
        (BRANDUB, "7", 5, "no `dim`"),
        ("[result:1]", "[result:2]", 4, "tag result is '2'"),
        ("d1-c1", "d1-c2", 7, "d1c2"),
        ("d1-c1", "d1^c1", 7, "'d1^c1' is no move"),
        ("d1-c1", "d1-c1xd3", 7, "captures nothing by the rules"),
        ("2. d2", "3. d2", 10, "turn 3 stands where turn 2 is expected"),
        ("2. d2-f2 ---", "2.d2-f2", 10, "is no tag such as"),
        ("2. d2", "[event:x\n2. d2", 10, "'[event:x' begins here and is never closed"),
        ("[|]", "[|", 8, "begins here and is never closed"),
        ("Animals", "Xerxes", 1, "p1 and p2 are both 'Xerxes'"),
    ],
)
def test_a_game_that_cannot_be_taken_is_refused_by_tag_and_line(
    tmp_path: Path, old: str, new: str, line: int, why: str
) -> None:
    """One short sentence with what is wrong and where; nothing comes of the game."""
    assert old in GAME
    *_, game = read(GAME.replace(old, new, 1), tmp_path)
    assert game.record is None and why in game.refusal and game.line == line, game
    assert "\n" not in game.refusal and len(game.refusal) <= 300


def test_a_move_after_the_end_and_a_result_against_the_rules_are_refused(tmp_path: Path) -> None:
    """The rules say when a game is over, and who won it."""
    end = TAGS + "[position:/7/7/7/2t3K/7/7/7/]\n\n1. c4-c5 Kg4-g1\n"
    (over,) = read(f"{end}\n2. c5-c4\n", tmp_path)
    assert (over.line, over.refusal) == (10, "the game was over by king-escaped before c5-c4")
    (lied,) = read(end, tmp_path)
    assert lied.line == 4 and "the tag result is 1, and by the rules the game ends with p2" in lied.refusal


def test_a_refused_game_does_not_hide_the_next(tmp_path: Path) -> None:
    """The file is read on behind it."""
    bad, good = read(f"{GAME.replace('d2-f2', 'd2-d1xc1')}\n[event:two]\n{GAME}", tmp_path)
    assert "d2-d1xc1" in bad.refusal and bad.line == 10
    assert good.record is not None


def test_what_never_ends_is_refused_soon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A comment, a tag, moves, tags without number, and text that is none."""
    monkeypatch.setattr(otg, "LONGEST_GAME", 20_000)
    monkeypatch.setattr(otg, "MOST_MOVES", 50)
    for text, why in (
        (GAME + "[" + "x\n" * 20_000, "longer than"),
        ("[event:" + "x" * 30_000, "longer than"),
        (GAME.replace("[|]", "[]" * 9_000 + "[|]"), ""),
        (GAME.replace("[|]", "[|]\n" * 9_000), "longer than"),
        (TAGS + "\n1. " + "d1-c1 " * 60, "more than 50 moves"),
        (GAME.encode() + b"\n3. \xff", "no UTF-8"),
    ):
        *_, game = read(text, tmp_path)
        assert why in game.refusal and bool(game.refusal) == bool(why), (why, game)


def test_games_that_opentafl_cannot_have_are_not_written() -> None:
    """Another family, camps, and a record that the rules refuse: a sentence with the game's id."""
    for game, why in (
        (played("callanish-5", 1, most=4), "game aa11-1 cannot be written as OTG: callanish-5 is no tafl game"),
        (
            played("tablut-ashton", 2, most=4),
            "game aa11-2 cannot be written as OTG: OpenTafl has no rule like camps=yes",
        ),
        (
            replace(played("brandub", 3), opening=("a1a2",), plies=Plies.of(())),
            "game aa11-3 cannot be written as OTG: ",
        ),
    ):
        with pytest.raises(RulesError, match=why):
            otg.write(game, "")


def test_arbitrary_bytes_end_in_a_sentence(tmp_path: Path) -> None:
    """Pieces of a file in any order are read or refused, never more."""
    chance = random.Random(1)
    pieces = [
        *GAME.encode().split(b"\n"),
        b"[",
        b"]",
        b"[rules:",
        b"[variant:brandub]",
        b"[fen:x]",
        b"7. x",
        b"\xff",
        b"|",
    ]
    pieces += [b"[position:/9/]", b"[position:" + "٣".encode() + b"]", b"[round:99999999999999999999.]", b"1. d1-d9"]
    for _ in range(400):
        lines = chance.choices(pieces, k=chance.randrange(1, 12))
        data = b"[date:]\n" + TAGS.encode() * chance.randrange(2) + b"\n".join(lines)
        for game in read(data, tmp_path):
            assert (game.record is None) == bool(game.refusal)


def test_pieces_have_the_lines_where_they_begin() -> None:
    """Several tags on a line, and one over several lines."""
    games = list(otg.split(io.BytesIO(b"[a:1] [b:2\n3]\n\n1. x y\n[c]\n\n1a.1.1a. z\n[no]\n[d:4]\n")))
    assert [game.tags for game in games] == [{"a": (1, "1"), "b": (1, "2 3")}, {"d": (9, "4")}]
    assert (games[0].moves, games[0].comments) == ([(4, "x"), (4, "y")], {0: "c"})
