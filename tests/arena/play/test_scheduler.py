"""Whole runs with real workers and real engines."""

import itertools
import os
import signal
import sys
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import multiprocess
import pytest

from arena.formats.base import Fixed
from arena.formats.round_robin import RoundRobin
from arena.formats.swiss import Swiss
from arena.planning.job_sources import FixedJobs, PairedJobs
from arena.planning.schedule import RunSetting, Schedule, Start
from arena.play.fault_budget import FaultBudget, Faults
from arena.play.jobs import EngineSpec, GameJob, Terms
from arena.play.observers import Glimpse
from arena.play.scheduler import Scheduler, WorkerLost
from arena.play.time_control import parse
from protocol import transcript
from protocol.containment.policy import Level, SandboxPolicy
from results.record import GameRecord, Termination
from tests.arena.cli.conftest import ENGINE_IN_C

RANDOM = (sys.executable, "-P", "-m", "engines.random")
QUICK = (str(ENGINE_IN_C),) if ENGINE_IN_C.exists() else RANDOM
"""For tests that are about no engine: it starts in a hundredth of the time."""


def spec(name: str, *command: str) -> EngineSpec:
    return EngineSpec(name, command or QUICK, box=SandboxPolicy(Level.NONE))


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


def test_the_same_seed_and_a_nodes_limit_give_the_same_games_at_any_concurrency() -> None:
    """Two variants, two engines, one worker or two: move by move alike; another seed gives other games."""
    specs = {
        "greedy": spec("greedy", *RANDOM[:-1], "engines.greedy"),
        "mcts": spec("mcts", *RANDOM[:-1], "engines.mcts"),
    }
    runs = []
    for concurrency, seed, games in ((1, 7, 8), (2, 7, 8), (1, 8, 2)):
        records: list[GameRecord] = []
        jobs = schedule(*specs, games=games, limit="nodes=12", seed=seed)
        Scheduler(specs, concurrency, records.append).run(jobs)
        runs.append(played(records))
    assert len(runs[0]) == 8
    assert runs[0] == runs[1]
    assert runs[0][:2] != runs[2]


def test_a_worker_that_is_killed_costs_no_game_and_nobody_a_point() -> None:
    """Its game is played again: every game once, none lost to a crash."""
    records: list[GameRecord] = []

    def keep(record: GameRecord) -> None:
        records.append(record)
        if len(records) in (1, 4):
            os.kill(multiprocess.active_children()[0].pid, signal.SIGKILL)

    specs = {"a": spec("a"), "b": spec("b")}
    Scheduler(specs, 2, keep).run(schedule(*specs, games=12))
    assert sorted(record.number for record in records) == list(range(1, 13))
    assert not {record.termination for record in records} & {Termination.CRASH, Termination.STALL}


def test_a_game_whose_worker_dies_again_and_again_stops_the_run_with_a_sentence(tmp_path: Path) -> None:
    """An engine that can kill its referee must not keep us busy for ever."""
    killer = script(
        tmp_path,
        "killer",
        "for line in lines:\n    basics(line)\n    if line.startswith('go'): os.kill(os.getppid(), 9)\n",
    )
    with pytest.raises(WorkerLost, match="game 1 lost its worker"):
        Scheduler({"killer": killer, "b": spec("b")}, 1, lambda record: None).run(schedule("killer", "b", games=2))


def test_an_engine_over_its_fault_budget_is_withdrawn_and_the_others_play_on(tmp_path: Path) -> None:
    """Three faults in a row, then no more of its games; the rest of the tournament is whole."""
    dies = script(tmp_path, "dies", "for line in lines:\n    basics(line)\n    if line.startswith('go'): sys.exit(3)\n")
    records: list[GameRecord] = []
    specs = {"dies": dies, "a": spec("a"), "b": spec("b")}
    report = Scheduler(specs, 1, records.append, fault_budget=3).run(schedule(*specs, games=24))
    its_own = [record for record in records if "dies" in (record.p1, record.p2)]
    assert Counter(record.termination for record in its_own) == {Termination.CRASH: 3}
    assert all(record.winner != ("p1" if record.p1 == "dies" else "p2") for record in its_own)
    assert set(report.withdrawn) == {"dies"}
    assert report.not_played == 16 - 3
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


def test_a_fault_before_the_first_move_is_tried_once_more(tmp_path: Path) -> None:
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
    Scheduler({"shy": shy, "b": spec("b")}, 1, records.append).run(schedule("shy", "b", games=1))
    assert [record.termination for record in records] == [Termination.ILLEGAL_MOVE]


def test_an_interrupt_keeps_what_ended_and_hands_over_what_did_not(tmp_path: Path) -> None:
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
        Scheduler({"i": interrupter, "b": spec("b")}, 1, records.append).run(schedule("i", "b", games=50))
    ended = [Termination.RESIGNATION] * 2
    assert [record.termination for record in records] == [*ended, Termination.UNFINISHED]
    assert records[2].winner is None
    assert multiprocess.active_children() == []


def test_an_engine_may_be_added_while_a_run_goes_on() -> None:
    """Workers that were started before it was known play its games all the same."""
    records: list[GameRecord] = []
    scheduler: Scheduler
    late = schedule("c", "a", games=4)

    class Growing:
        """Two games without the late one, then four with it."""

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

    scheduler = Scheduler({"a": spec("a"), "b": spec("b")}, 1, records.append)
    scheduler.run(Growing())
    assert [record.number for record in records] == [2, 1, 3, 4, 5, 6]
    assert not {record.termination for record in records} & {Termination.CRASH, Termination.STALL}
    assert multiprocess.active_children() == []


