"""Whole runs with real workers and real engines."""

import itertools
import os
import pickle
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import multiprocess
import pytest

from arena.formats.base import Fixed
from arena.formats.round_robin import RoundRobin
from arena.formats.swiss import Swiss
from arena.planning.job_sources import FixedJobs, PairedJobs
from arena.planning.schedule import RunSetting, Schedule, Start
from arena.play.fault_budget import FaultBudget, Faults
from arena.play.jobs import EngineSpec, GameJob, Terms
from arena.play.observers import GameSnapshot, Observer, Thought
from arena.play.referee import LoggedPly
from arena.play.result_sender import Finished, ResultSender, snapshot
from arena.play.scheduler import Scheduler, WorkerLost
from arena.play.slots import LocalSlots
from arena.play.worker import UNFINISHED, RunningGame
from arena.timing.time_control import parse
from protocol import transcript
from protocol.containment.policy import Level, SandboxPolicy
from protocol.session import Reply
from results.record import GameRecord, Termination
from tests.arena.cli.conftest import ENGINE_IN_C
from tests.arena.play.conftest import OpenSlots

RANDOM = (sys.executable, "-P", "-m", "engines.random")
QUICK = (str(ENGINE_IN_C),) if ENGINE_IN_C.exists() else RANDOM
"""For tests that are about no engine: it starts in a hundredth of the time."""


def spec(name: str, *command: str) -> EngineSpec:
    return EngineSpec(name, command or QUICK, sandbox=SandboxPolicy(Level.NONE))


def script(folder: Path, name: str, body: str) -> EngineSpec:
    """An engine of a few lines of Python; `say` writes a line, `lines` are what it is told."""
    path = folder / f"{name}.py"
    path.write_text(
        "import os, sys\n"
        "def say(text): os.write(1, (text + '\\n').encode())\n"
        "def basics(line):\n"
        "    if line == 'ugi': say('id name x'); say('ugiok')\n"
        "    if line == 'isready': say('readyok')\n"
        "    if line == 'quit': sys.exit(0)\n"
        "lines = (line.strip() for line in sys.stdin)\n" + body
    )
    return spec(name, sys.executable, str(path))


def schedule(*names: str, games: int, limit: str = "nodes=50", seed: int = 7) -> FixedJobs:
    starts = (Start("callanish-7"), Start("brandub"))
    setting = RunSetting("run", names, starts, 2, seed, Terms(parse(limit), max_plies=60))
    return FixedJobs(Schedule(setting, Fixed(len(names), RoundRobin(len(names)), games), games))


def played(records: list[GameRecord]) -> list[tuple[object, ...]]:
    """What a repetition must repeat: everything but times."""
    return [
        (game.id, game.p1, game.p2, game.variant, game.fen, game.moves, game.winner, game.termination)
        for game in sorted(records, key=lambda game: game.number)
    ]


def test_the_same_seed_and_a_nodes_limit_give_the_same_games_at_any_concurrency(any_slots: OpenSlots) -> None:
    """Two variants, two engines, one worker or two: move by move alike; another seed gives other games."""
    specs = {
        "greedy": spec("greedy", *RANDOM[:-1], "engines.greedy"),
        "mcts": spec("mcts", *RANDOM[:-1], "engines.mcts"),
    }
    runs = []
    for concurrency, seed, games in ((1, 7, 4), (2, 7, 4), (1, 8, 2)):
        records: list[GameRecord] = []
        jobs = schedule(*specs, games=games, limit="nodes=12", seed=seed)
        Scheduler(specs, any_slots(concurrency), records.extend).run(jobs)
        runs.append(played(records))
    assert len(runs[0]) == 4
    assert runs[0] == runs[1]
    assert runs[0][:2] != runs[2]


