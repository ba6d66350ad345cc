"""The machines that played games, and the scores of engines on each."""

from collections import Counter, defaultdict

from results.store.filter import EVERYTHING, Filter
from results.store.reader import Reader
from results.tally import Tally, percent

Machines = dict[str, list[dict[str, str | float]]]
"""As plain values, by machine and then by engine: `machines` with their decided games, `scores` of engines on each."""


def machine_table(reader: Reader, which: Filter = EVERYTHING) -> Machines:
    """The machines of these games. It reads every game."""
    games: Counter[str] = Counter()
    scores: dict[tuple[str, str], Tally] = defaultdict(Tally)
    for host, p1, p2, winner, count in reader.host_counts(which):
        games[host] += count
        tally = Tally(*(count * (winner == result) for result in ("p1", "draw", "p2")))
        scores[host, p1] += tally
        scores[host, p2] += tally.reversed
    return {
        "machines": [{"host": host, "games": games[host]} for host in sorted(games)],
        "scores": [
            {"host": host, "engine": engine, "games": tally.games, "score": tally.score / tally.games}
            for (host, engine), tally in sorted(scores.items())
        ],
    }


def machine_rows(table: Machines) -> list[tuple[str, ...]]:
    """A heading, and a row for each machine."""
    return [("machine", "games"), *((str(each["host"] or "-"), str(each["games"])) for each in table["machines"])]


def score_rows(table: Machines) -> list[tuple[str, ...]]:
    """A heading, and a row for each engine on each machine, with its score there in per cent."""
    rows: list[tuple[str, ...]] = [("machine", "engine", "games", "score%")]
    for each in table["scores"]:
        rows.append((str(each["host"] or "-"), str(each["engine"]), str(each["games"]), percent(float(each["score"]))))
    return rows
