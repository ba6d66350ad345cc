"""Finds the weights that foretell results and scores best: logistic regression on the positions of self-play."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engines.native import weights
from engines.native.kernel import KernelError
from engines.tuning.selfplay import Table

SPREAD = 150.0
"""The score at which a side wins 73 of 100 games, in hundredths of a man or stone."""
UNITS = {"stornoway": 8, "buckquoy": 1}
"""How many units of a weight are a hundredth of a man or stone."""
EPOCHS = 40
SHARE = 0.4
"""How much of what is foretold is the result; the rest is the score of the search."""
RIDGE = 2e-5
"""The pull towards the old weights."""

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]


class Fitted(NamedTuple):
    """The mean cross entropy in the games that were held back, with the old weights and with the new ones."""

    positions: int
    before: float
    after: float


class _Data(NamedTuple):
    """The features of positions: numbers of weights, and how often each counts; and what is to be foretold."""

    numbers: Numbers
    times: Floats
    goal: Floats
    held_back: NDArray[np.bool_]


def fit(
    table: Table, target: Path, sources: Sequence[Path], start: Path | None, share: float = SHARE, ridge: float = RIDGE
) -> Fitted:
    """Fit the weights, beginning with those of `start` or those in use, and write them.

    Where moves are sorted by weights of their own, these learn the same from the features that they know. Raises
    KernelError.
    """
    kernel, unit = table.kernel(start), UNITS[table.engine]
    begun = np.array(kernel.weights(), dtype=np.float64) / (unit * SPREAD)
    data, guesses = _read(sources, share, len(begun)), np.array(kernel.guesses())
    learned = _descend(begun, data, ridge)
    if (guesses >= 0).any():
        numbers = guesses[data.numbers]
        known = numbers >= 0
        guessed = data._replace(numbers=np.where(known, numbers, 0), times=np.where(known, data.times, 0))
        # The two sums have no weight in common.
        learned += _descend(begun, guessed, ridge) - begun
    held_back = data._replace(**{name: getattr(data, name)[data.held_back] for name in ("numbers", "times", "goal")})
    fitted = Fitted(len(data.goal), _loss(begun, held_back), _loss(learned, held_back))
    numbers = np.rint(learned * unit * SPREAD).clip(-32_000, 32_000).astype(np.int64)
    comment = f"weights of {table.engine} for {table.variant}, from {len(data.goal)} positions"
    weights.write(target, [int(number) for number in numbers], comment)
    return fitted


def _read(sources: Sequence[Path], share: float, weight_count: int) -> _Data:
    parts = []
    for source in sources:
        try:
            with np.load(source) as file:
                parts.append({name: file[name] for name in ("features", "score", "result", "game")})
        except (ValueError, KeyError, EOFError):
            raise KernelError(f"{source} holds no positions: `python -m engines.tune play` makes such a file") from None
    width = max(part["features"].shape[1] for part in parts)
    padded = [np.pad(part["features"], ((0, 0), (0, width - part["features"].shape[1]))) for part in parts]
    features = np.concatenate(padded)
    numbers = features[:, ::2].astype(np.int64)
    if len(features) == 0 or not 0 <= numbers.min() <= numbers.max() < weight_count:
        raise KernelError(f"{', '.join(map(str, sources))}: no positions of this engine: make them anew with `play`")
    scores = np.concatenate([part["score"] for part in parts]).clip(-20 * SPREAD, 20 * SPREAD)
    results = np.concatenate([part["result"] for part in parts]) / 2
    # Whole games are held back, since the positions of one game are alike.
    held_back = np.concatenate([part["game"] for part in parts]) % 10 == 0
    goal = share * results + (1 - share) * _chance(scores / SPREAD)
    return _Data(numbers, features[:, 1::2].astype(np.float64), goal, held_back)


def _descend(begun: Floats, data: _Data, ridge: float) -> Floats:
    """Gradient descent with momentum (Adam), pulled towards the weights that it begins with."""
    weights, learned = begun.copy(), np.flatnonzero(~data.held_back)
    order, first, second, step = np.random.default_rng(1), np.zeros_like(begun), np.zeros_like(begun), 0
    for epoch in range(EPOCHS):
        order.shuffle(learned)
        rate = 0.05 * (1 - epoch / EPOCHS) + 0.001
        for batch in np.array_split(learned, max(len(learned) // 4096, 1)):
            numbers, times = data.numbers[batch], data.times[batch]
            miss = _chance((weights[numbers] * times).sum(axis=1)) - data.goal[batch]
            pulls = np.bincount(numbers.ravel(), (miss[:, None] * times).ravel(), minlength=len(weights))
            pull = pulls / len(batch) + ridge * (weights - begun)
            step += 1
            first, second = 0.9 * first + 0.1 * pull, 0.999 * second + 0.001 * pull**2
            weights -= rate * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-6)
    return weights


def _chance(value: Floats) -> Floats:
    result: Floats = 1 / (1 + np.exp(-np.clip(value, -30, 30)))
    return result


def _loss(weights: Floats, data: _Data) -> float:
    chances = _chance((weights[data.numbers] * data.times).sum(axis=1)).clip(1e-6, 1 - 1e-6)
    return float(-(data.goal * np.log(chances) + (1 - data.goal) * np.log(1 - chances)).mean())
