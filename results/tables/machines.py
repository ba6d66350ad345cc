"""The machines that played games: their speed, and the scores of engines on each."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

from results.record import MachineSpeed
from results.shares import percent
from results.store.filter import EVERYTHING, Filter
from results.store.reader import Reader
from results.tally import Tally

Cells = list[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class MachineGames:
    """A machine and how many decided games it played. `speed` is its last measurement, if there is one."""

    host: str
    games: int
    speed: MachineSpeed | None


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
    machines: list[MachineGames]
    scores: list[MachineScore]
    """By machine, then by engine."""


def machine_table(reader: Reader, run_ids: Sequence[str], which: Filter = EVERYTHING) -> MachineTable:
    """The machines of these games, which belong to these runs. It reads every game."""
    speeds = {machine.host: machine for run_id in run_ids for machine in reader.machines(run_id)}
    games: Counter[str] = Counter()
    scores: dict[tuple[str, str], Tally] = defaultdict(Tally)
    for host, p1, p2, winner, count in reader.host_counts(which):
        games[host] += count
        tally = Tally(*(count * (winner == result) for result in ("p1", "draw", "p2")))
        scores[host, p1] += tally
        scores[host, p2] += tally.reversed
    return MachineTable(
        [MachineGames(host, games[host], speeds.get(host)) for host in sorted(games)],
        [MachineScore(host, engine, tally) for (host, engine), tally in sorted(scores.items())],
    )


def machine_rows(table: MachineTable) -> Cells:
    """A heading, and a row for each machine."""
    rows: Cells = [("machine", "games", "slots", "nodes/s", "factor")]
    for each in table.machines:
        speed = each.speed
        figures = ("-", "-", "-") if speed is None else (str(speed.slots), f"{speed.nps:,.0f}", f"{speed.factor:.2f}")
        rows.append((each.host or "-", str(each.games), *figures))
    return rows


def score_rows(table: MachineTable) -> Cells:
    """A heading, and a row for each engine on each machine, with its score there in per cent."""
    rows: Cells = [("machine", "engine", "games", "score%")]
    rows += [(each.host or "-", each.engine, str(each.tally.games), percent(each.share)) for each in table.scores]
    return rows


def machines_json(machines: Iterable[MachineGames]) -> list[dict[str, object]]:
    """Machines with their games and speeds as plain values."""
    return [
        {"host": each.host, "games": each.games, "speed": None if each.speed is None else asdict(each.speed)}
        for each in machines
    ]


def machine_json(table: MachineTable) -> dict[str, object]:
    """The tables as plain values."""
    scores = [
        {"host": each.host, "engine": each.engine, "games": each.tally.games, "score": each.share}
        for each in table.scores
    ]
    return {"machines": machines_json(table.machines), "scores": scores}
