"""All formats by name, and a format as a file asks for it. A new format is one more class in `FORMATS`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.formats.base import Format, FormatOutcome, Key, Progression, TournamentFormat
from arena.formats.contest import Contest
from arena.formats.knockout import Knockout
from arena.formats.round_robin import Gauntlet, ListedPairings, Pyramid, RoundRobin
from arena.formats.swiss import Swiss

FORMATS: dict[str, type[TournamentFormat]] = {
    each.name: each for each in (RoundRobin, Gauntlet, Pyramid, Swiss, Knockout, Contest, ListedPairings)
}
KEYS: dict[str, Key] = {key.name: key for each in FORMATS.values() for key in each.keys}
"""The keys of all formats by name."""


@dataclass(frozen=True, init=False)
class FormatConfig:
    """A format and the values of its keys."""

    format: str
    values: Mapping[str, Any]
    """The values of all keys. `rounds` None: as many as the format has by default."""

    def __init__(self, format: str = "round-robin", **values: Any) -> None:
        """Keys that are not given have their defaults."""
        object.__setattr__(self, "format", format)
        given = {name: values.pop(name, key.default) for name, key in KEYS.items()}
        assert not values, f"no format has {values}"
        object.__setattr__(self, "values", given)

    def complete(self, players: int) -> dict[str, Any]:
        """The values, with the number of rounds for so many players."""
        rounds = self.values["rounds"]
        return {**self.values, "rounds": FORMATS[self.format].default_rounds(players) if rounds is None else rounds}

    def config(self, players: int) -> dict[str, object]:
        """The name and the values of the keys that the format uses, for JSON."""
        values = self.complete(players)
        return {"format": self.format, **{key.name: values[key.name] for key in FORMATS[self.format].keys}}

    def faults(self, names: Sequence[str]) -> Iterator[tuple[str, str]]:
        """What is wrong with it for these engines: a key and a sentence each."""
        used = FORMATS[self.format].keys
        for name, key in KEYS.items():
            if key not in used and self.values[name] != key.default:
                yield name, f"has no meaning in the format {self.format!r}: leave it out"
        yield from FORMATS[self.format].faults(self.complete(len(names)), names)

    def make(self, names: Sequence[str], starts: int, seed: int = 0) -> Format:
        """A tournament of these engines in this format, which has no faults. Lots are drawn by the seed."""
        return FORMATS[self.format].make({**self.complete(len(names)), "seed": seed}, names, starts)

    def outcome(self, names: Sequence[str], starts: int, seed: int, progress: Progression) -> FormatOutcome | None:
        return FORMATS[self.format].outcome({**self.complete(len(names)), "seed": seed}, names, starts, progress)
