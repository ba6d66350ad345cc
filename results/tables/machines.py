"""The machines that played games: their speed, the scores of engines on each, and whether they agree."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

from results.ratings.homogeneity import MOST, SHUFFLES, Agreement, agreement
from results.record import MachineSpeed
from results.store.filter import EVERYTHING, Filter
from results.store.reader import Reader
from results.tables.text_width import some_games

LIKELY = 0.05
"""From this p on nothing speaks for a difference between machines."""
Cells = list[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class MachineGames:
    """A machine and how many decided games it played. `speed` is its last measurement, if there is one."""

    host: str
    games: int
    speed: MachineSpeed | None


@dataclass(frozen=True, slots=True)
class MachineTable:
    machines: list[MachineGames]
    agreement: Agreement


def machine_table(reader: Reader, run_ids: Sequence[str], which: Filter = EVERYTHING) -> MachineTable:
    """The machines of these games, which belong to these runs. It reads every game."""
    speeds = {machine.host: machine for run_id in run_ids for machine in reader.machines(run_id)}
    test = agreement(reader.host_counts(which))
    return MachineTable([MachineGames(host, games, speeds.get(host)) for host, games in test.games.items()], test)


def machine_rows(table: MachineTable) -> Cells:
    """A heading, and a row for each machine."""
    rows: Cells = [("machine", "games", "slots", "nodes/s", "factor")]
    for each in table.machines:
        speed = each.speed
        figures = ("-", "-", "-") if speed is None else (str(speed.slots), f"{speed.nps:,.0f}", f"{speed.factor:.2f}")
        rows.append((each.host or "-", str(each.games), *figures))
    return rows


def score_rows(table: MachineTable) -> Cells:
    """A heading, and a row for each engine on each machine: in per cent its score there and elsewhere."""
    rows: Cells = [("machine", "engine", "games", "compared", "score%", "elsewhere", "differs", "+-")]
    for each in table.agreement.scores:
        figures = ("-",) * 4
        if each.score is not None and each.elsewhere is not None and each.plus_minus is not None:
            shares = (f"{100 * each.score:.1f}", f"{100 * each.elsewhere:.1f}")
            figures = (*shares, f"{100 * (each.score - each.elsewhere):+.1f}", f"{100 * each.plus_minus:.1f}")
        rows.append((each.host or "-", each.engine, str(each.games), str(each.compared), *figures))
    return rows


def notes(table: MachineTable) -> list[str]:
    """What the tables say in sentences."""
    test = table.agreement.test
    if len(table.machines) < 2:
        return ["all games were played on one machine: there is nothing to compare"]
    if test is None:
        if any(score.compared for score in table.agreement.scores):
            return [f"no test: all games that compare ended alike, or there are more than {MOST} rows"]
        return ["no test: no two machines have played like games"]
    how = f"p from {SHUFFLES} shuffles" if test.method == "permutation" else "p from the chi-square distribution"
    sign = "a sign that machines disagree" if test.p < LIKELY else "no sign that machines disagree"
    return [
        f"{sign}: p {test.p:.2g}; Cochran-Mantel-Haenszel statistic {test.statistic:.1f}, "
        f"{test.freedom} degree{'s' * (test.freedom != 1)} of freedom, {some_games(test.games)}, {how}",
        "compared: games that another machine played too: the same run, pairing, sides, variant and time control",
        "+-: a difference of this size is chance in 95 % if machines agree",
    ]


def machines_json(machines: Iterable[MachineGames]) -> list[dict[str, object]]:
    """Machines with their games and speeds as plain values."""
    return [
        {"host": each.host, "games": each.games, "speed": None if each.speed is None else asdict(each.speed)}
        for each in machines
    ]


def machine_json(table: MachineTable) -> dict[str, object]:
    """The tables as plain values."""
    test = table.agreement.test
    return {
        "machines": machines_json(table.machines),
        "scores": [{**each._asdict(), "difference": each.difference} for each in table.agreement.scores],
        "test": None if test is None else test._asdict(),
    }
