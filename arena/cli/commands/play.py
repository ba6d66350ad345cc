"""`arena play`: a person plays an engine in the terminal, on a drawn board."""

import os
import random
import select
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from arena.cli import options, output
from arena.cli.containment_options import Contain
from arena.cli.errors import BadInput
from arena.cli.option_groups import grouped
from arena.cli.output import report
from arena.planning.containment import Containment

if TYPE_CHECKING:
    from arena.play.human_game import EngineMove, HumanGame
    from arena.play.time_control import Limit

Ask = Callable[[str, int | None], str | None]
"""Shows a prompt and gives the line typed within so many ns, None at the end of the input. Raises TimeoutError."""

_HELP = """\
  a move    such as {example}; the start of one lists the moves that begin so
  moves     all legal moves
  undo      take back your last move and the answer to it
  board     draw the board again
  resign    give the game up
  quit      leave"""
_MOST_HINTS = 60
USUAL_MS = 1000
"""The default for each of the engine's moves."""
_limits = partial(typer.Option, rich_help_panel=options.LIMITS)


@grouped
def play(
    engine: Annotated[str, typer.Argument(metavar="ENGINE", help="A name, a path, or a quoted command line.")],
    *,
    side: Annotated[Literal["p1", "p2", "random"], typer.Option(help="Your side; p1 moves first.")] = "p1",
    ascii_only: Annotated[bool, typer.Option("--ascii", help="Draw with plain ASCII.")] = False,
    game: options.GameOptions,
    engines: options.Engines = None,
    tc: Annotated[str | None, _limits(help="A clock for both, such as 300+2, in seconds. [default: none]")] = None,
    movetime: Annotated[
        int | None, _limits(help="Milliseconds for each of the engine's moves. [default: 1000]")
    ] = None,
    nodes: Annotated[int | None, _limits(help="Nodes for each of the engine's moves.")] = None,
    depth: Annotated[int | None, _limits(help="Depth of each of the engine's searches.")] = None,
    contain: Contain = None,
) -> None:
    """Play an engine yourself, on a drawn board, with hints and undo."""
    from arena.config import load
    from arena.config.engine_argument import engine_argument
    from arena.games.boards import start_of
    from arena.planning.introductions import introduce_one
    from arena.planning.schedule import Start
    from arena.play.engine_pool import LiveEngine
    from arena.play.human_game import HumanGame
    from arena.play.jobs import Terms
    from protocol.containment.watchdog import Watchdog

    limit = _limit(tc, movetime, nodes, depth)
    found, start = start_of(game.variant, game.rules, game.board, game.fen)
    if start.outcome is not None:
        raise BadInput(f"that game is finished already ({start.outcome.winner} by {start.outcome.reason})")
    spec = engine_argument(engine, load.load_registry(engines))
    box = Containment(contain)
    (spec,) = box.apply([spec])
    box.verify([spec], report)
    introduce_one(spec, [Start(found.name)])
    live = LiveEngine(spec, Watchdog())
    try:
        seat = live.begin(found, random.SystemRandom().randrange(2**31 - 1), Terms(limit))
        person = random.SystemRandom().randrange(2) if side == "random" else ("p1", "p2").index(side)
        Sitting(HumanGame(found, start, seat.session, limit, person), spec.name, ascii_only, asker()).run()
    finally:
        live.kill()


