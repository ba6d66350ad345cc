"""`arena init` and `arena config`: a tournament file to begin with, and what a stored run was played with."""

import json
from pathlib import Path
from typing import Annotated

import typer

from arena.cli import db_options
from arena.cli.db_options import Database
from arena.cli.errors import BadInput
from arena.cli.output import check_target, write_whole


def init(
    file: Annotated[
        Path, typer.Argument(metavar="FILE.toml", help="The file to write; one that exists is left alone.")
    ] = Path("tournament.toml"),
) -> None:
    """Write a tournament file that plays as it is, with every key as a comment."""
    if file.exists():
        raise BadInput(f"{file} exists already: name another file")
    from arena.config.template import template

    check_target(file, "FILE.toml")
    write_whole(file, template())
    typer.echo(f"{file}: change it, then play it with 'arena tournament {file}'")


def config(
    db: Database,
    run: Annotated[
        str | None,
        typer.Option("--run", metavar="ID", help="The run, by its id or the start of it. [default: the newest]"),
    ] = None,
) -> None:
    """Print the effective configuration of a run as JSON: everything that decided what was played, and how."""
    with db_options.opened(db) as store:
        chosen = db_options.chosen(store, run, db)
    if not chosen:
        raise BadInput(f"{db} has no run yet: play a match or a tournament first")
    newest = chosen[-1]
    head = {"run": newest.id, "created_at": newest.created_at, "host": newest.host}
    typer.echo(json.dumps({**head, "versions": json.loads(newest.versions), **json.loads(newest.config)}, indent=2))
