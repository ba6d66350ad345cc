"""engines.tune: data from self-play that repeats, weights that foretell it better, and headers."""

from pathlib import Path

import numpy as np
import pytest

from engines.native import weights
from engines.native.kernel import Kernel
from engines.tune import main
from engines.tuning.selfplay import table_of
from tests.engines.shared import IN_C

pytestmark = IN_C


def made_data(folder: Path, variant: str, games: int, seed: int = 1) -> Path:
    target = folder / f"{variant}-{games}-{seed}.npz"
    assert main(["play", variant, str(target), f"--games={games}", "--nodes=60", f"--seed={seed}"]) == 0
    return target


def plain(variant: str) -> Kernel:
    kernel = table_of(variant).kernel()
    kernel.evaluate_plainly()
    return kernel


def test_the_same_seed_gives_the_same_data(tmp_path: Path) -> None:
    """Equal seeds, equal games; another seed, other games."""
    for variant in ("brandub", "callanish-5"):
        first = np.load(made_data(tmp_path, variant, 4))
        again, other = np.load(made_data(tmp_path, variant, 4)), np.load(made_data(tmp_path, variant, 4, seed=2))
        assert all(np.array_equal(first[name], again[name]) for name in ("features", "score", "result", "game"))
        assert not np.array_equal(first["score"], other["score"])
        assert set(first["result"]) <= {0, 1, 2} and len(first["features"]) == len(first["game"])


@pytest.mark.parametrize("variant", [pytest.param("ard-ri", marks=pytest.mark.long), "callanish-7"])
def test_fitted_weights_foretell_better(tmp_path: Path, capsys: pytest.CaptureFixture[str], variant: str) -> None:
    """The loss on games that were held back falls."""
    data, start, new = made_data(tmp_path, variant, 30), tmp_path / "start.txt", tmp_path / "new.txt"
    weights.write(start, plain(variant).weights(), "plain")
    main(["fit", variant, str(new), str(data), "--start", str(start)])
    told = capsys.readouterr().out.split("loss ")
    before, after = float(told[1].split()[0]), float(told[2].split()[0])
    assert after < before
