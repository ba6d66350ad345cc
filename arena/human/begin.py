"""Begins a game with people, or goes on with a saved one: checks what was asked for, and starts the engine."""

import contextlib
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from arena.config.engine_argument import engine_argument
from arena.config.load import Registry
from arena.games.boards import start_of
from arena.human.game import HumanGame, OutOfTime
from arena.human.game_file import GameFile, check_new_file, saved_game
from arena.human.opponents import EngineStarter, Opponents
from arena.human.players import PEOPLE, limit, names, players
from arena.human.session import HumanGameSession
from arena.planning.containment import Containment
from arena.planning.errors import PlanError
from arena.play.time_control import Limit


@dataclass(frozen=True, slots=True)
class GameRequest:
    """Who plays what, and in which file the game is kept."""

    players: tuple[str, ...]
    side: str | None = None
    variant: str | None = None
    rules: str = ""
    board: Path | None = None
    fen: str | None = None
    limit: Limit | None = None
    """None: as usual, or as in the saved game."""
    hint_engine: str | None = None
    save: Path | None = None
    resume: Path | None = None


@contextlib.contextmanager
def begun(
    request: GameRequest, registry: Registry, containment: Containment, notify: Callable[[str], None]
) -> Iterator[HumanGameSession]:
    """The session; at its end no engine is left. `notify` is given each sentence that the user should read.

    Raises PlanError, ConfigError, RulesError, CannotWrite, EngineFault and OSError.
    """
    given = {name: getattr(request, name) for name in ("variant", "board", "rules", "fen")}
    saved = None
    if request.resume is not None:
        saved = saved_game(request.resume, [name for name, value in given.items() if value])
    seated = players(request.players, request.side, saved)
    limited = limit(request.limit, seated, request.hint_engine, saved)
    if saved is None:
        rules, start = start_of(request.variant, request.rules, request.board, request.fen)
        if start.outcome is not None:
            raise PlanError(f"that game is finished already ({start.outcome.winner} by {start.outcome.reason})")
    else:
        rules, start = start_of(saved.variant, fen=saved.fen)
    if request.save is not None and request.save != request.resume:
        check_new_file(request.save, "--save")
    if request.hint_engine is not None:
        engine_argument(request.hint_engine, registry)  # a wrong name is refused now and not with the first hint
    starter = EngineStarter(registry, containment, rules, limited, notify)
    try:
        opponent = next((starter.start(text) for text in seated if text is not None), None)
        one, two = (None if text is None or opponent is None else opponent.session for text in seated)
        game = HumanGame(rules, start, (one, two), limited)
        file = GameFile(f"{secrets.token_hex(6)}-1", datetime.now(UTC).isoformat(timespec="seconds"), request.save)
        if saved is not None:
            try:
                game.resume(saved)
            except OutOfTime as error:
                raise PlanError(f"{request.resume}: {error}; give a new clock with --tc") from None
            if {saved.p1, saved.p2} & PEOPLE:
                file = GameFile(saved.id, saved.started_at, request.save or request.resume)
        opponents = Opponents(starter.start, opponent, request.hint_engine)
        yield HumanGameSession(game, names(seated, None if opponent is None else opponent.name), opponents, file)
    finally:
        starter.kill()
