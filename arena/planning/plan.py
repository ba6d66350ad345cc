"""A whole run from settings to reports: names it, finds what is still to play, plays it, keeps it.

Sits between the command line, which reads and prints, and the scheduler, which plays. Prints nothing.
"""

import hashlib
import json
import platform
from collections.abc import Container, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property

from arena import version
from arena.formats.base import Fixed, Format, Played
from arena.formats.registry import FormatConfig
from arena.planning.job_sources import PairedJobs, missing
from arena.planning.schedule import RunSetting, Schedule, Start
from arena.play.job_source import JobSource
from arena.play.jobs import EngineSpec, Terms
from results.record import Run
from results.store.store import Store

UNUSUAL = ("book", "resign", "draw")
"""Keys of a configuration that are there only where they were asked for."""
MANY = 64
"""More engines than this are not all started before the first game: a second or two for so many."""


@dataclass(frozen=True)  # no slots: what names two thousand engines is worked out once
class Plan:
    """What is to be played: everything that decides the schedule, with the seed."""

    kind: str
    name: str
    engines: tuple[EngineSpec, ...]
    starts: tuple[Start, ...]
    games: int
    """How many games there are; where results decide that, at most."""
    opening_plies: int
    seed: int
    terms: Terms
    fingerprints: tuple[str, ...]
    """Of the engines' programs, in their order: a changed program makes another run."""
    choice: FormatConfig
    fault_budget: int = 5
    """After so many faults in a row an engine is withdrawn; 0: never. Not a part of what names the run."""

    @property
    def config(self) -> dict[str, object]:
        """The effective configuration: what is stored with the run, and what names it."""
        return {
            "kind": self.kind,
            "name": self.name,
            "engines": [
                {
                    "name": spec.name,
                    "command": list(spec.command),
                    "options": dict(spec.options),
                    "limit": None if spec.limit is None else str(spec.limit),
                    "sha256": print_,
                    **({} if spec.margin_ms is None else {"margin_ms": spec.margin_ms}),
                    **({"restart": True} if spec.restart else {}),
                }
                for spec, print_ in zip(self.engines, self.fingerprints, strict=True)
            ],
            "starts": [[start.variant, start.fen] for start in self.starts],
            **self._unusual,
            **self.choice.config(len(self.engines)),
            "games": self.games,
            "openings": self.opening_plies,
            "limit": str(self.terms.limit),
            "margin_ms": self.terms.margin_ms,
            "move_limit_ms": self.terms.move_limit_ms,
            "max_plies": self.terms.max_plies,
            "clock": self.terms.clock,
            "freeze": self.terms.freeze,
            "seed": self.seed,
        }

    @property
    def _unusual(self) -> dict[str, object]:
        """What is named only where it is asked for, so that runs of those who never ask for it keep their names."""
        asked = self.terms.adjudication
        found = {
            "book": [None if start.book is None else start.book.sha256 for start in self.starts],
            "resign": None if asked.resign is None else str(asked.resign),
            "draw": None if asked.draw is None else str(asked.draw),
        }
        return {key: value for key, value in found.items() if value is not None and value != [None] * len(self.starts)}

    @cached_property
    def run_id(self) -> str:
        """Twelve hex digits that follow from the configuration alone."""
        return hashlib.sha256(json.dumps(self.config, sort_keys=True).encode()).hexdigest()[:12]

    @property
    def is_large(self) -> bool:
        """Are there so many engines that each is introduced only when it first plays?"""
        return len(self.engines) > MANY

    @cached_property
    def setting(self) -> RunSetting:
        """What all its games share."""
        return RunSetting(
            self.run_id,
            tuple(spec.name for spec in self.engines),
            self.starts,
            self.opening_plies,
            self.seed,
            self.terms,
            {spec.name: spec.limit for spec in self.engines if spec.limit is not None},
            {spec.name: spec.margin_ms for spec in self.engines if spec.margin_ms is not None},
        )

    @property
    def format(self) -> Format:
        """Who meets whom."""
        return self.choice.make([spec.name for spec in self.engines], len(self.starts))

    @property
    def is_fixed(self) -> bool:
        """Are all games known before the first?"""
        return isinstance(self.format, Fixed)

    @property
    def may_end_early(self) -> bool:
        """Is `games` only the most that may be played?"""
        return not self.is_fixed

    def supply(self, store: Store, withdrawn: Container[str]) -> JobSource:
        """The games that `store` does not have; `withdrawn` may grow while they are played."""
        if isinstance(self.format, Fixed):
            return missing(Schedule(self.setting, self.format, self.games), store.done(self.run_id))
        return PairedJobs(self.setting, self.format, store.games(self.run_id), withdrawn)

    def rounds(self, store: Store) -> list[Played]:
        """What came of the rounds that are over, of a format that pairs by results."""
        supply = PairedJobs(self.setting, self.format, store.games(self.run_id), store.withdrawn(self.run_id))
        supply.next()
        return supply.past

    def run(self, containment: Mapping[str, object]) -> Run:
        """The run as it is stored, with the containment that was in force for each engine."""
        return Run(
            id=self.run_id,
            name=self.name,
            kind="match" if self.kind == "match" else "tournament",
            created_at=datetime.now(UTC).isoformat(timespec="seconds"),
            config=json.dumps({**self.config, "fault_budget": self.fault_budget, "containment": containment}),
            seed=self.seed,
            games=self.games,
            host=platform.node(),
            versions=json.dumps(
                {
                    "arena": version.number(),
                    "compiled": version.compiled(),
                    "python": platform.python_version(),
                    "platform": platform.platform(),
                }
            ),
        )
