"""Writes a report: all pages of a database as files that open without a server.

A report is made in a new folder beside the target, which gets its name at the end: so it is there whole or not at all.
"""

import contextlib
import json
import os
import secrets
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from arena import version
from arena.web import render
from arena.web.choice import GameChoice, chosen
from arena.web.links import Catalogue, FileLinks
from arena.web.page_table import GAME_FILES, PAGES, Kind, make_page, pages_of
from arena.web.pages import check_reports, game, games
from arena.web.pages.site import Site, read_site
from arena.web.pages.source import MOST_HISTORY, Choice, Key, PageSource
from arena.web.pages.standings import public_standings
from results.store import disk
from results.store.reader import Brief, Reader
from results.tables.rating_lists import RatingLists
from results.tables.to_json import crosstables_json, json_text

MARK = "report.json"
"""The file by which a folder is known as a report."""
OURS = frozenset({MARK, "static", "api", "ja", *(row.file.partition("/")[0] for row in PAGES.values() if row.file)})
"""What a report has at the top of its folder; `ja` is in those of version 0.4, which may be replaced."""
MOST_ENGINES = 300
"""So many engines at most have pages of their own, the best ones: each page reads some hundred games."""
MOST_PAIRS = 600
"""If more pairs of engines met, they have no pages of their own."""
MOST_WITH_FILES = 200
"""If no more games than this have pages, each has also files with its JSON and its last position as SVG."""
_STATIC = ("style.css", "game.js", "icon.svg")


class ReportRefused(Exception):
    """A report that cannot be written as asked: one sentence with the remedy."""


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """What a report shows."""

    choice: GameChoice
    hide: bool = True
    """Leave out what is private."""
    title: str | None = None


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


@dataclass(frozen=True, slots=True)
class _Contents:
    """The pages of a report."""

    source: PageSource
    site: Site
    catalogue: Catalogue
    games: list[Brief]
    pages: list[tuple[Kind, tuple[Key, ...]]]
    """The kind and the key of each."""

    def made(self) -> Iterator[tuple[str, tuple[Key, ...], Kind, object]]:
        """The name of each page's file, its kind and key, the row of the table that shows it, and what it shows."""
        has_standings = ("crosstable", ()) in self.pages
        for kind, key in self.pages:
            page_kind = "checks" if kind == "index" and not has_standings else kind
            name, page = self.catalogue.name(kind, *key), make_page(page_kind, self.source, Choice(), key)
            if name is not None and page is not None:
                yield name, (kind, *key), page_kind, page


def write_report(store: Reader, folder: Path, options: ReportOptions) -> Written:
    """Write the pages of a database into a folder. Raises ReportRefused, StoreError and OSError."""
    target = Path(os.path.realpath(folder))
    refuse_folder(folder, target)
    contents = _contents(store, options)
    with _new_folder(target) as part:
        files = size = 0
        for name, text in _files(contents, options):
            path = part / name
            path.parent.mkdir(parents=True, exist_ok=True)
            data = text.encode("utf-8", "backslashreplace")
            with disk.naming(folder):
                path.write_bytes(data)
            files, size = files + 1, size + len(data)
    return Written(folder / "index.html", len(contents.games), files, size, contents.site.limits)


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


@contextlib.contextmanager
def _new_folder(target: Path) -> Iterator[Path]:
    """A folder beside the target, which gets its name at the end of the block. Nothing is left after an exception."""
    part = target.with_name(f".arena-{secrets.token_hex(8)}.part")
    old = target.with_name(f".arena-{secrets.token_hex(8)}.old")
    part.mkdir()
    try:
        yield part
        replaced = target.exists()
        if replaced:
            target.rename(old)
        try:
            part.rename(target)
        except BaseException:
            if replaced:
                old.rename(target)
            raise
    finally:
        shutil.rmtree(part, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)


def _contents(store: Reader, options: ReportOptions) -> _Contents:
    """Everything that pages are made of, and which pages there are."""
    site = read_site(store, hide=options.hide, title=options.title)
    briefs = chosen(store, options.choice)
    source = PageSource(store, site.privacy, briefs)
    limits = list(_limits(site, briefs))
    runs = [run for run, _ in site.runs]
    rated = [row.name for row in source.rating_lists().overall.standings.rows]
    names = sorted({*source.engines(), *rated})
    catalogue = Catalogue(
        {name: number for number, name in enumerate(names, 1)},
        {run.id: number for number, run in enumerate(runs, 1)},
    )
    if source.rating_lists().overall.standings.games > MOST_HISTORY:
        most = MOST_HISTORY
        limits.append(f"Ratings over time are drawn for at most {most} games; 'arena plot history' draws more.")
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
    pages = [(kind, key) for kind, key in pages_of(store, runs, keys) if PAGES[kind].file]
    if reports and not runs:  # nothing was played, so tables would be empty
        pages = [(kind, key) for kind, key in pages if kind not in ("crosstable", "games")]
    made = f"arena {version.number()}, {datetime.now(UTC).strftime('%Y-%m-%d %H:%M')} UTC"
    kinds = GAME_FILES if len(briefs) <= MOST_WITH_FILES else ("pgn",)
    files = [*pages, *((kind, (brief.run, brief.number)) for brief in briefs for kind in kinds)]
    there = {name for kind, key in files if (name := catalogue.name(kind, *key)) is not None}
    return _Contents(
        source,
        replace(site, limits=tuple(limits), made=made),
        replace(catalogue, files=frozenset(there)),
        briefs,
        pages,
    )


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


def _files(contents: _Contents, options: ReportOptions) -> Iterator[tuple[str, str]]:
    """The names of all files, and their texts."""
    catalogue, site = contents.catalogue, contents.site
    for name, here, kind, page in contents.made():
        yield name, render.document(kind, page, site, FileLinks(catalogue, name), here)
        if isinstance(page, game.GamePage):
            yield from _game_files(page, name.removesuffix("html"), catalogue)
    for name in _STATIC:
        yield f"static/{name}", render.static(name)
    lists = contents.source.rating_lists()
    yield "api/standings.json", json_text(public_standings(lists, site.privacy)) + "\n"
    yield "api/crosstable.json", json_text(site.privacy.config(crosstables_json(lists))) + "\n"
    yield MARK, json.dumps(_about(contents, options), indent=1) + "\n"


def _game_files(page: game.GamePage, stem: str, catalogue: Catalogue) -> Iterator[tuple[str, str]]:
    """What can be taken of a game."""
    for kind in GAME_FILES:
        if stem + kind in catalogue.files:
            text = game.svg_of(page) if kind == "svg" else game.game_text(page.record, page.run_name, kind)
            yield stem + kind, text


def _about(contents: _Contents, options: ReportOptions) -> dict[str, object]:
    site = contents.site
    return {
        "arena-report": 1,
        "title": site.title,
        "database": site.database,
        "made": site.made,
        "games": site.games,
        "games_with_pages": len(contents.games),
        "private_left_out": options.hide,
        "limits": list(site.limits),
    }
