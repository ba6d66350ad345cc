"""Reads a results file: runs, players, games, counts. It makes values of rows and names a row that was changed by hand.

What is counted, filtered and sorted is read from one narrow index (`schema.FACTS`), which is scanned in some tens of
milliseconds for 100 000 games. SQLite has no statistics of a file that has just been made, so the index is named.
It writes nothing: that is for `store`.
"""

import json
import sqlite3
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Literal, NamedTuple

from results.record import ENDING, CheckReport, Costs, GameRecord, Player, ResultCount, Run, Side, Winner
from results.store import files, rows, schema
from results.store.files import StoreError
from results.store.filter import EVERYTHING, Filter, Order, Selection
from results.tally import GamesOfOneOpening, HostCount, PairCount, counted_pairs

SELECT_GAME = f"SELECT {', '.join(rows.READ_COLUMNS)} FROM games WHERE"
SELECT_RESULT = """
SELECT id, variant, tc, p1, p2, winner, termination, 1, 1, flagged, machine,
    burns_idle LIKE '%p1%', burns_idle LIKE '%p2%'
FROM games WHERE seq = ?
"""
SELECT_COSTS = "SELECT id, p1, p2, start_ply, opening, plies, p1_idle_us, p2_idle_us FROM games WHERE seq = ?"
RANGES = """
SELECT before, number FROM (
    SELECT number, lag(number) OVER (ORDER BY number) AS before FROM games WHERE run = ?
) WHERE before IS NULL OR before + 1 < number
"""
"""The first number after each gap, and the last number before it."""
EXTENT = "SELECT count(*), min(number), max(number) FROM games WHERE run = ?"
_SUMS = {
    "games": "count(*)",
    "distinct": "count(DISTINCT line)",
    "flagged": "sum(flagged)",
    "machine": "sum(machine)",
    "p1_idle": "sum(burns_idle LIKE '%p1%')",
    "p2_idle": "sum(burns_idle LIKE '%p2%')",
}
SELECT_COUNTS = f"SELECT {', '.join(_SUMS.get(name, name) for name in ResultCount._fields)}"
_ORDERS: dict[Order, str] = {"longest": "ply_count DESC", "shortest": "ply_count", "disputed": "disputed DESC"}
_MOST_QUOTED = 40
_MOST_QUERIES = 256
_SIDES: tuple[Side, ...] = ("p1", "p2")


@dataclass(frozen=True, slots=True)
class IntRanges:
    """A set of whole numbers: sorted ranges, each from its first to its last. They may be millions of games."""

    ranges: tuple[tuple[int, int], ...] = ()

    def __contains__(self, number: int) -> bool:
        at = bisect_right(self.ranges, number, key=lambda bounds: bounds[0]) - 1
        return at >= 0 and number <= self.ranges[at][1]

    def __len__(self) -> int:
        return sum(last - first + 1 for first, last in self.ranges)

    def __iter__(self) -> Iterator[int]:
        for first, last in self.ranges:
            yield from range(first, last + 1)

    def missing(self, most: int) -> Iterator[int]:
        """The numbers from 1 to `most` that are not in the set, rising. Numbers in the set cost no time."""
        at = 1
        for first, last in self.ranges:
            yield from range(at, min(first, most + 1))
            at = max(at, last + 1)
        yield from range(at, most + 1)


class Brief(NamedTuple):
    """What lists show of a game; it is read without the moves."""

    run: str
    id: str
    number: int
    round: int
    p1: str
    p2: str
    variant: str
    winner: Winner | None
    termination: str
    plies: int
    """The number of all moves, the opening's included."""
    tc: str
    started_at: str
    wall_ms: int
    disputed: int
    """The length in plies of the longest dispute (`results.eval_disagreement`)."""
    detail: str


SELECT_BRIEF = f"SELECT {', '.join(Brief._fields).replace('plies', 'ply_count')} FROM games WHERE seq = ?"


