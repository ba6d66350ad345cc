"""The games of people that one server has: each under a secret, by which its page is found, and kept in a folder.

A game of the folder that does not run, because its server was killed or it was left, is taken up again by its secret.
"""

import contextlib
import json
import os
import secrets
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from arena.config.engine_argument import engine_argument
from arena.config.load import Registry
from arena.games.boards import start_of
from arena.human.begin import HUMAN, PEOPLE, GameRequest, begun, finished, record_to_resume, seats, strong_engine
from arena.human.game_file import check_new_file, kept_game
from arena.human.hosted_game import LEFT_S, HostedGame, StartSession
from arena.human.session import Phase
from arena.planning.containment import Containment
from arena.planning.errors import PlanError
from arena.planning.kept_games import state_folder
from arena.timing.time_control import parse
from arena.whole_file import write_whole

MOST_GAMES = 8
"""The most games that are played at once."""
MOST_KEPT = 1_000
"""The most games that stay in the folder: the last ones. A game in a file that the user named stays anyway."""
_MOST_ENDED = 64
"""The most ended games that can still be looked at."""
_END_S = 3.0


class HostedGames:
    """All games of a server. Its methods may be called in any thread."""

    def __init__(
        self,
        registry: Registry,
        containment: Containment,
        explain: Callable[[Exception], str | None],
        folder: Path | None = None,
        left_s: float = LEFT_S,
    ) -> None:
        self.registry = registry
        self.explain = explain
        """The sentence for an error that users can do something about, None for a bug of ours."""
        self._containment, self._left_s = containment, left_s
        self.folder = folder or state_folder() / "games"
        self._games: dict[str, HostedGame] = {}
        self._lock = threading.Lock()
        self.on_change: Callable[[str], None] = lambda secret: None
        """Is called with the secret of a game that has changed, in the game's thread."""

    def begin(self, request: GameRequest) -> str:
        """Keep what is asked for as a game that nobody has opened yet; its secret.

        Raises PlanError, ConfigError, RulesError, CannotWrite and OSError.
        """
        secret = secrets.token_hex(16)
        kept, record = self.folder / f"{secret}.jsonl", record_to_resume(request)
        if record is None:
            rules, start = start_of(request.variant, request.rules, request.board, request.fen)
        else:
            rules, start = start_of(record.variant, fen=record.fen)
            if request.save is None and request.resume is not None and {record.p1, record.p2} & PEOPLE:
                kept = request.resume
        if request.save is not None:
            kept = request.save
            check_new_file(kept, "--save")
        players, hint_engine = seats(request), request.hint_engine or strong_engine(rules, self.registry)
        for name in {*players, hint_engine} - {None}:
            engine_argument(str(name), self.registry)
        wanted = {
            "players": [name or HUMAN for name in players],
            "limit": None if request.limit is None else str(request.limit),
            "hint_engine": hint_engine,
            "save": os.path.abspath(kept),
            "resume": None if request.resume is None else os.path.abspath(request.resume),
            "variant": rules.name,
            "fen": start.fen(),
        }
        with self._lock:
            self._refuse_if_full()
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_whole(self._request_file(secret), json.dumps(wanted) + "\n")
            for old in sorted(self.folder.glob("*.json"), key=os.path.getmtime)[:-MOST_KEPT]:
                if old.stem != secret and not (old.stem in self._games and self._games[old.stem].is_running):
                    old.unlink()
                    old.with_suffix(".jsonl").unlink(missing_ok=True)
        return secret

    def kept_in(self, secret: str) -> Path:
        """The file that keeps a game. Raises PlanError."""
        return Path(self._kept_request(secret)["save"])

    def find(self, secret: str) -> HostedGame | None:
        """The game of this secret, if it runs or has run here."""
        return self._games.get(secret)

    def open(self, secret: str) -> HostedGame:
        """The game of this secret, which begins or is taken up again if it does not run. Raises PlanError."""
        with self._lock:
            game = self._games.get(secret)
            if game is not None and game.phase in (Phase.LEFT, Phase.FAILED):
                game.join(_END_S)
            if game is None or (game.phase is not Phase.OVER and not game.is_running):
                game = self._start(secret, self._session(self._kept_request(secret)))
        return game

    def end(self) -> None:
        """End all games; they are kept."""
        for game in list(self._games.values()):
            if game.is_running:
                game.leave()
                game.join(_END_S)

    def _refuse_if_full(self) -> None:
        running = [game for game in self._games.values() if game.is_running]
        if len(running) >= MOST_GAMES:
            raise PlanError(f"{len(running)} games are being played here, which is the most")

    def _start(self, secret: str, session: StartSession) -> HostedGame:
        self._refuse_if_full()
        while len(self._games) >= MOST_GAMES + _MOST_ENDED:
            self._games.pop(next(each for each, game in self._games.items() if not game.is_running))

        changed = partial(self.on_change, secret)
        game = self._games[secret] = HostedGame(session, self.explain, changed, self._left_s)
        game.start()
        return game

    def _request_file(self, secret: str) -> Path:
        return self.folder / f"{secret}.json"

    def _kept_request(self, secret: str) -> dict[str, Any]:
        try:
            wanted: dict[str, Any] = json.loads(self._request_file(secret).read_bytes())
        except (OSError, ValueError):
            raise PlanError("there is no such game here") from None
        return wanted

    def _session(self, wanted: dict[str, Any]) -> StartSession:
        """What begins the game that is kept, or shows it if it is over. Raises PlanError."""
        kept = Path(wanted["save"])
        over = finished(kept_game(kept)) if kept.exists() else None
        if over is not None:
            return lambda notify: contextlib.nullcontext(over)
        request = self._request(wanted)
        return lambda notify: begun(request, self.registry, self._containment, notify)

    def _request(self, wanted: dict[str, Any]) -> GameRequest:
        """What is played: the file that keeps the game, as soon as there is one."""
        kept, limit = Path(wanted["save"]), wanted["limit"] and parse(wanted["limit"])
        request = GameRequest(tuple(wanted["players"]), None, limit, wanted["hint_engine"])
        if not kept.exists():
            if wanted["resume"]:
                return replace(request, save=kept, resume=Path(wanted["resume"]))
            return replace(request, save=kept, variant=wanted["variant"], fen=wanted["fen"])
        return replace(request, resume=kept)
