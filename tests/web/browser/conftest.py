"""Chromium, for tests of pages. A module says with VIEWPORT how large a page is, with SOON_MS how long it may take."""

import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
OpenPage = Callable[..., Any]  # Playwright may not be installed, so its types are not known


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """The browser."""
    playwright = pytest.importorskip("playwright.sync_api", reason="the extra `browser` is not installed")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium: Any, request: pytest.FixtureRequest) -> Iterator[OpenPage]:
    """Opens an address in a context with these settings. In the end nothing was complained of or asked of others."""
    contexts: list[Any] = []
    faults: list[str] = []

    def opened(address: str, **settings: Any) -> Any:
        context = chromium.new_context(**{"viewport": request.module.VIEWPORT, **settings})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(request.module.SOON_MS)
        home = address.split("/")[:3]

        def requested(what: Any) -> None:
            if what.url.split("/")[:3] != home and not what.url.startswith("data:"):
                faults.append(f"asked for {what.url}")

        page.on("console", lambda message: faults.append(message.text))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("dialog", lambda dialog: faults.append("a dialog"))
        page.on("request", requested)
        page.goto(address)
        return page

    opened.faults = faults  # type: ignore[attr-defined]
    yield opened
    for context in contexts:
        context.close()
    assert faults == []
