"""`arena merge`: several databases in a new one."""

from pathlib import Path
from typing import Annotated

from arena.cli import output
from arena.cli.option_groups import argument


def merge(
    out: Annotated[Path, argument("The database to make.", "OUT")],
    sources: Annotated[list[Path], argument("The databases to put together.", "DB...")],
) -> None:
    """Put several databases together in a new one; a game that several have is taken once."""
    from results.store.store import merge as merge_databases
    from results.tables.text_width import some_games

    games = merge_databases(out, sources)
    databases = "one database" if len(sources) == 1 else f"{len(sources)} databases"
    output.echo_sentence(f"{some_games(games)} of {databases} merged into {out}")
