"""The page of a run: its configuration, its engines, and the machine."""

import json
from typing import Any

from arena.web.pages.source import Page, PageSource, typed
from arena.web.privacy import Privacy
from results.record import Player, Run
from results.variant_name import shown

_PLAIN = frozenset({"engines", "starts", "kind", "name"})
"""Keys of a configuration that the page shows in a form of their own."""


def run_page(source: PageSource, run: Run) -> Page:
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
    return Page(
        run=run,
        played=store.played().get(run.id, 0),
        engines=engines,
        starts=[(str(variant), str(fen or "")) for variant, fen, *_ in starts],
        settings=[(key, _text(value)) for key, value in public.items() if key not in _PLAIN and value is not None],
        versions=[(key, privacy.text(_text(value))) for key, value in json.loads(run.versions).items()],
        host="" if privacy.hide else run.host,
    )


def _engine(player: Player, table: dict[str, Any], withdrawn: str, privacy: Privacy) -> Page:
    options = typed(table, "options", dict)
    return Page(
        player=player,
        options=[(str(name), privacy.value(str(value))) for name, value in options.items()],
        limit=str(table.get("limit") or ""),
        command="" if privacy.hide else " ".join(player.command),
        withdrawn=privacy.withdrawn(withdrawn),
    )


def _text(value: object) -> str:
    """A setting as people read it; a clock for each variant as `5+0.05 in brandub, 10+0.1 in scottish`."""
    if isinstance(value, dict) and all(isinstance(each, str) for each in value.values()):
        return ", ".join(f"{each} in {shown(name)}" for name, each in value.items())
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
