"""Which format a tournament has, by name, with the fields that it uses. Knows all formats; checks, and makes one."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Literal, get_args

from arena.formats import knockout
from arena.formats import tie_breaks as tally
from arena.formats.base import Fixed, Format, Pairing
from arena.formats.king_of_the_hill import KingOfTheHill
from arena.formats.knockout import Knockout
from arena.formats.round_robin import Gauntlet, Pyramid, RoundRobin
from arena.formats.swiss import Swiss

Name = Literal["round-robin", "gauntlet", "pyramid", "swiss", "knockout", "king-of-the-hill", "pairings"]
NAMES: tuple[Name, ...] = get_args(Name)
USES: dict[Name, tuple[str, ...]] = {
    "round-robin": ("rounds", "games_per_pairing"),
    "gauntlet": ("rounds", "games_per_pairing", "seeds"),
    "pyramid": ("rounds", "games_per_pairing"),
    "swiss": ("rounds", "games_per_pairing", "tie_breaks"),
    "knockout": ("best_of", "tie_breaks"),
    "king-of-the-hill": ("rounds", "games_per_pairing"),
    "pairings": ("rounds", "games_per_pairing", "pairings"),
}
"""The fields of each format; another one given is an error."""
MOST_ROUNDS = 10_000
"""Of a format that looks at all rounds before each."""


@dataclass(frozen=True, slots=True)
class FormatConfig:
    """A format and its fields; `rounds` None is the format's own number."""

    format: Name = "round-robin"
    rounds: int | None = None
    games_per_pairing: int = 2
    seeds: int = 1
    best_of: int = 2
    tie_breaks: tuple[str, ...] | None = None
    """None: all that the format has, in their order."""
    pairings: tuple[tuple[str, str], ...] = ()
    """Names of engines."""

    def config(self, players: int) -> dict[str, object]:
        """The name and the fields that it uses, for JSON."""
        given = {**asdict(self), "rounds": self.rounds_of(players)}
        return {"format": self.format, **{key: given[key] for key in USES[self.format]}}

    def rounds_of(self, players: int) -> int:
        """How many rounds, or challenges, where nobody said: as many as it takes to find the best."""
        if self.rounds is not None:
            return self.rounds
        return {"swiss": max(1, (players - 1).bit_length()), "king-of-the-hill": players - 1}.get(self.format, 1)

    def faults(self, names: Sequence[str]) -> Iterator[tuple[str, str]]:
        """What is wrong with it for these engines: field and sentence."""
        players = len(names)
        used = USES[self.format]
        for key, value in asdict(self).items():
            if key != "format" and key not in used and value != getattr(FormatConfig(), key):
                yield key, f"has no meaning in the format {self.format!r}: leave it out"
        if "seeds" in used and not 1 <= self.seeds < players:
            yield "seeds", f"must leave somebody to meet them: from 1 to {players - 1} of {players} engines"
        if self.format in ("swiss", "king-of-the-hill") and (self.rounds or 1) > MOST_ROUNDS:
            yield "rounds", f"must be at most {MOST_ROUNDS} in the format {self.format!r}"
        longest = players - 1 + players % 2
        if self.format == "swiss" and (self.rounds or 1) > longest:
            yield "rounds", f"after {longest} rounds of {players} engines all have met: ask for fewer, or a round robin"
        known = {"swiss": tally.BREAKS, "knockout": knockout.BREAKS}.get(self.format, ())
        for word in self.tie_breaks or () if known else ():
            if word not in known:
                yield "tie_breaks", f"{word!r} is none of this format: choose from {', '.join(known)}"
        if self.format == "pairings" and not self.pairings:
            yield "pairings", 'is missing: list them, such as [["a", "b"], ["a", "c"]]'
        for number, pair in enumerate(self.pairings, 1):
            for name in pair:
                if name not in names:
                    yield f"pairings[{number}]", f"there is no engine {name!r}; there are {', '.join(names)}"
            if pair[0] == pair[1]:
                yield f"pairings[{number}]", f"{pair[0]!r} cannot meet itself"

    def make(self, names: Sequence[str], starts: int) -> Format:
        """The format for these engines; one without faults."""
        players, games = len(names), self.games_per_pairing
        rounds = self.rounds_of(players)
        match self.format:
            case "round-robin":
                return Fixed(players, RoundRobin(players), rounds, games)
            case "gauntlet":
                return Fixed(players, Gauntlet(players, self.seeds), rounds, games)
            case "pyramid":
                return Fixed(players, Pyramid(players), rounds, games)
            case "pairings":
                pairs = tuple(Pairing(names.index(one), names.index(two)) for one, two in self.pairings)
                return Fixed(players, pairs, rounds, games)
            case "swiss":
                return Swiss(players, rounds, games, starts)
            case "king-of-the-hill":
                return KingOfTheHill(players, rounds, games)
            case "knockout":
                extra = self.tie_breaks is None or "extra-games" in self.tie_breaks
                return Knockout(players, self.best_of, starts, extra)
