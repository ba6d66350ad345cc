"""Games with people in Chromium: played to the end by clicks, taps and keys, and what a checker of pages says."""

import contextlib
import random
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.human.choice import request_of
from arena.human.hosted_games import HostedGames
from tests.web.browser.conftest import CHROMIUM, OpenPage
from tests.web.hosting import hosted_games, hosting

pytest.importorskip("playwright.sync_api", reason="the extra `browser` is not installed")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.long,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium"),
    # Playwright's own processes and pipes may outlive the test that collects them.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]
VIEWPORT = {"width": 900, "height": 900}
SOON_MS = 15_000
"""What should happen at once has so long on a busy machine."""
GAME_S = 100
"""A whole game has so long."""
PERSON, OVER = "#table[data-phase=person]", "#table[data-phase=over]"
PHONE = {"viewport": {"width": 390, "height": 800}, "has_touch": True, "is_mobile": True, "color_scheme": "dark"}


@pytest.fixture
def games(tmp_path: Path) -> HostedGames:
    """Games that are kept in a folder of this test."""
    return hosted_games(tmp_path / "games")


@pytest.fixture
def base(games: HostedGames) -> Iterator[str]:
    """The address of their server."""
    with hosting(games) as address:
        yield address


def begun(games: HostedGames, base: str, **changed: str) -> str:
    """The address of a new game against `random`, the weakest engine."""
    usual = {"variant": "scottish", "opponent": "random", "strength": "4", "side": "p1", "clock": ""}
    return f"{base}/play/{games.begin(request_of({**usual, **changed}, games.registry))}"


def choose_by_click(page: Any, square: str) -> None:
    page.locator(f"[data-square={square}]").click()


def choose_by_tap(page: Any, square: str) -> None:
    page.locator(f"[data-square={square}]").tap()


def choose_by_keys(page: Any, square: str) -> None:
    """From the square that has the focus to this one by arrow keys, then Enter."""
    page.locator("#grid button[tabindex='0']").focus()
    here = page.evaluate("document.activeElement.dataset.square")
    across, up = ord(square[0]) - ord(here[0]), int(square[1:]) - int(here[1:])
    for key, times in (("ArrowRight", across), ("ArrowLeft", -across), ("ArrowUp", up), ("ArrowDown", -up)):
        for _ in range(max(0, times)):
            page.keyboard.press(key)
    page.keyboard.press("Enter" if across % 2 else "Space")


def play_to_the_end(page: Any, choose: Callable[[Any, str], None]) -> int:
    """Make moves by the squares that the page offers, until the game is over. The number of moves."""
    chance, until = random.Random(5), time.monotonic() + GAME_S
    while time.monotonic() < until:
        page.wait_for_selector(f"{PERSON}, {OVER}")
        if page.locator(OVER).count():
            return int(page.locator("#moves li").count())
        squares = page.eval_on_selector_all("#grid button.next", "all => all.map((each) => each.dataset.square)")
        if squares:
            choose(page, chance.choice(squares))
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("variant", ["callanish-7", "callanish-9", "scottish", "brandub"])
@pytest.mark.parametrize(
    ("choose", "settings"),
    [(choose_by_click, {}), (choose_by_tap, PHONE), (choose_by_keys, {})],
    ids="click tap keys".split(),
)
def test_a_game_is_played_to_its_end(
    games: HostedGames,
    base: str,
    visit: OpenPage,
    variant: str,
    choose: Callable[[Any, str], None],
    settings: dict[str, Any],
) -> None:
    """By nothing but what the page shows, with requests to the server alone."""
    # Greedy ends a game of somebody who plays by chance soon.
    page = visit(begun(games, base, variant=variant, opponent="greedy"), **settings)
    page.wait_for_selector(
        "#step:text-is('Choose %s.')" % ("a square for a stone" if "callanish" in variant else "the piece to move")
    )
    moves = play_to_the_end(page, choose)
    assert moves >= 3  # so soon a player may have no legal turn
    assert re.search("you win|wins|draw", page.inner_text("#said"))
    assert page.locator("button:not([data-square]):visible, input:visible, #step:not(:empty)").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
    record = next(games.folder.glob("*.jsonl")).read_text()
    assert f'"variant": "{variant}"' in record and '"unfinished"' not in record


