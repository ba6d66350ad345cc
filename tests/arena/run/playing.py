"""Runs of chosen games for tests, and slots without processes."""

import contextlib
import os
import pickle
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from arena.formats.base import Fixed
from arena.formats.round_robin import RoundRobin
from arena.planning.prepared_run import PreparedRun
from arena.play.jobs import GO, EngineSpec, GameJob
from arena.play.snapshots import Finished
from arena.run.control import Control
from arena.run.events import Event, GameEnded, GameStarted
from arena.run.play import Play
from arena.run.run import GamesToPlay
from arena.run.slots import NoSlot, Slot, Slots
from arena.run.source import FAR_AHEAD, FixedSource, Result, Results, RunSetting, Source, result_of
from protocol.containment.policy import Level, SandboxPolicy
from protocol.deadlines import Deadlines
from results.record import GameRecord

SCRIPT = """
import os, sys
def say(text): os.write(1, (text + '\\n').encode())
heard = []
for line in map(str.strip, sys.stdin):
    heard.append(line)
    {body}
    if line == 'ugi':
        for name in ('UGI_Resign', 'UGI_GameOver'): say(f'option name {{name}} type check default true')
        say('ugiok')
    if line == 'isready': say('readyok')
    if line == 'quit': break
    if line.startswith('go'): say('bestmove resign')
"""


def script(folder: Path, name: str, body: str) -> EngineSpec:
    """An engine that resigns; `body` sees each `line` first, and all that were heard."""
    (folder / f"{name}.py").write_text(SCRIPT.format(body=body))
    command = (sys.executable, "-I", "-S", str(folder / f"{name}.py"))
    return EngineSpec(name, command, sandbox=SandboxPolicy(Level.NONE), deadlines=Deadlines(quit_ms=500))


class Listed:
    """A source of these games, numbered from 1 in their order."""

    is_fixed, settled = True, 1 << 62

    def __init__(self, jobs: Sequence[GameJob], ahead: int = FAR_AHEAD) -> None:
        self.jobs = jobs
        self.total = self.known = len(jobs)
        self.ahead = ahead

    def job(self, k: int, results: Results) -> GameJob | None:
        return self.jobs[k - 1] if k <= len(self.jobs) else None

    def stage(self, number: int) -> int:
        return number

    def result(self, record: GameRecord) -> Result:
        return result_of(record)


def round_robin(setting: RunSetting, games: int) -> FixedSource:
    """A round robin in which each pairing has so many games in all."""
    fixed = Fixed(len(setting.engines), RoundRobin(len(setting.engines)), games)
    return FixedSource(setting, [(fixed, games)], games)


Keep = Callable[[list[GameRecord]], Any]


def play(
    source: Source | GamesToPlay,
    slots: Slots,
    specs: Mapping[str, EngineSpec],
    keep: Keep,
    hear: Callable[[Event], Any] = lambda event: None,
    control: Control | None = None,
    *,
    snapshot_ms: int = 0,
    fault_budget: int = 5,
) -> GamesToPlay:
    """Play a run to its end. `keep` gets all records that came together, also unfinished ones."""
    run = source if isinstance(source, GamesToPlay) else GamesToPlay(source, fault_budget=fault_budget)
    loop = Play(run, slots, specs, control, snapshot_ms=snapshot_ms)
    with contextlib.closing(loop.__iter__()) as batches:
        for events in batches:
            if records := [event.record for event in events if isinstance(event, GameEnded)]:
                keep(records)
            for event in events:
                hear(event)
    return run


def play_out(run: PreparedRun) -> GamesToPlay:
    """Play all games of a prepared run."""
    games = run.games_to_play()
    for _ in run.play(games, Control()):
        pass
    return games


Answer = Callable[[list[GameJob]], Sequence[Finished]]
"""What a worker sends, given all jobs in its hand. It removes those that it has ended."""


class FakeSlot:
    """A slot without a process: it answers when it is sent something."""

    exit_code = None

    def __init__(self, answer: Answer) -> None:
        self.messages, self._write = os.pipe()
        self.end, self._alive = os.pipe()
        self.lost_with_machine = True
        self.in_hand: list[GameJob] = []
        self.most = 0
        self.heard: list[Any] = []
        self._said: list[bytes] = []
        self._answer = answer
        self.say(None)

    def send(self, message: bytes) -> None:
        jobs = pickle.loads(message)
        self.heard.append(jobs)
        if jobs != GO:
            self.in_hand += jobs
        self.most = max(self.most, len(self.in_hand))
        if self.in_hand:
            for said in self._answer(self.in_hand):
                self.say([said])

    def add(self, engines: Mapping[str, EngineSpec]) -> bool:
        return True

    def say(self, said: object) -> None:
        self._said.append(pickle.dumps(said))
        os.write(self._write, b"\0")

    def has_message(self, seconds: float = 0.0) -> bool:
        return bool(self._said)

    def receive(self) -> bytes:
        if not self._said:
            raise EOFError
        os.read(self.messages, 1)
        return self._said.pop(0)

    def die(self) -> None:
        os.write(self._alive, b"\0")

    def join(self, seconds: float) -> bool:
        return True

    def close(self) -> None: ...
    def terminate(self) -> None: ...
    def kill(self) -> None: ...


class FakeSlots:
    """Slots that are made beforehand, and then no more."""

    def __init__(self, *slots: FakeSlot, room: int = 1) -> None:
        self._slots = list(slots)
        self._room = room

    def capacity(self) -> int:
        return self._room

    @contextmanager
    def prepared(self, control: Control) -> Iterator[None]:
        self.control = control
        yield

    def open(self, engines: Mapping[str, EngineSpec], index: int, snapshot_ms: int) -> Slot:
        if not self._slots:
            raise NoSlot
        return self._slots.pop(0)


class Told:
    """What is told of games, in its order."""

    def __init__(self) -> None:
        self.told: list[tuple[str, int]] = []

    def __call__(self, event: Event) -> None:
        if isinstance(event, GameStarted):
            self.told.append(("start", event.job.number))
        if isinstance(event, GameEnded):
            self.told.append(("game", event.record.number))

    def numbers(self, word: str) -> list[int]:
        return [number for what, number in self.told if what == word]
