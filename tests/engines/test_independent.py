"""The engine in C, written from SPEC.md alone: it counts and judges as our rules do. Two opinions, one text."""

import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from arena.games import variants
from arena.games.game import Game
from arena.games.perft import perft
from arena.games.rules import BadPosition
from arena.games.tafl.random_lines import known_values
from arena.games.tafl.variants import TAFL, conflict
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


def rows(cells: list[list[str]]) -> str:
    return "/".join(re.sub(r"\.+", lambda run: str(len(run[0])), "".join(row)) for row in cells)


def crowded(chance: Random, size: int) -> str:
    """A tafl position that no game would reach: men anywhere, and often a king among attackers near the centre."""
    density = chance.choice([0.1, 0.3, 0.5, 0.8])
    cells = [[chance.choice("aaad") if chance.random() < density else "." for _ in range(size)] for _ in range(size)]
    rank, file = (min(max(size // 2 + chance.choice([-2, -1, 0, 0, 1, 2]), 1), size - 2) for _ in range(2))
    for up, right in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        if chance.random() < 0.6:
            cells[rank + up][file + right] = "a"
    cells[rank][file] = "k"
    return f"{rows(cells)} {chance.choice(['p1', 'p2'])} {chance.randint(1, 40)}"


def drawn(chance: Random, files: int, ranks: int, holes: float) -> str:
    """A Callanish position on any board."""
    density = chance.choice([0, 0.1, 0.3, 0.7])

    def cell() -> str:
        if chance.random() < holes:
            return "*"
        return chance.choice("wbWB") if chance.random() < density else "."

    return f"{rows([[cell() for _ in range(files)] for _ in range(ranks)])} {chance.choice(['p1', 'p2'])}"


def start_of(chance: Random, variant: str) -> tuple[str, str | None]:
    """Rule options and a position string for one game; often none."""
    if variant in TAFL:
        start, own_options = TAFL[variant].start, TAFL[variant].options
        size = start.count("/") + 1
        known = known_values([variants.find(name) for name in TAFL])
        values = {name: chance.choice(them) for name, them in known.items() if chance.random() < 0.4}
        if chance.random() < 0.3 or conflict(own_options.changed(values), size):
            values = {}
        fen = crowded(chance, size) if chance.random() < 0.6 else None
        return " ".join(f"{name}={value}" for name, value in values.items()), fen
    rules = f"supply={chance.randint(1, 12)}" if chance.random() < 0.3 else ""
    if variant == "callanish" and chance.random() < 0.8:
        return rules, drawn(chance, chance.randint(1, 9), chance.randint(1, 9), chance.choice([0, 0.1, 0.5]))
    return rules, None


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


def play_along(engine: Independent, seeds: range, reasons: Counter[str], every: int = 1) -> None:
    """A random game of every so many variants for each seed, compared at the start, at the end and now and then."""
    for seed in seeds:
        for variant in variants.names()[::every]:
            chance = Random(f"{seed} {variant}")
            rules, fen = start_of(chance, variant)
            engine.play(variant, rules)
            try:
                game = Game(*variants.resolve(variant, rules, fen))
            except BadPosition:
                (answer,) = engine.ask(f"position fen {fen}")
                assert answer.startswith("error "), fen
                continue
            plies, to_and_fro = chance.choice([1, 2, 5, 60]), chance.random() < 0.3
            while True:
                where = f"fen {fen}" if fen else "startpos"
                where += f" moves {' '.join(game.moves)}" if game.moves else ""
                ended = game.outcome is not None or len(game.moves) >= plies
                if ended or len(game.moves) % 9 == 0:
                    same(engine, game, where, 2 if plies < 5 and len(game.position.moves()) < 100 else 1)
                if ended:
                    break
                words = [move.text for move in game.position.moves()]
                back = "".join(reversed(re.findall(r"[a-y]\d+", game.moves[-2]))) if len(game.moves) > 1 else ""
                game.play(back if to_and_fro and back in words else chance.choice(words))
            reasons[game.outcome.reason if game.outcome else "going on"] += 1


def test_the_counts_of_the_specification_come_out(engine: Independent) -> None:
    """The table of A.15 follows from the text of appendix A."""
    for variant in COUNTS:
        engine.play(variant)
        for depth, count in enumerate(COUNTS[variant], 1):
            assert engine.ask("position startpos", f"query perft {depth}") == [str(count)]


def test_random_games_are_judged_alike(engine: Independent) -> None:
    """Legal moves, position strings, results and counts agree, with changed rule options and on odd boards too."""
    play_along(engine, range(1), Counter(), 3)


@pytest.mark.long
def test_many_random_games_are_judged_alike_and_end_in_every_way(engine: Independent) -> None:
    """Hundreds of games with rule options at random: each way to end is among them."""
    reasons: Counter[str] = Counter()
    play_along(engine, range(100, 250), reasons)
    assert {"line", "no-turn", "king-escaped", "king-captured", "repetition", "no-move", "going on"} <= set(reasons)


def test_an_impossible_position_is_an_error_and_the_last_one_stands(engine: Independent) -> None:
    """6.7: it says so, stays alive and answers isready."""
    for fen in BAD_POSITIONS:
        engine.play("scottish")
        error, left = engine.ask("position startpos moves d1c1", f"position fen {fen}", "query fen")
        assert error.startswith("error ")
        assert left == "3a3/3a3/3d3/aadkdaa/3d3/3a3/2a4 p2 1"