def test_a_worker_that_is_killed_costs_no_game_and_nobody_a_point(slots: OpenSlots) -> None:
    """Its game is played again: every game once, none lost to a crash."""
    records: list[GameRecord] = []

    def keep(some: Sequence[GameRecord]) -> None:
        before = len(records)
        records.extend(some)
        if any(before < at <= len(records) for at in (1, 4)):
            os.kill(multiprocess.active_children()[0].pid, signal.SIGKILL)

    specs = {"a": spec("a"), "b": spec("b")}
    Scheduler(specs, slots(2), keep).run(schedule(*specs, games=12))
    assert sorted(record.number for record in records) == list(range(1, 13))
    assert not {record.termination for record in records} & {Termination.CRASH, Termination.STALL}


def test_a_game_whose_worker_dies_again_and_again_stops_the_run_with_a_sentence(
    slots: OpenSlots, tmp_path: Path
) -> None:
    """An engine that can kill its referee must not keep us busy for ever."""
    killer = script(
        tmp_path,
        "killer",
        "for line in lines:\n    basics(line)\n    if line.startswith('go'): os.kill(os.getppid(), 9)\n",
    )
    with pytest.raises(WorkerLost, match="game 1 lost its worker"):
        Scheduler({"killer": killer, "b": spec("b")}, slots(1), lambda records: None).run(
            schedule("killer", "b", games=2)
        )


def test_an_engine_over_its_fault_budget_is_withdrawn_and_the_others_play_on(
    any_slots: OpenSlots, tmp_path: Path
) -> None:
    """Three faults in a row, then no more of its games; the rest of the tournament is whole."""
    dies = script(tmp_path, "dies", "for line in lines:\n    basics(line)\n    if line.startswith('go'): sys.exit(3)\n")
    records: list[GameRecord] = []
    specs = {"dies": dies, "a": spec("a"), "b": spec("b")}
    scheduler = Scheduler(specs, any_slots(1), records.extend, fault_budget=3)
    not_played = scheduler.run(schedule(*specs, games=24))
    its_own = [record for record in records if "dies" in (record.p1, record.p2)]
    assert Counter(record.termination for record in its_own) == {Termination.CRASH: 3}
    assert all(record.winner != ("p1" if record.p1 == "dies" else "p2") for record in its_own)
    assert set(scheduler.withdrawn) == {"dies"}
    assert not_played == 16 - 3
    assert sum("dies" not in (record.p1, record.p2) for record in records) == 8


@pytest.mark.parametrize(("blamed", "out"), [("x.xx.x", False), ("xxx...", True), (".xxx..", True), ("......", False)])
def test_faults_in_a_row_are_counted_in_the_order_of_the_games(blamed: str, out: bool) -> None:
    """Whatever the order in which six games at once end: three faults in a row withdraw an engine, and no others."""
    for order in itertools.permutations(range(6)):
        faults = Faults(FaultBudget(3))
        for number in range(6):
            faults.begin(number, ("a", "b"))
        for number in order:
            faulty, ending = ("a", Termination.CRASH) if blamed[number] == "x" else (None, Termination.LINE)
            names = ("id", number, 1, "brandub", "a", "b")
            faults.end(GameRecord(*names, "", (), (), "p2", ending, "", "", 0, "", 0, ""), faulty)
        assert set(faults.withdrawn) == ({"a"} if out else set())


def test_a_fault_before_the_first_move_is_tried_once_more(any_slots: OpenSlots, tmp_path: Path) -> None:
    """The engine dies at its first `isready` ever and is fine afterwards: no forfeit."""
    mark = tmp_path / "mark"
    shy = script(
        tmp_path,
        "shy",
        "from pathlib import Path\n"
        f"mark = Path({str(mark)!r})\n"
        "for line in lines:\n"
        "    if line == 'isready' and not mark.exists(): mark.touch(); sys.exit(1)\n"
        "    basics(line)\n"
        "    if line.startswith('go'): say('bestmove 0000')\n",
    )
    records: list[GameRecord] = []
    Scheduler({"shy": shy, "b": spec("b")}, any_slots(1), records.extend).run(schedule("shy", "b", games=1))
    assert [record.termination for record in records] == [Termination.ILLEGAL_MOVE]


