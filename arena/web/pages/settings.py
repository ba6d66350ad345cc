"""The page of a run: its configuration, its engines, and the machine."""

import json
from dataclasses import dataclass
from typing import Any

from arena.web.pages.source import PageSource, typed
from arena.web.privacy import Privacy
from results.record import Player, Run

_PLAIN = frozenset({"engines", "starts", "kind", "name"})
"""Keys of a configuration that the page shows in a form of their own."""


@dataclass(frozen=True, slots=True)
class EngineSetting:
    """An engine as a run has it."""

    player: Player
    options: tuple[tuple[str, str], ...]
    limit: str
    command: str
    """Empty where it is private."""
    withdrawn: str
    """Why it does not play on; empty while it does."""


@dataclass(frozen=True, slots=True)
class RunPage:
    """The configuration of a run."""

    run: Run
    played: int
    engines: tuple[EngineSetting, ...]
    starts: tuple[tuple[str, str], ...]
    """A variant and a position string; the string is empty for the variant's own start."""
    settings: tuple[tuple[str, str], ...]
    versions: tuple[tuple[str, str], ...]
    host: str
    """Empty where it is private."""


def run_page(source: PageSource, run: Run) -> RunPage:
    """The page of a run. Raises StoreError."""
    store, privacy, config = source.store, source.privacy, run.settings
    public = privacy.config(config)
    tables = {str(each.get("name")): each for each in typed(config, "engines", list) if isinstance(each, dict)}
    withdrawn = store.withdrawn(run.id)
    engines = [
        _engine(player, tables.get(player.name, {}), withdrawn.get(player.name, ""), privacy)
        for player in store.players(run.id)
    ]
    starts = [each for each in typed(config, "starts", list) if isinstance(each, list) and len(each) > 1]
    return RunPage(
        run,
        store.played().get(run.id, 0),
        tuple(engines),
        tuple((str(variant), str(fen or "")) for variant, fen, *_ in starts),
        tuple((key, _text(value)) for key, value in public.items() if key not in _PLAIN and value is not None),
        tuple((key, privacy.text(_text(value))) for key, value in json.loads(run.versions).items()),
        "" if privacy.hide else run.host,
    )


def _engine(player: Player, table: dict[str, Any], withdrawn: str, privacy: Privacy) -> EngineSetting:
    options = typed(table, "options", dict)
    return EngineSetting(
        player,
        tuple((str(name), privacy.value(str(value))) for name, value in options.items()),
        str(table.get("limit") or ""),
        "" if privacy.hide else " ".join(player.command),
        privacy.withdrawn(withdrawn),
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
