"""The kinds of pages that a run has: the word for each, which runs have it, and how it is made.

The navigation, the report and the server all read this one table.
"""

from collections.abc import Callable
from typing import NamedTuple

from arena.web.links import Kind
from arena.web.pages.rounds import LadderPage, RoundsPage, ladder_page, rounds_page
from arena.web.pages.settings import RunPage, run_page
from arena.web.pages.sprt import SprtPage, sprt_page
from arena.web.privacy import Privacy
from results.record import Run
from results.store.reader import Reader

OneRunPage = RunPage | SprtPage | LadderPage | RoundsPage


class RunPageKind(NamedTuple):
    """A kind of page that belongs to one run."""

    kind: Kind
    word: str
    """Its name in the navigation, an English word of the interface."""
    fits: Callable[[Run], bool]
    """Does this run have such a page?"""
    make: Callable[[Reader, Run, Privacy], OneRunPage | None]
    """Makes the page. None where somebody changed the configuration so that it cannot be read."""


def _is_sprt(run: Run) -> bool:
    """Is the run a sequential test? It is stored as the match that it stops."""
    return run.kind == "sprt" or "sprt" in run.settings


def _has_rounds(run: Run) -> bool:
    """Does the run have a format that pairs by results?"""
    return run.settings.get("format") in ("swiss", "knockout", "king-of-the-hill")


RUN_PAGES = (
    RunPageKind("sprt", "Sequential test", _is_sprt, lambda store, run, privacy: sprt_page(store, run)),
    RunPageKind("ladder", "Ladder", lambda run: run.kind == "ladder", ladder_page),
    RunPageKind("rounds", "Rounds", _has_rounds, lambda store, run, privacy: rounds_page(store, run)),
    RunPageKind("run", "Configuration", lambda run: True, run_page),
)
"""In the order of the navigation."""


def run_pages(run: Run) -> list[RunPageKind]:
    """The pages that a run has."""
    return [each for each in RUN_PAGES if each.fits(run)]
