"""Whole runs with real workers and real engines."""

import itertools
import os
import pickle
import shlex
import signal
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import multiprocess
import pytest

from arena.games import variants
from arena.openings.books import Start as Beginning
from arena.play import random_opening
from arena.play.jobs import EngineSpec, GameJob, Terms
from arena.play.referee import LoggedPly
from arena.play.snapshots import Finished, GameSnapshot, Sender, Thought
from arena.play.worker import UNFINISHED, RunningGame
from arena.run.control import Control
from arena.run.events import Event, GameEnded, GameStarted, Plies
from arena.run.source import FixedSource, RunSetting
from arena.timing.time_control import parse
from protocol.containment.policy import Level, SandboxPolicy
from protocol.session import Reply
from results.record import GameRecord, Termination
from tests.arena.conftest import QUICK
from tests.arena.run.conftest import OpenSlots
from tests.arena.run.playing import play, round_robin, script


def spec(name: str) -> EngineSpec:
    return EngineSpec(name, tuple(shlex.split(QUICK)), sandbox=SandboxPolicy(Level.NONE))


def schedule(*names: str, games: int, limit: str = "nodes=50", seed: int = 7) -> FixedSource:
    starts = (Beginning("callanish-7"), Beginning("brandub"))
    return round_robin(RunSetting("run", names, starts, 2, seed, Terms(parse(limit), max_plies=60)), games)


def played(records: list[GameRecord]) -> list[tuple[object, ...]]:
    """What a repetition must repeat: everything but times."""
    return [
        (game.id, game.p1, game.p2, game.variant, game.fen, game.moves, game.winner, game.termination)
        for game in sorted(records, key=lambda game: game.number)
    ]


def test_the_same_seed_and_a_nodes_limit_give_the_same_games_at_any_concurrency(slots: OpenSlots) -> None:
    """Two variants, two engines, one worker or two: move by move alike; another seed gives other games."""
    specs = {"a": spec("a"), "b": spec("b")}
    runs = []
    for concurrency, seed, games in ((1, 7, 4), (2, 7, 4), (1, 8, 2)):
        records: list[GameRecord] = []
        jobs = schedule(*specs, games=games, limit="nodes=12", seed=seed)
        play(jobs, slots(concurrency), specs, records.extend)
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
    play(schedule(*specs, games=12), slots(2), specs, keep)
    ended = [record for record in records if record.winner is not None]
    assert sorted(record.number for record in ended) == list(range(1, 13))
    assert not {record.termination for record in ended} & {Termination.CRASH, Termination.STALL}


def test_a_fault_before_the_first_move_is_tried_once_more(slots: OpenSlots, tmp_path: Path) -> None:
    """The engine dies at its first `isready` ever and is fine afterwards: no forfeit."""
    mark = tmp_path / "mark"
    dies = f"if line == 'isready' and not os.path.exists({str(mark)!r}): open({str(mark)!r}, 'w'); sys.exit(1)"
    shy = script(tmp_path, "shy", f"{dies}\n    if line.startswith('go'): say('bestmove 0000'); continue")
    records: list[GameRecord] = []
    play(schedule("shy", "b", games=1), slots(1), {"shy": shy, "b": spec("b")}, records.extend)
    assert [record.termination for record in records] == [Termination.ILLEGAL_MOVE]


def test_an_interrupt_keeps_what_ended_and_hands_over_what_did_not(slots: OpenSlots, tmp_path: Path) -> None:
    """Ctrl-C in the third game: two games are whole, the third is `unfinished`, no worker is left."""
    third = "line.startswith('go') and heard.count('uginewgame') == 3"
    interrupter = script(tmp_path, "interrupter", f"if {third}: os.kill({os.getpid()}, 2); continue")
    records: list[GameRecord] = []
    control = Control()
    specs = {"i": interrupter, "b": spec("b")}
    play(schedule("i", "b", games=50), slots(1), specs, records.extend, control=control)
    assert control.stopped
    ended = [Termination.RESIGNATION] * 2
    assert [record.termination for record in records] == [*ended, Termination.UNFINISHED]
    assert records[2].winner is None
    assert multiprocess.active_children() == []


def test_a_paused_run_begins_no_game_until_it_is_told_to_go_on(slots: OpenSlots) -> None:
    """The running game is played to its end; whoever goes on with it may be another thread."""
    control = Control()
    at_the_pause: list[Event] = []
    heard: list[Event] = []

    def hear(event: Event) -> None:
        heard.append(event)
        if isinstance(event, GameEnded) and event.record.number == 1:
            control.pause(True)
        if isinstance(event, GameEnded) and event.record.number == 2:
            at_the_pause.extend(heard)
            threading.Thread(target=control.pause, args=(False,)).start()

    records: list[GameRecord] = []
    specs = {"a": spec("a"), "b": spec("b")}
    play(schedule("a", "b", games=4), slots(1), specs, records.extend, hear, control)
    begun = [event.job.number for event in at_the_pause if isinstance(event, GameStarted)]
    assert begun == [1, 2]
    assert sorted(record.number for record in records) == [1, 2, 3, 4]