def test_an_interrupt_keeps_what_ended_and_hands_over_what_did_not(slots: OpenSlots, tmp_path: Path) -> None:
    """Ctrl-C in the third game: two games are whole, the third is `unfinished`, no worker is left."""
    interrupter = script(
        tmp_path,
        "interrupter",
        "games = 0\n"
        "for line in lines:\n"
        "    if line == 'ugi': say('option name UGI_Resign type check default true')\n"
        "    basics(line)\n"
        "    games += line == 'uginewgame'\n"
        f"    if line.startswith('go') and games == 3: os.kill({os.getpid()}, 2)\n"
        "    elif line.startswith('go'): say('bestmove resign')\n",
    )
    records: list[GameRecord] = []
    with pytest.raises(KeyboardInterrupt):
        Scheduler({"i": interrupter, "b": spec("b")}, slots(1), records.extend).run(schedule("i", "b", games=50))
    ended = [Termination.RESIGNATION] * 2
    assert [record.termination for record in records] == [*ended, Termination.UNFINISHED]
    assert records[2].winner is None
    assert multiprocess.active_children() == []


def test_an_engine_may_be_added_while_a_run_goes_on(any_slots: OpenSlots) -> None:
    """Workers that were started before it was known play its games all the same."""
    records: list[GameRecord] = []
    scheduler: Scheduler
    late = schedule("c", "a", games=4)

    class Growing:
        """Two games without the late one, then four with it."""

        ahead = 0

        def __init__(self) -> None:
            self._before = [job for job in iter(schedule("a", "b", games=2).next, None)]

        def next(self) -> GameJob | None:
            if self._before:
                return self._before.pop()
            job = late.next()
            return None if job is None else replace(job, id=f"late-{job.number}", number=job.number + 2)

        def record(self, record: GameRecord) -> None:
            if len(records) == 1:
                scheduler.add(spec("c"))

        def forfeit(self, job: GameJob) -> None:
            raise AssertionError("nobody is withdrawn")

    scheduler = Scheduler({"a": spec("a"), "b": spec("b")}, any_slots(1), records.extend)
    scheduler.run(Growing())
    assert [record.number for record in records] == [2, 1, 3, 4, 5, 6]
    assert not {record.termination for record in records} & {Termination.CRASH, Termination.STALL}
    assert multiprocess.active_children() == []


def test_a_swiss_that_is_broken_off_in_its_second_round_goes_on_as_if_it_had_not_been(any_slots: OpenSlots) -> None:
    """Ctrl-C while games are played; the resume plays what is missing, move by move as the whole run does."""
    names = ("a", "b", "c")
    specs = {name: spec(name) for name in names}
    terms = Terms(parse("nodes=5"), max_plies=20)
    setting = RunSetting("run", names, (Start("brandub"),), 2, 3, terms)
    format_ = Swiss(len(names), 3)
    whole: list[GameRecord] = []
    Scheduler(specs, any_slots(1), whole.extend).run(PairedJobs(setting, format_, [], {}))
    assert len(whole) == 6
    part: list[GameRecord] = []

    def keep(records: Sequence[GameRecord]) -> None:
        before = len(part)
        part.extend(record for record in records if record.winner is not None)
        if before < 3 <= len(part):
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        Scheduler(specs, any_slots(2), keep).run(PairedJobs(setting, format_, [], {}))
    assert 3 <= len(part) < 6
    Scheduler(specs, any_slots(1), part.extend).run(PairedJobs(setting, format_, list(part), {}))
    assert played(part) == played(whole)


def test_an_engine_withdrawn_by_the_supply_itself_plays_no_more(any_slots: OpenSlots) -> None:
    """As one does that cannot be started when its turn comes."""
    records: list[GameRecord] = []
    told: list[dict[str, str]] = []
    specs = {name: spec(name) for name in ("a", "b", "c")}
    scheduler = Scheduler(specs, any_slots(1), records.extend, withdraw=lambda withdrawn: told.append(dict(withdrawn)))
    scheduler.withdraw("c", "cannot be started")
    not_played = scheduler.run(schedule("a", "b", "c", games=12))
    assert {name for record in records for name in (record.p1, record.p2)} == {"a", "b"}
    assert not_played == 8 and scheduler.withdrawn == {"c": "cannot be started"} == told[-1]


