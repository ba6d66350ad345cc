"""A ladder as a run: its engines come, change and go while it is played, and the store keeps all that must last.

Who takes part is stored at the beginning of each batch, before any of its games: the players of the run without those
who are out. Prints nothing.
"""

import contextlib
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from arena.config.load import ConfigError
from arena.ladder.file_watch import AWAY, LadderFile, named
from arena.ladder.source import LadderSource, batch_for
from arena.planning import build_plan, introductions, stored_runs
from arena.planning.errors import PlanError
from arena.planning.plan import Plan
from arena.planning.prepared_run import PreparedRun, RunOptions, opened, refuse_freeze
from arena.planning.run_lock import run_lock
from arena.play.jobs import EngineSpec, GameJob
from arena.play.trial_start import Introductions
from arena.run.events import Events, News, Out
from arena.run.run import GamesToPlay
from arena.run.source import FAR_AHEAD, NextJob, Result
from results.record import GameRecord, Run, faulty
from results.store.filter import Filter
from results.store.store import Store

LOG = logging.getLogger("arena")


@contextlib.contextmanager
def prepared_ladder(watched: LadderFile, options: RunOptions) -> Iterator[PreparedRun]:
    """Begin a file's ladder, or go on with it; no other arena may. Raises PlanError, RulesError and StoreError."""
    with contextlib.ExitStack() as held:
        stored = held.enter_context(opened(options.db))
        plan = _resumed(watched, [] if stored is None else stored.runs())
        if plan.terms.freeze:
            refuse_freeze(options)
        if stored is not None:
            stored_runs.refuse_namesakes(plan, stored.words("variant"), str(options.db))
        held.enter_context(run_lock(options.db, plan.run_id, plan.name))
        in_force = options.containment.verify(plan.engines)
        assert options.db is not None
        store = stored or held.enter_context(Store.create_or_open(options.db))
        store.add_run(plan.run(in_force, batch=batch_for(options.games_at_once)), ())
        yield PreparedRun(plan, store, options, options.slots(plan), len(store.done(plan.run_id)), {})


def _resumed(watched: LadderFile, stored: Sequence[Run]) -> Plan:
    """The ladder that the file describes, with the seed with which it began. Raises PlanError."""
    loaded = watched.engine_list
    seed = loaded.table.seed
    plan = build_plan.plan_of(loaded, "ladder")
    namesakes = [run for run in stored if (run.kind, run.name) == ("ladder", plan.name)]
    if not namesakes:
        return plan
    began = namesakes[-1]
    differs = stored_runs.differences(plan, began)
    if seed is not None and seed != began.seed:
        differs.append(f"seed was {began.seed}, is {seed}")
    if differs:
        raise PlanError(
            f"{watched.path}: the ladder {plan.name!r} was begun with other settings ({'; '.join(differs)}): "
            "put them back, or give another name or --db"
        )
    return replace(plan, seed=began.seed, began=began.id)


class Guests:
    """Engines that are at home with their authors: when they may play, and what they said at the door. Here: none."""

    may_come = False
    """Whether the ladder waits while nobody can play."""

    def attach(self, nudge: Callable[[], None]) -> None:
        """The ladder begins. `nudge` is to be called whenever games may begin that could not before, in any thread."""

    def may_begin(self, job: GameJob, playing: Iterable[GameJob]) -> bool:
        """Whether this game may begin beside those that are being played, those of local engines included."""
        return True

    def introduce(self, specs: Sequence[EngineSpec], others: introductions.Introduce) -> Introductions:
        """What engines say of themselves; `others` starts those of this machine."""
        return others(specs)

    def hear(self, events: Events) -> None:
        """This happened."""


