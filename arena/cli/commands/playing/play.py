"""`arena play`: people play in the terminal or in a browser, on a drawn board, against an engine or each other."""

import contextlib
import sys
from pathlib import Path
from typing import Annotated, Literal

from arena.cli import options, output
from arena.cli.errors import BadInput
from arena.cli.option_groups import Given, argument, grouped, option
from arena.config.settings import PlaySettings
from arena.planning.containment import Containment


@grouped
def play(
    players: Annotated[
        list[str] | None,
        argument(
            "An engine: a name, a path, or a quoted command line. Or both players, p1 first, where `human` is a "
            "person.",
            "PLAYER...",
        ),
    ] = None,
    *,
    side: Annotated[
        Literal["p1", "p2", "random"] | None, option("Your side; p1 is White or the attackers. [default: p1]")
    ] = None,
    hint_engine: Annotated[
        str | None, option("The engine that gives hints. [default: your opponent]", "ENGINE")
    ] = None,
    save: Annotated[
        Path | None,
        option(
            "Keep the game in this file after every move; .pgn or JSON. - prints it at the end to stdout, and all else "
            "to stderr.",
            "FILE",
        ),
    ] = None,
    resume: Annotated[Path | None, option("Continue the game in this file, and keep it there.", "FILE")] = None,
    web: Annotated[bool, option("Play in a browser, on a page of this machine.", flag="--web")] = False,
    port: Annotated[
        int | None, option("The port of the page; 0: a free one. [default: 8421]", min=0, max=65_535)
    ] = None,
    host: Annotated[
        str | None, option("The address to listen at for other machines. [default: 127.0.0.1]", "ADDRESS")
    ] = None,
    open_browser: Annotated[bool, option("Open the page in a browser.", flag="--open")] = False,
    ascii_only: Annotated[bool, option("Draw with plain ASCII.", flag="--ascii")] = False,
    settings: Annotated[Given, PlaySettings, ("variants", "board", "rules", "fen", "tc", "movetime", "nodes", "depth")],
    engines: options.Engines = None,
    contain: options.Contain = None,
) -> None:
    """Play an engine yourself, or with two people, on a drawn board, with hints and undo.

    \b
    arena play greedy
    arena play human human
    arena play greedy --web
    """
    from arena.config.load import load_registry, validated_options
    from arena.human.begin import GameRequest, begun

    table = validated_options(PlaySettings, settings)
    variant, *others = table.asked
    if others:
        raise BadInput("--variant is given more than once: a game is of one variant")
    if table.tc is not None and table.limit is not None and table.limit.kind != "clock":
        raise BadInput(f"--tc {table.tc} is not a clock; write seconds, such as 300+2")
    board = None if table.board is None else Path(table.board)
    request = GameRequest(
        tuple(players or ()), side, table.limit, hint_engine, save, resume, variant, table.rules, board, table.fen
    )
    registry, containment = load_registry(engines), Containment(contain)
    if web:
        from arena.cli.run.browser_game import hosted_games, play_in_browser

        games = hosted_games(registry, containment)
        return play_in_browser(request, games, host or "127.0.0.1", 8421 if port is None else port, open_browser)
    if port is not None or host is not None or open_browser:
        raise BadInput("--port, --host and --open: are for the page of --web; add --web, or leave them out")
    from arena.cli.view.terminal_display import TerminalDisplay
    from arena.human.terminal import TerminalGame

    with begun(request, registry, containment, output.notify) as session:
        try:
            with contextlib.redirect_stdout(sys.stderr if save == output.STDOUT else sys.stdout):
                TerminalGame(session, TerminalDisplay(ascii_only)).run(sys.stdin.isatty())
        finally:
            if session.file.path == output.STDOUT:
                output.write_data(session.file.text)
