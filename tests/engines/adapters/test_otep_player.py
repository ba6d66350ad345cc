"""The adapter through which an engine that speaks OTEP plays here, against a stand-in for that engine."""

import sys
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest

from arena.games.tafl.otn import NoCounterpart
from engines.adapters import otep_player
from engines.adapters.otep_player import OtepPlayer, OtherEngineFailed
from engines.adapters.ugi_client import UgiClient
from protocol.engine import Limits, Root, Search

CROSS = "/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"
STAND_IN = Path(__file__).with_name("otep_stand_in.py")


class StandIn:
    """An engine that speaks OTEP, in this process: it keeps what it is sent and says what a test wants."""

    moves: ClassVar[deque[str]] = deque()
    """What it answers to each `play`."""
    running: ClassVar[list["StandIn"]] = []

    def __init__(self, argv: Sequence[str], directory: str | None = None) -> None:
        self.sent: list[str] = []
        self.said: deque[str] = deque(["hello"])
        self.last: deque[str] = deque()
        self.killed = False
        self.running.append(self)

    def send(self, line: str) -> None:
        self.sent.append(line)
        if line.startswith("play ") and self.moves:
            self.said.extend(self.moves.popleft().split("\n"))

    def read(self, timeout_s: float) -> str | None:
        return self.said.popleft() if self.said else None

    def kill(self) -> None:
        self.killed = True

    def close(self) -> None:
        self.killed = True


class Asked(Search):
    """A search without a referee that is stopped after so many looks."""

    def __init__(self, limits: Limits, looks: int = 1000) -> None:
        self.limits = limits
        self.looks = looks
        self.told: list[Any] = []

    def stopped(self) -> bool:
        self.looks -= 1
        return self.looks < 0

    def info(self, **told: Any) -> None:
        self.told.append(told)


@pytest.fixture
def player(monkeypatch: pytest.MonkeyPatch) -> OtepPlayer:
    """A player whose other engine is the stand-in."""
    monkeypatch.setattr(otep_player, "LineProcess", StandIn)
    monkeypatch.setattr(otep_player, "_AFTER_MOVE_S", 0.0)
    StandIn.moves, StandIn.running = deque(), []
    return OtepPlayer(["opentafl"], "OpenTafl")


def root(*moves: str, variant: str = "brandub", fen: str | None = None) -> Root:
    return Root(variant, "", fen, moves)


def sent(since: int = 0) -> list[str]:
    return StandIn.running[-1].sent[since:]


def test_the_other_engine_is_told_the_game_the_time_and_its_side(player: OtepPlayer) -> None:
    """Rules, moves, clock, play; its answer is our move, and it is told that the move was accepted."""
    StandIn.moves.append("status thinking\nmove d3-c3")
    search = Asked(Limits(movetime_ms=1200))
    assert player.search(root("d2e2"), search) == "d3c3"
    rules, opponent, clock, play, accepted = sent()
    assert rules.startswith("rules dim:7 name:brandub esc:c") and rules.endswith(f"start:{CROSS}")
    assert opponent == "opponent-move d2-e2 /3t3/4t2/3T3/ttTKTtt/3T3/3t3/3t3/"
    assert clock == "clock 1200* 1200* 2 5 5"
    assert play == "play defenders"
    assert accepted == "move /3t3/4t2/2T4/ttTKTtt/3T3/3t3/3t3/"
    assert search.told == [{"string": "thinking"}]


def test_it_is_told_only_what_is_new(player: OtepPlayer) -> None:
    """The next position of the same game is the opponent's move; one taken back is told from its start."""
    StandIn.moves += ["move d1-e1", "move e1-d1", "move d1-c1"]
    player.search(root(), Asked(Limits(movetime_ms=1000)))
    before = len(sent())
    player.search(root("d1e1", "d3c3"), Asked(Limits(movetime_ms=1000)))
    assert [line.split()[0] for line in sent(before)] == ["opponent-move", "clock", "play", "move"]
    before = len(sent())
    player.search(root(), Asked(Limits(movetime_ms=1000)))
    assert [line.split()[0] for line in sent(before)] == ["finish", "rules", "clock", "play", "move"]


