"""Standings and crosstables as plain values for JSON."""

from typing import TYPE_CHECKING

from results.ratings.fit import Estimate, Rating
from results.tables.crosstable import Crosstable
from results.tables.standings import Standings

if TYPE_CHECKING:
    pass

from results.tables.render import _tally


def standings_json(found: Standings) -> dict[str, object]:
    """The standings as plain values: what they say of the field, and the engines in the order given."""
    return {**field_json(found), "engines": engines_json(found)}


def field_json(found: Standings) -> dict[str, object]:
    """What standings say of the whole field."""
    return {
        "games": found.games,
        "distinct": found.distinct,
        "side": _estimate(found.side),
        "anchor": found.anchor,
        "reference": list(found.reference),
        "groups": [list(group) for group in found.groups],
    }


def engines_json(found: Standings) -> list[dict[str, object]]:
    """The engines as plain values, in the order given; figures of a rating are null where there is none."""
    group_of = {name: number for number, group in enumerate(found.groups, 1) for name in group}
    return [
        {
            "name": row.name,
            **_tally(row.total),
            **_rating(row.rating),
            "p1": {"games": row.p1.games, "score": row.p1.score},
            "p2": {"games": row.p2.games, "score": row.p2.score},
            "unfinished": row.unfinished,
            "forfeits": row.forfeits,
            "flagged": row.flagged,
            "machine_forfeits": row.machine,
            "burns_idle": row.burns_idle,
            "rank": row.rank,
            "distinct": row.distinct,
            "group": group_of.get(row.name),
            "online": None if row.online is None else {"mu": row.online.mu, "sigma": row.online.sigma},
        }
        for row in found.rows
    ]


def _rating(rating: Rating | None) -> dict[str, object]:
    """`mu`, `sigma` and `conservative` are on TrueSkill's scale, `rating` is relative to the reference."""
    if rating is None:
        words = "mu sigma conservative rating lower upper elo better_than_next ranks one_sided role"
        return dict.fromkeys(words.split())
    return {
        "mu": rating.mu,
        "sigma": rating.sigma,
        "conservative": rating.conservative,
        "rating": rating.mean,
        "lower": rating.lower,
        "upper": rating.upper,
        "elo": rating.elo,
        "better_than_next": rating.better_than_next,
        "ranks": list(rating.ranks),
        "one_sided": rating.one_sided,
        "role": _estimate(rating.role),
    }


def _estimate(found: Estimate | None) -> dict[str, float] | None:
    return None if found is None else {"mean": found.mean, "lower": found.lower, "upper": found.upper}


def crosstable_json(crosstable: Crosstable) -> dict[str, object]:
    """The crosstable as plain values: null where two never met and for an engine against itself."""
    return {
        "engines": list(crosstable.engines),
        "cells": [[None if cell is None else _tally(cell) for cell in line] for line in crosstable.cells],
    }
