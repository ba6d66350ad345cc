"""Writes a report: all pages of a database as files that open without a server. It is there whole or not at all."""

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from arena import version
from arena.web.answers import answer
from arena.web.choice import LAST, GameChoice, chosen
from arena.web.links import Links, address_of
from arena.web.page_request import PageRequest
from arena.web.page_table import GAME_FILES, PAGES, Kind, pages_of
from arena.web.pages import check_reports, games
from arena.web.pages.site import Site, read_site
from arena.web.pages.source import MOST_HISTORY, Choice, Key, PageSource
from arena.web.render import DEFAULT_ASSETS as IN_FILES
from arena.whole_file import new_folder
from results.store import disk
from results.store.reader import Brief, Reader
from results.tables.rating_lists import RatingLists

MARK = "report.json"
"""The file by which a folder is known as a report."""
OURS = frozenset({MARK, "static", "api", "ja", *(row.file.partition("/")[0] for row in PAGES.values() if row.file)})
"""What a report has at the top of its folder; `ja` is in those of version 0.4, which may be replaced."""
MOST_ENGINES = 300
"""The most engines that have pages of their own, the best ones: each page reads some hundred games."""
MOST_PAIRS = 600
"""If more pairs of engines met, they have no pages of their own."""
MOST_WITH_FILES = 200
"""If no more games than this have pages, each has also files with its JSON and its last position as SVG."""
_STATIC = ("style.css", "game.js", "icon.svg")


