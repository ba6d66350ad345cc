"""The same database gives the same text on every CPU, whatever the last digits that its linear algebra computes."""

import os
import random
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena.ladder.pairing import choose_pairs
from results.ratings.matchmaking import Pair
from results.record import ResultCount, Termination
from results.tables.crosstable import crosstable
from results.tables.render import rating_notes
from results.tables.standings import standings
from results.tables.to_json import crosstable_json, json_text, standings_json
from results.tally import counted, meetings
from tests.arena.cli.field import Made, keep
from tests.arena.cli.readings import FIELDS, MANY

DEADLINE_S = 60
KERNELS = ("Haswell", "SkylakeX", "Zen", "Prescott")
"""OpenBLAS falls back to another one where the CPU lacks what a kernel needs."""
SEEDS = (1, 2, 3)


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


@pytest.mark.parametrize("field", FIELDS)
def test_last_digits_decide_no_word_no_order_and_no_figure(field: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ratings, ranks, misfits and bridges of doubtful fields, and the pairs of a ladder."""
    games = MANY if field == "many" else FIELDS[field]
    exact = told(games), paired(games)
    for seed in SEEDS:
        with monkeypatch.context() as patched:
            another_cpu(patched, seed)
            assert (told(games), paired(games)) == exact


def test_figures_for_programs_have_six_decimals() -> None:
    """At any depth; no 0 has a sign, and whole numbers stay whole."""
    assert json_text({"a": [1 / 3, -1e-9], "b": (2, None, "-0.0"), "c": {"d": True}}) == (
        '{"a": [0.333333, 0.0], "b": [2, null, "-0.0"], "c": {"d": true}}'
    )


def printed(how: str, paths: list[Path], **environment: str) -> str:
    """What the reading commands say in a process with this environment."""
    command = [sys.executable, "-m", "tests.arena.cli.readings", how, *map(str, paths)]
    # The packages that are tested here, and the tests beside them.
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **environment}
    return subprocess.run(command, env=env, check=True, capture_output=True, text=True, timeout=DEADLINE_S * 10).stdout


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_all_commands_and_pages_give_the_same_text_by_all_kernels(tmp_path: Path) -> None:
    """Of all doubtful fields, with one thread and two, and sets in other orders."""
    paths = [keep(tmp_path / f"{name}.db", "aa", FIELDS[name]) for name in FIELDS]
    texts = []
    for turn, kernel in enumerate(KERNELS):
        chosen = {"OPENBLAS_CORETYPE": kernel, "OPENBLAS_NUM_THREADS": str(1 + turn % 2), "PYTHONHASHSEED": str(turn)}
        texts.append(printed("all", paths, **chosen))
    assert texts[1:] == texts[:1] * (len(KERNELS) - 1)
