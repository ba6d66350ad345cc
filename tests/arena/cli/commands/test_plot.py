"""`arena plot`: pictures in files, and their figures."""

import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner, Result

from results.plots.draw import Subject
from results.record import Winner
from tests.arena.cli.field import Made, keep, round_robin
from tests.command_line import program

Arena = Callable[..., Result]
PICTURES = [*Subject]
SAMPLED = [pytest.param(what, marks=[pytest.mark.long] * (what is Subject.HISTORY)) for what in PICTURES]
"""The history takes many fits: it is drawn where long tests are played."""


@pytest.fixture(scope="module")
def field(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four engines over two variants; one has a name that HTML must not take for its own. Nobody writes to it."""
    path = keep(tmp_path_factory.mktemp("field") / "field.db", "aa11", round_robin("ann bob <cyd>&", 16))
    return keep(path, "bb22", round_robin("ann bob dan-with-a-very-long-name", 8), "callanish-7")


@pytest.mark.parametrize("what", SAMPLED)
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


@pytest.mark.parametrize("what", ["ratings", "sides"])
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
    assert "cyd" not in arena("plot", "ratings", field, "--variant", "callanish-7", "--svg", "-").stdout
    assert "dan" not in arena("plot", "ratings", field, "--run", "aa", "--svg", "-").stdout
    assert "48 games of run aa11" in arena("plot", "sides", field, "--run", "aa", "--svg", "-").stdout


SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("what", SAMPLED)
def test_the_figures_of_a_page_are_a_table_that_is_closed_at_first(
    arena: Arena, field: Path, what: str, tmp_path: Path
) -> None:
    """Nobody reads the same twice, and whoever cannot see the picture can open it."""
    target = tmp_path / "p.html"
    assert arena("plot", what, field, "--html", target).exit_code == 0
    before, _, after = target.read_text().partition("<details><summary>The figures as a table</summary>")
    assert "<svg" in before and "<table" not in before and "<table" in after


def cells(page: str) -> list[list[str]]:
    """The rows of a page's table, without the headings."""
    return [re.findall("<td>(.*?)</td>", row) for row in page.splitlines() if row.startswith("<tr>")]


def test_the_history_ends_with_the_published_rating(arena: Arena, field: Path, tmp_path: Path) -> None:
    """The last line of its table has the figures of the ratings' table."""
    pages = {}
    for what in ("ratings", "history"):
        assert arena("plot", what, field, "--html", tmp_path / "p.html").exit_code == 0
        pages[what] = cells((tmp_path / "p.html").read_text())
    ratings = [row[4] for row in pages["ratings"]]
    assert len(ratings) == 4 and pages["history"][-1] == ["72", *ratings]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--svg", "-", "--html", "-"), "--svg - and --html - cannot be printed together; name a file instead of -"),
        (("--svg", "-", "--json"), "--svg - and --json cannot be printed together"),
        (("--svg", "a", "--html", "./a"), "--svg and --html both name 'a'; name two files"),
        (("--svg", "no/such/a.svg"), "--svg"),
        (("--variant", "go", "--json"), "has no such games"),
        ((), "name the file to draw into: --svg FILE or --html FILE; --json prints the figures"),
    ],
)
def test_what_cannot_be_drawn_is_refused(arena: Arena, field: Path, words: tuple[str, ...], sentence: str) -> None:
    """In one sentence."""
    done = arena("plot", "ratings", field, *words)
    assert done.exit_code == 2 and sentence in done.stderr


def test_a_database_without_games_is_told_so(arena: Arena, empty_db: Path) -> None:
    """There is nothing to draw."""
    done = arena("plot", "ratings", empty_db, "--json")
    assert done.exit_code == 2 and "no decided game" in done.stderr


def text_of(picture: str) -> str:
    """What can be read in a picture, from the top on."""
    return " ".join(element.text or "" for element in ElementTree.fromstring(picture).iter(f"{SVG}text"))


@pytest.mark.parametrize("winner", ["p1", "draw"])
def test_a_picture_says_whose_elo_is_a_guess(arena: Arena, tmp_path: Path, winner: Winner) -> None:
    """In the words of the standings; an end that games do not bound is missing in its table."""
    other: Winner = "p2" if winner == "p1" else winner
    db = keep(tmp_path / "some.db", "aa11", [("ann", "bob", winner), ("bob", "ann", other)] * 9)
    assert arena("plot", "ratings", db, "--html", tmp_path / "p.html").exit_code == 0
    page = (tmp_path / "p.html").read_text()
    guesses = [line for line in arena("standings", db).stdout.splitlines() if "is only a guess: " in line]
    assert all(f"<p>{line}</p>" in page for line in guesses) and len(guesses) == (2 if winner == "p1" else 0)
    assert [row[3] for row in cells(page)].count("-") == len(guesses) / 2


def test_intervals_are_those_of_the_standings(arena: Arena, tmp_path: Path) -> None:
    """Elo and its error are the same figures in both, also after a lopsided score."""
    won: list[Made] = [("ann", "bob", "p1"), ("bob", "ann", "p2")]
    db = keep(tmp_path / "two.db", "aa11", [*won * 9, ("ann", "bob", "p2")])
    rows = [line.split()[2:4] for line in arena("standings", db).stdout.splitlines()[1:3]]
    drawn = text_of(arena("plot", "ratings", db, "--svg", "-").stdout)
    assert all(" ".join(row) in drawn for row in rows)


