"""Openings that are made: different, even where a judge is asked, and files that can be used again."""

import itertools
import json
from pathlib import Path

import pytest

from arena.games import variants
from arena.games.game import Game
from arena.opening_maker import NoScore, generate, is_even, open_games
from arena.openings.books import Opening, entries
from protocol.messages import Score
from tests.command_line import arena


def run(*words: str | Path | int) -> tuple[int, str, str]:
    """`arena openings` with these arguments: exit code, stdout, stderr."""
    done = arena("openings", *words)
    return done.exit_code, done.stdout, done.stderr


def key(opening: Opening, variant: str = "scottish") -> object:
    game = Game(*variants.resolve(variant))
    for word in opening.moves:
        game.play(word)
    return game.position.key


def test_made_openings_lead_to_different_positions_and_are_the_same_again() -> None:
    """Transpositions are one opening, and a seed decides all."""
    first = list(itertools.islice(generate("scottish", 2, 7), 100))
    assert len({key(opening) for opening in first}) == 100
    assert list(itertools.islice(generate("scottish", 2, 7), 100)) == first
    assert next(generate("scottish", 2, 8)) != first[0]


def test_only_what_the_judge_calls_even_is_kept() -> None:
    """The judge is asked once about each position."""
    asked = []

    def judge(game: Game) -> bool:
        asked.append(game.position.key)
        return game.moves[0].startswith(("d1", "d7", "a4", "g4"))

    found = list(generate("scottish", 1, 7, [judge]))
    assert {opening.moves[0][:2] for opening in found} <= {"d1", "d7", "a4", "g4"}
    assert len(found) == 3
    assert len(asked) == len(set(asked)) == 6


def test_even_is_a_score_within_the_margin_for_either_side() -> None:
    """No mate is even, and an engine that says no score is no judge."""
    scores = [Score("cp", 50), Score("cp", -50), Score("cp", 51), Score("cp", -51), Score("mate", 1)]
    assert [is_even(score, 50) for score in scores] == [True, True, False, False, False]
    for nothing in (None, Score("cp", 0, "lowerbound")):
        with pytest.raises(NoScore):
            is_even(nothing, 50)


def test_a_made_file_can_be_used_and_says_how_it_was_made(tmp_path: Path) -> None:
    """The command in its comment makes the same file again."""
    file = tmp_path / "book.txt"
    make = ["make", "--variant", "callanish-7", "--plies", "3", "--count", "20", "--seed", "7"]
    assert run(*make, "--output", file) == (0, "", "")
    text = file.read_text()
    assert f"# arena openings {' '.join(make)}\n" in text
    assert len({entry.key for entry in entries(file, "callanish-7")}) == 20
    assert run(*make, "--output", "-") == (0, text, "")
    assert run("check", file, "--variant", "callanish-7") == (
        0,
        f"{file}: 20 openings of 3 plies, 20 positions; all can be played from\n",
        "",
    )


def test_an_engine_judges(tmp_path: Path) -> None:
    """A real one, contained; its openings are those it calls even, and it is named in the file."""
    file = tmp_path / "book.txt"
    words = "make --variant callanish-5 --plies 2 --count 2 --seed 7 --engine greedy --output"
    made_ = run(*words.split(), file)
    assert made_[0] == 0, made_
    assert "--engine greedy --nodes 10000 --margin 50 --seed 7" in file.read_text()
    assert len(entries(file, "callanish-5")) == 2


def test_duplicates_are_named_and_fail_a_check(tmp_path: Path) -> None:
    """With both lines; an opening in which the side to move wins at once too."""
    file = tmp_path / "book.txt"
    file.write_text("d1c1 d3b3 d7c7\n\nd7c7 d3b3 d1c1\nd1c1 d3b3 c1d1 d4d3 d1c1\n")
    code, out, _ = run("check", file, "--variant", "scottish")
    assert code == 1
    assert f"{file}, line 3: leads to the same position as line 1\n" in out
    assert f"{file}, line 4: the side to move wins at once\n" in out
    code, out, _ = run("check", file, "--variant", "scottish", "--json")
    told = json.loads(out)
    assert (code, told["openings"], told["positions"], told["plies"]) == (1, 3, 2, [3, 5])
    assert [each["line"] for each in told["problems"]] == [3, 4]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--count", "7", "--plies", "1"], "only 6 of 7 different openings of 1 plies were found: ask for fewer"),
        (["--games", "5"], "--games says how judges play openings out: name a judge with --engine"),
        (["--share", "0.6"], "--share is of the points of played games: say with --games how they are played"),
        (["--engine", "greedy", "--nodes", "1,x"], "--nodes '1,x' cannot be read: write a number of nodes, or several"),
        (["--nodes", "5"], "--nodes, --margin and --centre say how an engine judges: name one"),
        (["--engine", "{python} -c 'import absent'"], "on stderr: ModuleNotFoundError: No module named 'absent'"),
    ],
)
def test_what_cannot_be_made_leaves_no_file(tmp_path: Path, arguments: list[str], sentence: str) -> None:
    """One sentence, and nothing half-written."""
    code, out, err = run("make", "--variant", "scottish", *arguments, "--output", tmp_path / "book.txt")
    assert (code in (2, 3), out) == (True, "")
    assert sentence in err
    assert list(tmp_path.iterdir()) == []


class Player:
    """A judge in tests: it plays the first legal move and gives the score that it was told to."""

    name = "player"

    def __init__(self, wins: str | None) -> None:
        self.wins = wins
        self.games = 0

    def begin(self, game: Game) -> None:
        self.games += 1

    def search(self, game: Game, nodes: int) -> tuple[str, Score | None]:
        word = game.position.legal_moves()[0].text
        if self.wins is None:
            return word, None
        return word, Score("mate", 3 if game.position.side == self.wins else -3)


def test_an_opening_that_one_side_always_wins_is_refused() -> None:
    """Two judges play a pair with each number of nodes, and stop once the side has more points than its share."""
    game = Game(*variants.resolve("scottish"))
    one, two = Player("p1"), Player("p1")
    assert not open_games([one, two], [10, 20, 30], 0.6)(game)  # type: ignore[list-item]  # what it asks of judges
    assert one.games == two.games == 4
    assert open_games([one, two], [10], 1)(game)  # type: ignore[list-item]
