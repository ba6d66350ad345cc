"""The engine in C, written from SPEC.md alone: it counts and judges as our rules do. Two opinions, one text."""

import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from arena.conformance.judge.random_lines import random_lines
from arena.games import variants
from arena.games.game import Game
from arena.games.line import played
from arena.games.perft import perft
from tests.engines.shared import Spoken

SOURCE = Path(__file__).parent.parent.parent / "engines" / "independent.c"
MADE = SOURCE.parent / "bin" / "independent"
"""By `make venv`, with the same warnings as errors."""
COMPILER = shutil.which("cc") or shutil.which("gcc")
WAIT_S = 60
"""So long may it take to end, which is at once: machines that run tests are busy."""
# The table of A.15, to the depths that are quick.
COUNTS = {
    "callanish-7": (49, 2352, 26688, 282696),
    "callanish-9": (81, 6480, 93760),
    "callanish-corners": (69, 4692, 67184),
    "scottish": (48, 1152, 56344),
    "scottish-armed": (48, 1152, 56344),
    "brandub": (40, 960, 39512),
    "ard-ri": (24, 184, 4208, 41368),
}
BAD_POSITIONS = [
    "7/7/7/7/7/3a3/7 p1 1",
    "7/7/3k3/7/3k3/3a3/7 p1 1",
    "k6/7/7/7/7/3a3/7 p1 1",
    "7/7/3k3/7/7/3a3/6 p1 1",
    "07/7/3k3/7/7/3a3/7 p1 1",
    "7/7/3k3/7/7/3a3/7 p3 1",
    "7/7/3k3/7/7/3a3/7 p1 0",
    "9/9/9/9/4k4/9/9/9/9 p1 1",
]

pytestmark = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler on this machine")


class Independent(Spoken):
    """The engine."""

    def ask(self, *lines: str) -> list[str]:
        """What is answered before `readyok`, without the word `response`."""
        self.say(*lines, "isready")
        return [line.removeprefix("response ") for line in self.hear("readyok")[:-1]]

    def play(self, variant: str, rules: str = "") -> None:
        self.say(f"setoption name UGI_Variant value {variant}", f"setoption name UGI_Rules value {rules or '<empty>'}")
        assert self.ask("uginewgame") == []


@pytest.fixture(scope="module")
def binary(tmp_path_factory: pytest.TempPathFactory) -> Path:
    assert COMPILER is not None
    if MADE.exists() and MADE.stat().st_mtime >= SOURCE.stat().st_mtime:
        return MADE
    path = tmp_path_factory.mktemp("independent") / "independent"
    flags = ["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror"]
    subprocess.run([COMPILER, *flags, "-o", str(path), str(SOURCE)], check=True)
    return path


@pytest.fixture
def engine(binary: Path) -> Iterator[Independent]:
    spoken = Independent([binary])
    yield spoken
    spoken.say("quit")
    assert spoken.process.wait(WAIT_S) == 0
    assert spoken.process.stdin is not None and spoken.process.stdout is not None
    spoken.process.stdin.close()
    spoken.process.stdout.close()


def same(engine: Independent, game: Game, where: str, depth: int) -> None:
    """Both say the same of the position that the words of `where` lead to."""
    outcome, position = game.outcome, game.position
    legal = [] if outcome else [move.text for move in position.legal_moves()]
    result = "none" if outcome is None else "draw" if outcome.winner == "draw" else f"{outcome.winner}win"
    words = ("legalmoves", "fen", "result", "gameover", "p1turn", f"perft {depth}")
    moves, *rest = engine.ask(f"position {where}", *(f"query {word}" for word in words))
    about = f"{game.rules.name}: position {where}"
    assert moves.split()[0] == str(len(legal)), about
    assert sorted(moves.split()[1:]) == legal, about
    truths = [str(truth).lower() for truth in (outcome is not None, position.side == "p1")]
    assert rest == [position.fen(), result, *truths, str(perft(position, depth))], about


def play_along(engine: Independent, seed: int, count: int, every: int = 1) -> Counter[str]:
    """Lines of every so many variants as the check F10 sends them, compared at the start and at the end.

    Returns how they ended.
    """
    announced, reasons = [variants.find(name) for name in variants.names()], Counter[str]()
    for name in variants.names()[::every]:
        for line in islice(random_lines(name, seed, announced), count):
            base, _, options = line.variant.partition(":")
            engine.play(base, options.replace(",", " "))
            for moves in ((), line.moves):
                game = played(line.variant, line.fen, moves)
                where = f"fen {line.fen} moves {' '.join(moves)}"
                same(engine, game, where, 2 if len(game.position.moves()) < 60 else 1)
            reasons[game.outcome.reason if game.outcome else "going on"] += 1
    return reasons


def test_the_counts_of_the_specification_come_out(engine: Independent) -> None:
    """The table of A.15 follows from the text of appendix A."""
    for variant in COUNTS:
        engine.play(variant)
        for depth, count in enumerate(COUNTS[variant], 1):
            assert engine.ask("position startpos", f"query perft {depth}") == [str(count)]


def test_random_games_are_judged_alike(engine: Independent) -> None:
    """Legal moves, position strings, results and counts agree, with changed rule options and on odd boards too."""
    play_along(engine, 1, 4, 3)


@pytest.mark.long
def test_many_random_games_are_judged_alike_and_end_in_every_way(engine: Independent) -> None:
    """Hundreds of games with rule options at random: each way to end is among them."""
    reasons = play_along(engine, 2, 60)
    assert {"line", "no-turn", "king-escaped", "king-captured", "repetition", "no-move", "going on"} <= set(reasons), (
        reasons
    )


def test_an_impossible_position_is_an_error_and_the_last_one_stands(engine: Independent) -> None:
    """6.7: it says so, stays alive and answers isready."""
    for fen in BAD_POSITIONS:
        engine.play("scottish")
        error, left = engine.ask("position startpos moves d1c1", f"position fen {fen}", "query fen")
        assert error.startswith("error ")
        assert left == "3a3/3a3/3d3/aadkdaa/3d3/3a3/2a4 p2 1"
