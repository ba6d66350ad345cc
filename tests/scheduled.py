"""The games of a format that needs no results, as a sequence."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from arena.formats.base import Fixed
from arena.play.jobs import GameJob
from arena.run.source import FixedSource, RunSetting


@dataclass(frozen=True)
class Schedule:
    """The first `games` games."""

    setting: RunSetting
    fixed: Fixed
    games: int

    @cached_property
    def source(self) -> FixedSource:
        return FixedSource(self.setting, [(self.fixed, self.fixed.rounds)], self.games)

    def __len__(self) -> int:
        return self.games

    def __iter__(self) -> Iterator[GameJob]:
        return (self[k] for k in range(self.games))

    def __getitem__(self, k: int) -> GameJob:
        job = self.source.job(k + 1)
        assert job is not None
        return job
