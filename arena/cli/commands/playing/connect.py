"""`arena connect`: lets an engine of this machine play in somebody's open ladder."""

from pathlib import Path
from typing import Annotated

from arena.cli.option_groups import argument, option


def connect(
    url: Annotated[str, argument("The ladder: wss://HOST:PORT, or ws:// for this machine.", "URL")],
    command: Annotated[
        list[str], argument("The engine after --: a registered name with its options, or a command.", "COMMAND...")
    ],
    token_file: Annotated[Path, option("The file with the token that the organiser sent.", "FILE")],
    ca: Annotated[Path | None, option("The certificate of an authority of your own, as PEM.", "FILE")] = None,
    insecure: Annotated[
        bool, option("Use ws:// to another machine: all can be read on the way.", flag="--insecure")
    ] = False,
    quiet: Annotated[bool, option("Show no games, only what the host says.", flag="--quiet")] = False,
) -> None:
    """Play in an open ladder with an engine that stays here; Ctrl-C ends after the game, twice at once."""
    from arena.cli.run.connected import run_client, target_of

    run_client(target_of(url, token_file, ca, insecure, command), quiet)
