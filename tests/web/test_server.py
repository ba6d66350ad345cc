"""What a server answers: pages, data, refusals."""

import html
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from typer.testing import CliRunner

from arena.web import api
from arena.web.server import database
from arena.web.server.guard import HEADERS
from tests.command_line import program
from tests.web.conftest import HOSTILE, SECRETS, games, keep, played
from tests.web.serving import ask, served
from tests.web.test_report import Markup


@pytest.fixture(scope="module")
def base(cup: Path) -> Iterator[str]:
    """The address of a server of the six games."""
    with served(cup) as address:
        yield address


@pytest.fixture(scope="module")
def private(cup: Path) -> Iterator[str]:
    """The same, without what is private."""
    with served(cup, hide=True) as address:
        yield address


def crawled(base: str) -> dict[str, str]:
    """Everything that can be reached by links from the first page, and its text."""
    found: dict[str, str] = {}
    waiting = ["/"]
    while waiting:
        path = waiting.pop()
        if path in found or path.startswith("#"):
            continue
        answer = ask(base, path)
        assert answer.status == 200, path
        found[path] = answer.text
        if answer.headers["content-type"].startswith("text/html"):
            links = {*Markup(answer.text).targets()}
            assert all(link.startswith(("/", "#")) for link in links), links
            waiting += links
    return found


def test_every_link_leads_to_a_page_and_names_are_text_there(tmp_path: Path) -> None:
    """No link is broken, none leads elsewhere, and no name becomes a part of the page. To show it makes no file."""
    db = keep(tmp_path / "a.db", games())
    before = db.read_bytes()
    with served(db) as base:
        pages = crawled(base)
    assert {"/", "/standings", "/games", "/run/aa11", "/game/aa11-6", "/static/live.js"} <= pages.keys()
    assert f"/engine/{quote(HOSTILE[1], safe='')}" in pages
    for path, text in pages.items():
        if not path.startswith("/static/") and not path.endswith((".json", ".pgn")):
            assert "<script>alert" not in text, path
            assert "\u202e" not in re.sub(r'value="[^"]*"', "", text), path  # what a form sends is as it is
    assert html.escape(HOSTILE[0]) in pages["/"]
    assert db.read_bytes() == before and os.listdir(tmp_path) == ["a.db"], "the database stays as it is"


def test_every_answer_has_the_headers_that_keep_a_page_from_harm(base: str) -> None:
    """Pages, data, files and refusals alike."""
    for path in ("/", "/static/style.css", "/api/standings.json", "/nothing", "/game/aa11-1.svg"):
        headers = ask(base, path).headers
        assert headers.items() >= HEADERS.items(), path
    assert "'unsafe" not in HEADERS["content-security-policy"]


def test_the_names_of_this_machine_are_answered(base: str) -> None:
    """With any port, since another program may lead to this one."""
    for host in ("localhost", "LOCALHOST:8420", "127.0.0.1:1", "[::1]:8420"):
        assert ask(base, "/api/config.json", host=host).status == 200


def test_nothing_can_be_sent(base: str) -> None:
    """Only GET and HEAD are answered, and the answer to another method says so."""
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "TRACE"):
        answer = ask(base, "/", method)
        assert (answer.status, answer.headers["allow"]) == (405, "GET, HEAD")


def test_an_address_without_a_page_is_told_so(base: str) -> None:
    """Whatever stands in it, the answer is a page that says so."""
    for path in (
        *("/nothing", "/static/../app.py", "/static/..%2fapp.py", "/game/..%2f", "/game/%00", "/game/aa11-99"),
        *("/game/aa11-1/2", "/engine/nobody", "/engine/", "/run/zz", "/sprt/aa11", "/ladder/aa11", "/rounds/aa11"),
        *("/api/nothing.json", "/games?after=x", "/game/aa11-1.exe", "/game/aa11-1.svg?ply=99", "/%ff", "//", "/ja/"),
        *("/games/2", "/standings/x", "/crosstable/", "/pair/1-2", "/index"),
    ):
        answer = ask(base, path)
        assert answer.status == 404
        assert "Not found" in answer.text


def test_a_filter_that_means_nothing_is_explained(base: str) -> None:
    """The page has the sentence of the command, as text."""
    for path, sentence in (
        ("/standings?variant=chess", "has no such games"),
        ("/games?engine=nobody", "has no such engine"),
        ("/games?since=yesterday", "write a date"),
        ("/games?termination=%3Cb%3E", "name one of"),
        ("/games?engine=" + "x" * 400, "longer than"),
        ("/standings?anchor=nobody", "nobody"),
        ("/crosstable?run=zz", "no such run"),
    ):
        answer = ask(base, path)
        assert answer.status == 400
        assert sentence in answer.text
        assert "<b>" not in answer.text.partition("<main")[2]


