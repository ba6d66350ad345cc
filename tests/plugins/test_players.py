"""The arena's own engines play games that they do not know."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from arena.games.game import Game
from arena.games.kind import GameKind
from arena.games.variants import find, resolve
from arena.run import slots
from engines.alphabeta import AlphaBetaPlayer
from engines.common import RulesEngine
from engines.evaluate import PlainEvaluator
from engines.greedy import GreedyPlayer
from engines.mcts import MctsPlayer
from protocol.engine import Root
from tests import command_line
from tests.arena import workers
from tests.engines.test_players import ask

PLAYERS = (GreedyPlayer, AlphaBetaPlayer, MctsPlayer)
MATE = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1"


def test_the_players_play_legal_moves() -> None:
    """Greedy, alphabeta and mcts play the first moves of a game in turn."""
    for variant in ("chess", "chess960", "ataxx"):
        game = Game(*resolve(variant))
        players: list[RulesEngine] = [kind() for kind in PLAYERS]
        for ply in range(3):
            move, _ = ask(players[ply % 3], Root(variant, "", None, tuple(game.moves)), nodes=20)
            game.play(move)


def test_the_players_see_mate_in_one() -> None:
    """They say so, too."""
    for kind in PLAYERS:
        move, told = ask(kind(), Root("chess", "", MATE, ()), nodes=400)
        assert move == "d1d8" and told["mate"] == 1


def test_a_game_without_an_evaluation_is_played_out() -> None:
    """A position that is nearly won is better than one that is nearly lost, and has the same value twice."""
    evaluator = PlainEvaluator(GameKind())
    ahead = find("ataxx").parse("xxxxxxx/xxxxxxx/xxxxxxx/xxxxxxx/xxxxxxx/xxxxx2/xxxxx1o x 0 1")
    behind = find("ataxx").parse("xxxxxxx/xxxxxxx/xxxxxxx/xxxxxxx/xxxxxxx/xxxxx2/xxxxx1o o 0 1")
    assert evaluator.value(ahead) > 0 > evaluator.value(behind)
    assert evaluator.value(ahead) == evaluator.value(ahead)


def test_a_player_takes_the_clock_of_the_side_to_move() -> None:
    """The position says so in words of chess: Black has no time here, and White an hour."""
    fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1"
    assert not MctsPlayer().p1_turn(Root("chess", "", fen, ()))
    assert MctsPlayer().p1_turn(Root("chess", "", fen, ("e7e5",)))


def arena(*words: str) -> str:
    """What a command prints that succeeds."""
    ended = command_line.arena(*words)
    assert ended.exit_code == 0, ended.output
    return ended.stdout


@pytest.mark.parametrize("variant", ["chess", pytest.param("ataxx", marks=pytest.mark.long)])
def test_a_match_is_played_kept_shown_and_exported(
    variant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The commands of the arena take a game of a plug-in."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(slots, "started", workers.started)  # the test is about no worker
    fen = MATE if variant == "chess" else "xxxxxxx/xxxxxxx/xxxxxxx/xxxxxxx/xxxxxxx/xxxxxxx/xxxxx1o x 0 1"
    limits = ("--nodes", "30", "--contain", "none", "--db", "it.db", "--fen", fen, "--openings", "0", "--no-live")
    played = json.loads(arena("match", "greedy", "alphabeta", "--variant", variant, *limits, "--json"))
    ends = {game["termination"] for game in played["games"]}
    assert ends == {"checkmate" if variant == "chess" else "no-pieces"}, played["games"]
    assert fen in arena("export", "it.db", "--format", "pgn")
    assert ends.pop() in arena("show", "it.db", "1")
    assert "1-0" in arena("games", "it.db") or "0-1" in arena("games", "it.db")


@pytest.mark.long
def test_a_person_plays() -> None:
    """The board, the pieces by name, and an engine that answers; in a process of its own, as users play."""
    words = "play greedy --variant chess --movetime 50 --contain none --side p1"
    ended = subprocess.run(
        [sys.executable, "-m", "arena", *words.split()],
        input="e2e4\nquit\nquit\n",
        capture_output=True,
        text=True,
        timeout=200,
    )
    assert ended.returncode == 0 and "greedy plays " in ended.stdout and "white pawn" in ended.stdout
