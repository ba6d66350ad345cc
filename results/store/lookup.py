"""What a user means: a run or a game by its number, id or start of its id; games by dates, engines, a variant."""

from collections.abc import Collection
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from results import strict_json
from results.record import GameRecord, ResultCount, Run, Termination
from results.store.files import StoreError
from results.store.filter import RESULTS, Filter
from results.store.reader import Reader
from results.tally import time_control_name
from results.variant_name import shown, whole_name

_MOST_IDS = 5
"""How many games a message lists if several match."""
_MOST_DIGITS = 18
"""A longer number is larger than any integer in a database."""
_MOST_NAMES = 12
"""How many names a message lists."""


class BadWord(StoreError):
    """A word of a query that cannot be used. The message begins with the name of its field, such as `engine`."""


def find_run(store: Reader, key: str) -> Run:
    """The run with this id, or the only run whose id begins like this. Raises BadWord."""
    runs = store.runs()
    matches = [run for run in runs if run.id == key] or [run for run in runs if run.id.startswith(key)]
    if len(matches) == 1:
        return matches[0]
    ids = ", ".join(run.id for run in matches or runs)
    raise BadWord(f"run {key}: {store.name} has {'several such runs' if matches else 'no such run'}; name one of {ids}")


def run_config(run: Run) -> dict[str, object]:
    """The effective configuration of a run as plain values, with when, where and by which versions it was made."""
    head = {"run": run.id, "created_at": run.created_at, "host": run.host}
    return {**head, "versions": strict_json.parse(run.versions), **run.settings}


def find_game(store: Reader, key: str, runs: Collection[Run]) -> GameRecord:
    """The game of these runs with this number or id, or the only game whose id begins like this. Raises StoreError.

    If several runs have a game with the number, the newest run is meant.
    """
    if key.isascii() and key.isdigit() and len(key) <= _MOST_DIGITS:
        for run in reversed(list(runs)):
            if game_id := store.id_of(run.id, int(key)):
                return store.game(game_id)
    ids = store.ids(key, [run.id for run in runs], _MOST_IDS + 1)
    if len(ids) == 1:
        return store.game(ids[0])
    if not ids:
        raise StoreError(f"{store.name} has no game {key!r}; 'arena games {store.name}' lists numbers and ids")
    named = ", ".join(ids[:_MOST_IDS]) + (" and more" if len(ids) > _MOST_IDS else "")
    raise StoreError(f"{key!r} means several games in {store.name}, {named}: give the whole id")


def parse_filter(*, since: str | None = None, until: str | None = None, **words: str | None) -> Filter:
    """The filter that these words describe. A date as `until` includes that whole day. Raises BadWord."""
    start = None if since is None else parse_time("since", since)
    return Filter(since=start, until=None if until is None else parse_time("until", until, 1), **words)


def resolve_filter(store: Reader, which: Filter) -> tuple[Filter, list[Run]]:
    """The filter with the whole id of its run, and the runs that it leaves. Raises BadWord for an unknown name."""
    runs = store.runs() if which.run is None else [find_run(store, which.run)]
    names = engines(store)
    _check_name(store, "engine", which.engine, names, "engine")
    _check_name(store, "opponent", which.opponent, names, "engine")
    if which.winner not in RESULTS:
        _check_name(store, "winner", which.winner, names, "engine")
    if which.variant is not None:
        variants = store.words("variant")
        which = replace(which, variant=whole_name(which.variant, variants))
        if which.variant not in variants:
            _check_name(store, "variant", which.variant, {shown(name) for name in variants}, "games")
    if which.termination is not None and which.termination not in list(Termination):
        there = list(dict.fromkeys([*store.words("termination"), *Termination]))
        if which.termination not in there:
            raise BadWord(f"termination {which.termination}: name one of {', '.join(there)}")
    if which.tc is not None:
        clocks = {time_control_name(word) for word in store.words("tc")}
        _check_name(store, "tc", time_control_name(which.tc), clocks, "games")
    return (which if which.run is None else replace(which, run=runs[0].id)), runs


def engines(store: Reader) -> set[str]:
    """The names of all engines in the file."""
    return {player.name for run in store.runs() for player in store.players(run.id)}


def check_anchor(store: Reader, anchor: str | None, counts: Collection[ResultCount]) -> None:
    """Raise BadWord if the anchor has no decided game among these."""
    names = {name for each in counts if each.winner is not None for name in (each.p1, each.p2)}
    _check_name(store, "anchor", anchor, names, "engine with a decided game that matches these filters")


def _check_name(store: Reader, field: str, name: str | None, names: Collection[str], kind: str) -> None:
    if name is not None and name not in names:
        more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
        there = ", ".join(sorted(names)[:_MOST_NAMES]) + more or "none"
        raise BadWord(f"{field} {name}: {store.name} has no such {kind}; it has {there}")


def parse_time(field: str, text: str, days: int = 0) -> str:
    """A time in the form of `started_at`, so that texts compare as times do. Raises BadWord.

    A date becomes the one `days` later, and comes before every time of that day.
    """
    try:
        if len(text) == len("2026-01-02"):
            return (date.fromisoformat(text) + timedelta(days=days)).isoformat()
        time = datetime.fromisoformat(text)
        time = time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
    except (ValueError, OverflowError):
        raise BadWord(f"{field} {text}: write a date (2026-01-31) or a time (2026-01-31T18:00)") from None
    return time.isoformat(timespec="milliseconds" if "." in text else "seconds")
