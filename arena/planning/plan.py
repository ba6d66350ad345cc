"""A plan: everything that decides a run. It names the run and says which games are still to play.

Independent of the command line and of processes.
"""

import hashlib
import json
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Literal

from arena import version
from arena.formats.base import Fixed, FormatOutcome
from arena.formats.registry import FORMATS, FormatConfig
from arena.openings.books import Start
from arena.play.jobs import EngineSpec, Terms
from arena.run.run import GamesToPlay
from arena.run.source import FixedSource, PairedSource, RunSetting, Source
from arena.run.sprt import SprtSource
from arena.timing.time_control import LAG_MS, Limit
from results.ratings.sprt import Sprt
from results.record import GameRecord, Run
from results.store.store import Store

MANY = 64
"""A run of more engines than this does not start them all before its first game: that takes a second or two."""


Kind = Literal["match", "tournament", "ladder"]


@dataclass(frozen=True)  # no slots: what names two thousand engines is worked out once
class Plan:
    """Everything that decides which games are played, the seed included."""

    kind: Kind
    """A ladder keeps neither engines nor a format nor a number of games."""
    name: str
    engines: tuple[EngineSpec, ...]
    """With their fingerprints: a changed program makes another run."""
    starts: tuple[Start, ...]
    games: int
    """How many games there are; at most so many where results decide it."""
    opening_plies: int
    seed: int
    terms: Terms
    format_config: FormatConfig
    fault_budget: int = 5
    """An engine is withdrawn after so many faults in a row; 0: never. It is not part of the run's id."""
    lag_ms: int = LAG_MS
    """The lag in games of an engine that plays over a line; there are such engines in ladders only."""
    began: str = ""
    """The id of the stored run that it goes on with, which may have grown; empty where it begins."""
    grown: tuple[tuple[int, int], ...] = ()
    """How many engines and how many rounds it had before engines joined, each time."""
    test: Sprt | None = None
    """The sequential test that ends a match. Another test of the same engines is another run: the games of a test that
    has stopped would bias the next one."""

    @property
    def config(self) -> dict[str, object]:
        """The effective configuration. It is stored with the run, and the run's id is computed from it."""
        terms, starts = self.terms, self.starts
        rules, books = terms.adjudication, [start.book and start.book.sha256 for start in starts]
        who: dict[str, object] = {
            "engines": [
                {
                    "name": spec.name,
                    "command": list(spec.command),
                    "options": dict(spec.options),
                    "limit": None if spec.limit is None else str(spec.limit),
                    "sha256": spec.sha256,
                    **({} if spec.margin_ms is None else {"margin_ms": spec.margin_ms}),
                    **({"restart": True} if spec.restart else {}),
                }
                for spec in self.engines
            ],
            **self.format_config.config(len(self.engines)),
            "games": self.games,
        }
        return {
            "kind": self.kind,
            "name": self.name,
            **({} if self.kind == "ladder" else who),
            "starts": [[start.variant, start.fen] for start in starts],
            "book": books if any(books) else None,
            "resign": rules.resign and str(rules.resign),
            "draw": rules.draw and str(rules.draw),
            "reading_ms": terms.reading_ms,
            "lag_ms": self.lag_ms,
            "openings": self.opening_plies,
            "limit": {start.variant: str(start.limit) for start in starts if start.limit} or str(terms.limit),
            "margin_ms": terms.margin_ms,
            "move_limit_ms": terms.move_limit_ms,
            "max_plies": terms.max_plies,
            "freeze": terms.freeze,
            "seed": self.seed,
            **({} if self.test is None else {"sprt": asdict(self.test)}),
        }

    @property
    def limits(self) -> tuple[Limit, ...]:
        """The time control of each start."""
        return tuple(start.limit or self.terms.limit for start in self.starts)

    @cached_property
    def run_id(self) -> str:
        """Twelve hex digits, computed from the configuration alone, with which the run began."""
        return self.began or hashlib.sha256(json.dumps(self.config, sort_keys=True).encode()).hexdigest()[:12]

    @property
    def is_large(self) -> bool:
        """True where the plan has so many engines that each is introduced only before its first game."""
        return len(self.engines) > MANY

    @cached_property
    def setting(self) -> RunSetting:
        return RunSetting(
            self.run_id,
            tuple(spec.name for spec in self.engines),
            self.starts,
            self.opening_plies,
            self.seed,
            self.terms,
            {spec.name: spec for spec in self.engines if spec.limit is not None or spec.margin_ms is not None},
        )

    @property
    def is_fixed(self) -> bool:
        """True where all games are known before the first; otherwise `games` is only the most that may be played."""
        return self.test is None and FORMATS[self.format_config.format].is_fixed

    def games_to_play(
        self, store: Store, withdrawn: Mapping[str, str] | None = None, admit: Callable[[str], str] | None = None
    ) -> GamesToPlay:
        """The games that `store` does not have. `admit` is asked of each engine before its first game."""
        stored = [] if self.is_fixed else list(store.games(self.run_id))
        source: Source = source_of(self.setting, self.format_config, self.grown, stored, self.games)
        if self.test is not None:
            assert isinstance(source, FixedSource)
            source = SprtSource(self.test, self.engines[0].name, source)
        return GamesToPlay(
            source,
            store.done(self.run_id),
            map(source.result, stored),
            withdrawn=withdrawn,
            fault_budget=self.fault_budget,
            admit=admit,
            run_id=self.run_id,
        )

    def outcome(self, store: Store) -> FormatOutcome | None:
        """The outcome of a format that pairs by results, from the stored games; None where it is the standings."""
        if FORMATS[self.format_config.format].is_fixed:
            return None
        games = self.games_to_play(store, store.withdrawn(self.run_id))
        games.next()  # now it has all rounds that are over
        assert isinstance(games.source, PairedSource)
        progress = games.source.progress(games.results)
        names = [spec.name for spec in self.engines]
        return self.format_config.outcome(names, len(self.starts), self.seed, progress)

    def run(self, containment: Sequence[object], **more: object) -> Run:
        """The run as it is stored. `containment` says what was in force for each engine; `more` is kept beside it."""
        books = [
            {
                "variant": start.variant,
                "name": start.book.name or None,
                "openings": len(start.book.openings),
                "sha256": start.book.sha256,
            }
            for start in self.starts
            if start.book is not None
        ]
        """For people."""
        return Run(
            id=self.run_id,
            name=self.name,
            kind=self.kind,
            created_at=datetime.now(UTC).isoformat(timespec="seconds"),
            config=json.dumps(
                {
                    **self.config,
                    "fault_budget": self.fault_budget,
                    **({"grown": self.grown} if self.grown else {}),
                    **({"books": books} if books else {}),
                    "containment": dict(zip(self.setting.engines, containment, strict=False)),
                    **more,
                }
            ),
            seed=self.seed,
            games=self.games,
            host=platform.node(),
            versions=json.dumps(
                {
                    "arena": version.number(),
                    "python": platform.python_version(),
                    "platform": platform.platform(),
                }
            ),
        )


def source_of(
    setting: RunSetting,
    config: FormatConfig,
    grown: Sequence[tuple[int, int]] = (),
    stored: Sequence[GameRecord] = (),
    games: int | None = None,
) -> FixedSource | PairedSource:
    """The games of a format, or its first `games`; `grown` as in a plan, `stored` are the games that were played."""
    names, starts = setting.engines, len(setting.starts)
    forms = [(config.make(names[:engines], starts, setting.seed), rounds) for engines, rounds in grown]
    last = config.make(names, starts, setting.seed)
    if isinstance(last, Fixed):
        fixed = [(each, rounds) for each, rounds in forms if isinstance(each, Fixed)]
        return FixedSource(setting, [*fixed, (last, last.rounds)], games)
    return PairedSource(setting, last, stored, forms)
