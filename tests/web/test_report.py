"""A report is a folder of pages that open without a server and tell nothing that is private."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from arena.formats.registry import FORMATS, FormatConfig
from arena.openings.books import Start
from arena.play.jobs import EngineSpec, GameJob, Terms
from arena.timing.time_control import fixed
from arena.web import report
from arena.web.choice import parse_choice
from arena.web.privacy import Privacy
from arena.web.report import ReportRefused, write_report
from results.store.store import Store
from tests import plans
from tests.web.conftest import HOSTILE, PLAYERS, SECRETS, played


class Markup(HTMLParser):
    """What a browser would make of a page: its elements, their attributes and its texts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def targets(self) -> Iterator[str]:
        """Every address that the page names."""
        for tag, attributes in self.elements:
            for name in ("href", "src"):
                if tag != "use" and (address := attributes.get(name)):
                    yield address


@pytest.fixture(scope="module")
def folder(cup: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of the cup."""
    target = tmp_path_factory.mktemp("report") / "out"
    with Store.open_existing(cup, upgrade=False) as store:
        write_report(store, target)
    return target


def pages(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.html"))


SOME = ("swiss",)


@pytest.mark.parametrize(
    "format", [each if each in SOME else pytest.param(each, marks=pytest.mark.long) for each in FORMATS]
)
def test_a_run_of_each_format_has_a_report(tmp_path: Path, format: str) -> None:
    """Of five engines, so that some rounds have byes. A format that pairs by results has a page of its rounds."""
    names = ("ann", "bob", "cyd", "dan", "eve")
    keys = {"pairings": (("ann", "bob"), ("cyd", "dan"))} if format == "pairings" else {}
    setting = (Start("callanish-5"),), 2, 1, Terms(fixed("nodes", 1)), FormatConfig(format, **keys)
    plan = plans.plan("tournament", "cup", [EngineSpec(name, ("true",)) for name in names], *setting)
    with Store.create_or_open(tmp_path / "cup.db") as store:
        store.add_run(plan.run(()), [replace(PLAYERS[0], name=name) for name in names])
        games = plan.games_to_play(store)
        while isinstance(job := games.next(), GameJob):
            record = replace(played(job.number, job.p1, job.p2), id=job.id, round=job.round)
            store.add_game(record)
            games.ended(record, None)
        write_report(store, tmp_path / "out")
    rounds = [*(tmp_path / "out" / "rounds").glob("*.html")]
    assert len(rounds) == (0 if plan.is_fixed else 1)
    assert all("ann" in page.read_text() for page in (tmp_path / "out" / "index.html", *rounds))


def test_every_link_of_every_page_leads_to_a_file_of_the_report(folder: Path) -> None:
    """Nothing is loaded from elsewhere, and no link leads nowhere."""
    for page in pages(folder):
        ids = {attributes.get("id") for _, attributes in Markup(page.read_text()).elements}
        for address in Markup(page.read_text()).targets():
            name, _, place = address.partition("#")
            assert not re.match(r"[a-z]+:|//", address), (page, address)
            assert (page.parent / name).resolve().is_relative_to(folder), (page, address)
            assert name == "" or (page.parent / name).is_file(), (page, address)
            assert name or place in ids, (page, address)


def test_hostile_names_are_text_on_every_page(folder: Path) -> None:
    """A name makes no element and no attribute, and turns no line around."""
    seen = 0
    for page in pages(folder):
        text = page.read_text()
        markup = Markup(text)
        assert "alert(1)</script>" not in text and "\u202e" not in text, page
        assert not any(name.startswith("on") for _, attributes in markup.elements for name in attributes), page
        assert all(attributes.get("style") is None for _, attributes in markup.elements), page
        seen += "&lt;script&gt;alert(1)" in text
    assert seen > 10


def test_a_report_tells_nothing_private(folder: Path, cup: Path, tmp_path: Path) -> None:
    """No path, no command line, no name of a machine, no stderr; with --with-private they are there."""
    everything = "\n".join(path.read_text() for path in folder.rglob("*") if path.is_file())
    assert not [secret for secret in (*SECRETS, "books/own.bin", str(cup.parent)) if secret in everything]
    assert "position fen 5/5/5/5/5 p1 1" in everything  # it is no path
    with Store.open_existing(cup) as store:
        write_report(store, tmp_path / "open", hide=False)
    told = "\n".join(path.read_text() for path in (tmp_path / "open").rglob("*.html"))
    assert not [secret for secret in SECRETS if secret not in told]


REASONS = {
    "engine 'x' cannot be started: exit status 2": "; its last words on stderr: SECRET; SECRET; "
    "`arena check '/opt/SECRET --key SECRET' --level smoke` shows what was said",
    "engine 'x' fails A11 of the protocol's first checks (no bestmove)": "; "
    "`arena check 'java -jar SECRET' --variant callanish-5 --only A11` tells more",
}
"""What a report tells of why engines are withdrawn, and what it does not."""


def test_the_reason_of_a_withdrawal_tells_nothing_private(folder: Path) -> None:
    """The reason stays, on pages and as JSON; the command line and what came from stderr are left out."""
    for reason, secret in REASONS.items():
        assert Privacy(True).withdrawn(reason + secret) == reason
        assert Privacy(False).withdrawn(reason + secret) == reason + secret
    told = json.loads((folder / "api/standings.json").read_text())
    assert told["withdrawn"] == {HOSTILE[0]: "… is gone from …"}
    assert "… is gone from …" in (folder / "index.html").read_text()


def test_a_folder_is_replaced_only_if_it_is_a_report(cup: Path, tmp_path: Path) -> None:
    """A folder with other things in it is refused and stays as it is; a report is replaced whole."""
    target = tmp_path / "out"
    target.mkdir()
    with Store.open_existing(cup) as store:
        write_report(store, target)  # an empty folder will do
        (target / "game" / "1-99.html").write_text("left over")
        (target / "ja").mkdir()  # version 0.4 wrote the pages in Japanese, too
        write_report(store, target)
        assert not (target / "game" / "1-99.html").exists() and not (target / "ja").exists()
        (target / "thesis.txt").write_text("mine")
        with pytest.raises(ReportRefused, match=r"thesis\.txt"):
            write_report(store, target)
        (target / report.MARK).write_text("{}")
        with pytest.raises(ReportRefused, match="not empty"):
            write_report(store, target)
        with pytest.raises(ReportRefused, match="no folder"):
            write_report(store, tmp_path / "no" / "where")
    assert (target / "thesis.txt").read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_games_chooses_which_games_get_a_page(cup: Path, tmp_path: Path) -> None:
    """Tables count all games; the report says how many have no page."""
    for words, numbers in (("2", [5, 6]), ("lost,1", [6])):
        with Store.open_existing(cup) as store:
            written = write_report(store, tmp_path / "out", parse_choice(words))
        assert written.games == len(numbers)
        found = sorted(int(path.stem.split("-")[1]) for path in (tmp_path / "out" / "game").glob("*.html"))
        assert found == numbers
        said = f"{len(numbers)} of 6 games have a page here" in (tmp_path / "out" / "index.html").read_text()
        assert said == (len(numbers) < 6)


def test_a_game_can_be_taken_as_pgn_json_and_svg(folder: Path) -> None:
    """The files hold the game of the page, without what is private."""
    found = json.loads((folder / "game/1-6.json").read_text())
    assert (found["number"], found["p1"], found["host"], found["evidence"]["stderr"]) == (6, HOSTILE[0], "", "")
    assert '[Result "0-1"]' in (folder / "game/1-6.pgn").read_text()
    assert (folder / "game/1-6.svg").read_text().startswith("<svg")
    links = set(Markup((folder / "game/1-6.html").read_text()).targets())
    assert {f"../game/1-6.{end}" for end in ("pgn", "json", "svg")} <= links
