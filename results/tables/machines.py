"""The machines that played games, and the scores of engines on each."""

from collections import Counter, defaultdict
from dataclasses import dataclass

from results.shares import percent
from results.store.filter import EVERYTHING, Filter
from results.store.reader import Reader
from results.tally import Tally

Cells = list[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class MachineScore:
    """What an engine scored in the decided games that one machine played."""

    host: str
    engine: str
    tally: Tally

    @property
    def share(self) -> float:
        """The share of the points, from 0 to 1."""
        return self.tally.score / self.tally.games


@dataclass(frozen=True, slots=True)
class MachineTable:
    games: dict[str, int]
    """The decided games of each machine."""
    scores: list[MachineScore]
    """By machine, then by engine."""


def machine_table(reader: Reader, which: Filter = EVERYTHING) -> MachineTable:
    """The machines of these games. It reads every game."""
    games: Counter[str] = Counter()
    scores: dict[tuple[str, str], Tally] = defaultdict(Tally)
    for host, p1, p2, winner, count in reader.host_counts(which):
        games[host] += count
        tally = Tally(*(count * (winner == result) for result in ("p1", "draw", "p2")))
        scores[host, p1] += tally
        scores[host, p2] += tally.reversed
    return MachineTable(
        dict(sorted(games.items())),
        [MachineScore(host, engine, tally) for (host, engine), tally in sorted(scores.items())],
    )


def machine_rows(table: MachineTable) -> Cells:
    """A heading, and a row for each machine."""
    return [("machine", "games"), *((host or "-", str(games)) for host, games in table.games.items())]


def score_rows(table: MachineTable) -> Cells:
    """A heading, and a row for each engine on each machine, with its score there in per cent."""
    rows: Cells = [("machine", "engine", "games", "score%")]
    rows += [(each.host or "-", each.engine, str(each.tally.games), percent(each.share)) for each in table.scores]
    return rows


def machine_json(table: MachineTable) -> dict[str, object]:
    """The tables as plain values."""
    machines = [{"host": host, "games": games} for host, games in table.games.items()]
    scores = [
        {"host": each.host, "engine": each.engine, "games": each.tally.games, "score": each.share}
        for each in table.scores
    ]
    return {"machines": machines, "scores": scores}
