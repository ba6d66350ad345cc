"""`arena config`: the configuration of a stored run."""

import json
from typing import Annotated

from arena.cli import db_options, output
from arena.cli.db_options import Database
from arena.cli.errors import BadInput
from arena.cli.option_groups import option


def config(
    db: Database,
    run: Annotated[
        str | None, option("The run: its id or the start of it. [default: the newest]", "ID", flag="--run")
    ] = None,
) -> None:
    """Print the configuration of a run as JSON: every setting that decided its games."""
    from results.store.lookup import run_config

    with db_options.opened_games(db, run=run) as (_, _, runs):
        if not runs:
            raise BadInput(f"{db} has no run yet: play a match or a tournament first")
        output.echo_lines(json.dumps(run_config(runs[-1]), indent=2))
