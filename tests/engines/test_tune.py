"""engines.tune: data from self-play that repeats, weights that foretell it better, and headers."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np
import pytest

from engines.native import weights
from engines.native.build import HERE as NATIVE
from engines.native.build import compiler, up_to_date
from engines.native.kernel import Kernel
from engines.tune import main
from engines.tuning.header import NAMES
from engines.tuning.selfplay import random_line, table_of

pytestmark = [
    pytest.mark.skipif(compiler() is None, reason="there is no C compiler on this machine"),
    pytest.mark.timeout(60),
]


@pytest.fixture(scope="module", autouse=True)
def made() -> None:
    """The libraries: those of `make venv`, or our own."""
    for engine in ("stornoway", "buckquoy"):
        up_to_date(engine)


def made_data(folder: Path, variant: str, games: int, seed: int = 1) -> Path:
    target = folder / f"{variant}-{games}-{seed}.npz"
    assert main(["play", variant, str(target), f"--games={games}", "--nodes=60", f"--seed={seed}"]) == 0
    return target


def plain(variant: str) -> Kernel:
    kernel = table_of(variant).kernel()
    kernel.evaluate_plainly()
    return kernel


@pytest.mark.parametrize("variant", ["brandub", "callanish-5"])
def test_the_same_seed_gives_the_same_data(tmp_path: Path, variant: str) -> None:
    """Equal seeds, equal games; another seed, other games."""
    first = np.load(made_data(tmp_path, variant, 4))
    again, other = np.load(made_data(tmp_path, variant, 4)), np.load(made_data(tmp_path, variant, 4, seed=2))
    assert all(np.array_equal(first[name], again[name]) for name in ("features", "score", "result", "game"))
    assert not np.array_equal(first["score"], other["score"])
    assert set(first["result"]) <= {0, 1, 2} and len(first["features"]) == len(first["game"])


def test_a_position_is_found_again_after_a_capture() -> None:
    """The kernel also counts the plies since then, which make no other place of it."""
    table, chance = table_of("brandub"), Random(1)
    kernel = table.kernel()
    line: list[tuple[int, Sequence[int]]] = []
    while not line or line[-1][1][7] != 0:
        line = random_line(table, kernel, chance, chance.randint(4, 12))
    captured = line[-1][1]
    for there in kernel.moves(captured):
        words: Sequence[int] = captured
        answer = kernel.moves(kernel.play(words, there) or [])[0]
        for move in (there, answer, _back(there), _back(answer)):
            words = kernel.play(words, move) or []
        if table.place(words) == table.place(captured):
            assert list(words) != list(captured)
            return
    pytest.fail("no position comes again")


def _back(move: int) -> int:
    return move >> 7 & 127 | (move & 127) << 7


@pytest.mark.parametrize("variant", [pytest.param("ard-ri", marks=pytest.mark.long), "callanish-7"])
def test_fitted_weights_foretell_better(tmp_path: Path, capsys: pytest.CaptureFixture[str], variant: str) -> None:
    """The loss on games that were held back falls."""
    data, start, new = made_data(tmp_path, variant, 30), tmp_path / "start.txt", tmp_path / "new.txt"
    weights.write(start, plain(variant).weights(), "plain")
    main(["fit", variant, str(new), str(data), "--start", str(start)])
    told = capsys.readouterr().out.split("loss ")
    before, after = float(told[1].split()[0]), float(told[2].split()[0])
    assert after < before


def test_the_weights_that_sort_turns_are_learned_too(tmp_path: Path) -> None:
    """Each learns from the same lines as the weight of the evaluation that stands for the same."""
    kernel, new = table_of("callanish-5").kernel(), tmp_path / "new.txt"
    main(["fit", "callanish-5", str(new), str(made_data(tmp_path, "callanish-5", 12))])
    old, learned, guesses = kernel.weights(), weights.read(new), kernel.guesses()
    changed = [number for number, guess in enumerate(guesses) if guess >= 0 and learned[number] != old[number]]
    assert len(changed) > 20
    assert sum(learned[guesses[number]] != old[guesses[number]] for number in changed) > len(changed) // 2


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["play", "no-such-game", "x.npz"], "no-such-game"),
        (["play", "brandub", "x.npz", "--games=0"], "--games must be at least 1"),
        (["play", "callanish-15", "x.npz"], "the board of callanish-15 is too large"),
        (["fit", "brandub", "x.txt", "no-such.npz"], "no-such.npz"),
        (["fit", "brandub", "x.txt", "short.txt"], "short.txt holds no positions"),
        (["header", "buckquoy", "x.h", "brandubh=short.txt"], "brandubh"),
        (["header", "buckquoy", "x.h", "callanish-7=short.txt"], "'callanish-7' has no weights of its own in buckquoy"),
        (["header", "stornoway", "x.h", "callanish-5=a", "callanish-7=b"], "'callanish-7' has the same weights"),
    ],
)
def test_bad_input_ends_with_2_and_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str], told: str
) -> None:
    """It names what was given, and nothing is written."""
    monkeypatch.chdir(tmp_path)
    weights.write(Path("short.txt"), [1, 2, 3], "three")
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2 and told in capsys.readouterr().err
    assert sorted(each.name for each in tmp_path.iterdir()) == ["short.txt"]


@pytest.mark.parametrize("engine", NAMES)
def test_a_header_without_new_weights_is_as_it_was(tmp_path: Path, engine: str) -> None:
    """What is not named keeps the weights in use."""
    main(["header", engine, str(tmp_path / "same.h")])
    assert (tmp_path / "same.h").read_text() == (NATIVE / NAMES[engine]).read_text()


def test_the_header_of_buckquoy_holds_weights_and_their_rule_options(tmp_path: Path) -> None:
    """A variant that is named gets new weights, beside the rule options that they are for."""
    file, target = tmp_path / "a.txt", tmp_path / "weights.h"
    weights.write(file, range(len(table_of("brandub").kernel().weights())), "counted")
    main(["header", "buckquoy", str(target), f"brandub={file}"])
    text = target.read_text()
    assert "{7, 1, 1, 25, 25, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0}, /* brandub */" in text
    assert text.count("20, 21, 22, 23, 24, 25, 26, 27, 28, 29,") == 1


@pytest.mark.parametrize(("variant", "place"), [("callanish-9", 1), ("callanish-corners", 2), ("callanish-11", 3)])
def test_the_header_of_stornoway_has_a_set_for_each_size_of_board(tmp_path: Path, variant: str, place: int) -> None:
    """One for boards up to 7x7, up to 9x9, up to 9x9 with holes, and larger ones. Only the named one changes."""
    file, target = tmp_path / "a.txt", tmp_path / "weights.h"
    weights.write(file, range(len(table_of(variant).kernel().weights())), "counted")
    main(["header", "stornoway", str(target), f"{variant}={file}"])
    sets = target.read_text().split("    {")[1:]
    assert [number for number, each in enumerate(sets) if each.startswith("0,1,2,3,4,5,6,7,8,9,")] == [place]
    assert len(sets) == 4
