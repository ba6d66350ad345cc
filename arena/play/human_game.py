"""A game between a person and an engine: moves, both clocks, taking moves back. No rating, no record, no forfeits.

Owns the line of play and both clocks. Independent of terminals and of how the person enters moves.
"""

from typing import NamedTuple, Protocol

from arena.games.game import Game
from arena.games.rules import Outcome, Position, Rules
from arena.play.clock import MS, Clock
from arena.play.referee import FIXED, position_line
from arena.play.time_control import Limit
from protocol import grammar
from protocol.faults import EngineFault, Fault
from protocol.session import Identity, Reply
from protocol.stopwatch import Spent

THINK_MS = 600_000
"""The time in ms of an engine's move under a nodes or depth limit. Nobody waits longer for a move."""
GRACE_MS = 500
"""The time in ms by which an engine may be late: nobody wants to win a friendly game by 50 ms."""


class EngineSession(Protocol):
    """The part of a session that a game with a person uses."""

    identity: Identity

    def prepare(self, position: bytes) -> object: ...
    def search(self, go_line: bytes, budget_ns: int, fault: Fault) -> tuple[Reply, Spent]: ...


class EngineMove(NamedTuple):
    """The engine's move, the time it took, and the depth, nodes and score that the engine sent with it."""

    word: str
    think_ns: int
    summary: grammar.Summary


class HumanGame:
    """One game. `person` is the person's side, 0 for p1. `limit` is the engine's; a clock holds for both sides."""

    def __init__(self, rules: Rules, start: Position, engine: EngineSession, limit: Limit, person: int) -> None:
        self.game = Game(rules, start)
        self.person = person
        self._engine = engine
        self._limit = limit
        self._clocks = self._full_clocks()
        self._took_ns: list[int] = []
        """The time of each move, kept for `undo`."""

    @property
    def turn(self) -> int:
        """The side to move: 0 for p1."""
        return 0 if self.game.position.side == "p1" else 1

    @property
    def outcome(self) -> Outcome | None:
        """How the rules ended the game; None while it goes on."""
        return self.game.outcome

    def left_ns(self, side: int) -> int | None:
        """The time that a side has left; None without clocks."""
        return None if self._clocks is None else self._clocks[side].left_ns

    def play(self, word: str, took_ns: int) -> None:
        """Play the person's move. Raises IllegalMove and then changes nothing."""
        self.game.play(word)
        self._charge(self.person, took_ns)

    def reply(self) -> EngineMove:
        """Let the engine move. Raises EngineFault, also for an illegal move."""
        side = 1 - self.person
        game = self.game
        self._engine.prepare(position_line(game))
        left_ns = self.left_ns(side)
        if left_ns is None:
            budget_ns = (self._limit.value if self._limit.kind == "movetime" else THINK_MS) * MS
        else:
            budget_ns = max(left_ns, 0)
        fault = Fault.STALL if self._limit.kind in ("nodes", "depth") else Fault.TIME
        reply, (took_ns, *_) = self._engine.search(self._go(), budget_ns + GRACE_MS * MS, fault)
        if reply.word == "resign" and self._engine.identity.announced("UGI_Resign"):
            return EngineMove(reply.word, took_ns, grammar.summary(reply.last_info))
        if game.position.find(reply.word) is None:
            raise EngineFault(Fault.ILLEGAL_MOVE, f"{reply.word} is not legal in {game.position.fen()}")
        game.play(reply.word)
        self._charge(side, took_ns)
        return EngineMove(game.moves[-1], took_ns, grammar.summary(reply.last_info))

    def undo(self) -> int:
        """Take back the person's last move and all after it, and restore the clocks. The number of plies taken back."""
        moves = list(self.game.moves)
        last = max((number for number in range(len(moves)) if self._mover(number) == self.person), default=None)
        if last is None:
            return 0
        took_ns, self._took_ns = self._took_ns[:last], []
        self._clocks = self._full_clocks()
        self.game = Game(self.game.rules, self.game.start)
        for ply, word in enumerate(moves[:last]):
            self.game.play(word)
            self._charge(self._mover(ply), took_ns[ply])
        return len(moves) - last

    def hints(self, start: str = "") -> list[str]:
        if self.game.outcome is not None:
            return []
        return [move.text for move in self.game.position.legal_moves() if move.text.startswith(start)]

    def _mover(self, ply: int) -> int:
        first = 0 if self.game.start.side == "p1" else 1
        return (first + ply) % 2

    def _full_clocks(self) -> tuple[Clock, Clock] | None:
        return (Clock(self._limit), Clock(self._limit)) if self._limit.kind == "clock" else None

    def _charge(self, side: int, took_ns: int) -> None:
        self._took_ns.append(took_ns)
        if self._clocks is not None:
            self._clocks[side].spend(took_ns)

    def _go(self) -> bytes:
        if self._clocks is None:
            return FIXED[self._limit.kind](self._limit.value)
        one, two = (clock.left_ns // MS for clock in self._clocks)
        mover = self._clocks[1 - self.person]
        announced = self._limit.moves is not None and self._engine.identity.announced("UGI_MovesToGo")
        to_go = mover.moves_to_go if announced else None
        return grammar.go_clock(one, two, grammar.increments(self._limit.increment_ms, self._limit.increment_ms), to_go)
