"""The engine in C, written from SPEC.md alone: it counts and judges as our rules do. Two opinions, one text."""

import contextlib
import re
import resource
import shutil
import subprocess
import time
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
from arena.play.jobs import EngineSpec, Terms
from arena.run.schedule import RunSetting, Start
from arena.run.slots import LocalSlots
from arena.timing.time_control import parse
from results.record import GameRecord
from tests.arena.run.playing import play, round_robin

SOURCE = Path(__file__).parent.parent.parent / "engines" / "independent.c"
MADE = SOURCE.parent / "bin" / "independent"
"""By `make venv`, with the same warnings as errors."""
COMPILER = shutil.which("cc") or shutil.which("gcc")
WAIT_S = 60
"""So long may it take to end, which is at once: machines that run tests are busy."""
SHUFFLE = "d1c1 d3c3 c1d1 c3d3"
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


class Spoken:
    """One process of the engine and a conversation with it."""

    def __init__(self, binary: Path) -> None:
        self.process = subprocess.Popen([binary], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def send(self, text: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(text)
        self.process.stdin.flush()

    def say(self, *lines: str) -> None:
        self.send("".join(f"{line}\n" for line in lines).encode())

    def hear(self, word: str) -> list[str]:
        """The lines before the first that starts with `word`, which is left out if it says nothing more."""
        assert self.process.stdout is not None
        lines = []
        for raw in self.process.stdout:
            line = raw.decode().rstrip("\n")
            if line != word:
                lines.append(line)
            if line.split()[:1] == [word]:
                return lines
        raise AssertionError(f"the engine ended before it said {word}: {lines}")

    def ask(self, *lines: str) -> list[str]:
        """What is answered before `readyok`, without the word `response`."""
        self.say(*lines, "isready")
        return [line.removeprefix("response ") for line in self.hear("readyok")]

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
def engine(binary: Path) -> Iterator[Spoken]:
    spoken = Spoken(binary)
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


def same(engine: Spoken, game: Game, where: str, depth: int) -> None:
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


def play_along(engine: Spoken, seeds: range, reasons: Counter[str]) -> None:
    """One random game of every variant for each seed, compared at the start, at the end and now and then."""
    for seed in seeds:
        for variant in variants.names():
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


@pytest.mark.parametrize("variant", COUNTS)
def test_the_counts_of_the_specification_come_out(engine: Spoken, variant: str) -> None:
    """The table of A.15 follows from the text of appendix A."""
    engine.play(variant)
    for depth, count in enumerate(COUNTS[variant], 1):
        assert engine.ask("position startpos", f"query perft {depth}") == [str(count)]


def test_random_games_of_every_variant_are_judged_alike(engine: Spoken) -> None:
    """Legal moves, position strings, results and counts agree, with changed rule options and on odd boards too."""
    play_along(engine, range(1), Counter())


@pytest.mark.long
def test_many_random_games_are_judged_alike_and_end_in_every_way(engine: Spoken) -> None:
    """Hundreds of games with rule options at random: each way to end is among them."""
    reasons: Counter[str] = Counter()
    play_along(engine, range(100, 250), reasons)
    assert {"line", "no-turn", "king-escaped", "king-captured", "repetition", "no-move", "going on"} <= set(reasons)


def test_the_third_occurrence_ends_the_game(engine: Spoken) -> None:
    """A.16: the shuffle played twice is a draw, or a loss for the side that completed it, and is searched no more."""
    engine.play("scottish")
    draw = engine.ask(f"position startpos moves {SHUFFLE} {SHUFFLE}", "query result", "query legalmoves")
    assert draw == ["draw", "0"]
    engine.say("go nodes 10")
    assert engine.hear("bestmove") == ["bestmove 0000"]
    engine.play("scottish", "repetition=loses")
    assert engine.ask(f"position startpos moves {SHUFFLE} {SHUFFLE}", "query result") == ["p1win"]


@pytest.mark.parametrize("fen", BAD_POSITIONS)
def test_an_impossible_position_is_an_error_and_the_last_one_stands(engine: Spoken, fen: str) -> None:
    """6.7: it says so, stays alive and answers isready."""
    engine.play("scottish")
    error, left = engine.ask("position startpos moves d1c1", f"position fen {fen}", "query fen")
    assert error.startswith("error ")
    assert left == "3a3/3a3/3d3/aadkdaa/3d3/3a3/2a4 p2 1"


def test_lines_may_come_in_any_shape(engine: Spoken) -> None:
    """Chapter 2: CRLF, blanks, tabs, blank lines, unknown words, junk, halves of lines and many lines at once."""
    engine.send(b"\r\n  \t\n" + b"x" * 20_000 + b"\n\xff\x00\x01\nhello\tisready\n")
    engine.send(b" \tsetoption  name ugi_VARIANT\tvalue bran")
    time.sleep(0.01)
    engine.send(b"dub \r\nposition\tstartpos  moves \r\nquery  islegal d1c1\r\n")
    engine.send(b"query perft 3\nquery p1turn\nisready\n")
    assert engine.hear("readyok") == ["response true", "response 39512", "response true"]
    assert engine.ask("position startpos moves " + f"{SHUFFLE} " * 2000)[0].startswith("error illegal move")


def test_a_search_without_end_answers_isready_and_waits_for_stop(engine: Spoken) -> None:
    """6.5, 7.8, 14.1: also where stop is in the same read, and in a position with nothing to search."""
    engine.play("callanish-7")
    engine.say("position startpos", "go infinite", "isready")
    assert "bestmove" not in " ".join(engine.hear("readyok"))
    engine.say("stop")
    assert re.fullmatch(r"bestmove [a-g][1-7]", engine.hear("bestmove")[-1])
    engine.say("go infinite", "stop")
    assert re.fullmatch(r"bestmove [a-g][1-7]", engine.hear("bestmove")[-1])
    engine.play("scottish")
    engine.say(f"position startpos moves {SHUFFLE} {SHUFFLE}", "go infinite", "isready")
    assert engine.hear("readyok") == []
    engine.say("stop")
    assert engine.hear("bestmove") == ["bestmove 0000"]


def test_one_millisecond_is_enough_for_a_legal_move_with_its_info(engine: Spoken) -> None:
    """7.4 and 9.3, on the largest board too: the line starts with the move that follows."""
    for variant in ("callanish-25", "tawlbwrdd", "ard-ri"):
        engine.play(variant)
        engine.say("position startpos", "go p1time 1 p2time 1 p1inc 0 p2inc 0")
        start = time.monotonic()
        *_, info, bestmove = engine.hear("bestmove")
        assert time.monotonic() - start < WAIT_S
        assert int(info.split(" time ")[1].split()[0]) < 500  # none or one, but for a busy machine
        assert re.match(r"info depth \d+ score (cp|mate) -?\d+ nodes \d+ time \d+ pv", info)
        assert info.split(" pv ")[1].split()[0] == bestmove.split()[1]
        assert engine.ask(f"query islegal {bestmove.split()[1]}") == ["true"]


def test_the_same_seed_and_nodes_give_the_same_move(engine: Spoken) -> None:
    """13.2: whatever was searched before; and another seed plays another game."""
    engine.play("callanish-9")
    moves = []
    for seed in (1, 2, 1, 3, 2):
        engine.say(f"setoption name Seed value {seed}", "uginewgame", "position startpos", "go nodes 500")
        moves.append([line.partition(" time")[0] for line in engine.hear("bestmove")])
    assert moves[0] == moves[2] and moves[1] == moves[4]
    assert len({tuple(lines) for lines in moves}) > 1


def test_it_does_nothing_until_told_and_ends_with_its_input(binary: Path) -> None:
    """2.9 and 14.3: no CPU time while idle; the end of the input ends a search without end."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    idle = Spoken(binary)
    assert idle.ask() == []
    time.sleep(0.3)
    assert idle.process.stdin is not None and idle.process.stdout is not None
    idle.process.stdin.close()
    assert idle.process.wait(WAIT_S) == 0
    idle.process.stdout.close()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 0.1
    spoken = Spoken(binary)
    spoken.say("go infinite")
    spoken.ask()
    assert spoken.process.stdin is not None and spoken.process.stdout is not None
    spoken.process.stdin.close()
    assert spoken.process.wait(WAIT_S) == 0
    spoken.process.stdout.close()


def test_it_exits_when_nobody_reads(binary: Path) -> None:
    """14.4: a closed stdout ends it, even in a search without end."""
    spoken = Spoken(binary)
    assert spoken.ask() == []
    assert spoken.process.stdin is not None and spoken.process.stdout is not None
    spoken.process.stdout.close()
    with contextlib.suppress(BrokenPipeError):  # it may have noticed before it is asked
        spoken.say("go infinite")
    assert spoken.process.wait(WAIT_S) == 0
    with contextlib.suppress(BrokenPipeError):  # what was not taken is tried once more
        spoken.process.stdin.close()


@pytest.mark.long
def test_a_match_ends_every_game_by_the_rules(binary: Path) -> None:
    """Against itself through the scheduler, in both families: no fault, and each game ends or is cut at the plies."""
    records: list[GameRecord] = []
    specs = {name: EngineSpec(name, (str(binary),)) for name in ("c", "d")}
    terms = Terms(parse("nodes=200"), max_plies=60)
    starts = (Start("callanish-7"), Start("brandub-nielsen"))
    setting = RunSetting("run", ("c", "d"), starts, 2, 7, terms)
    play(round_robin(setting, 4), LocalSlots(2), specs, records.extend)
    allowed = {"line", "no-turn", "king-escaped", "king-captured", "repetition", "no-move", "adjudication"}
    assert len(records) == 4
    assert {str(record.termination) for record in records} <= allowed
