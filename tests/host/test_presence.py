"""Which guests take part, and when their games begin: a hub and a door that are scripts, and a clock that is told."""

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

import pytest

from arena.host.door import DoorResult
from arena.host.hub import GuestState
from arena.host.hub_process import HubLost, HubProcess
from arena.host.presence import GRACE_S, PAUSE_S, Presence
from arena.play.jobs import EngineSpec, GameJob, Terms
from arena.run.events import GameEnded
from arena.timing.lost_line import WAS_DOWN, away
from arena.timing.time_control import fixed
from protocol.session import Identity
from results.record import Player, Termination
from tests.results.made import GAME

pytestmark = pytest.mark.timeout(120)
IDENTITY = Identity("Engine", "Author", "1", {})
JOB = GameJob("r-1", 1, 1, "callanish-5", None, 0, "", "fox", "cat", 1, Terms(fixed("nodes", 1)))


class Hub:
    """A hub without a process."""

    def __init__(self) -> None:
        self.environment = {"ARENA_HUB": "/nowhere"}
        self.told: list[tuple[object, ...]] = []
        self.refused: list[tuple[str, int, str]] = []

    def tell(self, guest: str, *message: object) -> None:
        self.told.append((guest, *message))

    def refuse(self, *what: str) -> None:
        self.refused.append(what)  # type: ignore[arg-type]

    def guests(self) -> list[Any]:
        return []


class Scene:
    """Guests that come and go, and a door."""

    def __init__(self, check: Callable[[EngineSpec], DoorResult] = lambda spec: DoorResult(IDENTITY)) -> None:
        self.hub, self.now_s, self.checks = Hub(), 0.0, 0
        self.reported: list[str] = []
        self._check = check
        self._nudged = threading.Condition()
        hub = cast(HubProcess, self.hub)
        more: dict[str, Any] = {"local_games": 1, "lag_ms": 250, "now_s": lambda: self.now_s}
        self.presence = Presence(hub, self._door, self.reported.append, **more)
        self.presence.nudge = self._nudge

    def _door(self, spec: EngineSpec) -> DoorResult:
        self.checks += 1
        return self._check(spec)

    def _nudge(self) -> None:
        with self._nudged:
            self._nudged.notify_all()

    def come(self, *guests: GuestState) -> None:
        self.presence._update({guest.name: guest for guest in guests})

    def wait_until(self, is_so: Callable[[], bool]) -> None:
        with self._nudged:
            assert self._nudged.wait_for(is_so, 60)

    @property
    def names(self) -> list[str]:
        return [spec.name for spec in self.presence.engines(["greedy"])]


def guest(name: str, connection: int = 1, digest: str = "d1", games: int = 1) -> GuestState:
    return GuestState(name, connection, digest, games)


def test_a_guest_takes_part_once_it_has_passed_the_door_and_for_a_moment_after_it_has_gone() -> None:
    scene = Scene()
    scene.come(guest("fox"), guest("cat"))
    scene.wait_until(lambda: scene.names == ["cat", "fox"])
    scene.come(guest("cat"))
    scene.now_s = GRACE_S - 1
    assert scene.names == ["cat", "fox"]
    scene.now_s = GRACE_S
    assert scene.names == ["cat"]
    scene.now_s = GRACE_S + PAUSE_S
    scene.come(guest("cat"), guest("fox", 2))
    assert scene.names == ["cat", "fox"] and scene.checks == 2  # the build has passed before
    scene.come(guest("cat"), guest("fox", 2, games=0))  # it ends after its game
    assert scene.names == ["cat"]


def test_a_game_begins_where_both_guests_are_there_and_free() -> None:
    """A guest plays one game at once unless it says more; games with local engines have a number of their own."""
    scene = Scene()
    scene.come(guest("fox"), guest("cat", games=2))
    scene.wait_until(lambda: len(scene.names) == 2)
    scene.presence.families = {"fox": "fox", "cat@2": "cat"}
    may = scene.presence.may_begin
    job = replace(JOB, p2="cat@2")
    local = replace(job, number=2, p1="greedy")
    assert may(job, [])
    assert not may(replace(job, number=2), [job])
    assert may(local, [job])
    assert not may(replace(local, number=3, p2="random"), [job, local])
    assert may(replace(local, p2="random"), [])
    scene.come(guest("fox"))
    assert not may(job, [])  # it is away