class Reader:
    """One results file, open; one thread at a time."""

    def __init__(self, conn: sqlite3.Connection, name: str) -> None:
        """Take over a connection to a file whose schema is current; `name` is what messages call it."""
        self._conn = conn
        self.name = name
        self._kinds: dict[str, tuple[type, ...]] = {}
        """The types that a row of each query had last, which were those of its columns."""

    def runs(self) -> list[Run]:
        """All runs, in the order in which they were begun."""
        table = self._select(f"SELECT {', '.join(rows.RUN_COLUMNS)} FROM runs ORDER BY seq")
        return [self._run(*values) for values in table]

    def players(self, run_id: str) -> list[Player]:
        """The players of a run, in the run's order; none for an unknown run."""
        players = f"SELECT {', '.join(rows.PLAYER_COLUMNS)} FROM players WHERE run = ? ORDER BY seat"
        try:
            selected = self._select(players, run_id)
            return [
                Player(name, version, author, rows.to_command(command), sha256, family)
                for name, version, author, command, sha256, family in selected
            ]
        except (ValueError, TypeError, RecursionError) as error:
            raise self._changed(f"a player of run {run_id}", str(error)) from error

    def check_reports(self) -> list[CheckReport]:
        """The reports of `arena check --db`, in the order in which they were stored."""
        return [report for _, report in self._reports("ORDER BY seq")]

    def last_check_reports(self, most: int) -> list[tuple[int, CheckReport]]:
        """The last of these reports with their numbers, in the order in which they were stored."""
        return self._reports("ORDER BY seq DESC LIMIT ?", most)[::-1]

    def check_report(self, number: int) -> CheckReport | None:
        """The report of this number."""
        return next((report for _, report in self._reports("WHERE seq = ?", number)), None)

    def count_check_reports(self) -> int:
        """How many reports there are."""
        return int(next(self._select("SELECT count(*) FROM check_reports"))[0])

    def _reports(self, which: str, *values: int | str) -> list[tuple[int, CheckReport]]:
        """Reports with their numbers."""
        table = self._select(f"SELECT seq, {', '.join(CheckReport._fields)} FROM check_reports {which}", *values)
        reports = ((number, CheckReport._make(figures)) for number, *figures in table)
        return [(number, report._replace(complete=bool(report.complete))) for number, report in reports]

    def commands(self, names: Collection[str]) -> set[tuple[str, tuple[str, ...]]]:
        """The name and the command of each player of any run that has one of these names."""
        marks = ", ".join("?" * len(names))
        table = self._select(f"SELECT DISTINCT name, command FROM players WHERE name IN ({marks})", *names)
        try:
            return {(name, rows.to_command(command)) for name, command in table}
        except (ValueError, TypeError, RecursionError) as error:
            raise self._changed("a player", str(error)) from error

    def counts(self, which: Filter = EVERYTHING) -> list[ResultCount]:
        """The games asked for, counted: what standings, crosstables and ratings take, some thousand values at most."""
        where, arguments = which.conditions()
        alike = "GROUP BY p1, p2, variant, tc, winner, termination"
        query = f"{SELECT_COUNTS} FROM games g INDEXED BY {schema.FACTS} WHERE {where} {alike}"
        counts = [ResultCount(*values) for values in self._select(query, *arguments)]
        for each in counts:
            self._check_ending(each.winner, each.termination, f"a game between {each.p1} and {each.p2}")
        return counts

    def pairs(self, which: Filter = EVERYTHING) -> list[PairCount]:
        """The pairs of the games asked for, counted. It reads every game, so it is for some ten thousand of them."""
        where, arguments = which.conditions()
        when, times = Filter(since=which.since, until=which.until).conditions()
        query = f"""
        SELECT g.run, g.number, g.variant, g.tc, g.p1, g.p2, g.winner, h.winner
        FROM games g JOIN games h ON h.run = g.run AND h.number = g.number + 1
        WHERE {where} AND {when.replace("g.", "h.")} AND g.winner IS NOT NULL AND h.winner IS NOT NULL
            AND g.p1 <> g.p2 AND h.p1 = g.p2 AND h.p2 = g.p1 AND h.variant = g.variant
            AND h.round = g.round AND h.fen = g.fen AND h.opening = g.opening
        ORDER BY g.run, g.number
        """
        return counted_pairs(GamesOfOneOpening(*values) for values in self._select(query, *arguments, *times))

    def host_counts(self, which: Filter = EVERYTHING) -> list[HostCount]:
        """The decided games asked for, counted by the machine that played them. It reads every game."""
        where, arguments = which.conditions()
        query = f"SELECT host, p1, p2, winner, count(*) FROM games g WHERE {where} AND winner IS NOT NULL"
        return [HostCount(*values) for values in self._select(f"{query} GROUP BY host, p1, p2, winner", *arguments)]

    def hosts(self) -> list[str]:
        """The names of all machines that began a run or played a game. It reads every game."""
        return [host for (host,) in self._select("SELECT host FROM runs UNION SELECT host FROM games")]

    def words(self, column: Literal["variant", "tc", "termination"]) -> list[str]:
        """The variants, the time controls or the terminations of all games, in order."""
        return [
            str(word)
            for (word,) in self._select(f"SELECT DISTINCT {column} FROM games INDEXED BY {schema.FACTS} ORDER BY 1")
        ]

    def played(self) -> dict[str, int]:
        """The number of stored games of each run."""
        return dict(self._select("SELECT run, count(*) FROM games GROUP BY run"))

    def select(self, selection: Selection) -> Iterator[GameRecord]:
        """The games asked for, whole and read as asked for."""
        return map(self._game, self._each(f"{SELECT_GAME} seq = ?", selection))

    def briefs(self, selection: Selection) -> Iterator[Brief]:
        """The same games without moves, read as asked for."""
        return map(self._brief, self._each(SELECT_BRIEF, selection))

    def briefs_after(self, which: Filter, after: tuple[str, int] | None, limit: int) -> list[Brief]:
        """At most `limit` games without moves, in the schedule's order, after the game with this run and number."""
        (where, arguments), (run, number) = which.conditions(), after or ("", 0)
        query = f"""
        SELECT g.seq FROM {_schedule(which)} LEFT JOIN runs a ON a.id = ?
        WHERE {where} AND r.seq >= ifnull(a.seq, 0) AND g.number > iif(r.seq = a.seq, ?, 0)
        ORDER BY r.seq, g.number LIMIT ?
        """
        seqs = list(self._select(query, run, *arguments, number, limit))
        return [self._brief(values) for key in seqs for values in self._select(SELECT_BRIEF, *key)]

    def games(self, run_id: str | None = None) -> Iterator[GameRecord]:
        """The games of one run, or of all, in the schedule's order: runs as begun, then numbers. Read as asked for."""
        for run in [run_id] if run_id is not None else [run.id for run in self.runs()]:
            yield from map(self._game, self._select(f"{SELECT_GAME} run = ? ORDER BY number", run))

    def results(self, which: Filter = EVERYTHING) -> Iterator[ResultCount]:
        """The games asked for in the schedule's order, without moves: for ratings that take one game after another."""
        for game, *values in self._each(SELECT_RESULT, Selection(which)):
            result = ResultCount(*values)
            self._check_ending(result.winner, result.termination, f"game {game}")
            yield result

    def read_costs(self, which: Filter, take: Callable[[Costs], None], most: int | None = None) -> None:
        """Call `take` with what the plies of each game asked for cost, in the schedule's order.

        With `most`, it is called with the last games only, at most so many.

        Raises StoreError where a row was changed by hand, so also where `take` raises TypeError or ValueError.
        """
        selection = Selection(which, limit=most, last=most is not None)
        for game, p1, p2, start_ply, opening, plies, p1_idle_us, p2_idle_us in self._each(SELECT_COSTS, selection):
            try:
                mover = _SIDES[(start_ply + len(opening.split())) % 2]
                take(Costs(p1, p2, mover, json.loads(plies), p1_idle_us, p2_idle_us))
            except (ValueError, TypeError, LookupError, RecursionError) as error:
                raise self._changed(f"game {game}", str(error)) from error

    def game(self, key: str | int, run_id: str | None = None) -> GameRecord:
        """The game with this id, or with this number in the run. Raises StoreError where there is none."""
        where, *arguments = ("id = ?", key) if run_id is None else ("run = ? AND number = ?", run_id, key)
        row = next(self._select(f"{SELECT_GAME} {where}", *arguments), None)
        if row is None:
            name = f"game {key!r}" if run_id is None else f"game with number {key} in run {run_id}"
            raise StoreError(f"{self.name} has no {name}: an id is the run's id, a hyphen and the number")
        return self._game(row)

    def wrong_columns(self, record: GameRecord) -> list[str]:
        """The columns of a game that follow from the others and hold something else, in clauses."""
        columns = rows.GAME_COLUMNS[len(rows.READ_COLUMNS) :]
        stored = next(self._select(f"SELECT {', '.join(columns)} FROM games WHERE id = ?", record.id))
        values = zip(columns, stored, rows.from_game(record)[-len(columns) :], strict=True)
        return [f"{name} is {there!r}, and by the rest {own!r}" for name, there, own in values if there != own]

    def ids(self, prefix: str, run_ids: Collection[str], most: int) -> list[str]:
        """At most `most` ids of these runs' games that begin with `prefix`; `prefix` alone where it is an id."""
        if [each for each in self._select("SELECT run FROM games WHERE id = ?", prefix) if each[0] in run_ids]:
            return [prefix]
        near = self._select(
            "SELECT id, run FROM games WHERE id >= ? AND id < ? ORDER BY id", prefix, f"{prefix}\U0010ffff"
        )
        return list(islice((game for game, run in near if run in run_ids), most))

    def id_of(self, run_id: str, number: int) -> str | None:
        """The id of the run's game with this number."""
        ids = self._select("SELECT id FROM games WHERE run = ? AND number = ?", run_id, number)
        return next((str(game) for (game,) in ids), None)

    def withdrawn(self, run_id: str) -> dict[str, str]:
        """The engines that are withdrawn from a run, each with the reason."""
        return dict(self._select("SELECT name, reason FROM withdrawn WHERE run = ? ORDER BY name", run_id))

    def done(self, run_id: str) -> IntRanges:
        """The numbers of the run's games that are stored."""
        count, first, last = next(self._select(EXTENT, run_id))
        if not count or last - first + 1 == count:
            return IntRanges(((first, last),) if count else ())
        gaps = list(self._select(RANGES, run_id))
        ends = [*(before for before, _ in gaps[1:]), last]
        return IntRanges(tuple((begin, end) for (_, begin), end in zip(gaps, ends, strict=True)))

    def _run(self, *values: Any) -> Run:
        run = Run(*values)
        if (wrong := rows.run_fault(run.kind, run.config, run.versions)) is not None:
            raise self._changed(f"run {run.id}", wrong)
        return run

    def _brief(self, values: rows.Row) -> Brief:
        """The game of a row without moves."""
        brief = Brief(*values)
        self._check_ending(brief.winner, brief.termination, f"game {brief.id}")
        return brief

    def _game(self, values: rows.Row) -> GameRecord:
        """The game of a row. Raises StoreError where the row cannot be what `add_game` wrote."""
        row = dict(zip(rows.READ_COLUMNS, values, strict=True))
        try:
            record = rows.to_game(row)
            wrong = next(rows.faults(record, row["moves"]), None)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            columns = "its moves, plies, pvs or evidence are not as they were written"
            raise self._changed(f"game {row['id']}", columns) from error
        if wrong is not None:
            raise self._changed(f"game {row['id']}", wrong)
        return record

    def _changed(self, what: str, why: str) -> StoreError:
        return StoreError(
            f"{self.name}: {what} cannot be read ({why}): the file was changed by hand; restore it from a copy"
        )

    def _select(self, query: str, *arguments: str | int) -> Iterator[rows.Row]:
        """The rows of a query, read as asked for."""
        try:
            cursor = self._conn.execute(query, arguments)
            known = self._kinds.get(query)
            for values in cursor:
                # SQLite minds a column's type only when it writes, and others may have written the file.
                if (kinds := tuple(map(type, values))) != known:
                    self._check_kinds([column for column, *_ in cursor.description], values)
                    if len(self._kinds) == _MOST_QUERIES:
                        self._kinds.clear()
                    known = self._kinds[query] = kinds
                yield values
        except UnicodeEncodeError:
            return  # half a character in an argument: no text of the file has one
        except sqlite3.DatabaseError as error:
            raise files.unusable(Path(self.name), error) from error

    def _check_kinds(self, columns: Sequence[str], values: rows.Row) -> None:
        for column, value in zip(columns, values, strict=True):
            if not isinstance(value, schema.KINDS.get(column, object)):
                raise self._changed("a row", f"{column} is {str(value)[:_MOST_QUOTED]!r}")

    def _each(self, query: str, selection: Selection) -> Iterator[rows.Row]:
        """The rows of the games asked for, in their order. `query` asks for a game by its `seq`."""
        where, arguments = selection.which.conditions()
        if selection.order == "schedule":
            source, keys = _schedule(selection.which), ["r.seq", "g.number"]
        else:
            source, keys = f"games g INDEXED BY {schema.FACTS}", [_ORDERS[selection.order], "g.seq"]
            where += " AND disputed > 0" * (selection.order == "disputed")
        if selection.last:  # they come backwards
            keys = [key.removesuffix(" DESC") if key.endswith(" DESC") else f"{key} DESC" for key in keys]
        limit = "" if selection.limit is None else f" LIMIT {selection.limit}"
        seqs = self._select(f"SELECT g.seq FROM {source} WHERE {where} ORDER BY {', '.join(keys)}{limit}", *arguments)
        for (seq,) in reversed(list(seqs)) if selection.last else seqs:
            yield from self._select(query, seq)

    def _check_ending(self, winner: str | None, word: str, what: str) -> None:
        if winner not in ("p1", "p2", "draw", None):
            raise self._changed(what, f"winner {winner!r}")
        if not ENDING.fullmatch(word):
            raise self._changed(what, f"{word!r} is no word for the end of a game")


def _schedule(which: Filter) -> str:
    """Where games lie that are wanted in the schedule's order."""
    if which == Filter(run=which.run):
        # Runs one after another, each by its own index, need no sorting.
        return "runs r CROSS JOIN games g ON g.run = r.id"
    return f"games g INDEXED BY {schema.FACTS} CROSS JOIN runs r ON r.id = g.run"
