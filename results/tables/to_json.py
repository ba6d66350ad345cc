"""Standings and crosstables as plain values for JSON, and how many decimals programs read."""

import json
import math
from typing import TYPE_CHECKING

from results.ratings.sprt import EloEstimate
from results.tables.columns import JSON_COLUMNS, estimate_json, pairs_json
from results.tables.crosstable import Crosstable
from results.tables.elo import Duel
from results.tables.rating_lists import RatingLists
from results.tables.standings import Standings
from results.tally import PairTally, Tally

if TYPE_CHECKING:
    from results.diagnostics import Bridge, Misfit


DECIMALS = 6
"""Of a figure in JSON. Further decimals would differ from CPU to CPU."""


def json_text(value: object) -> str:
    """The value as JSON. Figures have six decimals, and no 0 has a sign."""
    return json.dumps(_rounded(value))


def _rounded(value: object) -> object:
    match value:
        case float():
            return round(value, DECIMALS) + 0.0
        case dict():
            return {key: _rounded(each) for key, each in value.items()}
        case list() | tuple():
            return [_rounded(each) for each in value]
    return value


def standings_json(standings: Standings) -> dict[str, object]:
    """The field and its engines, in the order given."""
    duels = [_duel_json(duel) for duel in standings.duels]
    pairs = _pairs_json(standings.pairs)
    return {**field_json(standings), "engines": engines_json(standings), "pairs": pairs, "duels": duels}


def _duel_json(duel: Duel) -> dict[str, object]:
    return {
        "one": duel.one,
        "two": duel.two,
        **_tally_json(duel.tally),
        "elo": elo_json(duel.elo),
        "stronger": duel.los,
        "pairs": pairs_json(duel.pairs),
    }


def elo_json(estimate: EloEstimate | None) -> dict[str, float | None] | None:
    """An estimate, if there is one. An end that games do not bound is null: JSON has no infinity."""
    if estimate is None:
        return None
    return {name: figure if math.isfinite(figure) else None for name, figure in estimate._asdict().items()}


def field_json(standings: Standings) -> dict[str, object]:
    """What standings say of the whole field."""
    return {
        "games": standings.games,
        "distinct": standings.distinct,
        "side": estimate_json(standings.side),
        "anchor": standings.anchor,
        "reference": list(standings.reference),
        "groups": [list(group) for group in standings.groups],
        "misfit": None if standings.misfit is None else _misfit_json(standings.misfit),
        "bridges": [_bridge_json(bridge) for bridge in standings.bridges],
    }


def _pairs_json(tally: PairTally | None) -> dict[str, int] | None:
    if tally is None:
        return None
    return {"pairs": tally.pairs, "split": tally.split, "won": tally.won + tally.lost, "drawn": tally.drawn}


def _bridge_json(bridge: "Bridge") -> dict[str, object]:
    pairs = [dict(zip(("smaller", "larger", "games"), pair, strict=True)) for pair in bridge.pairs]
    return {**bridge._asdict(), "pairs": pairs}


def _misfit_json(misfit: "Misfit") -> dict[str, object]:
    return {**misfit._asdict(), "pairings": [pairing._asdict() for pairing in misfit.pairings]}


def engines_json(standings: Standings) -> list[dict[str, object]]:
    """One object for each engine, in the order given. The figures of a missing rating are null."""
    return [{column.json: column.value(row) for column in JSON_COLUMNS} for row in standings.rows]


def crosstable_json(crosstable: Crosstable) -> dict[str, object]:
    """The engines, and a cell for each pair. A cell is null if the two never met."""
    return {
        "engines": list(crosstable.engines),
        "elo": [elo_json(crosstable.elos.get(name)) for name in crosstable.engines],
        "cells": [
            [_cell_json(crosstable, name, other, cell) for other, cell in zip(crosstable.engines, line, strict=True)]
            for name, line in zip(crosstable.engines, crosstable.cells, strict=True)
        ],
    }


def _cell_json(crosstable: Crosstable, name: str, other: str, cell: Tally | None) -> dict[str, object] | None:
    if cell is None:
        return None
    return {**_tally_json(cell), "pairs": pairs_json(crosstable.pairs.get((name, other)))}


def _tally_json(tally: Tally) -> dict[str, float]:
    counts = {"games": tally.games, "wins": tally.wins, "draws": tally.draws, "losses": tally.losses}
    return {**counts, "score": tally.score}


def rating_lists_json(lists: RatingLists, *, time_controls: bool = False) -> dict[str, object]:
    """The standings of all games, of each variant and, if asked for, of each time control."""
    parts = {"variants": lists.variants} | ({"time_controls": lists.time_controls} if time_controls else {})
    return {
        **standings_json(lists.overall.standings),
        "withdrawn": dict(lists.withdrawn),
        **{key: {ratings.name: standings_json(ratings.standings) for ratings in part} for key, part in parts.items()},
    }


def crosstables_json(lists: RatingLists) -> dict[str, object]:
    """The crosstable of all games, of each variant and of each time control."""
    return {
        **crosstable_json(lists.overall.crosstable),
        "variants": {ratings.name: crosstable_json(ratings.crosstable) for ratings in lists.variants},
        "time_controls": {ratings.name: crosstable_json(ratings.crosstable) for ratings in lists.time_controls},
    }
