"""`arena report`: the pages of a database as files that can be sent to somebody."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from arena.cli import output as out
from arena.cli.db_options import Database
from arena.cli.errors import BadInput
from arena.whole_file import check_target, write_whole


def report(
    db: Database,
    output: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="The folder to write; with --single the file. [default: DB-report]"),
    ] = None,
    games: Annotated[
        str | None,
        typer.Option(
            metavar="WORDS",
            help="Which games get a page: all, lost (by a fault), disputed, longest, shortest, or N for the last N. "
            "[default: the last 2000]",
        ),
    ] = None,
    single: Annotated[bool, typer.Option("--single", help="Write one HTML file, for at most 200 games.")] = False,
    with_private: Annotated[
        bool, typer.Option("--with-private", help="Also show command lines, paths, names of machines, and stderr.")
    ] = False,
    lang: Annotated[
        Literal["en", "ja"] | None, typer.Option(help="Only this language. [default: English and Japanese]")
    ] = None,
    title: Annotated[str | None, typer.Option(metavar="TEXT", help="The title. [default: the run's name]")] = None,
) -> None:
    """Write standings, games with boards and why they were lost as web pages, to open without a server."""
    from arena.web import words
    from arena.web.choice import BadChoice, parse_choice
    from arena.web.report import ReportOptions, single_page, write_report
    from results.store.store import Store

    try:
        choice = parse_choice(games)
    except BadChoice as error:
        raise BadInput(f"--games {error}") from None
    options = ReportOptions(choice, not with_private, words.LANGUAGES if lang is None else (lang,), title)
    target = output or Path(f"{db.stem}-report" + (".html" if single else ""))
    if single:
        check_target(target, "--output")
    with Store.open_existing(db, upgrade=False) as store:
        if single:
            text, count, limits = single_page(store, options)
            data = text.encode(errors="backslashreplace").decode()
            write_whole(target, data)
            summary = f"{target}: {count} games, {_size(len(data.encode()))}"
        else:
            written = write_report(store, target, options)
            limits = written.limits
            summary = f"{written.first}: {written.games} games, {written.files} files, {_size(written.size)}"
    for sentence in limits:
        out.say(sentence)
    out.echo_sentence(f"{summary}; open it in a browser")


def _size(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{max(1, size // 1000)} kB"
