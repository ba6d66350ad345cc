"""`arena report`: the pages of a database as files that can be sent to somebody."""

from pathlib import Path
from typing import Annotated, Literal

from arena.cli import output as out
from arena.cli.db_options import Database
from arena.cli.errors import BadInput
from arena.cli.option_groups import option


def report(
    db: Database,
    output: Annotated[
        Path | None,
        option("The folder to write; with --single the file, and - is stdout. [default: DB-report]", "PATH"),
    ] = None,
    games: Annotated[
        str | None,
        option(
            "Which games get a page: all, lost (by a fault), disputed, longest, shortest, or N for the last N. "
            "[default: the last 2000]",
            "WORDS",
        ),
    ] = None,
    single: Annotated[bool, option("Write one file, DB-report.html, for at most 200 games.", flag="--single")] = False,
    with_private: Annotated[
        bool, option("Also show command lines, paths, names of machines, and stderr.", flag="--with-private")
    ] = False,
    lang: Annotated[Literal["en", "ja"] | None, option("Only this language. [default: English and Japanese]")] = None,
    title: Annotated[str | None, option("The title. [default: the run's name]", "TEXT")] = None,
) -> None:
    """Write standings, games with boards and why they were lost as web pages, to open without a server.

    A folder of pages; with --single one HTML file that can be sent.
    """
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
        out.check_files({"--output": target})
    elif target == out.STDOUT:
        raise BadInput("--output -: a folder cannot be written to stdout; add --single for one HTML file")
    with Store.open_existing(db, upgrade=False) as store:
        if single:
            text, count, limits = single_page(store, options)
            data = text.encode(errors="backslashreplace").decode()
            out.write_file(target, data)
            summary = f"{target}: {count} games, {_size(len(data.encode()))}"
        else:
            written = write_report(store, target, options)
            limits = written.limits
            summary = f"{written.first}: {written.games} games, {written.files} files, {_size(written.size)}"
    for sentence in limits:
        out.say(sentence)
    if target != out.STDOUT:
        out.echo_sentence(f"{summary}; open it in a browser")
    if not single:
        out.say("to make one file that can be sent: add --single")


def _size(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{max(1, size // 1000)} kB"