def test_an_engine_that_fails_at_the_door_is_told_why_and_may_come_again() -> None:
    """Its client is ended with the sentence. The same build is checked again after a while, and nobody else waits."""
    scene = Scene(lambda spec: DoorResult(None if spec.name == "fox" else IDENTITY, "A2 (clause 3.1): no ugiok"))
    scene.come(guest("fox"), guest("cat"))
    scene.wait_until(lambda: scene.names == ["cat"] and bool(scene.hub.refused))
    again = "it is checked again in 15 s at the earliest"
    assert scene.hub.refused == [("fox", 1, f"A2 (clause 3.1): no ugiok; {again}")]
    scene.come(guest("fox", 2), guest("cat"))
    assert scene.checks == 2
    scene.now_s = PAUSE_S
    scene.come(guest("fox", 2), guest("cat"))
    scene.wait_until(lambda: len(scene.hub.refused) == 2)
    assert scene.hub.refused[1][:2] == ("fox", 2)
    scene.now_s = 2 * PAUSE_S
    scene.come(guest("fox", 3, "d2"), guest("cat"))  # another build does not help, and the wait has grown
    assert scene.checks == 3 and scene.hub.told[-1] == ("fox", "say", "the host checks the engine in 15 s")


def test_a_mistake_of_the_host_at_the_door_ends_no_ladder() -> None:
    """The guest is refused, told whose mistake it was, and may come again; the host's log has the traceback."""

    def check(spec: EngineSpec) -> DoorResult:
        if spec.name == "fox":
            raise RuntimeError("our own")
        return DoorResult(IDENTITY)

    scene = Scene(check)
    scene.come(guest("fox"), guest("cat"))
    scene.wait_until(lambda: scene.names == ["cat"] and bool(scene.hub.refused))
    assert "a mistake of the host's" in scene.hub.refused[0][2] and "in 15 s" in scene.hub.refused[0][2]
    assert "Traceback" in scene.reported[0] and "our own" in scene.reported[0]
    scene.now_s = PAUSE_S
    scene.come(guest("fox", 2), guest("cat"))
    scene.wait_until(lambda: len(scene.hub.refused) == 2)


def test_a_guest_whose_line_was_lost_in_its_checks_is_not_refused() -> None:
    """What a lost line spoilt says nothing about the engine, and the client that came back is not sent away."""
    loses_line = [True, False]

    def check(spec: EngineSpec) -> DoorResult:
        if loses_line.pop(0):
            scene.come()
            scene.come(guest("fox"))
        return DoorResult(None, "A2 (clause 3.1): no ugiok")

    scene = Scene(check)
    for judged in (0, 1):
        scene.now_s += PAUSE_S
        scene.come(guest("fox"))
        scene.wait_until(lambda: not scene.presence._checking)
        with scene.presence._lock:  # what came of the check is told
            assert len(scene.hub.refused) == judged
        assert judged or scene.hub.told[-1] == ("fox", "say", "the line was lost in the checks: again in 15 s")


def test_the_engine_of_a_guest_has_the_lag_of_the_ladder() -> None:
    """So both sides of its games have it, and others have none."""
    scene = Scene()
    scene.come(guest("fox"))
    scene.wait_until(lambda: scene.names == ["fox"])
    assert [spec.lag_ms for spec in scene.presence.engines([])] == [250]


def test_a_guest_with_the_name_of_another_engine_is_refused() -> None:
    """Of an engine in the ladder's file, in any case of letters."""
    scene = Scene()
    assert scene.names == []
    scene.come(guest("Greedy"))
    assert scene.hub.refused and scene.checks == 0


def test_guests_of_a_ladder_that_goes_on_have_a_moment_to_come_back() -> None:
    """Their builds have passed the door before, so they play at once."""
    scene = Scene()
    players = [
        Player(name, "1", "Author", ("relay", "fox", d), d, "fox") for name, d in (("fox", "d0"), ("fox@2", "d1"))
    ]
    scene.presence.go_on([*players, Player("greedy", "1", "Author", ("greedy",), "d3", "greedy")], ["fox"])
    assert scene.presence.families == {"fox": "fox", "fox@2": "fox"}
    assert scene.names == ["fox"]
    assert not scene.presence.may_begin(replace(JOB, p1="fox@2", p2="greedy"), [])
    scene.come(guest("fox"))
    assert scene.presence.may_begin(replace(JOB, p1="fox@2", p2="greedy"), []) and scene.checks == 0
    scene.come()
    scene.now_s = GRACE_S
    assert scene.names == []


