"""`arena merge`: several databases in a new one."""

from pathlib import Path
from typing import Annotated

import typer

from arena.cli import output


def merge(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The database to make.")],
    sources: Annotated[list[Path], typer.Argument(metavar="DB...", help="The databases to put together.")],
) -> None:
    """Put several databases together in a new one; a game that several have is taken once."""
    from results.store.merge import merge as merge_databases

    games = merge_databases(out, sources, output.notify)
    output.echo_sentence(f"{games} games of {len(sources)} databases merged into {out}")
