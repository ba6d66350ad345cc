"""`arena play`: people play in the terminal, on a drawn board, against an engine or each other."""

import os
import random
import secrets
import select
import sys
import time
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from arena.cli import options, output
from arena.cli.containment_options import Contain
from arena.cli.errors import BadInput
from arena.cli.option_groups import grouped
from arena.cli.output import report
from arena.planning.containment import Containment

if TYPE_CHECKING:
    from arena.config.load import Registry
    from arena.games.rules import Rules
    from arena.human.terminal import Ask, Opponent
    from arena.play.engine_pool import LiveEngine
    from arena.play.time_control import Limit
    from results.record import GameRecord

HUMAN = "human"
_PEOPLE = frozenset({HUMAN, "human-2", "human-p1", "human-p2"})
"""The names of people in a record."""
_BARE = ("variant", "board", "rules", "fen")
_limits = partial(typer.Option, rich_help_panel=options.LIMITS)
_game = partial(typer.Option, rich_help_panel="Game")

Seats = tuple[str | None, str | None]
"""Who plays p1 and p2: an engine as the user wrote it, None for a person."""


@grouped
def play(
    players: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PLAYER...",
            help="An engine: a name, a path, or a quoted command line. Or both players, p1 first, where `human` is a "
            "person.",
        ),
    ] = None,
    *,
    side: Annotated[
        Literal["p1", "p2", "random"] | None, typer.Option(help="Your side; p1 moves first. [default: p1]")
    ] = None,
    hint_engine: Annotated[
        str | None, typer.Option(metavar="ENGINE", help="The engine that gives hints. [default: your opponent]")
    ] = None,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep the game in this file after every move; .pgn or JSON.")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Go on with the game in this file, which it is kept in again.")
    ] = None,
    lang: Annotated[Literal["en", "ja"], typer.Option(help="The language of the rules and the board.")] = "en",
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
    """Play an engine yourself, or with two people, on a drawn board, with hints and undo.

    arena play greedy; arena play human human; arena play --resume game.jsonl
    """
    from arena.config import load
    from arena.config.engine_argument import engine_argument
    from arena.games.boards import start_of
    from arena.human.game import HumanGame, OutOfTime
    from arena.human.game_file import GameFile, check_new_file
    from arena.human.terminal import Company, Look, Sitting

    if lang == "ja":
        output.refuse_without_japanese()
    saved = None if resume is None else _saved_game(resume, game)
    seats = _seats(players or [], side, saved)
    people = seats.count(None)
    limit = _limit(tc, movetime, nodes, depth, people == 2, hint_engine, saved)
    if saved is None:
        found, start = start_of(game.variant, game.rules, game.board, game.fen)
        if start.outcome is not None:
            raise BadInput(f"that game is finished already ({start.outcome.winner} by {start.outcome.reason})")
    else:
        found, start = start_of(saved.variant, fen=saved.fen)
    if save is not None and save != resume:
        check_new_file(save, "--save")
    registry = load.load_registry(engines)
    if hint_engine is not None:
        engine_argument(hint_engine, registry)  # a wrong name is told now and not with the first hint
    room = EngineRoom(registry, Containment(contain), found, limit)
    try:
        opponent = next((room.start(text) for text in seats if text is not None), None)
        session = None if opponent is None else opponent.session
        one, two = (None if text is None else session for text in seats)
        played = HumanGame(found, start, (one, two), limit)
        ours = saved is not None and bool({saved.p1, saved.p2} & _PEOPLE)
        if saved is not None:
            try:
                played.resume(saved)
            except OutOfTime as error:
                raise BadInput(f"{resume}: {error}; give a new clock with --tc") from None
        file = GameFile(
            saved.id if saved is not None and ours else f"{secrets.token_hex(6)}-1",
            saved.started_at if saved is not None and ours else datetime.now(UTC).isoformat(timespec="seconds"),
            save or (resume if ours else None),
        )
        company = Company(room.start, opponent, hint_engine)
        look = Look(ascii_only, lang)
        sitting = Sitting(played, _names(seats, opponent), company, file, look, asker())
        sitting.run(sys.stdin is not None and sys.stdin.isatty())
    finally:
        room.kill()


