"""Writes a report: all pages of a database as files that open without a server, or as one file.

A report is made in a new folder beside the target, which gets its name at the end: so it is there whole or not at all.
"""

import base64
import contextlib
import hashlib
import json
import os
import secrets
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from markupsafe import Markup

from arena import version
from arena.rulebook.board_drawing import Lang
from arena.web import render, words
from arena.web.choice import GameChoice, chosen
from arena.web.links import AnchorLinks, Catalogue, FileLinks, Key, Kind, PageLinks, anchor
from arena.web.pages import check_reports, engine, game, games, site, standings
from arena.web.pages.run_pages import run_pages
from arena.web.pages.site import Site
from arena.web.privacy import Privacy
from arena.web.render import Assets, ShownPage
from results.store.filter import Filter, Selection
from results.store.parse_filter import engines as engine_names
from results.store.reader import Brief, Reader
from results.tables.pools import Pools
from results.tables.to_json import crosstables_json, json_text

MARK = "report.json"
"""The file by which a folder is known as a report."""
OURS = frozenset({MARK, "index.html", "crosstable.html", "static", "api", "ja", "games", "engine", "pair", "game"})
OURS |= {"run", "sprt", "ladder", "rounds", "checks.html", "check"}
"""What a report has at the top of its folder."""
MOST_ENGINES = 300
"""So many engines at most have pages of their own, the best ones: each page reads some hundred games."""
MOST_PAIRS = 600
"""If more pairs of engines met, they have no pages of their own."""
MOST_OF_PAIR = 500
"""The page of a pair lists at most so many games."""
MOST_SINGLE = 200
"""One file has at most so many games."""
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
    languages: tuple[Lang, ...] = words.LANGUAGES
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
class _Leaf:
    """A page that is to be written: its kind and key, and how to make it."""

    kind: Kind
    key: tuple[Key, ...]
    make: Callable[[], ShownPage | None]


@dataclass(frozen=True, slots=True)
class _Contents:
    """The pages of a report."""

    site: Site
    catalogue: Catalogue
    games: list[Brief]
    pools: Pools
    leaves: list[_Leaf]


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
            path.write_bytes(data)
            files, size = files + 1, size + len(data)
    return Written(folder / "index.html", len(contents.games), files, size, contents.site.limits)


def single_page(store: Reader, options: ReportOptions) -> tuple[str, int, tuple[str, ...]]:
    """All pages in one, how many games it has, and what was left out. Raises ReportRefused and StoreError."""
    contents = _contents(store, options)
    if len(contents.games) > MOST_SINGLE:
        raise ReportRefused(
            f"one file would have {len(contents.games)} games, and has at most {MOST_SINGLE}: "
            "choose some with --games, such as --games lost,100, or leave out --single"
        )
    style, script = render.static("style.css"), render.static("game.js")
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; img-src data:; "
        "form-action 'none'; base-uri 'none'"
    )
    trees = []
    for lang in options.languages:
        links = AnchorLinks(contents.catalogue, lang)
        trees.append(
            {"lang": lang, "link": links, "t": words.translator(lang), "parts": list(_parts(contents, links, lang))}
        )
    assets = Assets(policy, Markup(style), Markup(script))
    template = render.environment().get_template("single.html")
    return (
        template.render(site=contents.site, trees=trees, assets=assets),
        len(contents.games),
        contents.site.limits,
    )


