"""Finds a run or a game in a results file by its number, its id or the start of its id."""

from collections.abc import Collection

from results import strict_json
from results.record import GameRecord, Run
from results.store.files import StoreError
from results.store.reader import Reader

_MOST_IDS = 5
"""How many games a message lists if several match."""
_MOST_DIGITS = 18
"""A longer number is larger than any integer in a database."""


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
