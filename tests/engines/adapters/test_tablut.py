"""The adapter through which clients of the Tablut Challenge play here, against a client of the tests' own."""

import json
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.config.load import Registry
from arena.games.game import Game
from arena.games.variants import resolve
from arena.planning.introductions import limit_refusal
from arena.play.engine_pool import LiveEngine
from arena.play.jobs import EngineSpec, Terms
from arena.play.referee import play
from arena.timing import time_control
from engines.adapters import tablut_wire as wire
from engines.adapters.tablut import TablutPlayer
from protocol.containment.policy import Level, SandboxPolicy
from protocol.deadlines import Deadlines
from protocol.engine import Limits, Root, Search
from protocol.messages import OptionLine
from protocol.session import Identity

FOLDER = Path(__file__).parent
CLIENT = (sys.executable, str(FOLDER / "tablut_client.py"))
LIMIT = time_control.parse("movetime=1200")
VARIANT = "tablut-ashton"
DEADLINES = Deadlines(newgame_ms=20_000)


def spec(how: str = "plays", client: tuple[str, ...] = CLIENT, deadlines: Deadlines = DEADLINES) -> EngineSpec:
    """An engine behind the adapter. It has a free port, since tests run at the same time."""
    adapter = (sys.executable, "-P", "-m", "engines.adapters.tablut")
    command = (*adapter, *client, "{ROLE}", "{seconds}", "{host}", how, "{port}")
    return EngineSpec(how, command, sandbox=SandboxPolicy(Level.NONE), deadlines=deadlines)


@contextmanager
def live(engine: EngineSpec) -> Iterator[LiveEngine]:
    running = LiveEngine(engine)
    try:
        yield running
    finally:
        running.kill()


def game_of(white: EngineSpec, black: EngineSpec, plies: int = 8, limit: time_control.Limit = LIMIT) -> tuple[str, ...]:
    """How a game between the two ended: who won, why, in which words, and what the players wrote on stderr."""
    rules, start = resolve(VARIANT)
    terms = Terms(limit, max_plies=plies)
    with live(black) as one, live(white) as two:
        for player, side in ((one, "p1"), (two, "p2")):
            player.announce(rules, 1, side, limit)
        end = play(Game(rules, start), (one.seat(terms), two.seat(terms)), terms, [])
        assert end.fault is None, (end, one.end(), two.end())
        for player in (one, two):
            player.session.game_over("draw" if end.winner == "draw" else "p1win", end.termination)
            player.session.ready()
        words = [player.process.stderr_tail().decode() for player in (one, two)]
        return (str(end.winner), str(end.termination), end.detail, *words)


@pytest.mark.long
@pytest.mark.parametrize("how", ["pieces", "bare name", "upper", "late", "by name", "early"])
def test_a_client_plays_both_sides_whatever_its_manners(how: str) -> None:
    """Frames in pieces, a name without quotes, letters of either case, late and early answers are no fault."""
    winner, reason, detail, black, white = game_of(spec(how), spec(how))
    assert (winner, reason) == ("draw", "adjudication"), (detail, black, white)
    assert f"I am WHITE, 1 s, {how}" in white and f"I am BLACK, 1 s, {how}" in black


def test_a_client_hears_what_the_server_of_the_contest_says() -> None:
    """White the present board, black the start before it; then each move at once, and the end. Never an old state."""
    whole = spec("receives once")  # each frame comes in one piece
    *_, black, white = game_of(whole, whole, plies=4)
    turns = [[line.split()[1] for line in text.splitlines() if line.startswith("state ")] for text in (black, white)]
    assert turns[0] == ["WHITE", "BLACK", "WHITE", "BLACK", "WHITE", "DRAW"]
    assert turns[1] == ["WHITE", "BLACK", "WHITE", "BLACK", "DRAW"]


FAULTS = {
    "dies": ("crash", "exit status 7", ""),
    "dies in a frame": ("crash", "exit status 3", ""),
    "closes": ("crash", "exit status 1", "closed its connection when its move was due"),
    "twice": ("crash", "exit status 1", "connected twice"),
    "stalls": ("time", "", ""),
    "rubbish": ("malformed-move", "no move in '{I move, therefore I am'", ""),
    "long frame": ("malformed-move", "a frame of 1195725856 bytes", ""),
    "no squares": ("malformed-move", "no squares in", ""),
    "other side": ("malformed-move", "a move of the other side", ""),
    "null move": ("illegal-move", "e7e7 at ply 1 is not legal", ""),
    "illegal": ("illegal-move", "e5a9", ""),
}


@pytest.mark.parametrize(
    "how", [pytest.param(how, marks=[pytest.mark.long] * (how != "dies in a frame")) for how in FAULTS]
)
def test_a_client_that_fails_gets_the_verdict_of_any_engine(how: str) -> None:
    """Its own words are on stderr, and so is what the adapter saw."""
    reason, detail, words = FAULTS[how]
    rules, start = resolve(VARIANT)
    terms = Terms(LIMIT)
    with live(spec()) as one, live(spec(how)) as two:
        for player, side in ((one, "p1"), (two, "p2")):
            player.announce(rules, 1, side, LIMIT)
        end = play(Game(rules, start), (one.seat(terms), two.seat(terms)), terms, [])
        last = two.end()
    assert (end.winner, str(end.termination)) == ("p1", reason), end
    assert detail in f"{end.detail} {last.exit}" and words in last.stderr, (end, last)


