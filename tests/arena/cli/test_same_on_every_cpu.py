"""The same database gives the same text on every CPU, whatever the last digits that its linear algebra computes."""

import itertools
import random
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

from arena.ladder.source import choose_pairs
from results.ratings.matchmaking import Pair
from results.record import ResultCount, Termination, Winner
from results.tables.crosstable import crosstable
from results.tables.render import rating_notes
from results.tables.standings import standings
from results.tables.to_json import crosstable_json, json_text, standings_json
from results.tally import counted, meetings
from tests.arena.cli.field import Made, round_robin

_P1: Winner = "p1"
_P2: Winner = "p2"
_RESULTS: tuple[Winner, ...] = (_P1, _P2, "draw")


def _alike(names: str, results: tuple[Winner, ...]) -> list[Made]:
    """Each against each on both sides, always with these results."""
    return [(one, two, result) for one, two in itertools.permutations(names.split(), 2) for result in results]


def _link(one: str, two: str, games: int) -> list[Made]:
    return [(one, two, "draw")] * games


_LEAGUES = [game for names in ("a b c d", "h i j k", "w x y z") for game in round_robin(names, 12)]
_CYCLE: list[Made] = [
    (p1, p2, won) for one, two in ("ab", "bc", "ca") for p1, p2, won in [(one, two, _P1), (two, one, _P2)] * 30
]
FIELDS: dict[str, list[Made]] = {
    "equal halves": [*round_robin("a b c d", 16), *round_robin("w x y z", 16), *_link("a", "x", 4)],
    # Three leagues in a ring: two eigenvalues are equal, so their vectors may be any of a plane.
    "ring": [*_LEAGUES, *_link("a", "h", 2), *_link("i", "w", 2), *_link("x", "b", 2)],
    "apart": [*round_robin("a b c d", 6), *round_robin("v w x y z", 6), ("m", "n", "p1"), ("n", "m", "p2")],
    "equal": _alike("a b c d e f g", _RESULTS),
    "swept": [(p1, p2, "p1" if p1 < p2 else "p2") for p1, p2, _ in _alike("a b c d e f", _RESULTS)],
    "cycle": [*_alike("x y z", _RESULTS), *_CYCLE],
}


def another_cpu(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """Linear algebra with other last digits and other eigenvectors, as another library might choose them."""
    rng, eigh = np.random.default_rng(seed), np.linalg.eigh

    def noisy(exact: Any) -> Any:
        return exact * (1 + 1e-13 * rng.standard_normal(exact.shape))

    def turned(matrix: Any) -> Any:
        values, vectors = eigh(matrix)
        vectors = vectors * rng.choice((-1.0, 1.0), len(values))
        start = 0
        for end in range(1, len(values) + 1):
            if end == len(values) or values[end] - values[start] > 1e-9 * values[-1]:
                space = rng.standard_normal((end - start, end - start))
                vectors[:, start:end] = vectors[:, start:end] @ np.linalg.qr(space)[0]
                start = end
        return noisy(values), vectors

    for name in ("inv", "solve"):
        exact = getattr(np.linalg, name)
        monkeypatch.setattr(np.linalg, name, lambda *given, exact=exact: noisy(exact(*given)))
    monkeypatch.setattr(np.linalg, "eigh", turned)


def counts(games: Iterable[Made]) -> list[ResultCount]:
    """These games, no two of them alike."""
    return counted(ResultCount("scottish", "", p1, p2, winner, Termination.RESIGNATION) for p1, p2, winner in games)


def told(games: list[Made]) -> str:
    """The tables and notes of these games, as people and as programs read them."""
    found = standings(counts(games))
    cross = crosstable(counts(games), [row.name for row in found.rows])
    return "\n".join([json_text(standings_json(found)), json_text(crosstable_json(cross)), *rating_notes(found)])


def paired(games: list[Made]) -> list[Pair]:
    """Whom a ladder pairs next after these games."""
    met = {pair: (tally.wins, tally.draws, tally.losses) for pair, tally in meetings(counts(games)).items()}
    return choose_pairs(met, sorted({name for pair in met for name in pair}), 24, random.Random(5))


@pytest.mark.parametrize(
    "field",
    [pytest.param(each, marks=[pytest.mark.long] * (each not in ("ring", "apart", "swept"))) for each in FIELDS],
)
def test_last_digits_decide_no_word_no_order_and_no_figure(field: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ratings, ranks, misfits and bridges of doubtful fields, and the pairs of a ladder."""
    games = FIELDS[field]
    exact = told(games), paired(games)
    another_cpu(monkeypatch, seed=1)
    assert (told(games), paired(games)) == exact


def test_figures_for_programs_have_six_decimals() -> None:
    """At any depth; no 0 has a sign, and whole numbers stay whole."""
    assert json_text({"a": [1 / 3, -1e-9], "b": (2, None, "-0.0"), "c": {"d": True}}) == (
        '{"a": [0.333333, 0.0], "b": [2, null, "-0.0"], "c": {"d": true}}'
    )