class Sitting:
    """A person at the board: draws, asks and answers until the game is over or the person leaves."""

    def __init__(self, game: "HumanGame", engine: str, ascii_only: bool, ask: Ask) -> None:
        self._game = game
        self._engine = engine
        self._ascii = ascii_only
        self._ask = ask

    def run(self) -> None:
        """Play to the end."""
        from protocol.faults import EngineFault

        self._draw()
        output.echo("`help` lists what you can type.")
        while self._game.outcome is None:
            if self._game.turn == self._game.person:
                if not self._persons_turn():
                    return
            else:
                try:
                    answer = self._game.reply()
                except EngineFault as broken:
                    output.echo(f"{self._engine} loses: {broken.fault} ({broken.detail})")
                    return
                if answer.word == "resign":
                    output.echo(f"{self._engine} resigns: you win")
                    return
                self._tell(answer)
            self._draw()
        outcome = self._game.outcome
        whose = {("p1", "p2")[self._game.person]: "you win", "draw": "a draw"}.get(outcome.winner)
        output.echo(f"{whose or f'{self._engine} wins'}: {outcome.reason}")
        output.echo(f"the game: {' '.join(self._game.game.moves)}")

    def _persons_turn(self) -> bool:
        """Ask until a move was made; False where the person leaves or loses."""
        from arena.games.rules import IllegalMove

        began_ns = time.monotonic_ns()
        while True:
            left_ns = self._game.left_ns(self._game.person)
            rest_ns = None if left_ns is None else left_ns - (time.monotonic_ns() - began_ns)
            try:
                typed = self._ask(self._prompt(rest_ns), rest_ns)
            except TimeoutError:
                output.echo()
                output.echo(f"your time is up: {self._engine} wins")
                return False
            match "quit" if typed is None else typed.strip().lower():
                case "quit" | "exit":
                    return False
                case "resign":
                    output.echo(f"{self._engine} wins: you resigned")
                    return False
                case "undo":
                    taken = self._game.undo()
                    output.echo(f"{taken} plies taken back" if taken else "there is no move of yours to take back")
                    if taken:
                        return True
                case "board":
                    self._draw()
                case "moves" | "hint" | "hints":
                    self._hint("")
                case "help" | "?":
                    output.echo_lines(_HELP.format(example=self._game.hints()[0]))
                case "":
                    continue
                case word:
                    try:
                        self._game.play(word, time.monotonic_ns() - began_ns)
                        return True
                    except IllegalMove:
                        self._hint(word)

    def _hint(self, start: str) -> None:
        fitting = self._game.hints(start)
        if start and not fitting:
            output.echo(f"{start} is no legal move; `moves` lists them")
            return
        rest = f" and {len(fitting) - _MOST_HINTS} more" if len(fitting) > _MOST_HINTS else ""
        output.echo(" ".join(fitting[:_MOST_HINTS]) + rest)

    def _prompt(self, rest_ns: int | None) -> str:
        from arena.rulebook.page import side_name

        at = self._game.game.position
        clock = "" if rest_ns is None else f", {_clock(rest_ns)} left"
        return f"{at.turn}. you ({side_name(self._game.game.rules, at.side)}{clock}): "

    def _tell(self, answer: "EngineMove") -> None:
        said = [f"{answer.think_ns / 1e9:.1f} s"]
        said += [f"depth {answer.summary.depth}"] * (answer.summary.depth is not None)
        said += [f"score {answer.summary.score}"] * (answer.summary.score is not None)
        left_ns = self._game.left_ns(1 - self._game.person)
        said += [] if left_ns is None else [f"{_clock(left_ns)} left"]
        output.echo(f"{self._engine} plays {answer.word} ({', '.join(said)})")

    def _draw(self) -> None:
        from arena.rulebook.game_boards import board_of_game

        output.echo()
        output.draw(board_of_game(self._game.game), output.glyphs(self._ascii))


def _clock(ns: int) -> str:
    """`4:05`, and tenths in the last twenty seconds."""
    seconds = max(0, ns) / 1e9
    return f"{seconds:.1f} s" if seconds < 20 else f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def asker() -> Ask:
    """Asks on stdin, which may be a terminal or a pipe."""
    if sys.stdin is None:
        raise BadInput("stdin is closed: a person types there")
    source = sys.stdin.fileno()
    pending = bytearray()

    def ask(prompt: str, wait_ns: int | None) -> str | None:
        output.echo_lines(prompt, end="")
        sys.stdout.flush()
        deadline = None if wait_ns is None else time.monotonic() + max(0, wait_ns) / 1e9
        while b"\n" not in pending:
            wait = None if deadline is None else max(0.0, deadline - time.monotonic())
            if not select.select([source], [], [], wait)[0]:
                raise TimeoutError
            data = os.read(source, 4096)
            if not data:
                output.echo()
                return None
            pending.extend(data)
        line, _, rest = bytes(pending).partition(b"\n")
        pending[:] = rest
        return line.decode("utf-8", "replace")

    return ask


def _limit(tc: str | None, movetime: int | None, nodes: int | None, depth: int | None) -> "Limit":
    if (tc, movetime, nodes, depth) == (None, None, None, None):
        movetime = USUAL_MS
    limit = options.LimitOptions(tc=tc, movetime=movetime, nodes=nodes, depth=depth).limit
    if tc is not None and limit.kind != "clock":
        raise BadInput(f"--tc {tc}: is no clock; write seconds, such as 300+2")
    return limit