class ReportRefused(Exception):
    """A report that cannot be written as asked: one sentence with the remedy."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class Written:
    """A report that was written."""

    first: Path
    """The page to open."""
    games: int
    """How many games have a page."""
    files: int
    size: int
    """In bytes."""
    limits: tuple[str, ...]


def write_report(
    store: Reader, folder: Path, choice: GameChoice = LAST, *, hide: bool = True, title: str | None = None
) -> Written:
    """Write the pages of a database into a folder; `hide` leaves out what is private.

    Raises ReportRefused, StoreError and OSError.
    """
    target = Path(os.path.realpath(folder))
    refuse_folder(folder, target)
    site = read_site(store, hide=hide, title=title)
    briefs = chosen(store, choice)
    source = PageSource(store, site.privacy, briefs)
    site, addresses = _contents(source, site, briefs)
    names = {name: address for address, name in reversed(addresses.items())}
    with new_folder(folder) as part:
        size = 0

        def write(name: str, data: bytes) -> None:
            nonlocal size
            path = part / name
            path.parent.mkdir(parents=True, exist_ok=True)
            with disk.naming(folder):
                path.write_bytes(data)
            size += len(data)

        for name, address in names.items():
            write(name, answer(source, site, PageRequest.of(address), Links(addresses, name), IN_FILES).body)
        write(MARK, json.dumps(_about(site, len(briefs)), indent=1).encode() + b"\n")
    return Written(folder / "index.html", len(briefs), len(names) + 1, size, site.limits)


def refuse_folder(named: Path, target: Path) -> None:
    """Raise ReportRefused unless the folder is new, empty, or a report that may be replaced."""
    if not target.parent.is_dir():
        raise ReportRefused(f"{named} cannot be made: there is no folder {named.parent}, so make it first")
    if not target.exists():
        return
    if not target.is_dir():
        raise ReportRefused(f"{named} is a file: name a folder")
    there = {each.name for each in target.iterdir()}
    if not there:
        return
    try:
        known = "arena-report" in json.loads((target / MARK).read_bytes())
    except (OSError, ValueError, TypeError, RecursionError):
        known = False
    if not known:
        raise ReportRefused(f"{named} is not empty and is no report of ours: name another folder, or empty it")
    if strange := sorted(there - OURS):
        raise ReportRefused(
            f"{named} is a report, but {strange[0]!r} in it is not ours: move it, or name another folder"
        )


def _contents(source: PageSource, site: Site, briefs: Sequence[Brief]) -> tuple[Site, dict[str, str]]:
    """The frame with what is left out, and the name of the file of each address."""
    limits = list(_limits(site, briefs))
    runs = [run for run, _ in site.runs]
    rated = [row.name for row in source.rating_lists().overall.standings.rows]
    if source.rating_lists().overall.standings.games > MOST_HISTORY:
        limits.append(f"Ratings over time are drawn for at most {MOST_HISTORY} games.")
    listed = check_reports.checks_page(source, Choice())
    reports = listed.reports if listed else ()
    keys: dict[tuple[str, ...], Sequence[tuple[Key, ...]]] = {
        (): [()],
        ("page",): [(page,) for page in range(1, games.pages_of_games(briefs) + 1)],
        ("engine",): [(name,) for name in _with_pages(rated, limits)],
        ("engine", "opponent"): _pairs(source.rating_lists(), limits),
        ("check",): [(report.number,) for report in reports],
        ("run", "number"): [(brief.run, brief.number) for brief in briefs],
    }
    pages = [(kind, key) for kind, key in pages_of(source.store, runs, keys) if PAGES[kind].file]
    if reports and not runs:  # nothing was played, so tables would be empty
        pages = [(kind, key) for kind, key in pages if kind not in ("crosstable", "games")]
    made = f"arena {version.number()}, {datetime.now(UTC).strftime('%Y-%m-%d %H:%M')} UTC"
    names = sorted({*source.engines(), *rated})
    files = dict(_files(pages, names, [run.id for run in runs], len(briefs) <= MOST_WITH_FILES))
    return replace(site, limits=tuple(limits), made=made), files


def _files(
    pages: Sequence[tuple[Kind, tuple[Key, ...]]], engines: Sequence[str], runs: Sequence[str], all_kinds: bool
) -> Iterator[tuple[str, str]]:
    """The address of everything in a report, and the name of its file, which has numbers for engines and runs."""
    engine_numbers = {name: number for number, name in enumerate(engines, 1)}
    run_numbers = {run: number for number, run in enumerate(runs, 1)}
    numbers = {"run": run_numbers, "engine": engine_numbers, "opponent": engine_numbers}
    for kind, key in pages:
        row = PAGES[kind]
        words = {
            field: numbers[field][str(part)] if field in numbers else part
            for field, part in zip(row.fields, key, strict=True)
        }
        name = row.file.format_map(words)
        yield address_of(kind, *key), name
        if kind == "pair":
            yield address_of(kind, *reversed(key)), name
        if kind == "game":
            for form in GAME_FILES if all_kinds else ("pgn",):
                yield address_of(form, *key), name.removesuffix("html") + form
    for name in _STATIC:
        yield address_of("static", name), f"static/{name}"
    for name in ("standings.json", "crosstable.json"):
        yield f"/api/{name}", f"api/{name}"


def _limits(site: Site, briefs: Sequence[Brief]) -> Iterator[str]:
    """What the report leaves out, in sentences."""
    if len(briefs) < site.games:
        yield (
            f"{len(briefs)} of {site.games} games have a page here. "
            "Tables and ratings count all games; 'arena report --games' chooses others."
        )
    if site.privacy.hide:
        yield "Command lines, paths, names of machines and what engines wrote to stderr are left out."


def _with_pages(engines: list[str], limits: list[str]) -> list[str]:
    """The engines that have pages."""
    if len(engines) > MOST_ENGINES:
        limits.append(f"The best {MOST_ENGINES} of {len(engines)} engines have a page here.")
    return engines[:MOST_ENGINES]


def _pairs(lists: RatingLists, limits: list[str]) -> list[tuple[Key, ...]]:
    """The pairs of engines that have pages."""
    pairs = {tuple(sorted((each.p1, each.p2))) for each in lists.overall.counts if each.p1 != each.p2}
    if len(pairs) > MOST_PAIRS:
        limits.append(f"{len(pairs)} pairs of engines met, too many for a page of each: their games are in the list.")
        return []
    return [*sorted(pairs)]


def _about(site: Site, games: int) -> dict[str, object]:
    return {
        "arena-report": 1,
        "title": site.title,
        "database": site.database,
        "made": site.made,
        "games": site.games,
        "games_with_pages": games,
        "private_left_out": site.privacy.hide,
        "limits": list(site.limits),
    }