class Watched(Observer):
    """A watcher that writes down what it is told."""

    def __init__(self, over: Callable[[GameRecord], None] = lambda record: None) -> None:
        self.told: list[tuple[str, int]] = []
        self.snapshots: list[GameSnapshot] = []
        self._over = over

    def began(self, slot: int, job: GameJob) -> None:
        self.told.append(("began", job.number))

    def progressed(self, slot: int, snapshot: GameSnapshot) -> None:
        self.snapshots.append(snapshot)

    def ended(self, slot: int, record: GameRecord) -> None:
        self.told.append(("ended", record.number))
        self._over(record)

    def withdrew(self, withdrawn: Mapping[str, str]) -> None:
        self.told.append(("withdrawn", len(withdrawn)))


def test_a_paused_run_begins_no_game_until_it_is_told_to_go_on(any_slots: OpenSlots) -> None:
    """The running game is played to its end; whoever goes on with it may be another thread."""

    def over(record: GameRecord) -> None:
        if record.number == 1:
            scheduler.pause(True)
        if record.number == 2:
            at_the_pause.extend(watched.told)
            threading.Thread(target=scheduler.pause, args=(False,)).start()

    at_the_pause: list[tuple[str, int]] = []
    records: list[GameRecord] = []
    watched = Watched(over)
    scheduler = Scheduler({"a": spec("a"), "b": spec("b")}, any_slots(1), records.extend, observer=watched)
    scheduler.run(schedule("a", "b", games=4))
    assert ("began", 3) not in at_the_pause and ("ended", 2) in at_the_pause
    assert sorted(record.number for record in records) == [1, 2, 3, 4]


def test_running_games_can_be_watched(slots: OpenSlots, tmp_path: Path) -> None:
    """Start, moves, clocks, who thinks since when, and what the engines said: all of it as the referee has it.

    The first snapshot of a game comes before its first ply, and what a side says is told while it still thinks.
    """
    slow = script(
        tmp_path,
        "slow",
        "for line in lines:\n    basics(line)\n"
        "    if line.startswith('go'):\n"
        "        say('info depth 1 nodes 9 score cp 12 pv d1 e1'); import time; time.sleep(0.3)\n"
        "        say('bestmove resign')\n",
    )
    watched = Watched()
    terms = Terms(parse("5+0"))
    setting = RunSetting("run", ("slow", "b"), (Start("callanish-7"),), 1, 1, terms)
    jobs = FixedJobs(Schedule(setting, Fixed(2, RoundRobin(2), 1), 2))
    records: list[GameRecord] = []
    before_ns = time.monotonic_ns()
    Scheduler({"slow": slow, "b": spec("b")}, slots(1), records.extend, observer=watched, snapshot_ms=20).run(jobs)
    assert len(records) == 2
    of_game = [[snapshot for snapshot in watched.snapshots if snapshot.game == record.id] for record in records]
    assert sum(map(len, of_game)) == len(watched.snapshots)
    for record, snapshots in zip(records, of_game, strict=True):
        assert snapshots[0].from_ply == 0 and snapshots[0].fen == record.fen
        assert all(snapshot.opening == record.opening for snapshot in snapshots)
        assert all(two.from_ply == one.plies for one, two in itertools.pairwise(snapshots))
        told = tuple(word for snapshot in snapshots for word in snapshot.moves)
        assert told == record.moves[1:][: len(told)]
        last = snapshots[-1]
        slow_side = 0 if record.p1 == "slow" else 1
        assert last.turn == slow_side and last.thoughts[slow_side] == Thought("cp 12", 1, 9, "d1 e1")
        assert last.thinking_since_ns is not None and before_ns < last.thinking_since_ns < time.monotonic_ns()
        assert last.left_ms[slow_side] == 5000