def test_every_limit_is_told_as_time_with_the_offset(player: OtepPlayer) -> None:
    """OTEP has no other limits; TimeOffset makes up for what an engine keeps back."""
    for limits, told in (
        (Limits(movetime_ms=2000), "clock 2750* 2750* 3 5 5"),
        (Limits(time_ms=100_000, inc_ms=1000), "clock 5500* 5500* 6 5 5"),
        (Limits(time_ms=1000), "clock 790* 790* 1 5 5"),
        (Limits(nodes=500), "clock 1750* 1750* 2 5 5"),
        (Limits(depth=3), "clock 1750* 1750* 2 5 5"),
    ):
        player.set_option("TimeOffset", "750")
        StandIn.moves.append("move d1-e1")
        player.search(root(), Asked(limits))
        assert sent()[-3] == told


def test_a_stopped_search_answers_with_a_legal_move(player: OtepPlayer) -> None:
    """OTEP has no `stop`: the process is ended, and the next search has a new one that is told everything."""
    move = player.search(root(), Asked(Limits(infinite=True), looks=3))
    player.check(root(move))
    assert StandIn.running[0].killed
    StandIn.moves.append("move d3-c3")
    player.search(root(move), Asked(Limits(movetime_ms=1000)))
    assert len(StandIn.running) == 2 and sent()[0].startswith("rules ")


def test_an_illegal_move_is_left_to_the_referee(player: OtepPlayer) -> None:
    """It is passed on as it came, and the other engine is told the game anew."""
    StandIn.moves += ["move a1-a7", "move d1-e1"]
    assert player.search(root(), Asked(Limits(movetime_ms=1000))) == "a1a7"
    player.search(root(), Asked(Limits(movetime_ms=1000)))
    assert [line.split()[0] for line in sent()].count("rules") == 2


def test_rules_that_opentafl_has_not_are_refused_as_a_position() -> None:
    """The variants with them are not announced, and changed options end in a sentence before anything is told."""
    player = OtepPlayer(["no-such-program"], "OpenTafl")
    assert "tablut-ashton" not in player.variants and {"copenhagen", "tablut-saami"} <= {*player.variants}
    player.check(Root("sea-battle-9", "fort=wins escape=corner", None, ()))
    with pytest.raises(NoCounterpart, match="OpenTafl has no rule like camps=yes"):
        player.check(Root("sea-battle-9", "camps=yes", None, ()))


def test_a_critical_error_ends_the_adapter(player: OtepPlayer) -> None:
    """The referee sees a crash, and the sentence says whose."""
    StandIn.moves.append("error -1 cannot play this")
    with pytest.raises(OtherEngineFailed, match="OpenTafl told of a critical error"):
        player.search(root(), Asked(Limits(movetime_ms=1000)))


def test_a_game_over_real_pipes() -> None:
    """The adapter with a stand-in of its own process: handshake, a legal move, the end."""
    client = UgiClient([sys.executable, "-P", "-m", "engines.adapters.otep_player", "--name", "Stand-in",
                        sys.executable, "-P", str(STAND_IN)])  # fmt: skip
    try:
        assert client.name == "Stand-in" and "brandub" in client.choices["UGI_Variant"]
        client.set("UGI_Variant", "scottish")
        client.send("uginewgame")
        client.ready()
        deadline = time.monotonic() + 60
        client.send("position startpos")
        client.ready()
        client.send("go movetime 100")
        while not (line := client.read(deadline - time.monotonic()) or "").startswith("bestmove"):
            assert line, "no bestmove came"
        assert client.ask(f"islegal {line.split()[1]}") == "true"
    finally:
        client.close()
