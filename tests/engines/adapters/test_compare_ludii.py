"""The command that compares another program's rules with ours on random games."""

import sys

import pytest

from arena.games.game import Game
from arena.games.game_words import answer
from arena.games.variants import resolve
from engines.adapters import compare_ludii
from engines.adapters.compare_ludii import compare
from protocol.commands import read_position

RANDOM = [sys.executable, "-P", "-m", "engines.random"]


class Judge:
    """A stand-in for the adapter that answers by our rules, but for what a test changes."""

    def __init__(self, missing: str = "", blind_to_end: bool = False) -> None:
        self.variant = ""
        self.missing = missing
        self.blind_to_end = blind_to_end
        self.game: Game | None = None

    def set(self, name: str, value: str) -> None:
        self.variant = value

    def ready(self) -> None:
        pass

    def send(self, line: str) -> None:
        words = line.split()
        if words[0] == "position":
            fen, moves = read_position(words[1:])
            self.game = Game(*resolve(self.variant, "", fen))
            for move in moves:
                self.game.play(move)

    def ask(self, query: str) -> str:
        assert self.game is not None
        if query == "result" and self.blind_to_end:
            return "none"
        return " ".join(word for word in (answer(self.game, query.split()) or "").split() if word != self.missing)


@pytest.mark.parametrize("variant", ["callanish-7", "scottish", "brandub-nielsen"])
def test_rules_that_agree_have_no_difference(variant: str) -> None:
    """Every position of every game is compared, the last one too."""
    found = compare(Judge(), variant, games=3, seed=5, plies=200)  # type: ignore[arg-type]
    assert found.differences == []
    assert found.games == 3 and found.positions > 30
    assert "no difference" in found.line()


def test_a_missing_move_is_shown_with_the_moves_that_lead_there() -> None:
    """The first position that differs ends the game."""
    found = compare(Judge(missing="d3c3"), "scottish", games=2, seed=5, plies=200)  # type: ignore[arg-type]
    assert [str(difference) for difference in found.differences or ()]
    first = (found.differences or [])[0]
    assert "ours only: d3c3; theirs only: none" in str(first)
    assert len(first.moves) == 1
    assert "2 games with a difference" in found.line()


def test_a_game_that_only_we_see_ended_is_a_difference() -> None:
    """The results are compared at each ply."""
    found = compare(Judge(blind_to_end=True), "callanish-7", games=1, seed=5, plies=200)  # type: ignore[arg-type]
    assert "theirs none" in str((found.differences or [])[0])


def test_the_command_compares_an_engine_of_ours(capsys: pytest.CaptureFixture[str]) -> None:
    """Any engine with the two queries can be compared: a line for each variant, exit code 0."""
    assert compare_ludii.main(["--games", "1", "--plies", "10", "--variant", "scottish", *RANDOM]) == 0
    assert capsys.readouterr().out == "scottish: 1 games, 11 positions, no difference\n"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "name the command"),
        (["--games", "0", *RANDOM], "at least 1"),
        (["/nowhere/java"], "cannot start /nowhere/java"),
        (["--variant", "chess", *RANDOM], "does not announce chess"),
    ],
)
def test_bad_input_ends_with_2_and_a_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is wrong is named."""
    with pytest.raises(SystemExit) as ended:
        compare_ludii.main(arguments)
    assert ended.value.code == 2
    assert sentence in capsys.readouterr().err
