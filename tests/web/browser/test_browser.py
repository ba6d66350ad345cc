"""Pages in Chromium: what moves, what is heard of it, and what the browser complains about, which is nothing."""

import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.web.report import write_report
from results.store.store import Store
from tests.arena.live.made import GAME, MOVES, running, written
from tests.running import running as process
from tests.web.browser.conftest import CHROMIUM, OpenPage
from tests.web.conftest import games, keep
from tests.web.serving import served

pytest.importorskip("playwright.sync_api", reason="the extra `browser` is not installed")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium"),
    # Playwright's own processes and pipes may outlive the test that collects them.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]
VIEWPORT = {"width": 800, "height": 900}
SOON_MS = 10_000
"""What should happen at once has so long on a busy machine."""
PLAIN = replace(GAME, moves=MOVES[:1], plies=1, scores=GAME.scores[:1], last=MOVES[0])
"""A game one ply after its opening."""
SIZES = [(390, "dark"), (800, "light")]


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """A database of six games, beside which live files may lie."""
    return keep(tmp_path / "a.db", games())


def test_a_move_is_on_the_board_soon(db: Path, visit: OpenPage) -> None:
    """Pieces, last move, score and clock change without a reload."""
    written(db, running(PLAIN))
    with served(db) as base:
        page = visit(base)
        page.wait_for_selector('[data-board] use[href="#callanish-119"]')
        page.evaluate("window.stays = true")
        before = page.locator(".pieces").inner_html()
        path = written(db, running(GAME))
        page.wait_for_selector("[data-move]:text-is('d5c7e7')")
        assert page.locator(".pieces").inner_html() != before
        assert page.locator('[data-side="0"] [data-score]').inner_text() == "+0.31"
        assert page.locator('[data-side="0"] [data-clock]').inner_text() == "4.3"
        assert page.evaluate("window.stays")
        path.unlink()
        page.wait_for_selector("#link:text-is('The run has ended.')")


@pytest.mark.long
def test_the_clock_of_the_side_to_move_counts_down(db: Path, visit: OpenPage) -> None:
    """From what the server's clock says, without any news."""
    written(db, running(replace(GAME, thinking_since_ns=time.monotonic_ns(), left_ms=(4321, 59_000))))
    with served(db) as base:
        page = visit(base)
        page.wait_for_selector("[data-side='1'] [data-clock]:text-matches('^5[0-9][.]')")
        seconds = int(page.locator("[data-side='1'] [data-clock]").inner_text().partition(".")[0])
        later = "|".join(str(seconds - more) for more in range(1, 10))
        page.wait_for_selector(f"[data-side='1'] [data-clock]:text-matches('^({later})[.]')")
        assert page.locator("[data-side='0'] [data-clock]").inner_text() == "4.3"


@pytest.mark.long
def test_no_page_is_wider_than_the_screen(db: Path, visit: OpenPage) -> None:
    """With four running games with long names; tables scroll within themselves."""
    long = "a-very-long-name-" * 8
    written(db, running(*(replace(GAME, slot=slot, id=f"abc-{slot}", p1=long) for slot in range(4)), name=long))
    with served(db) as base:
        page = visit(base, viewport={"width": 390, "height": 800})
        page.wait_for_selector("[data-board][data-key]")
        for path in ("/", "/standings", "/games", "/game/aa11-6", "/run/aa11", "/crosstable"):
            page.goto(base + path)
            assert page.evaluate("document.documentElement.scrollWidth") <= 390, path


@pytest.mark.long
def test_without_a_script_the_boards_are_there(db: Path, visit: OpenPage) -> None:
    """And the page loads itself again."""
    written(db, running(PLAIN))
    with served(db) as base:
        page = visit(base, java_script_enabled=False)
        page.wait_for_selector(".pieces use")
        written(db, running(GAME))
        page.wait_for_selector("text=d5c7e7")


def test_keys_step_through_a_game(db: Path, visit: OpenPage, tmp_path: Path) -> None:
    """Arrow keys, Home and End; on a server and in a report that is opened as a file."""
    with Store.open_existing(db) as store:
        write_report(store, tmp_path / "r")
    with served(db) as base:
        for address in (f"{base}/game/aa11-1", (tmp_path / "r" / "game" / "1-1.html").as_uri()):
            page = visit(address)
            output = page.locator(".controls output")
            for key, start in (("Home", "0 /"), ("ArrowRight", "1 /"), ("ArrowRight", "2 /"), ("ArrowLeft", "1 /")):
                page.keyboard.press(key)
                assert output.inner_text().startswith(start)
            assert page.url.endswith("#1")
            page.keyboard.press("End")
            last = output.inner_text().split()
            assert last[0] == last[2]


@pytest.mark.long
def test_a_lost_connection_is_told_and_found_again(db: Path, visit: OpenPage) -> None:
    """The page tries until the server is back."""
    written(db, running(PLAIN))
    command = [sys.executable, "-m", "arena", "serve", str(db), "--port", "0"]
    with process(command, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        base = server.stdout.readline().decode().split()[0].rstrip("/")
        page = visit(base)
        page.wait_for_selector("[data-board][data-key]")
        server.kill()
        page.wait_for_selector("#link:has-text('lost')")
    with served(db, port=int(base.rpartition(":")[2])):
        written(db, running(GAME))
        page.wait_for_selector("#link", state="hidden")
        page.wait_for_selector("text=d5c7e7")
    # The browser itself writes of each try that failed.
    faults = visit.faults  # type: ignore[attr-defined]
    faults[:] = [fault for fault in faults if "ERR_" not in fault]


AXE_PAGES = [
    *("/", "/standings", "/crosstable", "/games?engine=", "/games?termination=crash", "/game/aa11-6"),
    *("/engine/%3Cscript%3Ealert(1)%3C%2Fscript%3E", "/run/aa11", "/nothing"),
]


@pytest.mark.long
@pytest.mark.parametrize(("width", "scheme"), SIZES)
def test_a_checker_of_accessibility_finds_nothing(db: Path, chromium: Any, width: int, scheme: str) -> None:
    """axe-core: names of controls, contrast, headings, landmarks."""
    package = pytest.importorskip("axe_playwright_python", reason="axe-core is not installed")
    (source,) = Path(package.__file__).parent.glob("**/axe.min.js")
    written(db, running(GAME, replace(GAME, slot=1, id="abc-5"), withdrawn={"bob": "5 faults in a row"}))
    found = []
    with served(db) as base:
        # The checker is a script of others, which the pages' policy refuses.
        context = chromium.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=True)
        page = context.new_page()
        for path in AXE_PAGES:
            page.goto(base + path)
            if path == "/":
                page.wait_for_selector("[data-board][data-key]")
            page.evaluate(source.read_text(encoding="utf-8"))
            for violation in page.evaluate("axe.run()")["violations"]:
                found.append((path, violation["id"], violation["nodes"][0]["html"][:200]))
        context.close()
    assert found == []
