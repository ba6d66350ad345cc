"""The games of people that one server has: each under a secret, by which its page is found, and kept in a folder.

A game of the folder that does not run, because its server was killed or it was left, is taken up again by its secret.
"""

import contextlib
import json
import os
import secrets
import threading
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from pathlib import Path

from arena.config.load import Registry
from arena.games.boards import start_of
from arena.human.begin import GameRequest, begun, strong_engine
from arena.human.game_file import saved_game
from arena.human.hosted_game import LEFT_S, HostedGame, Phase, PlayCommand
from arena.human.session import HumanGameSession
from arena.planning.containment import Containment
from arena.planning.errors import PlanError
from arena.planning.kept_games import state_folder
from arena.timing.time_control import parse
from arena.whole_file import write_whole
from protocol.containment.watchdog import Watchdog

MOST_GAMES = 8
"""So many games are played at once."""
MOST_KEPT = 1_000
"""No new game begins while the folder has so many."""
_MOST_ENDED = 64
"""So many games that have ended can still be looked at."""
_END_S = 3.0


class HostedRefused(Exception):
    """A game that a server does not begin or take up: an English text of `japanese` and its values."""

    def __init__(self, text: str, **values: object) -> None:
        super().__init__(text.format(**values))
        self.text, self.values = text, values


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
        self._watchdog = Watchdog()
        self.on_change: Callable[[str], None] = lambda secret: None
        """Is called with the secret of a game that has changed, in the game's thread."""

    def begin(self, request: GameRequest) -> str:
        """Begin a game; its secret. Raises HostedRefused, PlanError, RulesError and OSError."""
        if request.resume is None:
            rules, start = start_of(request.variant, request.rules, request.board, request.fen)
            request = replace(request, variant=rules.name, rules="", board=None, fen=start.fen())
        else:
            rules, _ = start_of(saved_game(request.resume, ()).variant)
        if request.hint_engine is None:
            request = replace(request, hint_engine=strong_engine(rules, self.registry))
        with self._lock:
            if len(list(self.folder.glob("*.json"))) >= MOST_KEPT:
                raise HostedRefused(
                    "{count} games are kept here, which is the most; delete some of them", count=MOST_KEPT
                )
            secret = secrets.token_hex(16)
            if request.save is None and request.resume is None:
                request = replace(request, save=self.folder / f"{secret}.jsonl")
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._start(secret, request)
        return secret

    def find(self, secret: str) -> HostedGame | None:
        """The game of this secret, if it runs or has run here."""
        return self._games.get(secret)

    def open(self, secret: str) -> HostedGame:
        """The game of this secret, which is taken up again if it does not run. Raises HostedRefused and PlanError."""
        with self._lock:
            game = self._games.get(secret)
            if game is not None and game.view.phase in (Phase.LEFT, Phase.FAILED):
                game.join(_END_S)
            if game is None or (game.view.phase is not Phase.OVER and not game.is_running):
                game = self._start(secret, self._asked(secret))
        game.give(PlayCommand("open"))
        return game

    def end(self) -> None:
        """End all games; they are kept."""
        for game in list(self._games.values()):
            if game.is_running:
                game.end(_END_S)

    def _start(self, secret: str, request: GameRequest) -> HostedGame:
        running = [game for game in self._games.values() if game.is_running]
        if len(running) >= MOST_GAMES:
            raise HostedRefused("{count} games are being played here, which is the most", count=len(running))
        while len(self._games) >= MOST_GAMES + _MOST_ENDED:
            self._games.pop(next(each for each, game in self._games.items() if not game.is_running))

        def begin(notify: Callable[[str], None]) -> contextlib.AbstractContextManager[HumanGameSession]:
            return self._session(secret, request, notify)

        game = HostedGame(begin, self.explain, lambda: self.on_change(secret), self._left_s)
        self._games[secret] = game
        game.start()
        return game

    @contextlib.contextmanager
    def _session(self, secret: str, request: GameRequest, notify: Callable[[str], None]) -> Iterator[HumanGameSession]:
        """The session of a game. What was asked for is kept beside it, until the game is over or has no move."""
        with begun(request, self.registry, self._containment, notify, self._watchdog) as session:
            if session.file.path is None:
                session.name_file(self.folder / f"{secret}.jsonl")
            assert session.file.path is not None
            values = {**asdict(request), "limit": None if session.game.limit is None else str(session.game.limit)}
            values["save"] = os.path.abspath(session.file.path)
            write_whole(self._asked_file(secret), json.dumps({**values, "resume": None, "board": None}) + "\n")
            yield session
            if not session.game.game.moves:
                self._asked_file(secret).unlink(missing_ok=True)

    def _asked_file(self, secret: str) -> Path:
        return self.folder / f"{secret}.json"

    def _asked(self, secret: str) -> GameRequest:
        """What a kept game asks for. Raises HostedRefused, and PlanError for a file that was changed by hand."""
        try:
            values = json.loads(self._asked_file(secret).read_bytes())
            request = GameRequest(
                **{
                    **values,
                    "players": tuple(values["players"]),
                    "limit": None if values["limit"] is None else parse(values["limit"]),
                    "save": Path(values["save"]),
                }
            )
        except (OSError, ValueError, TypeError, KeyError):
            raise HostedRefused("there is no such game here") from None
        assert request.save is not None
        if not request.save.exists():
            return request
        try:
            is_over = saved_game(request.save, ()).winner is not None
        except PlanError:
            is_over = True
        if is_over:
            raise HostedRefused("the game is over; it is kept in {file}", file=request.save.name)
        return GameRequest(request.players, None, request.limit, request.hint_engine, resume=request.save)
