"""`arena init` and `arena config`: a tournament file to start from, and the configuration of a stored run."""

import json
from pathlib import Path
from typing import Annotated

import typer

from arena.cli import db_options, output
from arena.cli.db_options import Database
from arena.cli.errors import BadInput
from arena.whole_file import check_target, write_whole


def init(
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="The file to write. It must not exist yet.")] = Path(
        "tournament.toml"
    ),
) -> None:
    """Write a tournament file that can be played as it is. It has every key, most of them in comments."""
    if file.exists():
        raise BadInput(f"{file} exists already: name another file")
    from arena.config.template import template

    check_target(file, "FILE.toml")
    write_whole(file, template())
    output.echo_sentence(f"{file}: change it, then play it with 'arena tournament {file}'")


def config(
    db: Database,
    run: Annotated[
        str | None,
        typer.Option("--run", metavar="ID", help="The run: its id or the start of it. [default: the newest]"),
    ] = None,
) -> None:
    """Print the configuration of a run as JSON: every setting that decided its games."""
    from results.store.lookup import run_config

    with db_options.opened_games(db, run=run) as (_, _, runs):
        if not runs:
            raise BadInput(f"{db} has no run yet: play a match or a tournament first")
        output.echo_lines(json.dumps(run_config(runs[-1]), indent=2))