class EngineRoom:
    """Starts engines for one game, and ends those that are left."""

    def __init__(self, registry: "Registry", box: Containment, rules: "Rules", limit: "Limit | None") -> None:
        self._registry = registry
        self._box = box
        self._rules = rules
        self._limit = limit
        self._live: list[LiveEngine] = []

    def start(self, text: str) -> "Opponent":
        """An engine that is ready for the game. Raises EngineUnavailable, ConfigError, PlanError and EngineFault."""
        from arena.config.engine_argument import engine_argument
        from arena.human.game import USUAL_MS
        from arena.human.terminal import Opponent
        from arena.planning.introductions import introduce_one
        from arena.planning.missing_files import missing_files
        from arena.planning.schedule import Start
        from arena.play.engine_pool import LiveEngine
        from arena.play.jobs import Terms
        from arena.play.time_control import Limit
        from protocol.containment.watchdog import Watchdog
        from protocol.faults import Scene

        spec = engine_argument(text, self._registry)
        (spec,) = self._box.apply([spec])
        self._box.verify([spec], report)
        for sentence in missing_files([spec]):
            report(sentence)
        introduce_one(spec, [Start(self._rules.name)])
        live = LiveEngine(spec, Watchdog())
        self._live.append(live)
        terms = Terms(self._limit or Limit("movetime", value=USUAL_MS))
        seat = live.begin(self._rules, random.SystemRandom().randrange(2**31 - 1), terms)

        def end() -> Scene:
            self._live.remove(live)
            return live.end()

        return Opponent(spec.name, text, seat.session, end)

    def kill(self) -> None:
        """End all that run."""
        for live in self._live:
            live.kill()


def _seats(players: list[str], side: str | None, saved: "GameRecord | None") -> Seats:
    """Who plays which side."""
    words = [None if word == HUMAN else word for word in players]
    if len(words) == 2:
        if None not in words:
            raise BadInput(f"two engines play a match: arena match {players[0]} {players[1]} --games 1")
        if side is not None:
            raise BadInput("--side: the order of the two players says who is p1; leave it out")
        return words[0], words[1]
    if len(words) > 2:
        raise BadInput(f"{len(words)} players are named; a game has two")
    if words == [None]:
        if side is not None:
            raise BadInput("--side: two people play, so nobody has a side; leave it out")
        return None, None
    people = [] if saved is None else [number for number, name in enumerate((saved.p1, saved.p2)) if name in _PEOPLE]
    if not words:
        if saved is None:
            raise BadInput("nobody is named to play: 'arena play greedy' plays an engine, 'arena play human human' two")
        if not people:
            raise BadInput(f"the game is one of {saved.p1} and {saved.p2}: name the engine that you want to play")
        return None if 0 in people else saved.p1, None if 1 in people else saved.p2
    if side == "random":
        person = random.SystemRandom().randrange(2)
    elif side is not None:
        person = ("p1", "p2").index(side)
    else:
        person = people[0] if people else 0
    return (None, words[0]) if person == 0 else (words[0], None)


def _names(seats: Seats, opponent: "Opponent | None") -> tuple[str, str]:
    """The names of p1 and p2 in the record."""
    if opponent is None:
        return "human-p1", "human-p2"
    person = "human-2" if opponent.name == HUMAN else HUMAN
    return (person, opponent.name) if seats[0] is None else (opponent.name, person)


def _saved_game(file: Path, game: options.GameOptions) -> "GameRecord":
    """The only game of a file, which the rules have not ended."""
    from itertools import islice

    from arena.games.line import replay
    from arena.verification.import_readers import read_games

    for name in _BARE:
        if getattr(game, name):
            raise BadInput(f"--{name}: the game in {file} says what is played; leave it out")
    found = list(islice(read_games(file), 2))
    if not found:
        raise BadInput(f"{file} holds no game: name a file that --save wrote, or another PGN or JSON lines of one game")
    for each in found:
        if each.record is None:
            raise BadInput(f"{file}:{each.line}: {each.refusal}")
    record = found[0].record
    assert record is not None
    if len(found) > 1:
        raise BadInput(f"{file} holds several games: put the one to go on with in a file of its own")
    outcome = replay(record.variant, record.fen, record.moves)[0].outcome
    if outcome is not None:
        raise BadInput(f"{file}: the game is over, {outcome.winner} by {outcome.reason}; there is nothing to resume")
    return record


def asker() -> "Ask":
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


def _limit(
    tc: str | None,
    movetime: int | None,
    nodes: int | None,
    depth: int | None,
    two_people: bool,
    hint_engine: str | None,
    saved: "GameRecord | None",
) -> "Limit | None":
    """The clock of both sides, or the limit of the engine; None where two people play without a clock."""
    from arena.human.game import USUAL_MS
    from arena.play.time_control import BadLimit, parse

    fixed = {"movetime": movetime, "nodes": nodes, "depth": depth}
    given = next((kind for kind, value in fixed.items() if value is not None), None)
    if given is not None and two_people and hint_engine is None:
        raise BadInput(f"--{given}: limits an engine, and two people play; name one for hints with --hint-engine")
    if tc is None and given is None:
        if saved is not None:
            try:
                return parse(saved.tc)
            except BadLimit:
                pass  # another program's word, or `-` for a game without a limit
        if two_people:
            return None
        movetime = USUAL_MS
    limit = options.LimitOptions(tc=tc, movetime=movetime, nodes=nodes, depth=depth).limit
    if tc is not None and limit.kind != "clock":
        raise BadInput(f"--tc {tc}: is no clock; write seconds, such as 300+2")
    return limit