def refuse_folder(named: Path, target: Path) -> None:
    """Raise ReportRefused unless the folder is new, empty, or a report that may be replaced."""
    if not target.parent.is_dir():
        raise ReportRefused(f"{named} cannot be made: there is no folder {named.parent}, so make it first")
    if not target.exists():
        return
    if not target.is_dir():
        raise ReportRefused(f"{named} is a file: name a folder, or give --single to write one file")
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
    frame = site.read_site(store, hide=options.hide, title=options.title)
    pools = standings.read_pools(store)
    briefs = chosen(store, options.choice)
    limits = list(_limits(frame, briefs))
    names = sorted(engine_names(store) | {row.name for row in pools.overall.standings.rows})
    runs = [progress.run for progress in frame.runs]
    catalogue = Catalogue(
        {name: number for number, name in enumerate(names, 1)},
        {run.id: number for number, run in enumerate(runs, 1)},
        languages=options.languages,
    )
    if pools.overall.standings.games > engine.MOST_HISTORY:
        most = engine.MOST_HISTORY
        limits.append(f"Ratings over time are drawn for at most {most} games; 'arena plot history' draws more.")
    over_time = engine.rating_history(store, pools)
    privacy = frame.privacy
    listed = check_reports.checks_page(store, privacy)
    if listed.reports and not runs:  # nothing was played, so tables would be empty
        leaves = [_Leaf("index", (), lambda: listed)]
    else:
        leaves = [
            _Leaf("index", (), lambda: standings.standings_page(store, pools, privacy)),
            _Leaf("crosstable", (), lambda: standings.crosstable_page(pools)),
            *_lists(briefs, frame),
        ]
    leaves += [
        _Leaf("engine", (name,), lambda name=name: engine.engine_page(store, pools, name, privacy, over_time))  # type: ignore[misc]
        for name in _with_pages(pools, limits)
    ]
    pairs = _pairs(pools)
    if len(pairs) > MOST_PAIRS:
        limits.append(f"{len(pairs)} pairs of engines met, too many for a page of each: their games are in the list.")
        pairs = []
    leaves += [_Leaf("pair", pair, lambda pair=pair: _pair_page(store, pools, pair, frame)) for pair in pairs]  # type: ignore[misc]
    for run in runs:
        leaves += [_Leaf(each.kind, (run.id,), partial(each.make, store, run, privacy)) for each in run_pages(run)]
    leaves += _checks(store, listed, privacy)
    run_names = {run.id: run.name for run in runs}
    for before, brief, after in zip([None, *briefs], briefs, [*briefs[1:], None], strict=False):
        near = tuple(each.number if each is not None and each.run == brief.run else None for each in (before, after))
        leaves.append(
            _Leaf(
                "game",
                (brief.run, brief.number),
                lambda brief=brief, near=near: game.game_page(  # type: ignore[misc]
                    store, store.game(brief.id), privacy, run_names[brief.run], near
                ),
            )
        )
    made = f"arena {version.number()}, {datetime.now(UTC).strftime('%Y-%m-%d %H:%M')} UTC"
    frame = replace(frame, limits=tuple(limits), made=made)
    files = {name for leaf in leaves if (name := catalogue.name(leaf.kind, *leaf.key)) is not None}
    kinds: tuple[Kind, ...] = ("pgn", "json", "svg") if len(briefs) <= MOST_WITH_FILES else ("pgn",)
    files |= {
        name
        for brief in briefs
        for kind in kinds
        if (name := catalogue.name(kind, brief.run, brief.number)) is not None
    }
    return _Contents(frame, catalogue.with_files(frozenset(files)), briefs, pools, leaves)


def _limits(frame: Site, briefs: Sequence[Brief]) -> Iterator[str]:
    """What the report leaves out, in sentences."""
    if len(briefs) < frame.games:
        yield (
            f"{len(briefs)} of {frame.games} games have a page here. "
            "Tables and ratings count all games; 'arena report --games' chooses others."
        )
    if frame.privacy.hide:
        yield "Command lines, paths, names of machines and what engines wrote to stderr are left out."


def _with_pages(pools: Pools, limits: list[str]) -> list[str]:
    """The engines that have pages."""
    names = [row.name for row in pools.overall.standings.rows]
    if len(names) > MOST_ENGINES:
        limits.append(f"The best {MOST_ENGINES} of {len(names)} engines have a page here.")
    return names[:MOST_ENGINES]


