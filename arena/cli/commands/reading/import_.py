"""`arena import`: games of a file into a database."""

from pathlib import Path
from typing import Annotated

from arena.cli import output
from arena.cli.errors import BadInput
from arena.cli.option_groups import argument, option
from results.tables.text_width import some_games


def import_(
    file: Annotated[Path, argument("JSON lines or PGN; the content tells which.", "FILE")],
    into: Annotated[Path, option("The database to add them to, made if there is none.", "DB")],
) -> None:
    """Add games from a file, each checked against the rules; all of them, or none if one is refused.

    Games that are there already are left out: by their id, and those without one by players, moves, time and round.
    """
    from arena.imports.game_import import import_games
    from results.store.files import is_database
    from results.store.store import Store

    if not file.is_file():
        raise BadInput(
            f"{file} {'is not an ordinary file' if file.exists() else 'does not exist'}: name JSON lines or PGN"
        )
    if is_database(file):
        raise BadInput(f"{file} is a database: 'arena merge NEW.db {into} {file}' makes one database of two")
    with Store.create_or_open(into) if into.exists() else Store.new(into) as store:
        new, known = import_games(file, store)
        if not new + known:
            raise BadInput(f"{file} holds no games: name JSON lines or PGN")
    there = f", {known} {'was' if known == 1 else 'were'} there already" if known else ""
    output.echo_sentence(f"{some_games(new)} imported into {into}{there}")