def test_a_long_list_goes_on_where_it_stopped_and_keeps_its_filter(tmp_path: Path) -> None:
    """A page has a hundred games, and each game is on one page."""
    db = keep(tmp_path / "a.db", [played(number, HOSTILE[0], HOSTILE[1], seed=1) for number in range(1, 251)])
    numbers: list[int] = []
    with served(db) as base:
        path = "/games?variant=callanish-5"
        for _ in range(3):
            text = ask(base, path).text
            numbers += map(int, re.findall(r'"/game/aa11-(\d+)"', text))
            more = re.search(r'rel="next" href="([^"]+)"', text)
            if more is None:
                break
            path = html.unescape(more[1])
            assert "variant=callanish-5" in path
    assert numbers == list(range(1, 251))


COMMANDS = {
    "standings.json": ["standings", "--json"],
    "crosstable.json": ["standings", "--crosstable", "--json"],
    "games.json": ["games", "--json"],
    "stats.json": ["stats", "--json"],
    "config.json": ["show", "1", "--json"],
}


def test_data_is_what_the_command_prints(base: str, cup: Path) -> None:
    """Each address under /api has a command with the same answer."""
    for name in api.NAMES:
        command, *options = COMMANDS[name]
        done = CliRunner().invoke(program(), [command, str(cup), *options])
        answer = ask(base, f"/api/{name}")
        assert answer.headers["content-type"] == "application/json"
        if name == "games.json":
            assert answer.text == done.stdout
        else:
            told = json.loads(done.stdout)
            assert json.loads(answer.text) == (told["config"] if name == "config.json" else told)


def test_private_things_are_nowhere(private: str) -> None:
    """No page, file or answer has a path, the name of a machine, or what an engine wrote to stderr."""
    pages = ("/", "/games", "/run/aa11", f"/engine/{quote(HOSTILE[0], safe='')}", "/game/aa11-6")
    data = ("/game/aa11-6.json", "/game/aa11-6.pgn", *(f"/api/{name}" for name in (*api.NAMES, "live.json")))
    for path in (*pages, *data):
        answer = ask(private, path)
        assert answer.status == 200 and not [secret for secret in SECRETS if secret in answer.text], path


def test_a_database_may_come_go_and_come_back(tmp_path: Path) -> None:
    """Made after the server began, deleted, replaced by another file: pages say what is there at the moment."""
    db = tmp_path / "a.db"
    with served(db) as base:
        answer = ask(base, "/standings")
        assert answer.status == 503
        assert "is not there yet" in answer.text
        keep(db, list(games())[:2])
        assert "2 games" in ask(base, "/games").text
        db.unlink()
        answer = ask(base, "/games")
        assert answer.status == 503
        assert "is gone" in answer.text
        keep(tmp_path / "b.db", games()).rename(db)
        assert "6 games" in ask(base, "/games").text
        keep(tmp_path / "b.db", list(games())[:4]).rename(db)
        assert "4 games" in ask(base, "/games").text


def test_a_database_that_is_cut_while_it_is_served_is_told_and_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One sentence on each page and in the data, and no traceback. What is written over it is shown again."""
    monkeypatch.setattr(database, "SHARE", 0)
    monkeypatch.setattr(database, "FRESH_S", 0.0)
    db = keep(tmp_path / "a.db", games())
    whole = db.read_bytes()
    with served(db) as base:
        assert "6 games" in ask(base, "/games").text
        os.truncate(db, 10_000)
        for path in ("/", "/games", "/api/games.json"):
            answer = ask(base, path)
            assert answer.status == 500
            assert "a.db cannot be used (database disk image is malformed)" in answer.text
        db.write_bytes(whole)
        assert "6 games" in ask(base, "/games").text
    assert "Traceback" not in capsys.readouterr().err


def test_a_query_that_takes_too_long_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks for too much gets a sentence, and does not hold up the others."""
    monkeypatch.setattr(database, "LONGEST_S", -1.0)
    monkeypatch.setattr("results.store.store._STEPS", 1)
    db = keep(tmp_path / "a.db", games())
    with served(db) as base:
        answer = ask(base, "/standings")
        assert answer.status == 500
        assert "ask for fewer games" in answer.text
