"""What the engines in C share: a library that is made from the source that is here, and weights from files."""

import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from engines.buckquoy import BuckquoyPlayer
from engines.native import build as building
from engines.native import weights
from engines.native.build import library, up_to_date
from engines.native.kernel import Kernel, KernelError, Limits, NoKernel, load
from engines.native.player import NativePlayer
from engines.stornoway import StornowayPlayer
from protocol.engine import Limits as GoLimits
from protocol.engine import Root
from tests.engines.shared import IN_C, Heard

pytestmark = IN_C


@pytest.fixture(autouse=True)
def looked_at_anew() -> Iterator[None]:
    """Looks at libraries and their sources are not remembered from test to test."""
    load.cache_clear()
    yield
    building._file_name.cache_clear()


@pytest.fixture
def sources(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A copy of the source in C, which a test may change."""
    for source in [*building.HERE.glob("*.c"), *building.HERE.glob("*.h")]:
        shutil.copy(source, tmp_path)
    (tmp_path / "lib").mkdir()
    for engine in building.ENGINES:
        shutil.copy(library(engine), tmp_path / "lib")
    monkeypatch.setattr(building, "HERE", tmp_path)
    monkeypatch.setattr(building, "LIBRARIES", tmp_path / "lib")
    building._file_name.cache_clear()
    return tmp_path


@pytest.mark.parametrize("name", ["stornoway.c", "search.h", "stornoway_learned.h"])
def test_a_library_of_another_source_is_none_of_ours(sources: Path, name: str) -> None:
    """One character of the C file, of a header or of the weights makes the difference: its rules could be others."""
    (sources / name).write_text((sources / name).read_text() + "\n")
    assert library("stornoway").parent == building.cache()
    search = Heard(GoLimits(nodes=300))
    assert StornowayPlayer().search(Root("callanish-5", "", None, ()), search)
    told = "Stornoway searches in Python as alphabeta does: its search in C is not compiled; `arena engines build`"
    assert str(search.told[0]["string"]).startswith(told)


def test_a_file_that_is_no_library_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To play in Python then would be another player under the same name."""
    file = tmp_path / "stornoway-1.so"
    file.write_bytes(b"no library")
    with pytest.raises(KernelError, match=r"stornoway-1.so does not load: .*; delete it"):
        load(file)
    monkeypatch.setattr(sys, "argv", ["stornoway.py", str(file)])
    with pytest.raises(ValueError, match="does not load"):
        StornowayPlayer().search(Root("callanish-5", "", None, ()), Heard(GoLimits(nodes=300)))


def test_a_folder_that_may_not_be_read_has_no_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """A contained engine may not look into the cache. Then it searches in Python, as where nothing was compiled."""

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "stat", refuse)
    with pytest.raises(NoKernel):
        load(Path("/no/such/folder/search.so"))


def test_a_library_is_compiled_once_and_again_if_it_is_broken(sources: Path) -> None:
    """Nothing is left beside it."""
    (sources / "stornoway.c").write_text("static int nothing;\n")
    folder = sources / "made"
    folder.mkdir()
    made = folder / library("stornoway").name
    made.write_bytes(b"broken")
    assert up_to_date("stornoway", folder) == made and [*folder.iterdir()] == [made]
    compiled = made.stat()
    assert compiled.st_size > 1000
    again = up_to_date("stornoway", folder).stat()  # whose access time may be a later one
    assert (again.st_ino, again.st_mtime_ns) == (compiled.st_ino, compiled.st_mtime_ns)


def test_make_removes_libraries_of_older_sources(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Those of this source stay, and so does whatever else lies there."""
    made = [Path(shutil.copy(library(engine), tmp_path)) for engine in building.ENGINES]
    for name in ("stornoway-0123.so", "buckquoy.so", "notes.txt"):
        (tmp_path / name).touch()
    monkeypatch.setattr(building, "LIBRARIES", tmp_path)
    assert building.main() == 0
    assert {path.name for path in tmp_path.iterdir()} == {"notes.txt", *(path.name for path in made)}


def test_weights_come_from_a_file(tmp_path: Path) -> None:
    """The option `Weights` takes them, and an empty one goes back to those of the library."""
    player: NativePlayer = BuckquoyPlayer()
    scores = []
    root = Root("brandub", "", None, ())
    board = player.board(player.line(root).position)
    assert board is not None
    kernel = Kernel(library("buckquoy"), *board, 1)
    file = tmp_path / "doubled.txt"
    weights.write(file, [2 * number for number in kernel.weights()], "twice as much")
    assert weights.read(file) == [2 * number for number in kernel.weights()]
    for value in ("", str(file), ""):
        player.set_option("Weights", value)
        search = Heard(GoLimits(depth=1))
        assert player.search(root, search)
        scores.append(search.told[-1]["score_cp"])
    assert scores[0] == scores[2] != scores[1]


def test_a_bad_file_of_weights_is_told(tmp_path: Path) -> None:
    """The option is refused with a sentence, and no game is played with other weights."""
    for text, told in (
        (None, "not a file of weights: No such file"),
        ("# weights\n1 2 x\n", "line 2: 'x' is not a whole number from -32767 to 32767"),
        ("40000\n", "line 1: '40000' is not a whole number"),
    ):
        file = tmp_path / "bad.txt"
        if text is not None:
            file.write_text(text)
        player = StornowayPlayer()
        with pytest.raises(ValueError, match=told):
            player.set_option("Weights", str(file))
        with pytest.raises(ValueError, match=told):
            player.search(Root("callanish-5", "", None, ()), Heard(GoLimits(depth=1)))


def test_no_more_threads_search_than_there_are_cpus(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads that wait for a CPU would overrun the clock."""
    started: list[int] = []

    def start(kernel: Kernel, root: Sequence[int], history: Sequence[Sequence[int]], limits: Limits) -> None:
        started.append(limits.threads)
        begin(kernel, root, history, limits)

    begin = Kernel.start
    monkeypatch.setattr(Kernel, "start", start)
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {0, 5, 7}, raising=False)
    player = StornowayPlayer()
    for threads in ("2", "64"):
        player.set_option("Threads", threads)
        assert player.search(Root("callanish-5", "", None, ()), Heard(GoLimits(depth=2)))
    assert started == [2, 3]
