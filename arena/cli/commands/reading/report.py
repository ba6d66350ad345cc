"""`arena report`: the pages of a database as files that open without a server."""

from pathlib import Path
from typing import Annotated

from arena.cli import output as out
from arena.cli.db_options import Database
from arena.cli.errors import BadInput
from arena.cli.option_groups import option


def report(
    db: Database,
    output: Annotated[Path | None, option("The folder to write. [default: DB-report]", "FOLDER")] = None,
    games: Annotated[
        str | None,
        option(
            "Which games get a page: all, lost (by a fault), disputed, longest, shortest, or N for the last N. "
            "[default: the last 2000]",
            "WORDS",
        ),
    ] = None,
    with_private: Annotated[
        bool, option("Also show command lines, paths, names of machines, and stderr.", flag="--with-private")
    ] = False,
    title: Annotated[str | None, option("The title. [default: the run's name]", "TEXT")] = None,
) -> None:
    """Write standings, games with boards and why they were lost as web pages, to open without a server."""
    from arena.web.choice import BadChoice, parse_choice
    from arena.web.report import write_report
    from results.store.store import Store
    from results.tables.text_width import some_games

    try:
        choice = parse_choice(games)
    except BadChoice as error:
        raise BadInput(f"--games {error}") from None
    target = output or Path(f"{db.stem}-report")
    if target == out.STDOUT:
        raise BadInput("--output -: a report cannot be written to stdout; name a folder")
    with Store.open_existing(db, upgrade=False) as store:
        written = write_report(store, target, choice, hide=not with_private, title=title)
    for sentence in written.limits:
        out.say(sentence)
    size = f"{some_games(written.games)}, {written.files} files, {_size(written.size)}"
    out.echo_sentence(f"{written.first}: {size}; open it in a browser")


def _size(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{max(1, size // 1000)} kB"