def test_games_are_those_of_the_standings(arena: Arena, two_runs: Path) -> None:
    """All that were decided, of which one was played twice; a single one is `1 game`."""
    assert [row["games"] for row in json.loads(arena("standings", two_runs, "--json").stdout)["engines"]] == [4, 4]
    assert " 4 games" in arena("plot", "ratings", two_runs, "--svg", "-").stdout
    assert "1 game of run ab22" in arena("plot", "ratings", two_runs, "--run", "ab22", "--svg", "-").stdout


def test_ratings_are_drawn_relative_to_an_anchor_and_with_what_must_be_known(arena: Arena, tmp_path: Path) -> None:
    """The anchor is at 0 without an interval; who cannot be compared is told; other pictures have no anchor."""
    db = keep(tmp_path / "two.db", "aa11", round_robin("ann bob cyd", 8))
    keep(db, "bb22", round_robin("xen yve", 8))
    told = json.loads(arena("plot", "ratings", db, "--anchor", "bob", "--tc", "5+0.05", "--json").stdout)
    (bob,) = (row for row in told["engines"] if row["name"] == "bob")
    assert (bob["rating"], bob["lower"], bob["upper"]) == (0, 0, 0)
    shown = text_of(arena("plot", "ratings", db, "--anchor", "bob", "--svg", "-").stdout)
    assert "Elo above bob, with 95 % intervals" in shown
    assert "no games connect these 2 groups" in shown and "xen, yve" in shown
    followed = text_of(arena("plot", "history", db, "--svg", "-").stdout)
    assert "not drawn, because no games connect them with these: xen, yve" in followed
    refused = arena("plot", "history", db, "--anchor", "bob", "--json")
    assert refused.exit_code == 2
    assert "--anchor bob: only ratings can be drawn relative to an engine, not history" in refused.stderr


def test_a_picture_and_a_page_are_written_by_one_command(arena: Arena, field: Path, tmp_path: Path) -> None:
    """And its figures printed, if they are asked for."""
    svg, html = tmp_path / "p.svg", tmp_path / "p.html"
    done = arena("plot", "ratings", field, "--svg", svg, "--html", html, "--json")
    assert "<circle" in svg.read_text() and html.read_text().count("<svg") == 2
    assert json.loads(done.stdout)["engines"][0]["name"] == "ann"


@pytest.mark.parametrize("form", ["--svg", "--html"])
def test_a_dash_is_stdout(
    arena: Arena, field: Path, form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What would be in the file, and no file of that name."""
    monkeypatch.chdir(tmp_path)
    assert arena("plot", "ratings", field, form, "p").exit_code == 0
    assert arena("plot", "ratings", field, form, "-").stdout == (tmp_path / "p").read_text()
    assert not (tmp_path / "-").exists()


def test_the_figures_of_the_ratings_are_those_of_the_standings(arena: Arena, field: Path) -> None:
    """With the same keys; of the history, the last point of each has them."""
    rows = json.loads(arena("standings", field, "--json").stdout)["engines"]
    ratings = json.loads(arena("plot", "ratings", field, "--json").stdout)["engines"]
    keys = ("name", "rating", "lower", "upper", "one_sided", "elo", "games")
    assert ratings == [{key: row[key] for key in keys} for row in rows]
    curves = json.loads(arena("plot", "history", field, "--json").stdout)["engines"]
    assert [curve["name"] for curve in curves] == [row["name"] for row in rows]
    for curve, row in zip(curves, rows, strict=True):
        assert [point["games"] for point in curve["points"]] == sorted({point["games"] for point in curve["points"]})
        last = curve["points"][-1]
        assert set(last) == {"games", "rating", "lower", "upper", "one_sided"} and last["games"] == 72
        assert last["one_sided"] == row["one_sided"]
        assert [last[key] for key in ("rating", "lower", "upper")] == pytest.approx(
            [row[key] for key in ("rating", "lower", "upper")]
        )


def test_the_figures_of_the_sides_are_points_from_0_to_1(arena: Arena, field: Path) -> None:
    """What p1 scores among equals, and what came of the games."""
    for side in (variants := json.loads(arena("plot", "sides", field, "--json").stdout)["variants"]):
        assert 0 < side["lower"] < side["score"] < side["upper"] < 1
        assert side["games"] == side["wins"] + side["draws"] + side["losses"]
    assert [(side["variant"], side["games"]) for side in variants] == [("callanish-7", 24), ("scottish", 48)]


def test_the_help_breaks_the_name_of_no_picture() -> None:
    """On 80 columns."""
    shown = CliRunner(env={"COLUMNS": "80", "NO_COLOR": "1"}).invoke(program(), ["plot", "--help"]).stdout
    assert re.search(rf"PICTURE +One of {', '.join(Subject)}\.", shown)


def test_an_unknown_picture_is_refused_in_a_sentence(arena: Arena, field: Path) -> None:
    """Which names those that there are."""
    done = arena("plot", "pie", field)
    assert done.exit_code == 2
    assert done.stderr == "arena: there is no picture 'pie'; name one of ratings, history, sides\n"
