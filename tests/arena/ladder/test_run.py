"""A ladder with real engines that come, change and go while it runs."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.config.load import ConfigError, LoadedTournament, load_registry
from arena.config.schema import TournamentTable
from arena.formats.registry import FormatConfig
from arena.ladder.file_watch import RETIRED, LadderFile, digest
from arena.ladder.run import LadderRun
from arena.ladder.source import batch_for
from arena.openings.books import Start
from arena.planning.containment import Containment
from arena.planning.plan import Plan
from arena.planning.prepared_run import PreparedRun, RunOptions
from arena.play.jobs import EngineSpec, GameJob, Terms
from arena.run.control import Control
from arena.timing.time_control import fixed, parse
from protocol.containment.policy import Level
from results.record import GameRecord, Termination
from results.store.store import Store
from tests.arena.cli.conftest import ENGINE_IN_C
from tests.arena.run.playing import script
from tests.logged import logged
from tests.results.made import GAME, game_of

pytestmark = pytest.mark.usefixtures("quick_workers")
REGISTRY = load_registry()
NO_BOX = Containment(Level.NONE)


def engine(name: str, program: str = "random", **options: str) -> EngineSpec:
    spec = REGISTRY.get(program)
    assert spec is not None
    # Where it was built, the engine in C stands for both: it starts in a hundredth of their time.
    command = (str(ENGINE_IN_C), program) if ENGINE_IN_C.exists() else spec.command
    (found,) = NO_BOX.apply([replace(spec, name=name, command=command, options=options)])
    return found


def engine_list(*specs: EngineSpec) -> LoadedTournament:
    marked = (replace(spec, sha256=digest(spec, spec.command[-1])) for spec in specs)
    return LoadedTournament(TournamentTable.model_construct(), tuple(marked), ())


A, B, C = engine("a"), engine("b"), engine("c", "greedy")
PLAN = Plan(*("ladder", "steps", (A, B), (Start("callanish-5"),), 0, 4, 7, Terms(fixed("nodes", 5)), FormatConfig()))


class Script(LadderFile):
    """A file that is edited before chosen games are given, counted from 1."""

    def __init__(self, first: LoadedTournament, edits: dict[int, LoadedTournament | str]) -> None:
        self.engine_list = first
        self._edits = edits
        self.begun = 0

    def look(self) -> LoadedTournament | None:
        due = [game for game in self._edits if game <= self.begun + 1]
        edit = self._edits.pop(due[0]) if due else None
        if isinstance(edit, str):
            raise ConfigError(edit)
        if edit is not None:
            self.engine_list = edit
        return edit


@pytest.fixture
def store() -> Iterator[Store]:
    with Store.in_memory() as store:
        store.add_run(PLAN.run((), batch=batch_for(1)), ())
        yield store


def prepared(store: Store, concurrency: int = 1, plan: Plan = PLAN) -> PreparedRun:
    how = RunOptions(NO_BOX, concurrency=concurrency, pin=False)
    return PreparedRun(plan, store, how, how.slots(plan), len(store.done(plan.run_id)), {})


def play(
    store: Store, file: Script, games: int, concurrency: int = 1, plan: Plan = PLAN
) -> tuple[list[GameRecord], list[str]]:
    """So many games; what was told besides."""

    def stop(begun: int) -> bool:
        file.begun = begun
        return begun >= games

    run = prepared(store, concurrency, plan)
    with logged() as told:
        for _ in run.play(LadderRun(run, file, stop), Control()):
            pass
    return list(store.games(plan.run_id)), told


def test_games_over_a_line_have_its_lag_and_tell_it(store: Store) -> None:
    """In each session alike, for both sides; other games of the same ladder have none."""
    file = Script(engine_list(A, replace(B, lag_ms=300), C), {})
    plan = replace(PLAN, terms=Terms(parse("5+0.2"), max_plies=4))
    store.add_run(plan.run((), batch=batch_for(1)), ())
    for _ in range(2):
        played, _told = play(store, file, 6, plan=plan)
    assert len(played) == 12
    told = {(("b" in (game.p1, game.p2)), game.tc) for game in played}
    assert told == {(True, "5+0.2 lag=300"), (False, "5+0.2")}


def test_engines_join_change_and_retire_while_a_ladder_runs(store: Store) -> None:
    """A newcomer from the next batch on, a changed one as another player of its family, a retired one at once."""
    changed = engine("c", "greedy", X="1")
    file = Script(engine_list(A, B), {3: engine_list(A, B, C), 20: "l.toml: is broken", 24: engine_list(A, C)})
    records, told = play(store, file, 40)
    assert told[:2] == ["a joins", "b joins"] and told[2] == "c joins"
    assert told[3] == "l.toml: is broken; the previous list of engines stays"
    assert f"b leaves: {RETIRED}" in told
    with_c = [record.number for record in records if "c" in (record.p1, record.p2)]
    assert 17 <= with_c[0] <= 24
    last_of_b = max(place for place, record in enumerate(records) if "b" in (record.p1, record.p2))
    assert last_of_b < 24
    assert store.withdrawn(PLAN.run_id) == {"b": RETIRED}
    # `c` does not know the option X, so its next version cannot be started, and is told so once.
    _, told = play(store, Script(engine_list(A, B, changed), {}), 20)
    assert [line for line in told if "c@2 stays out" in line] and "b is back" in told
    assert [player.name for player in store.players(PLAN.run_id)] == ["a", "b", "c"]


def test_an_engine_that_cannot_be_started_stays_out_and_one_that_crashes_is_withdrawn(
    store: Store, tmp_path: Path
) -> None:
    """The others play on."""
    dead = replace(A, name="dead", command=(sys.executable, "-c", "pass"))
    mad = replace(A, name="mad", command=script(tmp_path, "mad", "if line.startswith('go'): sys.exit(3)").command)
    records, told = play(store, Script(engine_list(A, C, mad, dead), {}), 32)
    assert [line for line in told if line.startswith("dead stays out: ")]
    assert "mad leaves: 5 faults in a row" in "".join(told)
    assert "mad" in store.withdrawn(PLAN.run_id)
    assert {record.p1 for record in records[24:]} == {"a", "c"}


def test_a_game_without_a_result_is_played_again_and_counts_once(store: Store) -> None:
    """Whoever asked for five games gets five, also where the machine was too late to judge one."""
    run = LadderRun(prepared(store), Script(engine_list(A, B), {}), lambda begun: begun >= 5)
    given = []
    while isinstance(job := run.next(), GameJob):
        given.append(job.number)
        late = len(given) == 2
        winner, termination = (None, Termination.UNFINISHED) if late else (GAME.winner, GAME.termination)
        run.ended(game_of(job, winner=winner, termination=termination), None)
    assert given == [1, 2, 2, 3, 4, 5]