def test_a_game_is_chosen_and_begun_on_a_page(base: str, visit: OpenPage) -> None:
    """With the strong engine at a low grade, which answers and gives hints."""
    page = visit(f"{base}/")
    page.select_option("[name=variant]", "callanish-7")
    page.select_option("[name=strength]", "1")
    page.click("#begin button")
    page.wait_for_selector(PERSON)
    assert "/play/" in page.url and "callanish-7" in page.inner_text("h1")
    choose_by_click(page, "d4")
    page.wait_for_selector("#moves li:nth-child(2)")
    page.wait_for_selector(PERSON)
    # Where it is not compiled, the engine has another name.
    assert re.search(r"strong.* plays ", page.inner_text("#said"))
    page.click("[data-do=hint]")
    page.wait_for_selector("#grid button.hinted")
    assert re.search(r"strong.* would play ", page.inner_text("#said"))


def test_undo_reasons_and_resigning(games: HostedGames, base: str, visit: OpenPage) -> None:
    """A wrong square gets its reason, Escape gives a choice up, and resigning is asked for once more."""
    page = visit(begun(games, base))
    page.wait_for_selector(PERSON)
    choose_by_click(page, "d4")
    page.wait_for_selector("#said:has-text('d4 has no piece of the side to move')")
    choose_by_click(page, "d1")
    targets = page.eval_on_selector_all("#grid button.next", "all => all.map((each) => each.dataset.square)")
    assert sorted(targets) == ["a1", "b1", "c1", "e1", "f1", "g1"]
    assert page.locator("[data-square=d1]").get_attribute("aria-pressed") == "true"
    page.keyboard.press("Escape")
    assert page.locator("[data-square=d1]").get_attribute("aria-pressed") == "false"
    choose_by_click(page, "d1")
    choose_by_click(page, "e2")
    page.wait_for_selector("#said:has-text('pieces move along a rank or file')")
    page.fill("#typed input", "D1 c1")
    page.keyboard.press("Enter")
    page.wait_for_selector("#moves li:nth-child(2)")
    page.wait_for_selector(PERSON)
    page.click("[data-do=undo]")
    page.wait_for_selector("#said:has-text('2 plies taken back')")
    assert page.locator("#moves li").count() == 0
    page.click("[data-do=resign]")
    page.click("#sure [value=no]")
    assert page.locator(PERSON).count() == 1
    page.click("[data-do=resign]")
    page.click("#sure [value=yes]")
    page.wait_for_selector(OVER)
    assert "random wins: you resigned" in page.inner_text("#said")


def test_two_pages_show_one_game_and_its_clocks(games: HostedGames, base: str, visit: OpenPage) -> None:
    """What is played on one of them is on the other, and the time of the side to move runs."""
    address = begun(games, base, opponent="human", clock="60+1")
    one, two = visit(address), visit(address)
    two.wait_for_selector(PERSON)
    one.wait_for_selector("[data-side='0'] [data-clock]:text-matches('^0:5[0-9]')")
    choose_by_click(one, "d1")
    choose_by_click(one, "c1")
    two.wait_for_selector("#moves li:has-text('d1c1')")
    two.wait_for_selector("[data-side='1'].thinks")
    assert "to move" in two.inner_text("[data-side='1']")
    assert "c1 attacker" in two.locator("[data-square=c1]").get_attribute("aria-label")


@pytest.mark.parametrize("settings", [{}, PHONE], ids=["wide", "phone"])
def test_a_checker_of_accessibility_finds_nothing(
    games: HostedGames, base: str, chromium: Any, settings: dict[str, Any]
) -> None:
    """axe-core: on the page of the choice, before a move, with a chosen piece, with the question, and at the end."""
    package = pytest.importorskip("axe_playwright_python", reason="axe-core is not installed")
    (source,) = Path(package.__file__).parent.glob("**/axe.min.js")
    found: list[object] = []

    def check(page: Any, where: str) -> None:
        page.evaluate(source.read_text(encoding="utf-8"))
        for violation in page.evaluate("axe.run()")["violations"]:
            found.append((where, violation["id"], violation["nodes"][0]["html"][:200]))

    # The checker is a script of others, which the pages' policy refuses.
    with contextlib.closing(chromium.new_context(bypass_csp=True, **settings)) as context:
        page = context.new_page()
        page.set_default_timeout(SOON_MS)
        page.goto(f"{base}/play")
        check(page, "choice")
        for variant, piece, target in (("scottish", "d1", "c1"), ("callanish-7", "d4", "")):
            page.goto(begun(games, base, variant=variant, clock="300+3"))
            page.wait_for_selector(PERSON)
            check(page, f"{variant}, before")
            choose_by_click(page, piece)
            if target:
                check(page, "chosen")
                choose_by_click(page, target)
            page.wait_for_selector("#moves li:nth-child(2)")
            page.wait_for_selector(PERSON)
            check(page, f"{variant}, after")
            page.click("[data-do=resign]")
            check(page, "question")
            page.click("#sure [value=yes]")
            page.wait_for_selector(OVER)
            check(page, f"{variant}, over")
    assert found == []
