"""Games of strangers: the page that makes one, and what is said of one that is wrong."""

import re
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest

from arena.games import kind_check, kinds, variants
from arena.games.game import Game, GameFailed
from arena.games.kind import GameKind
from arena.games.kind_check import check
from arena.games.kinds import REFEREE, built_in, fault
from arena.games.rules import Outcome
from arena.play import random_opening, worker
from arena.play.engine_pool import wire_variant
from arena.play.jobs import GameJob, Terms
from arena.play.worker import RunningGame
from arena.timing.time_control import fixed
from protocol import grammar
from protocol.messages import OptionLine
from protocol.session import Identity
from results.record import Termination

PAGE = Path(__file__).parents[3] / "docs" / "authors" / "GAMES.md"


def three() -> dict[str, Any]:
    """The game of the page, as its author would have it."""
    code = re.search(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert code is not None
    names: dict[str, Any] = {"__name__": "three"}
    exec(compile(code[1], "three.py", "exec"), names)
    return names


def installed_in(folder: Path, code: str) -> None:
    """A package as pip leaves it."""
    (folder / "stranger.py").write_text(code)
    info = folder / "stranger-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: stranger\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[callanish_arena.games]\nodd = stranger:KIND\n")


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Installs a package for one test."""

    def install(code: str) -> kinds.Kinds:
        installed_in(tmp_path, code)
        monkeypatch.syspath_prepend(str(tmp_path))
        kinds.installed.cache_clear()
        variants._kind.cache_clear()
        return kinds.installed()

    yield install
    kinds.installed.cache_clear()
    variants._kind.cache_clear()
    sys.modules.pop("stranger", None)


def test_the_game_of_the_page_keeps_its_promises_and_is_found_by_its_variant(install: Callable[[str], Any]) -> None:
    """Its code is the page's, word by word."""
    code = re.search(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert code is not None
    (kind,) = [kind for kind in install(code[1]).usable if kind.name == "three"]
    assert check(kind).wrong == "" and check(kind).endings.keys() <= kind.endings.keys()
    rules, start = variants.resolve("three")
    game, chance = Game(rules, start), Random(1)
    while game.outcome is None:
        game.play(chance.choice(game.position.moves()).text)
    assert game.outcome.reason in kind.endings and "three" in variants.names()


@pytest.mark.parametrize("code", ["import no_such_package", "KIND = 1", "raise SystemExit(3)"])
def test_a_game_that_cannot_be_loaded_hinders_nothing(install: Callable[[str], Any], code: str) -> None:
    """It is named with its package, and the other games are there."""
    found = install(code)
    assert [kind.name for kind in found.usable] == ["callanish", "tafl"]
    assert [(broken.name, broken.package) for broken in found.broken] == [("odd", "stranger")]


@pytest.mark.long
def test_our_own_games_keep_their_promises() -> None:
    """In one random game of each variant of tafl."""
    _, tafl = built_in()
    assert check(tafl, 1).wrong == ""


def changed(**members: Any) -> GameKind:
    """The game of the page with other members of its board or kind."""
    names = three()
    for name, member in members.items():
        setattr(names["Three" if name in ("endings", "variants") else "Board"], name, member)
    kind = names["KIND"]
    assert isinstance(kind, GameKind)
    return kind


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"endings": {"full": "no square is free"}}, "ended by 'row', which is not among its endings"),
        ({"endings": {"row": "a row", "time": "too late"}}, "its ending 'time' is a word of the referee"),
        ({"find": lambda self, word: {}[word]}, "the rules raised KeyError: "),
        ({"find": lambda self, word: None}, "does not find a move of moves()"),
        ({"legal_moves": lambda self: list(reversed(self.moves()))}, "are not sorted by their words"),
        ({"fen": lambda self: f"x\x07 {self.side} {self.turn}"}, "is not one line of printable words"),
        ({"outcome": None}, "the game goes on, and there is no legal move"),
        ({"play": lambda self, move: sys.exit(3)}, "raised SystemExit: 3 ("),
        ({"legal_moves": lambda self: print("?") or sorted(self.moves())}, "the rules print to stdout"),
        ({"outcome": Outcome(cast(Any, "white"), "row")}, "the winner is 'white', and not p1, p2 or draw"),
    ],
)
def test_the_first_broken_promise_is_said(members: dict[str, Any], said: str) -> None:
    """With the variant and the position."""
    assert said in check(changed(**members)).wrong


