"""The columns of the standings: one list, from which the table in a terminal and the JSON values are made.

A new column is one entry here, and a line in the documents, which `tests/results/tables/test_columns.py` asks for.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from results.ratings.estimates import Estimate, Rating
from results.ratings.scale import MU, Z95
from results.tables.elo import elo_texts
from results.tables.standings import Standing
from results.tally import PairTally, Tally, percent


@dataclass(frozen=True, slots=True)
class Column:
    """One figure of an engine, as text and as a plain value."""

    heading: str
    """Above the column. If it is empty, no table shows the figure."""
    json: str
    """The key in JSON. If it is empty, only tables show the figure."""
    value: Callable[[Standing], object]
    """The plain value: None if the engine has no such figure."""
    cell: str | Callable[[Standing], str] = ""
    """The text in a table, or a format for the value, which shows None as `-`."""
    wide: bool = False
    """Whether only a wide table shows it."""
    priority: int = 0
    """In a narrow terminal the columns with the highest number are left out first. Those with 0 stay."""

    def text(self, row: Standing) -> str:
        """The cell of this engine."""
        if not isinstance(self.cell, str):
            return self.cell(row)
        value = self.value(row)
        return "-" if value is None else format(value, self.cell)


def _score_share(tally: Tally) -> str:
    """The share of the points in percent."""
    return percent(tally.score / tally.games) if tally.games else "-"


def estimate_json(estimate: Estimate | None) -> dict[str, float] | None:
    """An estimate and the ends of its interval as plain values."""
    return None if estimate is None else {"mean": estimate.mean, "lower": estimate.lower, "upper": estimate.upper}


def _rated(text: Callable[[Rating], str]) -> Callable[[Standing], str]:
    return lambda row: "-" if row.rating is None else text(row.rating)


def _elo_end(end: Literal["low", "high"]) -> Callable[[Standing], float | None]:
    """An end of the interval in Elo points; None if games do not bound it."""

    def value(row: Standing) -> float | None:
        figure = math.inf if row.elo is None else getattr(row.elo, end)
        return figure if math.isfinite(figure) else None

    return value


def _ranks(row: Standing) -> str:
    first, last = row.rating.ranks if row.rating else (row.rank, row.rank)
    return "-" if row.rating is None else f"{first}-{last}" if first < last else str(row.rank)


def _half(row: Standing) -> float | None:
    """Half of the interval, if games bound it on both sides. An engine that met no other has none."""
    bounded = row.rating is not None and row.rating.one_sided is None and row.rating.sigma > 0
    return Z95 * row.rating.sigma if row.rating and bounded else None


def _side_json(tally: Tally) -> dict[str, float]:
    return {"games": tally.games, "score": tally.score}


def pairs_json(tally: PairTally | None) -> dict[str, int] | None:
    """Pairs as plain values."""
    return None if tally is None else {"won": tally.won, "drawn": tally.drawn, "lost": tally.lost, "split": tally.split}


def _split(row: Standing) -> str:
    return "-" if not row.pairs or not row.pairs.pairs else percent(row.pairs.split / row.pairs.pairs)


def _trueskill(row: Standing) -> str:
    """`27.04+-0.10`: mu, and half of its 95 % interval if games bound it on both sides."""
    if row.rating is None:
        return "-"
    half = _half(row)
    digits = 2 if half is not None and half < 1 else 1
    return f"{MU + row.rating.mean:.{digits}f}" + ("" if half is None else f"+-{half:.{digits}f}")


def _by_game(row: Standing) -> str:
    return f"{row.online.mu:.1f}+-{Z95 * row.online.sigma:.1f}" if row.online else "-"


def _role(row: Standing) -> str:
    role = row.rating and row.rating.role
    return "-" if role is None else f"{role.mean:+z.2f}+-{Z95 * role.sigma:.2f}"


# A rating is never false, so that `rating and ...` is None only for an engine without it.
COLUMNS = (
    Column("#", "rank", lambda row: row.rank),
    Column("engine", "name", lambda row: row.name),
    Column("Elo", "elo", lambda row: row.elo and row.elo.value, lambda row: elo_texts(row.elo)[0]),
    Column("+-", "", lambda row: None, lambda row: elo_texts(row.elo)[1]),
    Column("TrueSkill", "mu", lambda row: row.rating and MU + row.rating.mean, _trueskill, priority=6),
    Column("games", "games", lambda row: row.total.games, priority=3),
    Column("W-D-L", "", lambda row: None, lambda row: row.total.text, priority=4),
    Column("score%", "score", lambda row: row.total.score, lambda row: _score_share(row.total), priority=1),
    Column(
        "P>next",
        "better_than_next",
        lambda row: row.rating and row.rating.better_than_next,
        _rated(lambda rating: "" if rating.better_than_next is None else f"{100 * rating.better_than_next:.1f}"),
        priority=5,
    ),
    Column("distinct", "distinct", lambda row: row.distinct, wide=True),
    Column(
        "draw%", "", lambda row: 100 * row.total.draws / row.total.games if row.total.games else None, ".1f", wide=True
    ),
    Column("p1 %", "p1", lambda row: _side_json(row.p1), lambda row: _score_share(row.p1), wide=True),
    Column("p2 %", "p2", lambda row: _side_json(row.p2), lambda row: _score_share(row.p2), wide=True),
    Column("split%", "pairs", lambda row: pairs_json(row.pairs), _split, wide=True),
    Column("role", "role", lambda row: estimate_json(row.rating and row.rating.role), _role, wide=True),
    Column("ranks", "ranks", lambda row: row.rating and list(row.rating.ranks), _ranks, wide=True),
    Column(
        "mu-3s",
        "conservative",
        lambda row: row.rating and MU + row.rating.mean - 3 * row.rating.sigma,
        ".1f",
        wide=True,
    ),
    Column(
        "by game",
        "online",
        lambda row: row.online and {"mu": row.online.mu, "sigma": row.online.sigma},
        _by_game,
        wide=True,
    ),
    Column("unf.", "unfinished", lambda row: row.unfinished, wide=True),
    Column("forf.", "forfeits", lambda row: row.forfeits, wide=True),
    Column("", "wins", lambda row: row.total.wins),
    Column("", "draws", lambda row: row.total.draws),
    Column("", "losses", lambda row: row.total.losses),
    Column("", "lower_elo", _elo_end("low")),
    Column("", "upper_elo", _elo_end("high")),
    Column("", "rating", lambda row: row.rating and row.rating.mean),
    Column("", "sigma", lambda row: row.rating and row.rating.sigma),
    Column("", "one_sided", lambda row: row.rating and row.rating.one_sided),
    Column("", "lower", lambda row: row.rating and row.rating.lower),
    Column("", "upper", lambda row: row.rating and row.rating.upper),
    Column("", "flagged", lambda row: row.flagged),
    Column("", "machine_forfeits", lambda row: row.machine),
    Column("", "burns_idle", lambda row: row.burns_idle),
    Column("", "group", lambda row: row.group),
)
"""All of them, in the order of a table."""

_FIRST_KEYS = (
    "name games wins draws losses score mu sigma conservative rating lower upper elo better_than_next ranks one_sided "
    "role p1 p2 unfinished forfeits flagged machine_forfeits burns_idle rank distinct group online"
).split()
"""The order of the keys in JSON, which programs may rely on. A new key comes after these."""

JSON_COLUMNS = sorted(
    (column for column in COLUMNS if column.json),
    key=lambda column: _FIRST_KEYS.index(column.json) if column.json in _FIRST_KEYS else len(_FIRST_KEYS),
)
"""The columns that JSON has, in the order of their keys."""


def csv_rows(tables: Iterable[tuple[str, Sequence[Standing]]]) -> list[list[object]]:
    """The headings, and a row for each engine of each table, whose name stands first. Headings are the keys of JSON.

    A key with several figures has a column for each, such as `p1_games`; none where no engine has them.
    """
    rows = [
        {"table": name}
        | {key: value for column in JSON_COLUMNS for key, value in _parts(column.json, column.value(row))}
        for name, standings in tables
        for row in standings
    ]
    keys = dict.fromkeys(key for row in rows for key in row)
    whole = [key for key in keys if not any(other.startswith(f"{key}_") for other in keys)]
    return [[*whole], *([row.get(key) for key in whole] for row in rows)] if rows else []


def _parts(key: str, value: object) -> list[tuple[str, object]]:
    """A figure by its key, or the figures in it by theirs."""
    if isinstance(value, list):
        value = dict(zip(("first", "last"), value, strict=True))
    return [(f"{key}_{part}", each) for part, each in value.items()] if isinstance(value, dict) else [(key, value)]
