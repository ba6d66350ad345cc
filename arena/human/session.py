"""One game of people with its engines and its file: what a turn does, how a fault ends the game, when it is saved.

The moves, the clocks and what is taken back are those of `game`. The clock of a person's turn runs here.

Knows no terminal and no browser: they call these methods and show what is given back.
"""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from arena.human.game import UNFINISHED, End, EngineMove, HumanGame, loss
from arena.human.game_file import GameFile, check_new_file
from arena.human.opponents import Opponent
from arena.play.evidence import evidence
from protocol.faults import EngineFault, LastWords
from results.record import Termination

AGREED = End("draw", Termination.DRAW_AGREED)
"""The end of a game in which both people agree to a draw."""


class BrokenEngine(NamedTuple):
    """An engine that committed a fault. Its process was ended."""

    engine: Opponent
    fault: EngineFault
    last_words: LastWords
    end: End
    """How the game ends if no other engine plays on."""


class Hint(NamedTuple):
    """A move that an engine would play."""

    engine: Opponent
    move: EngineMove


class HumanGameSession:
    """One game from its start, or from where it was saved, to its end."""

    def __init__(
        self,
        game: HumanGame,
        names: Sequence[str],
        file: GameFile,
        start: Callable[[str], Opponent],
        opponent: Opponent | None,
        hint_engine: str | None = None,
        ended: End | None = None,
        now_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """`names` are those of p1 and p2 in the record. `start` starts an engine, see `EngineStarter.start`."""
        self.game = game
        self.names = list(names)
        self.file = file
        self._start = start
        self.opponent = opponent
        """The engine that plays, if any."""
        self.engine_argument = "" if opponent is None else opponent.argument
        """How the engine that plays, or played before its fault, was named."""
        self.hint_engine = hint_engine
        """The engine that gives hints; None where the opponent does."""
        self._hinter: Opponent | None = None
        self.ended = ended
        """How the game ended before it was opened; None for a game that goes on."""
        self.is_saved = False
        """Was the file written in this session?"""
        self._first_moves = tuple(game.game.moves)
        self._now_ns = now_ns
        self._began_ns: int | None = None
        """When the turn of a person began; None while no person's clock runs."""

    @property
    def alone(self) -> bool:
        """Does one person play against an engine?"""
        return len(self.game.people) == 1

    @property
    def is_kept(self) -> bool:
        """Would nothing be lost if people left now?"""
        return self.file.path is not None or not self.game.game.moves

    @property
    def may_agree(self) -> bool:
        """May the game end by `AGREED`?"""
        return not self.alone and self.game.game.rules.draws

    def start_turn(self) -> None:
        """The person to move begins to think."""
        self._began_ns = self._now_ns()

    def left_ns(self, side: int) -> int | None:
        """The time that a side has left now; None without clocks."""
        left_ns = self.game.left_ns(side)
        return left_ns if left_ns is None or side != self.game.turn else left_ns - self._thought_ns()

    def play(self, word: str) -> None:
        """Play the move of the person to move. Raises IllegalMove and then changes nothing."""
        self.game.play(word, self._thought_ns())
        self._began_ns = None

    def undo(self) -> int:
        """Take back a person's last move and all after it. The number of plies taken back."""
        plies = self.game.undo()
        if plies:
            self._began_ns = None
        return plies

    def resign(self) -> End:
        """The end of the game if the side to move gives it up."""
        return loss(self.game.turn, Termination.RESIGNATION)

    def out_of_time(self) -> End:
        """The end of the game if the time of the person to move is up."""
        return loss(self.game.turn, Termination.TIME, "the clock ran out")

    def engine_turn(self) -> EngineMove | BrokenEngine:
        """Let the opponent play; `resign` is a move that changes nothing."""
        engine = self.opponent
        assert engine is not None
        try:
            return self.game.reply()
        except EngineFault as fault:
            return self._broken(engine, fault)

    def hint(self) -> Hint | BrokenEngine | None:
        """What the engine for hints would play; None without an engine. Raises what `EngineStarter.start` does."""
        if self.hint_engine is not None and self._hinter is None:
            self._hinter = self._start(self.hint_engine)
        engine = self.opponent if self.hint_engine is None else self._hinter
        if engine is None:
            return None
        try:
            return Hint(engine, self.game.hint(engine.session))
        except EngineFault as fault:
            return self._broken(engine, fault)

    def _thought_ns(self) -> int:
        return 0 if self._began_ns is None else self._now_ns() - self._began_ns

    def _broken(self, engine: Opponent, fault: EngineFault) -> BrokenEngine:
        """The engine is ended: it plays no more and gives no more hints."""
        if engine is self._hinter:
            self._hinter = None
        else:
            self.opponent = None
        side, last_words = self.game.turn, engine.end()
        end = loss(side, Termination(fault.fault.value), fault.detail)
        return BrokenEngine(engine, fault, last_words, end._replace(evidence=evidence(side, fault, last_words)))

    def change_engine(self, name: str) -> Opponent:
        """Let another engine play on. Raises what `EngineStarter.start` does, and then changes nothing."""
        before, engine = self.opponent, self._start(name)
        if before is not None:
            before.end()
        self.opponent, self.engine_argument = engine, engine.argument
        self.game.replace_engine(engine.session)
        (person,) = self.game.people
        self.names[1 - person] = engine.name
        return engine

    def save(self, end: End) -> None:
        """Write the game to its file, if it has one. After CannotWrite or OSError it has none any more."""
        if self.file.path is None:
            return
        try:
            self.file.write(self.game.record(self.names, self.file.game_id, self.file.started_at, end))
        except Exception:
            self.file.path = None
            raise
        self.is_saved = True

    def name_file(self, path: Path) -> None:
        """Let a new file keep the game from now on. Raises CannotWrite."""
        check_new_file(path, "save")
        self.file.path = path

    def save_at_end(self, end: End) -> None:
        """Write the game as it ended; a finished game that was only looked at stays as it was."""
        if end is not UNFINISHED or tuple(self.game.game.moves) != self._first_moves:
            self.save(end)
