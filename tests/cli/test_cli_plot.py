"""`arena plot`, in a terminal and in files."""

import subprocess
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from rich.cells import cell_len
from typer.testing import CliRunner, Result

from arena.cli.app import program
from tests.cli.field import keep, round_robin

Arena = Callable[..., Result]
PICTURES = ["ratings", "history", "crosstable", "sides"]


@pytest.fixture
def field(tmp_path: Path) -> Path:
    """Four engines over two variants; one has a name that HTML must not take for its own."""
    path = keep(tmp_path / "field.db", "aa11", round_robin("ann bob <cyd>&", 16))
    return keep(path, "bb22", round_robin("ann bob dan-with-a-very-long-name", 8), "callanish-7")


@pytest.mark.parametrize(("what", "plain"), [*((what, True) for what in PICTURES), ("crosstable", False)])
def test_a_terminal_of_80_columns_is_enough(field: Path, what: str, plain: bool) -> None:
    """Also in plain ASCII, where nothing else is printed."""
    runner = CliRunner(env={"COLUMNS": "80", "NO_COLOR": "1"})
    done = runner.invoke(program(), ["plot", what, str(field), *(["--ascii"] if plain else [])])
    assert done.exit_code == 0, done.stderr
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert "72 games" in done.stdout.splitlines()[0]
    assert done.stdout.isascii() or not plain


@pytest.mark.parametrize("what", PICTURES)
def test_an_svg_file_is_well_formed_and_names_everybody(arena: Arena, field: Path, what: str, tmp_path: Path) -> None:
    """Nothing is printed; names are escaped."""
    target = tmp_path / "p.svg"
    done = arena("plot", what, field, "--svg", target)
    assert done.exit_code == 0 and not done.stdout, done.stderr
    root = ElementTree.fromstring(target.read_text())
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    texts = {element.text for element in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {"scottish", "callanish-7"} <= texts if what == "sides" else {"ann", "bob", "<cyd>&"} <= texts


class Tags(HTMLParser):
    """What a browser sees."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.text.append(data)


@pytest.mark.parametrize("what", ["ratings", "crosstable", "sides"])
def test_a_page_has_the_picture_and_its_figures_and_runs_nothing(
    arena: Arena, field: Path, what: str, tmp_path: Path
) -> None:
    """One file, no script, nothing fetched, and no tag that came from a name."""
    target = tmp_path / "p.html"
    assert arena("plot", what, field, "--html", target).exit_code == 0
    page = target.read_text()
    seen = Tags()
    seen.feed(page)
    assert {"svg", "table", "td"} <= set(seen.tags)
    assert not {"script", "link", "img", "iframe", "cyd"} & set(seen.tags)
    assert "ann" in seen.text or what == "sides"


def test_one_variant_or_one_run_can_be_asked_for(arena: Arena, field: Path) -> None:
    """The rest does not count."""
    assert "<cyd>&" not in arena("plot", "ratings", field, "--variant", "callanish-7").stdout
    assert "dan" not in arena("plot", "ratings", field, "--run", "aa").stdout
    assert "48 games of run aa11" in arena("plot", "sides", field, "--run", "aa").stdout


def test_the_history_ends_with_the_published_rating(arena: Arena, field: Path, tmp_path: Path) -> None:
    """The last line of its table has the figures of the ratings' table."""
    pages = {}
    for what in ("ratings", "history"):
        assert arena("plot", what, field, "--html", tmp_path / "p.html").exit_code == 0
        seen = Tags()
        seen.feed((tmp_path / "p.html").read_text().split("<tbody>")[1])
        pages[what] = [text for text in seen.text if text.strip()]
    rating = pages["ratings"][pages["ratings"].index("ann") + 1]
    assert rating in pages["history"][-4:]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--svg", "a.svg", "--html", "a.html"), "give one of --svg and --html, not both"),
        (("--svg", "no/such/a.svg"), "there is no folder"),
        (("--variant", "go"), "has no such games"),
    ],
)
def test_what_cannot_be_drawn_is_refused(arena: Arena, field: Path, words: tuple[str, ...], sentence: str) -> None:
    """In one sentence."""
    done = arena("plot", "ratings", field, *words)
    assert done.exit_code == 2 and sentence in done.stderr


def test_a_database_without_games_is_told_so(arena: Arena, empty_db: Path) -> None:
    """There is nothing to draw."""
    done = arena("plot", "ratings", empty_db)
    assert done.exit_code == 2 and "no decided game" in done.stderr


WIDE = "日本語エンジン🐉"
"""Eight signs in sixteen columns."""


@pytest.fixture
def wide(tmp_path: Path) -> Path:
    """Two engines, one of them with a wide name."""
    return keep(tmp_path / "wide.db", "aa11", round_robin(f"ann {WIDE}", 16))


@pytest.mark.parametrize(("what", "last"), [("ratings", " games"), ("crosstable", "")])
def test_wide_names_shift_nothing(arena: Arena, wide: Path, what: str, last: str) -> None:
    """A kanji takes two columns, here as in the standings: both lines end under each other."""
    lines = [line for line in arena("plot", what, wide).stdout.splitlines() if "ann" in line or WIDE in line]
    assert len({cell_len(line) for line in lines}) == 1 and all(line.endswith(last) for line in lines)


@pytest.mark.parametrize("command", ["standings", "plot ratings"])
def test_signs_that_a_terminal_lacks_are_replaced_as_wide_as_they_are(wide: Path, command: str) -> None:
    """Tables and pictures alike: question marks, and all columns where they were."""
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "NO_COLOR": "1", "COLUMNS": "100"}
    line = [sys.executable, "-m", "arena.main", *command.split(), str(wide)]
    done = subprocess.run(line, env=plain, capture_output=True, timeout=30, check=True)
    shown = done.stdout.decode("ascii").splitlines()
    one, two = (line for line in shown if "ann" in line or "???" in line)
    assert "?" * cell_len(WIDE) + " " in two and WIDE not in two
    assert len(one) == len(two)


def test_plain_ascii_has_no_other_sign_of_a_name(arena: Arena, wide: Path) -> None:
    """What `--ascii` promises."""
    assert "?" * cell_len(WIDE) in arena("plot", "ratings", wide, "--ascii").stdout