def test_a_game_that_begins_anew_is_told_from_its_start() -> None:
    """The machine was late, so its move log was cleared. Until then each snapshot has the plies since the last."""
    terms = Terms(parse("5+0"))
    job = GameJob("run-1", 1, 1, "callanish-7", None, 0, "", "a", "b", 1, terms)
    game, log = RunningGame(job), list[LoggedPly]()
    reply = Reply("d1", b"bestmove d1", b"info depth 2 score cp 7", False, ())
    log += [("d1", reply, (1, 1, None, None), 4_999_000_000, 0), ("a1", reply, (1, 1, None, None), None, 0)]
    first = snapshot(game, log, 0)
    assert first is not None and (first.moves, first.scores) == (("d1", "a1"), ("cp 7", "cp 7"))
    assert first.left_ms == (4999, None) and first.turn == 0 and first.thinking_since_ns is None
    log.append(("e5", reply, (1, 1, None, None), 4_000_000_000, 0))
    more = snapshot(game, log, first.plies)
    assert more is not None and (more.from_ply, more.moves, more.left_ms) == (2, ("e5",), (4000, None))
    log.clear()
    assert snapshot(game, log, more.plies) is None
    again = snapshot(game, log, 0)
    assert again is not None and (again.from_ply, again.moves, again.left_ms) == (0, (), (5000, 5000))


class Wire:
    """Takes what a worker sends."""

    def __init__(self) -> None:
        self.sent: list[Any] = []

    def send_bytes(self, data: bytes) -> None:
        self.sent.append(pickle.loads(data))


def test_a_snapshot_is_sent_only_if_something_has_changed() -> None:
    """None follows the result of its game; a game that is played once more is told from its start, and so is the next.

    Plies that were played since the log was cleared are not taken for those that had been told.
    """
    job = GameJob("run-1", 1, 1, "callanish-7", None, 0, "", "a", "b", 1, Terms(parse("5+0")))
    reply = Reply("d1", b"bestmove d1", None, False, ())

    def ply(word: str) -> LoggedPly:
        return word, reply, (1, 1, None, None), 1_000_000, 0

    wire, game, log = Wire(), RunningGame(job), [ply("d1")]
    sender = ResultSender(wire)
    sender.send_snapshot()
    sender.watch(game, log)
    sender.send_snapshot()
    sender.send_snapshot()
    log += [ply("a1"), ply("b1")]
    sender.send_snapshot()
    assert [(each.from_ply, each.moves) for each in wire.sent] == [(0, ("d1",)), (1, ("a1", "b1"))]
    log.clear()
    game.attempt += 1
    log += [ply("c1"), ply("e1"), ply("f1"), ply("g1")]
    sender.send_snapshot()
    assert wire.sent[-1].from_ply == 0 and wire.sent[-1].moves == ("c1", "e1", "f1", "g1")
    over = Finished(game.record(UNFINISHED, log), None)
    sender.send_result(over)
    log.append(ply("a7"))
    sender.send_snapshot()
    assert wire.sent[3:] == [(over,)]
    sender.watch(RunningGame(replace(job, id="run-2")), [])
    sender.send_snapshot()
    assert (wire.sent[-1].game, wire.sent[-1].from_ply) == ("run-2", 0)


def test_everything_said_with_an_engine_is_in_its_trace(tmp_path: Path) -> None:
    """A file for each engine and worker, a transcript, with the games named."""
    specs = {name: replace(spec(name), trace=str(tmp_path)) for name in ("a", "b")}
    records: list[GameRecord] = []
    Scheduler(specs, LocalSlots(1), records.extend).run(schedule("a", "b", games=2))
    text = (tmp_path / "a.worker-0.txt").read_text()
    lines = [line.text for line in transcript.read(text)]
    assert lines[0] == "ugi" and lines[-1] == "quit"
    said = [line.removeprefix("bestmove ") for line in lines if line.startswith("bestmove ")]
    first, second = (sorted(records, key=lambda record: record.number)[k].plies for k in (0, 1))
    assert said == [ply.move for ply in first[::2]] + [ply.move for ply in second[1::2]]
    assert f"game {records[0].id}: " in text
