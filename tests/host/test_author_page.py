"""The page of a guest's author: its own games of all builds, and the evidence of its own faults alone."""

import re
import time
import urllib.error
import urllib.request
from dataclasses import replace
from pathlib import Path

import pytest

from arena.conformance.check import CheckEvidence, CheckVerdict, Finding, Severity
from arena.host.author_page import author_page
from arena.host.door import _report, keep, reports_beside
from arena.host.presence import guest_spec
from arena.web.pages.source import PageSource
from arena.web.privacy import Privacy
from protocol.session import Identity
from results.record import CheckReport, Evidence, GameRecord, Player, Termination, Winner
from results.store.store import Store
from tests.host.guests import connected, hub, wait_for
from tests.results.made import GAME, RUN


def evidence(side: str, words: str) -> Evidence:
    return Evidence(side, "crash", "it ended", "exit status 3", ("fox <- go",), words, None, None, None, None)  # type: ignore[arg-type]


def filled(store: Store) -> None:
    builds = (("fox", "d1"), ("fox@2", "d2"), ("cat", "d3"))
    players = [Player(name, "1", "A", ("relay", name[:3], build), build, name[:3]) for name, build in builds]
    store.add_run(RUN, [*players, Player("fox@3", "1", "A", ("./fox",), "d4", "fox")])
    crash = Termination.CRASH
    games = [
        game(1, "fox", "cat", "p2", crash, evidence("p1", "secret of fox")),
        game(2, "cat", "fox@2", "p2", crash, evidence("p1", "secret of cat")),
        game(3, "cat", "fox@2", "p1", "line", None),
        game(4, "fox@3", "cat", "p2", crash, evidence("p1", "secret of the host's own engine")),
    ]
    store.add_ended_games(games)


def game(number: int, p1: str, p2: str, winner: Winner, how: str, why: Evidence | None) -> GameRecord:
    return replace(
        GAME,
        id=f"{RUN.id}-{number}",
        number=number,
        p1=p1,
        p2=p2,
        winner=winner,
        termination=how,
        evidence=why,
    )


def test_an_author_sees_why_the_own_engine_lost_and_nothing_that_another_one_wrote() -> None:
    with Store.in_memory() as store:
        filled(store)
        page = author_page(PageSource(store, Privacy(True)), "fox")
        stranger = author_page(PageSource(store, Privacy(True)), "nobody")
    assert {(own.game.number, own.engine, own.result) for own in page.games} == {
        (1, "fox", "lost"),
        (2, "fox@2", "won"),
        (3, "fox@2", "lost"),
    }
    assert [(own.game.number, why.stderr) for own, why in page.faults] == [(1, "secret of fox")]
    assert stranger.games == ()


def report(guest: str, build: str, words: str) -> CheckReport:
    """A certificate of the door, as that makes it."""
    spec = guest_spec({}, guest, build, plain=True)
    evidence = CheckEvidence(words, ("ugi",), (f"info string {words}",), stderr=("its last words",))
    a3 = Finding("A3", "3.1", Severity.FATAL, "it answers", None, CheckVerdict.FAIL, "", evidence)
    a4 = Finding("A4", "3.2", Severity.MAJOR, "it has a name", None, CheckVerdict.PASS, "3 ms")
    return _report(spec, Identity("Engine", "A", "1", {}), "2026-11-25T01:00:00Z", "callanish-5", [a3, a4])


@pytest.mark.timeout(180)
def test_the_page_needs_the_token_or_a_link_that_the_client_prints(tmp_path: Path) -> None:
    """The token stands in no address; a page without either is refused, and so is that of another guest."""
    with Store.create_or_open(tmp_path / "lad.db") as store:
        filled(store)

    def ask(path: str, token: str = "") -> tuple[int, str]:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        request = urllib.request.Request(f"http://127.0.0.1:{lab.port}{path}", headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as refused:
            with refused:
                return refused.code, refused.read().decode()

    reports = reports_beside(tmp_path / "lad.db")
    for guest, build in (("fox", "d1"), ("cat", "d3"), ("fox", "d9")):
        keep(reports, report(guest, build, f"unseen of {guest}"))
    with hub(tmp_path, "fox", "cat") as lab, connected(lab, "fox") as fox:
        link = next(each for each in fox.said if "/mine/" in each).partition(f":{lab.port}")[2]
        assert lab.tokens["fox"] not in link
        for status, text in (ask(link), ask("/mine", lab.tokens["fox"])):
            assert status == 200 and "secret of fox" in text and "secret of cat" not in text
            assert "unseen of cat" not in text and "host's own engine" not in text.replace("&#39;", "'")
            for word in ("unseen of fox", "A3 3.1", "A4", "it has a name", "3 ms", "its last words", "arena check"):
                assert word in text, word
        text = ask(link)[1]
        assert re.findall(r"<bdi>(fox\S*)</bdi>: (not playable)", text) == [("fox", "not playable")] * 2
        assert "Machine" not in text  # the engine runs elsewhere
        status, text = ask("/mine", lab.tokens["cat"])
        assert status == 200 and "secret of cat" in text and "secret of fox" not in text
        fox.cut()
        wait_for(lambda: sum("connected as" in each for each in fox.said) == 2)
        assert ask(link)[0] == 200  # a line that was lost and came back leaves it good
        assert ask("/mine/" + 32 * "x")[0] == 403 and ask("/mine")[0] == 403 and ask("/mine", "wrong")[0] == 403
        assert "secret of" not in ask(f"/game/{RUN.id}-1")[1]
        assert ask("/checks")[0] == 404 and ask("/check/1")[0] == 404  # certificates are nobody else's business
        status, text = ask("/guests")
        assert status == 200 and "fox" in text
        lab.accounts.revoke("fox", time.time())
        assert ask(link)[0] == 403  # at once, as the token
