"""Begins a game with people, or goes on with a saved one: checks what was asked for, and starts the engine."""

import contextlib
import random
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from arena.config.engine_argument import engine_argument
from arena.config.load import Registry
from arena.games.boards import start_of
from arena.games.kinds import built_in
from arena.games.rules import Rules
from arena.games.variants import kind_of
from arena.human.game import UNFINISHED, USUAL_MS, End, HumanGame, OutOfTime
from arena.human.game_file import STDOUT, GameFile, check_new_file, saved_game
from arena.human.opponents import EngineStarter, Opponent
from arena.human.session import HumanGameSession
from arena.planning.containment import Containment
from arena.planning.errors import PlanError
from arena.timing.time_control import BadLimit, Limit, parse
from results.record import GameRecord

HUMAN = "human"
STRONG = "strong"
"""The strong engine for the games that come with the arena."""
PEOPLE = frozenset({HUMAN, "human-2", "human-p1", "human-p2"})
"""The names of people in a record."""
Players = tuple[str | None, str | None]
"""Who plays p1 and p2: an engine as the user wrote it, None for a person."""


@dataclass(frozen=True, slots=True)
class GameRequest:
    """Who plays what, and in which file the game is kept."""

    players: tuple[str, ...]
    side: str | None = None
    limit: Limit | None = None
    """None: as usual, or as in the saved game."""
    hint_engine: str | None = None
    save: Path | None = None
    resume: Path | None = None
    variant: str | None = None
    rules: str = ""
    board: Path | None = None
    fen: str | None = None


@contextlib.contextmanager
def begun(
    request: GameRequest, registry: Registry, containment: Containment, notify: Callable[[str], None]
) -> Iterator[HumanGameSession]:
    """The session; at its end no engine is left. `notify` is given each sentence that the user should read.

    Raises PlanError, ConfigError, RulesError, CannotWrite, EngineFault and OSError.
    """
    saved, sides = record_to_resume(request), seats(request)
    limit = _limit(request.limit, sides, request.hint_engine, saved)
    if saved is None:
        rules, start = start_of(request.variant, request.rules, request.board, request.fen)
        if start.outcome is not None:
            raise PlanError(f"that game is finished already ({start.outcome.winner} by {start.outcome.reason})")
    else:
        rules, start = start_of(saved.variant, fen=saved.fen)
    if request.save is not None and request.save not in (STDOUT, request.resume):
        check_new_file(request.save, "--save")
    if request.hint_engine is not None:
        engine_argument(request.hint_engine, registry)  # a wrong name is refused now and not with the first hint
    starter = EngineStarter(registry, containment, rules, limit, notify)
    try:
        opponent = next((starter.start(text) for text in sides if text is not None), None)
        one, two = (None if text is None or opponent is None else opponent.session for text in sides)
        game = HumanGame(rules, start, (one, two), limit)
        file = GameFile(f"{secrets.token_hex(6)}-1", datetime.now(UTC).isoformat(timespec="seconds"), request.save)
        if saved is not None:
            try:
                game.resume(saved)
            except OutOfTime as error:
                raise PlanError(f"{request.resume}: {error}; give a new clock with --tc") from None
            if {saved.p1, saved.p2} & PEOPLE:
                file = GameFile(saved.id, saved.started_at, request.save or request.resume)
        names = _names(sides, None if opponent is None else opponent.name)
        yield HumanGameSession(game, names, file, starter.start, opponent, request.hint_engine)
    finally:
        starter.kill()


def finished(record: GameRecord) -> HumanGameSession | None:
    """A game that is over, to be looked at: it has no engines and no file. None for one that goes on."""
    rules, start = start_of(record.variant, fen=record.fen)
    game = HumanGame(rules, start, (None, None), None)
    game.resume(record)
    ended = game.end() if record.winner is None else End(record.winner, record.termination, record.detail)
    if ended is UNFINISHED:
        return None
    file = GameFile(record.id, record.started_at)
    return HumanGameSession(game, (record.p1, record.p2), file, _no_engine, None, end=ended)


def _no_engine(name: str) -> Opponent:
    raise PlanError(f"the game is over, so {name} cannot play on")


def strong_engine(rules: Rules, registry: Registry) -> str | None:
    """The strong engine of a variant, `alphabeta` for the game of a plug-in; None where it is not registered."""
    name = STRONG if kind_of(rules) in built_in() else "alphabeta"
    return name if registry.get(name) else None


def record_to_resume(request: GameRequest) -> GameRecord | None:
    """The saved game that goes on. Raises PlanError, also for options that say anew what is played."""
    given = [name for name in ("variant", "board", "rules", "fen") if getattr(request, name)]
    return None if request.resume is None else saved_game(request.resume, given)


def seats(request: GameRequest) -> Players:
    """Who plays which side. Raises PlanError."""
    words, side, saved = request.players, request.side, record_to_resume(request)
    engines = [None if word == HUMAN else word for word in words]
    if len(engines) == 2:
        if None not in engines:
            variant = f" --variant {request.variant}" if request.variant else ""
            raise PlanError(f"two engines play a match: arena match {words[0]} {words[1]}{variant} --games 1")
        if side is not None:
            raise PlanError("--side: the order of the two players says who is p1; leave it out")
        return engines[0], engines[1]
    if len(engines) > 2:
        raise PlanError(f"{len(engines)} players are named; a game has two")
    if engines == [None]:
        if side is not None:
            raise PlanError("--side: two people play, so nobody has a side; leave it out")
        return None, None
    people = [] if saved is None else [number for number, name in enumerate((saved.p1, saved.p2)) if name in PEOPLE]
    if not engines:
        if saved is None:
            raise PlanError(
                "nobody is named to play: 'arena play greedy' plays an engine, 'arena play human human' two"
            )
        if not people:
            raise PlanError(f"the game is one of {saved.p1} and {saved.p2}: name the engine that you want to play")
        return None if 0 in people else saved.p1, None if 1 in people else saved.p2
    if side == "random":
        person = random.SystemRandom().randrange(2)
    elif side is not None:
        person = ("p1", "p2").index(side)
    else:
        person = people[0] if people else 0
    return (None, engines[0]) if person == 0 else (engines[0], None)


def _names(sides: Players, engine: str | None) -> tuple[str, str]:
    """The names of p1 and p2 in the record; `engine` is that of the engine that plays."""
    if engine is None:
        return "human-p1", "human-p2"
    person = "human-2" if engine == HUMAN else HUMAN
    return (person, engine) if sides[0] is None else (engine, person)


def _limit(given: Limit | None, sides: Players, hint_engine: str | None, saved: GameRecord | None) -> Limit | None:
    """The clock of both sides, or the limit of the engine; None where two people play without a clock.

    Raises PlanError for the limit of an engine where none plays.
    """
    two_people = sides == (None, None)
    if given is not None:
        if given.kind != "clock" and two_people and hint_engine is None:
            raise PlanError(
                f"--{given.kind}: limits an engine, and two people play; name one for hints with --hint-engine"
            )
        if given.lag_ms:
            raise PlanError(f"--tc {str(given)!r}: a person needs no lag: leave it out")
        return given
    if saved is not None:
        try:
            return replace(parse(saved.tc), lag_ms=0)
        except BadLimit:
            pass  # another program's word, or `-` for a game without a limit
    return None if two_people else Limit("movetime", value=USUAL_MS)
