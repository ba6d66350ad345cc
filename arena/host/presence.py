"""Who is there: which guests take part in the ladder, which of them may begin a game, and what they are told.

A guest takes part once it has passed the door, and while it is connected or was so a moment ago. The ladder sees its
engines in the list of the file, so that they come and go as all others do.
"""

import contextlib
import sys
import threading
import time
import traceback
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from arena.config.load import LoadedTournament
from arena.host import relay
from arena.host.door import DoorResult
from arena.host.hub import GuestState
from arena.host.hub_process import HubLost, HubProcess
from arena.ladder.file_watch import AWAY, VERSION, LadderFile
from arena.ladder.run import Guests
from arena.planning.introductions import Introduce
from arena.play.jobs import EngineSpec, GameJob
from arena.play.trial_start import Introductions
from arena.run.events import Events, GameEnded, GameStarted
from arena.timing.lost_line import WAS_DOWN, away
from arena.web.privacy import Privacy
from protocol.containment.policy import Level, SandboxPolicy
from protocol.session import Identity
from results.record import GameRecord, Player

GRACE_S = 12.0
"""The games of a guest that is away wait so long. Then the batch goes on without them."""
PAUSE_S, LONGEST_S = 15.0, 3600.0
"""The first pause of a guest, and the longest: before it is checked again, and before its next game after one that its
line has spoilt, or after it was away for long."""
CHECKS_AT_ONCE = 4
OUR_MISTAKE = "the checks at the door failed by a mistake of the host's, not of the engine; its organiser can read why"
RESULTS = {None: ("void", "void"), "draw": ("drawn", "drawn"), "p1": ("won", "lost"), "p2": ("lost", "won")}
"""What a game was for either side, by its winner."""
_LOOK_S = 1.0


def guest_spec(
    environment: Mapping[str, str], name: str, digest: str, *, plain: bool = False, lag_ms: int = 0
) -> EngineSpec:
    """The engine of a guest: a relay, which finds the hub by these variables. `plain` passes all lines as they are."""
    path = str(Path(relay.__file__).absolute())
    return EngineSpec(
        name,
        (sys.executable, "-I", "-S", path, name, digest, *["plain"] * plain),
        sandbox=SandboxPolicy(Level.NONE, environment=environment),
        restart=True,
        family=name,
        remote=True,
        lag_ms=lag_ms,
        sha256=digest,
    )


@dataclass(slots=True)
class _Present:
    """A guest that is or was connected."""

    state: GuestState
    left_s: float | None = None
    """When its connection ended; None while there is one."""