@pytest.mark.long
def test_a_client_that_does_not_start_says_why() -> None:
    """It ends before the game, with its own exit status and words."""
    rules, _ = resolve(VARIANT)
    with live(spec("ends at once")) as player:
        player.announce(rules, 1, "p2", LIMIT)
        with pytest.raises(Exception, match="ended") as broken:
            player.seat(Terms(LIMIT))
        last = player.end()
    assert broken.type.__name__ == "EngineFault" and "I cannot start" in last.stderr and "1" in last.exit


@pytest.mark.long
def test_a_client_that_does_not_connect_stalls_before_the_game() -> None:
    """No clock of a move runs: it has the deadline of a new game."""
    rules, _ = resolve(VARIANT)
    with live(spec("never connects", deadlines=Deadlines(newgame_ms=300))) as player:
        player.announce(rules, 1, "p1", LIMIT)
        with pytest.raises(Exception, match=r"limits\.newgame_ms"):
            player.seat(Terms(LIMIT))


@pytest.mark.parametrize(
    ("movetime", "words", "told"),
    [
        (1_200, ["{seconds}"], ["1"]),
        (2_500, ["{seconds}", "{ms}"], ["2", "2300"]),
        (700, ["{ms}", "{Role}-{role}"], ["500", "Black-black"]),
    ],
)
def test_a_client_is_told_the_time_that_fits(
    movetime: int, words: list[str], told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whole seconds rounded down, or milliseconds, less the reserve."""
    started: list[list[str]] = []
    monkeypatch.setattr("engines.adapters.tablut.Client", lambda argv, colour, port: started.append(argv))
    player = TablutPlayer(["client", *words], "fox", 200, None)
    player.set_option("UGI_MoveTime", str(movetime))
    player._start("p1")
    assert started == [["client", *told]]


def test_a_limit_that_a_client_cannot_hear_is_refused_before_the_game() -> None:
    """The sentence names the least time that a limit can be. A client with --seconds takes any limit."""
    engine = spec()
    with live(engine) as player:
        for limit in ("10+0.1", "nodes=1000", "depth=3", "movetime=1199"):
            refusal = limit_refusal(engine, player.identity, [time_control.parse(limit)])
            assert refusal.startswith("engine 'plays' plays with a fixed time for each move, of 1200 ms at least")
        assert limit_refusal(engine, player.identity, [LIMIT]) == ""
    odd = Identity("", "", "", {"ugi_movetime": OptionLine("UGI_MoveTime", "spin", min=-5, max=100)})
    assert "write --movetime 1," in limit_refusal(engine, odd, [time_control.parse("depth=3")])
    assert not [option for option in TablutPlayer(["client"], "fox", 200, 3).options if option.name == "UGI_MoveTime"]


def test_a_stopped_client_goes_and_a_legal_move_stands_in() -> None:
    """The contest knows no `stop`. The next search starts a client again."""

    class Stopped(Search):
        def __init__(self) -> None:
            self.limits = Limits(movetime_ms=1_200)

        def stopped(self) -> bool:
            return True

    with open("/dev/null") as ended:
        command = [*CLIENT, "{ROLE}", "{seconds}", "{host}", "stalls", "{port}"]
        player = TablutPlayer(command, "fox", 200, None, ended.fileno())
        for _ in range(2):
            word = player.search(Root(VARIANT, "", None, ()), Stopped())
            assert Game(*resolve(VARIANT)).position.find(word) is not None and player._client is None


def test_a_state_is_the_server_s_picture() -> None:
    """Rank 1 is the first row. The empty throne has a name, the king on it has none."""
    _, start = resolve(VARIANT)
    first = json.loads(wire.state(start.fen(), "WHITE"))
    assert first["turn"] == "WHITE" and first["board"][0] == ["EMPTY"] * 3 + ["BLACK"] * 3 + ["EMPTY"] * 3
    assert first["board"][4] == ["BLACK"] * 2 + ["WHITE"] * 2 + ["KING"] + ["WHITE"] * 2 + ["BLACK"] * 2
    away = json.loads(wire.state("9/9/9/9/9/9/9/3k5/a8 p1 1", "BLACKWIN"))["board"]
    assert away[4][4] == "THRONE" and away[1][3] == "KING" and away[0][0] == "BLACK"


def test_tablut_is_an_adapter_by_name() -> None:
    """An entry has the grant, the limits of a contest's machine, and a new process for each game."""
    from arena.config.engine_argument import adapted, engine_argument

    made = adapted(engine_argument("/bin/cat {ROLE}", Registry(())), "tablut")
    assert made.command[1:] == ("-P", "-m", "engines.adapters.tablut", "--name=cat", "/bin/cat", "{ROLE}")
    assert made.sandbox.loopback and made.restart and made.variants == (VARIANT,)
    assert made.sandbox.caps.memory_mb == 8_192 and made.deadlines.newgame_ms == 120_000


@pytest.mark.long
def test_a_client_in_java_plays_too() -> None:
    """It connects by name, and reads and writes as the contest's own classes do."""
    java = shutil.which("java")
    if java is None:
        pytest.skip("there is no java")
    client = (java, "-XX:TieredStopAtLevel=1", str(FOLDER / "TablutClient.java"))
    winner, reason, *rest = game_of(spec("java", client), spec("java", client), 6, time_control.parse("movetime=3000"))
    assert (winner, reason) == ("draw", "adjudication"), rest