def test_running_games_can_be_watched(slots: OpenSlots, tmp_path: Path) -> None:
    """Start, moves, clocks, who thinks since when, and what the engines said: all of it as the referee has it.

    The first snapshot of a game comes before its first ply, and what a side says is told while it still thinks.
    """
    info = "say('info depth 1 nodes 9 score cp 12 pv d1 e1')"
    slow = script(tmp_path, "slow", f"if line.startswith('go'): {info}; import time; time.sleep(0.2)")
    watched: list[GameSnapshot] = []
    setting = RunSetting("run", ("slow", "b"), (Beginning("callanish-7"),), 1, 1, Terms(parse("5+0")))
    records: list[GameRecord] = []
    before_ns = time.monotonic_ns()

    def hear(event: Event) -> None:
        if isinstance(event, Plies):
            watched.append(event.snapshot)

    specs = {"slow": slow, "b": spec("b")}
    play(round_robin(setting, 2), slots(1), specs, records.extend, hear, snapshot_ms=20)
    assert len(records) == 2
    of_game = [[snapshot for snapshot in watched if snapshot.game == record.id] for record in records]
    assert sum(map(len, of_game)) == len(watched)
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


SHORT_JOB = GameJob("run-1", 1, 1, "callanish-7", None, 0, "", "a", "b", 1, Terms(parse("5+0")))


def ply(word: str) -> LoggedPly:
    return word, Reply("d1", b"bestmove d1", None, False), (1, 1, None, None), 1_000_000, 0


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
    wire, game, log = Wire(), RunningGame(SHORT_JOB), [ply("d1")]
    sender = Sender(wire)
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
    assert wire.sent[3:] == [[over]]
    sender.watch(RunningGame(replace(SHORT_JOB, id="run-2")), [])
    sender.send_snapshot()
    assert (wire.sent[-1].game, wire.sent[-1].from_ply) == ("run-2", 0)


def test_results_of_short_games_go_together_and_before_any_snapshot(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is held waits for the next ones, at most until a snapshot, or a while if there are none."""
    wire, game = Wire(), RunningGame(SHORT_JOB)
    sender, over = Sender(wire), Finished(game.record(UNFINISHED, []), None)
    sender.send_result(over, hold=True)
    sender.send_result(over, hold=True)
    assert wire.sent == []
    sender.watch(game, [ply("d1")])
    sender.send_snapshot()
    assert wire.sent[0] == [over, over] and wire.sent[1].moves == ("d1",)
    sender.send_result(over, hold=True)
    sender.send_result(over)
    assert wire.sent[2:] == [[over, over]]
    monkeypatch.setattr("arena.play.snapshots.LONGEST_WAIT_S", 0.01)
    sender.send_snapshots(0)
    sender.send_result(over, hold=True)
    while wire.sent[3:] != [[over]]:
        time.sleep(0.01)


@pytest.mark.parametrize("slots", ["forked", pytest.param("local", marks=pytest.mark.long)], indirect=True)
def test_everything_said_with_an_engine_is_in_its_trace(slots: OpenSlots, tmp_path: Path) -> None:
    """A file for each engine and worker, a transcript, with the games named."""
    specs = {name: replace(spec(name), trace=str(tmp_path)) for name in ("a", "b")}
    records: list[GameRecord] = []
    play(schedule("a", "b", games=2, limit="nodes=12"), slots(1), specs, records.extend)
    text = (tmp_path / "a.worker-0.txt").read_text()
    lines = [row.split(maxsplit=3)[3] for row in text.splitlines() if not row.startswith("#")]
    assert lines[0] == "ugi" and lines[-1] == "quit"
    said = [line.removeprefix("bestmove ") for line in lines if line.startswith("bestmove ")]
    first, second = (sorted(records, key=lambda record: record.number)[k].plies for k in (0, 1))
    assert said == [ply.move for ply in first[::2]] + [ply.move for ply in second[1::2]]
    assert f"game {records[0].id}: " in text


def test_a_game_has_the_moves_of_its_job_or_else_random_ones() -> None:
    """An empty opening from a book is an opening too."""
    job = GameJob("run-1", 1, 1, "scottish", None, 2, "seed", "a", "b", 1, Terms(parse("nodes=1")))
    openings = [RunningGame(replace(job, opening=moves)).opening for moves in (("d1c1",), (), None)]
    assert openings == [("d1c1",), (), random_opening.draw(*variants.resolve("scottish"), 2, "seed")]