class Pauses:
    """Pauses of guests: each is twice as long as the one before, until none came for LONGEST_S."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self._last: dict[str, tuple[float, float]] = {}
        """How long the last pause of each guest is, and its end."""

    def add(self, name: str, ago_s: float = 0.0) -> float:
        """Begin a pause, or note one that has begun before. Returns its length."""
        last_s, until_s = self._last.get(name, (0.0, -LONGEST_S))
        since_s = self._now_s() - ago_s
        pause_s = min(LONGEST_S, max(PAUSE_S, 2 * last_s if since_s < until_s + LONGEST_S else 0.0))
        self._last[name] = pause_s, since_s + pause_s
        return pause_s

    def left_s(self, name: str) -> float:
        """How long the pause of a guest still lasts; 0 if it has none."""
        return max(0.0, self._last.get(name, (0.0, 0.0))[1] - self._now_s())

    def end(self, name: str) -> None:
        """End the pause of a guest; its next one is a first one."""
        self._last.pop(name, None)


class Presence(Guests):
    """The guests of a ladder. A thread follows the hub; all methods may be called from any thread."""

    may_come = True

    def __init__(
        self,
        hub: HubProcess,
        check: Callable[[EngineSpec], DoorResult],
        report: Callable[[str], None],
        *,
        local_games: int,
        lag_ms: int = 0,
        now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        """`check` is the door.

        At most `local_games` games at once have an engine of this machine. `lag_ms` is free in each move of a guest's
        games, for both sides.
        """
        self._hub = hub
        self._environment = hub.environment
        self._check = check
        self._report = report
        self._local_games = local_games
        self._lag_ms = lag_ms
        self._now_s = now_s
        self._lock = threading.RLock()
        self._there: dict[str, _Present] = {}
        self._passed: dict[tuple[str, str], Identity] = {}
        """What builds said of themselves that have passed the door, by guest and digest."""
        self._checking: set[str] = set()
        self._checks, self._lines = Pauses(now_s), Pauses(now_s)
        self.families: dict[str, str] = {}
        """The guests behind names of engines; all others are local."""
        self._taken: Collection[str] = ()
        self.nudge: Callable[[], None] = lambda: None
        self._ended = False
        self._lost = False
        self._door = ThreadPoolExecutor(CHECKS_AT_ONCE, "door")
        self._threads = [threading.Thread(target=target, daemon=True) for target in (self._follow, self._tick)]

    def attach(self, nudge: Callable[[], None]) -> None:
        self.nudge = nudge
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """The ladder is over: nothing is reported any more."""
        self._ended = True
        self._door.shutdown(wait=False, cancel_futures=True)

    # What the hub says

    def _follow(self) -> None:
        for guests in self._hub.guests():
            self._update({guest.name: guest for guest in guests})
        self._lost = not self._ended
        self.nudge()

    def _tick(self) -> None:
        """Time passes: graces end, and refused builds may come again."""
        while not self._ended:
            time.sleep(_LOOK_S)
            self._admit()
            self.nudge()

    def _update(self, guests: Mapping[str, GuestState]) -> None:
        with self._lock:
            for name, present in self._there.items():
                if name not in guests and present.left_s is None:
                    present.left_s = self._now_s()
            for name, state in guests.items():
                before = self._there.get(name)
                if before and before.left_s is None and before.state.connection == state.connection:
                    before.state = state
                    continue
                if before is not None and self._is_away(before) and before.state.connection:
                    assert before.left_s is not None
                    self._lines.add(name, self._now_s() - before.left_s - GRACE_S)
                self._there[name] = _Present(state)
                if (name, state.digest) not in self._passed and (wait_s := self._checks.left_s(name)):
                    self._hub.tell(name, "say", f"the host checks the engine in {wait_s:.0f} s")
        self._admit()
        self.nudge()

    def _admit(self) -> None:
        """Let those be checked who have not been. One check of each guest runs at a time."""
        with self._lock:
            for name, present in self._there.items():
                state = present.state
                is_known = (name, state.digest) in self._passed or name in self._checking
                if present.left_s is None and not is_known and not self._checks.left_s(name):
                    if VERSION.search(name) or name.casefold() in self._taken:
                        self._refuse(state, f"{name!r} is the name of another engine here: ask for another one")
                        continue
                    self._checking.add(name)
                    with contextlib.suppress(RuntimeError):  # the ladder is over
                        self._door.submit(self._check_one, present)

    def _check_one(self, present: _Present) -> None:
        state = present.state
        self._hub.tell(state.name, "say", "the host checks the engine: a game begins after that")
        try:
            result = self._check(guest_spec(self._environment, state.name, state.digest, plain=True))
        except Exception:
            self._report(traceback.format_exc())
            result = DoorResult(None, OUR_MISTAKE)
        with self._lock:
            self._checking.discard(state.name)
            if result.identity is not None:
                self._passed[state.name, state.digest] = result.identity
                for remark in result.remarks:
                    self._hub.tell(state.name, "say", f"to be fixed: {remark}")
                sentence = "the engine has passed the door and takes part; another build is checked in"
                self._hub.tell(state.name, "say", f"{sentence} {self._checks.add(state.name):.0f} s at the earliest")
            elif self._there.get(state.name) is present and present.left_s is None:
                self._refuse(state, result.refusal)
            else:  # what came of the check tells of the line
                pause_s = self._checks.add(state.name)
                self._hub.tell(state.name, "say", f"the line was lost in the checks: again in {pause_s:.0f} s")
        self.nudge()

    def _refuse(self, state: GuestState, sentence: str) -> None:
        pause_s = self._checks.add(state.name)
        again = f"it is checked again in {pause_s:.0f} s at the earliest"
        self._hub.refuse(state.name, state.connection, f"{sentence}; {again}")
        self._report(f"{state.name} was refused at the door: {sentence}")

    def go_on(self, players: Sequence[Player], out: Container[str]) -> None:
        """Go on with a ladder that has these players. Guests who are not `out` have a moment to come."""
        for player in players:
            if is_guest(player):
                name = self.families[player.name] = player.family
                if player.name not in out:
                    self._passed[name, player.sha256] = Identity(player.name, player.author, player.version, {})
                    self._there.setdefault(name, _Present(GuestState(name, 0, player.sha256, 1), self._now_s()))

    # What the ladder asks

    def engines(self, taken: Collection[str]) -> list[EngineSpec]:
        """The engines of guests that take part now, by name. `taken` are names of local engines.

        Raises HubLost.
        """
        if self._lost:
            raise HubLost("the process of the pages and lines has ended; the same command goes on")
        with self._lock:
            self._taken = {name.casefold() for name in taken}
            return [
                guest_spec(self._environment, name, state.digest, lag_ms=self._lag_ms)
                for name, present in sorted(self._there.items())
                if not self._is_away(present) and not self._lines.left_s(name)
                if (state := present.state).games > 0 and (name, state.digest) in self._passed
            ]

    def _is_away(self, present: _Present) -> bool:
        return present.left_s is not None and self._now_s() - present.left_s >= GRACE_S

    def _judge_lines(self, record: GameRecord, results: Sequence[str]) -> None:
        """Where the line of a guest has spoilt a game, its next one begins after a pause."""
        for name, result in zip((record.p1, record.p2), results, strict=True):
            if (guest := self.families.get(name)) is None:
                continue
            with self._lock:
                if record.detail == away(name) or (result == "lost" and WAS_DOWN in record.detail):
                    pause_s = self._lines.add(guest)
                    self._hub.tell(guest, "say", f"the line was down in a game: the next one begins in {pause_s:.0f} s")
                elif result != "void":
                    self._lines.end(guest)

    def may_begin(self, job: GameJob, playing: Iterable[GameJob]) -> bool:
        with self._lock:
            pairs = [(each.p1, each.p2) for each in playing]
            busy = [self.families.get(name) for pair in pairs for name in pair]
            local = sum(1 for pair in pairs if not self.families.keys() >= {*pair})
            for guest in filter(None, map(self.families.get, (job.p1, job.p2))):
                present = self._there.get(guest)
                if present is None or present.left_s is not None or busy.count(guest) >= present.state.games:
                    return False
            return {job.p1, job.p2} <= self.families.keys() or local < self._local_games

    def introduce(self, specs: Sequence[EngineSpec], others: Introduce) -> Introductions:
        """What guests said at the door; local engines are started."""
        local = [spec for spec in specs if not spec.remote]
        met = iter(others(local) if local else [])
        with self._lock:
            self.families |= {spec.name: spec.family for spec in specs if spec.remote}
            return [(self._passed[spec.family, spec.command[-1]], "") if spec.remote else next(met) for spec in specs]

    # What guests are told of their games

    def hear(self, events: Events) -> None:
        for event in events:
            if isinstance(event, GameStarted):
                job = event.job
                self._tell(job, variant=job.variant, fen=job.fen, tc=job.terms.tc)
            elif isinstance(event, GameEnded):
                record, results = event.record, RESULTS[event.record.winner]
                self._judge_lines(record, results)
                detail = Privacy(hosts=(record.host,)).text(record.detail)[:300]
                self._tell(record, results, by=str(record.termination), detail=detail)

    def _tell(self, game: GameJob | GameRecord, results: Sequence[str] = (), **more: object) -> None:
        for place, (name, other) in enumerate(((game.p1, game.p2), (game.p2, game.p1))):
            if (guest := self.families.get(name)) is not None:
                result = {"result": results[place]} if results else {}
                news = {"game": game.number, "as": name, "side": f"p{place + 1}", "opponent": other, **result, **more}
                self._hub.tell(guest, "played", news)


def is_guest(player: Player) -> bool:
    """Whether a guest has this player's engine. The command is a relay's and ends with the guest's name and digest."""
    return list(player.command[-2:]) == [player.family, player.sha256]


class OpenLadderFile(LadderFile):
    """A ladder's file, to whose engines the guests are added that are there."""

    presence: Presence
    """Is set before the first look."""
    _there: Sequence[EngineSpec] = ()
    _own: LoadedTournament | None = None

    def look(self) -> LoadedTournament | None:
        changed = super().look()
        own = self._own = changed or self._own or self.engine_list
        there = self.presence.engines([spec.name for spec in own.engines])
        if changed is None and there == self._there:
            return None
        self._there = there
        self.engine_list = own._replace(engines=(*own.engines, *there))
        return self.engine_list

    def why_missing(self, name: str) -> str:
        return AWAY if name in self.presence.families else super().why_missing(name)