def _lists(briefs: Sequence[Brief], frame: Site) -> Iterator[_Leaf]:
    """The pages of the list of games."""
    pieces = [briefs[at : at + games.PAGE] for at in range(0, len(briefs), games.PAGE)] or [[]]
    for page, piece in enumerate(pieces, 1):
        value = games.GamesPage(
            games.shown(list(piece), frame.privacy), page=page, pages=len(pieces), total=len(briefs)
        )
        yield _Leaf("games", (page,), lambda value=value: value)  # type: ignore[misc]


def _checks(store: Reader, listed: check_reports.ChecksPage, privacy: Privacy) -> Iterator[_Leaf]:
    """The pages of the reports of checks; none where no report was kept."""
    if listed.reports:
        yield _Leaf("checks", (), lambda: listed)
    for row in listed.reports:
        yield _Leaf("check", (row.number,), lambda row=row: check_reports.check_page(store, row.number, privacy))  # type: ignore[misc]


def _pairs(pools: Pools) -> list[tuple[Key, ...]]:
    found = {tuple(sorted((each.p1, each.p2))) for each in pools.overall.counts if each.p1 != each.p2}
    return sorted(found)


def _pair_page(store: Reader, pools: Pools, pair: tuple[Key, ...], frame: Site) -> games.GamesPage:
    one, two = str(pair[0]), str(pair[1])
    which = Filter(engine=one, opponent=two)
    total = sum(each.games for each in pools.overall.counts if {each.p1, each.p2} == {one, two})
    found = list(store.briefs(Selection(which, limit=MOST_OF_PAIR, last=total > MOST_OF_PAIR)))
    table = pools.overall.crosstable
    score = table.cells[table.engines.index(one)][table.engines.index(two)]
    return games.GamesPage(games.shown(found, frame.privacy), (one, two), score, total=total)


def _files(contents: _Contents, options: ReportOptions) -> Iterator[tuple[str, str]]:
    """The names of all files, and their texts."""
    catalogue, frame = contents.catalogue, contents.site
    for leaf in contents.leaves:
        name = catalogue.name(leaf.kind, *leaf.key)
        page = leaf.make()
        if name is None or page is None:
            continue
        for lang in options.languages:
            links: PageLinks = FileLinks(catalogue, name, lang)
            yield catalogue.folder(lang) + name, render.document(page, frame, links, (leaf.kind, *leaf.key))
        if isinstance(page, game.GamePage):
            yield from _game_files(page, name.removesuffix("html"), catalogue)
    for name in _STATIC:
        yield f"static/{name}", render.static(name)
    public = standings.public_standings(contents.pools, frame.privacy)
    yield "api/standings.json", json_text(public) + "\n"
    yield "api/crosstable.json", json_text(frame.privacy.config(crosstables_json(contents.pools))) + "\n"
    yield MARK, json.dumps(_about(contents, options), indent=1) + "\n"


def _game_files(page: game.GamePage, stem: str, catalogue: Catalogue) -> Iterator[tuple[str, str]]:
    """What can be taken of a game."""
    yield f"{stem}pgn", page.pgn
    for end, make in (("json", game.json_of), ("svg", game.svg_of)):
        if stem + end in catalogue.files:
            yield stem + end, make(page)


def _about(contents: _Contents, options: ReportOptions) -> dict[str, object]:
    frame = contents.site
    return {
        "arena-report": 1,
        "title": frame.title,
        "database": frame.database,
        "made": frame.made,
        "games": frame.games,
        "games_with_pages": len(contents.games),
        "languages": list(options.languages),
        "private_left_out": options.hide,
        "limits": list(frame.limits),
    }


def _parts(contents: _Contents, links: AnchorLinks, lang: Lang) -> Iterator[tuple[str, Markup]]:
    """The id and the content of each page of a single file."""
    for leaf in contents.leaves:
        name = contents.catalogue.name(leaf.kind, *leaf.key)
        page = leaf.make()
        if name is not None and page is not None:
            own = anchor(name, lang)
            yield own, render.content(page, contents.site, links, f"{own}-", 2)


def _hash(text: str) -> str:
    """The source expression of a content security policy for this text."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