class LadderRun(GamesToPlay):
    """A run that looks at the ladder's file before each game."""

    def __init__(
        self, run: PreparedRun, file: LadderFile, stop: Callable[[int], bool], guests: Guests | None = None
    ) -> None:
        """`stop` is asked before each game, told how many were begun. Engines that are started join those of `run`."""
        plan, store = run.plan, run.store
        self._run = run
        self._plan = plan
        self._store = store
        self._file = file
        self._stop = stop
        self._guests = guests or Guests()
        self._begun = 0
        self._playing: dict[int, GameJob] = {}
        self._specs: dict[str, EngineSpec] = run.engines
        """All engines that were introduced in this session and can be started."""
        self._absent: dict[tuple[str, str], str] = {}
        """The reasons why engines cannot be started, by name and fingerprint."""
        self._out: dict[str, str] = store.withdrawn(plan.run_id)
        self._news: list[News] = []
        self._gone: set[str] = set()
        """Engines that get no games now: they are not in the file, or cannot be started."""
        players = self._players
        self._introduce([spec for spec in self._named() if spec.name in players])
        began = next(each for each in store.runs() if each.id == plan.run_id)
        games = zip(store.done(plan.run_id), store.results(Filter(run=plan.run_id)), strict=True)
        stored = [
            Result(number, game.p1, game.p2, game.winner, faulty(game), game.termination, variant=game.variant)
            for number, game in games
            if game.winner is not None
        ]
        self._ladder = LadderSource(
            replace(plan.setting, engines=(), specs=self._specs),
            began.settings["batch"],
            self._next_field,
            stored=stored,
            last_field=[name for name in players if name not in self._out],
            # No more than the rest of a batch, whose games are all chosen. A guest may be gone when its turn comes.
            ahead=0 if self._guests.may_come else FAR_AHEAD,
        )
        super().__init__(self._ladder, stored=stored, fault_budget=plan.fault_budget, run_id=plan.run_id)
        self._update_absent()

    @property
    def taking_part(self) -> list[str]:
        """Engines that are in the file, can be started and are not out."""
        return [
            spec.name for spec in self._named() if spec.name in self._specs and spec.name not in self.results.withdrawn
        ]

    def attach(self, nudge: Callable[[], None]) -> None:
        self._guests.attach(nudge)

    def hear(self, events: Events) -> None:
        self._guests.hear(events)

    def news(self) -> Sequence[News]:
        """Who is out is told as a whole, since engines may come back."""
        news, self._news = self._news, []
        return news

    def may_produce_more(self) -> bool:
        """A ladder with guests waits for them."""
        return self._guests.may_come and not self._stop(self._begun)

    def next(self) -> NextJob:
        """The ladder's next game, after a look at the file; None also where it is time to stop."""
        if self._stop(self._begun):
            return None
        self._look()
        job = super().next()
        if isinstance(job, GameJob):
            self._playing[job.number] = job
            self._begun += 1
        return job

    def may_begin(self, job: GameJob) -> bool:
        return self._guests.may_begin(job, self._playing.values())

    def misses(self, name: str, number: int) -> bool:
        return name in self._gone or super().misses(name, number)

    def ended(self, record: GameRecord, faulty: str | None) -> bool:
        """A game without a result does not count as begun: it, or another, is played instead."""
        self._playing.pop(record.number, None)
        if counts := super().ended(record, faulty):
            return counts
        self._begun -= record.number in self.results.given_up
        return False

    def give_again(self, number: int) -> None:
        self._begun -= 1
        self._playing.pop(number, None)
        super().give_again(number)

    def _look(self) -> None:
        try:
            if self._file.look() is not None:
                self._update_absent()
                players = self._players
                if self._guests.may_come and any(
                    (spec.name, spec.sha256) not in self._absent
                    and (spec.name not in players or self._out.get(spec.name) == AWAY)
                    for spec in self._named()
                ):  # somebody waits who is not in this batch, and with guests a batch may last for hours
                    self._ladder.cut()
        except ConfigError as wrong:
            LOG.info(f"{'; '.join(str(wrong).splitlines())}; the previous list of engines stays")

    @property
    def _players(self) -> list[str]:
        """All who ever took part."""
        return [player.name for player in self._store.players(self._plan.run_id)]

    def _named(self) -> tuple[EngineSpec, ...]:
        """The engines of the file, under their names in the ladder."""
        return named(self._file.engine_list.engines, self._store.players(self._plan.run_id))

    def _update_absent(self) -> None:
        """From now on, engines that are not in the file or cannot be started get no games."""
        wanted = {spec.name for spec in self._named()}
        self._gone = {name for name in self._players if name not in wanted or name not in self._specs}

    def _next_field(self, faulty: Mapping[str, str]) -> Sequence[str]:
        """The field of the next batch. It is stored. Newcomers are started and take part if that succeeds."""
        wanted = self._named()
        self._introduce([spec for spec in wanted if spec.name not in self._specs])
        names = {spec.name for spec in wanted}
        players, out = self._players, dict[str, str]()
        for name in players:
            if name in faulty:
                out[name] = faulty[name]
            elif name not in names:
                out[name] = self._file.why_missing(name)
            elif name not in self._specs:
                out[name] = "it cannot be started"
        for name in players:
            if name in out and name not in self._out:
                LOG.info(f"{name} leaves: {out[name]}")
            elif name not in out and name in self._out:
                LOG.info(f"{name} is back")
        if out != self._out:
            self._store.keep_withdrawn(self._plan.run_id, out)
            self._news.append(Out(out))
        self._out = out
        self._update_absent()
        return [name for name in players if name not in out]

    def _introduce(self, specs: Sequence[EngineSpec]) -> None:
        """Start engines that were not tried yet in their present form. Those that answer become players of the run."""
        new = tuple(spec for spec in specs if (spec.name, spec.sha256) not in self._absent)
        if not new:
            return
        try:
            met = introductions.meet(new, lambda specs: self._guests.introduce(specs, self._run.options.introduce))
            introduced = introductions.introduced(replace(self._plan, engines=new), met)
        except ConfigError as wrong:
            if len(new) > 1:
                for spec in new:
                    self._introduce([spec])
                return
            introduced = introductions.Introduced((), {new[0].name: str(wrong)})
        known = self._players
        self._store.add_players(
            self._plan.run_id, [each for each in introduced.players if each.name not in introduced.absent]
        )
        for spec in new:
            if spec.name in introduced.absent:
                self._absent[spec.name, spec.sha256] = introduced.absent[spec.name]
                LOG.info(f"{spec.name} stays out: {introduced.absent[spec.name]}")
                continue
            self._specs[spec.name] = spec
            if spec.name not in known:
                LOG.info(f"{spec.name} joins")