def test_rules_that_do_not_return_are_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says where they were asked."""
    monkeypatch.setattr(kind_check, "LONGEST_S", 0.05)
    said = check(changed(moves=lambda self: [all(iter(lambda: 1, 0))])).wrong
    assert said.startswith("three, ") and "the rules did not return" in said


def test_a_game_of_drawn_boards_is_played_with_an_engine_that_announces_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As it is checked, so it is played: the engine is told the name for any board."""
    kind = changed()
    monkeypatch.setattr(type(kind), "any_board", "threes")
    monkeypatch.setattr(variants, "_kind", lambda base: kind)
    (rules,) = kind.variants().values()
    option = grammar.parse(b"option name UGI_Variant type combo default threes var threes")
    assert isinstance(option, OptionLine)
    assert wire_variant(Identity("", "", "", {"ugi_variant": option}), rules) == "threes"


def test_two_games_cannot_have_one_variant() -> None:
    """The message names both."""
    assert "there is a game with its name, three, already" in fault(three()["KIND"], [three()["KIND"]])
    other = changed()
    type(other).name = "other"
    assert "its variant three is one of other, too" in fault(three()["KIND"], [other])


def test_an_exception_in_a_game_names_the_game_and_the_ply() -> None:
    """It is no illegal move, so nobody loses by it."""
    kind = changed(find=lambda self, word: {}[word])
    (rules,) = kind.variants().values()
    with pytest.raises(GameFailed, match=r"failed at ply 1: find\('b2'\) raised KeyError: 'b2' \(test_kinds.py, line"):
        Game(rules, rules.start()).play("b2")


def test_a_key_that_raises_in_a_game_is_the_rules_fault_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is asked for repetition after each move."""
    rules, start = variants.resolve("brandub")
    game = Game(rules, start)
    monkeypatch.setattr(type(start), "key", property(lambda self: int("key")))
    with pytest.raises(
        GameFailed, match=r"failed at ply 1: play\(.*\) raised ValueError: .*'key' \(test_kinds.py, line"
    ):
        game.play(start.moves()[0].text)


def test_rules_that_fail_before_the_first_move_void_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sentence names the line. Without a start position the command ends with it."""
    kind = changed(fen=lambda self: int("fen"))
    monkeypatch.setattr(variants, "_kind", lambda base: kind)
    with pytest.raises(GameFailed, match=r"of three failed at the start: ValueError: .*'fen' \(test_kinds.py, line"):
        RunningGame(GameJob("r-1", 1, 1, "three", None, 0, "", "a", "b", 1, Terms(fixed("nodes", 1))))
    monkeypatch.setattr(type(variants.resolve("three")[1]), "outcome", property(lambda self: int("outcome")))
    with pytest.raises(GameFailed, match=r"of three failed at the start: ValueError: .*'outcome'"):
        random_opening.draw(*variants.resolve("three"), 2, "seed")
    monkeypatch.setattr(type(kind.variants()["three"]), "start", lambda self: int("start"))
    with pytest.raises(GameFailed, match=r"of three failed at the start: ValueError: .*'start'"):
        variants.resolve("three")


def test_a_game_whose_start_no_record_can_hold_is_void(install: Callable[[str], Any]) -> None:
    """It names the plug-in, before an engine is asked; stored, it would keep all others from being read."""
    code = re.search(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert code is not None
    install(code[1].replace(" {self.side} {self.turn}", "\\n {self.side} {self.turn}"))
    with pytest.raises(GameFailed, match=r"is not printable \(game three\)"):
        worker._start("three", None)


def test_the_words_of_the_referee_are_those_of_records() -> None:
    """No game may end by one of them."""
    assert REFEREE == {*Termination}