def test_a_swiss_that_is_broken_off_in_its_second_round_goes_on_as_if_it_had_not_been() -> None:
    """Ctrl-C while games are played; the resume plays what is missing, move by move as the whole run does."""
    names = ("a", "b", "c")
    specs = {name: spec(name) for name in names}
    terms = Terms(parse("nodes=5"), max_plies=20)
    setting = RunSetting("run", names, (Start("brandub"),), 2, 3, terms)
    format_ = Swiss(len(names), 3)
    whole: list[GameRecord] = []
    Scheduler(specs, 1, whole.append).run(PairedJobs(setting, format_, [], {}))
    assert len(whole) == 6
    part: list[GameRecord] = []

    def keep(record: GameRecord) -> None:
        if record.winner is not None:
            part.append(record)
        if len(part) == 3:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        Scheduler(specs, 2, keep).run(PairedJobs(setting, format_, [], {}))
    assert 3 <= len(part) < 6
    Scheduler(specs, 1, part.append).run(PairedJobs(setting, format_, list(part), {}))
    assert played(part) == played(whole)


def test_an_engine_withdrawn_by_the_supply_itself_plays_no_more() -> None:
    """As one does that cannot be started when its turn comes."""
    records: list[GameRecord] = []
    told: list[dict[str, str]] = []
    specs = {name: spec(name) for name in ("a", "b", "c")}
    scheduler = Scheduler(specs, 1, records.append, withdraw=lambda withdrawn: told.append(dict(withdrawn)))
    scheduler.withdraw("c", "cannot be started")
    report = scheduler.run(schedule("a", "b", "c", games=12))
    assert {name for record in records for name in (record.p1, record.p2)} == {"a", "b"}
    assert report.not_played == 8 and report.withdrawn == {"c": "cannot be started"} == told[-1]


class Watched:
    """A watcher that writes down what it is told."""

    def __init__(self, over: Callable[[GameRecord], None] = lambda record: None) -> None:
        self.told: list[tuple[str, int]] = []
        self.glimpses: list[Glimpse] = []
        self._over = over

    def began(self, slot: int, job: GameJob) -> None:
        self.told.append(("began", job.number))

    def glimpsed(self, slot: int, glimpse: Glimpse) -> None:
        self.glimpses.append(glimpse)

    def ended(self, slot: int, record: GameRecord) -> None:
        self.told.append(("ended", record.number))
        self._over(record)

    def withdrew(self, withdrawn: Mapping[str, str]) -> None:
        self.told.append(("withdrawn", len(withdrawn)))


def test_a_paused_run_begins_no_game_until_it_is_told_to_go_on() -> None:
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
    scheduler = Scheduler({"a": spec("a"), "b": spec("b")}, 1, records.append, observer=watched)
    scheduler.run(schedule("a", "b", games=4))
    assert ("began", 3) not in at_the_pause and ("ended", 2) in at_the_pause
    assert sorted(record.number for record in records) == [1, 2, 3, 4]


def test_running_games_can_be_glimpsed(tmp_path: Path) -> None:
    """Plies, last move, clocks and scores, as the referee's sheet has them; a game without a ply shows nothing."""
    slow = script(
        tmp_path,
        "slow",
        "for line in lines:\n    basics(line)\n"
        "    if line.startswith('go'):\n"
        "        import time; time.sleep(0.3)\n"
        "        say('info depth 1 score cp 12'); say('bestmove resign')\n",
    )
    watched = Watched()
    terms = Terms(parse("5+0"))
    setting = RunSetting("run", ("slow", "b"), (Start("callanish-7"),), 0, 1, terms)
    jobs = FixedJobs(Schedule(setting, Fixed(2, RoundRobin(2), 1), 2))
    records: list[GameRecord] = []
    Scheduler({"slow": slow, "b": spec("b")}, 1, records.append, observer=watched, glimpse_ms=20).run(jobs)
    assert len(records) == 2
    glimpse = watched.glimpses[0]
    assert glimpse.plies == 1 and glimpse.last == records[1].moves[0]
    assert glimpse.left_ms[0] is not None and glimpse.left_ms[1] is None
    assert glimpse.scores[0].startswith("cp")


def test_everything_said_with_an_engine_is_in_its_trace(tmp_path: Path) -> None:
    """A file for each engine and worker, a transcript, with the games named."""
    specs = {name: replace(spec(name), trace=str(tmp_path)) for name in ("a", "b")}
    records: list[GameRecord] = []
    Scheduler(specs, 1, records.append).run(schedule("a", "b", games=2))
    text = (tmp_path / "a.worker-0.txt").read_text()
    lines = [line.text for line in transcript.read(text)]
    assert lines[0] == "ugi" and lines[-1] == "quit"
    said = [line.removeprefix("bestmove ") for line in lines if line.startswith("bestmove ")]
    first, second = (sorted(records, key=lambda record: record.number)[k].plies for k in (0, 1))
    assert said == [ply.move for ply in first[::2]] + [ply.move for ply in second[1::2]]
    assert f"game {records[0].id}: " in text