def test_a_ladder_ends_where_the_process_of_the_lines_has_ended() -> None:
    scene = Scene()
    scene.presence._follow()
    with pytest.raises(HubLost):
        assert scene.names


def test_new_builds_of_a_guest_are_taken_more_and_more_seldom() -> None:
    """Each is a player for ever, and ends the batch of all others. A build that is known comes back at once."""
    scene = Scene()
    scene.come(guest("fox"))
    scene.wait_until(lambda: scene.names == ["fox"])
    now_s = 0.0
    for number, pause_s in enumerate((PAUSE_S, 2 * PAUSE_S, 4 * PAUSE_S), 2):
        scene.come(guest("fox", number, f"d{number}"))
        assert scene.names == [] and scene.checks == number - 1
        scene.come(guest("fox"))
        assert scene.names == ["fox"]
        scene.now_s = now_s = now_s + pause_s
        scene.come(guest("fox", number, f"d{number}"))
        scene.wait_until(lambda: scene.names == ["fox"])
        assert scene.checks == number


def test_a_guest_that_is_gone_in_each_check_waits_longer_each_time() -> None:
    """It holds one of few places at the door meanwhile, where others wait."""

    def check(spec: EngineSpec) -> DoorResult:
        scene.come()
        return DoorResult(None, "it ended")

    scene = Scene(check)
    for number, left_s in enumerate((0, PAUSE_S, 2 * PAUSE_S)):
        if number:
            scene.now_s += left_s - 0.1
            scene.come(guest("fox", number))
            assert scene.checks == number
            scene.now_s += 0.1
        scene.come(guest("fox", number))
        scene.wait_until(lambda: not scene.presence._checking)
        assert scene.checks == number + 1
    assert not scene.hub.refused


def ended(scene: Scene, **how: Any) -> None:
    values: dict[str, Any] = {"p1": "fox", "p2": "greedy", "winner": None, "termination": Termination.UNFINISHED}
    scene.presence.families["fox"] = "fox"
    scene.presence.hear([GameEnded(0, replace(GAME, **values | how))])


def test_games_that_a_guests_line_spoils_are_followed_by_growing_pauses() -> None:
    """One that drops to avoid an opponent, or in each game so as never to be withdrawn, plays less and less. A game
    that ends by itself ends that."""
    scene = Scene()
    scene.come(guest("fox"))
    scene.wait_until(lambda: scene.names == ["fox"])
    lost = {"winner": "p2", "termination": Termination.TIME, "detail": f"no bestmove; {WAS_DOWN}"}
    for pause_s, how in ((PAUSE_S, {"detail": away("fox")}), (2 * PAUSE_S, lost), (4 * PAUSE_S, lost)):
        ended(scene, **how)
        scene.now_s += pause_s - 0.5
        assert scene.names == []
        scene.now_s += 0.5
        assert scene.names == ["fox"]
    ended(scene, detail=away("greedy"))
    ended(scene, winner="p1", termination=Termination.TIME, detail=f"no bestmove; {WAS_DOWN}")  # of its opponent
    assert scene.names == ["fox"]
    ended(scene, **lost)
    scene.now_s += PAUSE_S
    assert scene.names == ["fox"]


def test_a_guest_that_comes_and_goes_does_not_end_batch_after_batch() -> None:
    """Who comes back ends a batch early. It may do so at once after a long time, then more and more seldom."""
    scene = Scene()
    scene.come(guest("fox"))
    scene.wait_until(lambda: scene.names == ["fox"])
    for pause_s in (PAUSE_S, 2 * PAUSE_S, 4 * PAUSE_S):
        scene.come()
        scene.now_s += GRACE_S + 1
        scene.come(guest("fox"))
        assert scene.names == []
        scene.now_s += pause_s
        assert scene.names == ["fox"]
