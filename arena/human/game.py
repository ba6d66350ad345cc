"""A game in which people play, against an engine or each other: moves, both clocks, hints, taking moves back.

People lose by the clock only, by no other fault.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from arena.games.game import Game
from arena.games.game_words import legal_words
from arena.games.rules import Outcome, Position, Rules, plies_before
from arena.play.adjudication import SIDES
from arena.play.engine_pool import wire_variant
from arena.play.referee import FIXED, position_line
from arena.timing.clock import MS, Clock
from arena.timing.time_control import Limit
from protocol import grammar
from protocol.faults import EngineFault, Fault
from protocol.session import Identity, Reply
from protocol.stopwatch import Spent
from results.plies import Plies, Ply
from results.record import Evidence, GameRecord, Termination, Winner

THINK_MS = 600_000
"""The time in ms of an engine's move under a nodes or depth limit. Nobody waits longer for a move."""
GRACE_MS = 500
"""An engine may be so many ms late: nobody wants to win a friendly game by 50 ms."""
USUAL_MS = 1000
"""The time in ms of an engine's move by default, and of a hint in a game with clocks."""


class EngineSession(Protocol):
    """The part of a session that a game with people uses."""

    identity: Identity

    def prepare(self, position: bytes) -> object: ...
    def search(self, go_line: bytes, budget_ns: int, fault: Fault) -> tuple[Reply, Spent]: ...


Engines = tuple[EngineSession | None, EngineSession | None]
"""The engines of p1 and p2. None where a person plays."""


class EngineMove(NamedTuple):
    """The engine's move, the time it took, and the figures and the line of play that the engine sent with it."""

    word: str
    think_ns: int
    summary: grammar.Summary


class End(NamedTuple):
    """How a game ended, or that it has not."""

    winner: Winner | None
    termination: str
    detail: str = ""
    evidence: Evidence | None = None


UNFINISHED = End(None, Termination.UNFINISHED)


def loss(side: int, termination: str, detail: str = "") -> End:
    """The end of a game that this side, 0 for p1, has lost."""
    return End(SIDES[1 - side], termination, detail)


class OutOfTime(ValueError):
    """A game cannot go on, because a clock of it has run out."""


class HumanGame:
    """One game. `limit` is that of the engines, or a clock for both sides; None where people play without a clock."""

    def __init__(self, rules: Rules, start: Position, engines: Engines, limit: Limit | None) -> None:
        self.game = Game(rules, start)
        self.limit = limit
        self._engines = list(engines)
        self._clocks = self._full_clocks()
        self._plies: list[Ply] = []
        """The plies after `_opening`, with what they cost."""
        self._opening = 0

    def resume(self, record: GameRecord) -> None:
        """Play the moves of a record of the same start, and set the clocks to what they show.

        Raises OutOfTime where the side to move has no time left, and IllegalMove.
        """
        for word in record.moves:
            self.game.play(word)
        self._opening = len(record.opening)
        self._plies = list(record.plies)
        self._set_clocks()
        left_ns = self.left_ns(self.turn)
        if left_ns is not None and left_ns <= 0 and self.game.outcome is None:
            raise OutOfTime(f"the clock of {SIDES[self.turn]} has run out in it")

    @property
    def turn(self) -> int:
        """The side to move: 0 for p1."""
        return 0 if self.game.position.side == "p1" else 1

    @property
    def people(self) -> tuple[int, ...]:
        """The sides that people play."""
        return tuple(side for side in (0, 1) if self._engines[side] is None)

    @property
    def alone(self) -> bool:
        """Whether one person plays against an engine."""
        return len(self.people) == 1

    @property
    def outcome(self) -> Outcome | None:
        """How the rules ended the game; None while it goes on."""
        return self.game.outcome

    def left_ns(self, side: int) -> int | None:
        """The time that a side has left; None without clocks."""
        return None if self._clocks is None else self._clocks[side].left_ns

    def play(self, word: str, took_ns: int) -> None:
        """Play the move of the person to move. Raises IllegalMove and then changes nothing."""
        side = self.turn
        self.game.play(word)
        self._store_ply(side, took_ns, grammar.Summary(None, None, None))

    def reply(self) -> EngineMove:
        """Let the engine to move play; `resign` changes nothing. Raises EngineFault, also for an illegal move."""
        side, limit = self.turn, self.limit
        engine = self._engines[side]
        assert engine is not None and limit is not None
        left_ns = self.left_ns(side)
        if left_ns is None:
            move = self._search(engine, FIXED[limit.kind](limit.value), _budget_ns(limit), limit)
        else:
            move = self._search(engine, self._go(engine), max(left_ns, 0), limit)
        if move.word != "resign":
            self.game.play(move.word)
            self._store_ply(side, move.think_ns, move.summary)
        return move

    def hint(self, engine: EngineSession) -> EngineMove:
        """What an engine would play now, a move or `resign`. Nothing is played. Raises EngineFault as `reply` does."""
        limit = self.limit
        if limit is None or limit.kind == "clock":
            limit = Limit("movetime", value=USUAL_MS)
        return self._search(engine, FIXED[limit.kind](limit.value), _budget_ns(limit), limit)

    def replace_engine(self, engine: EngineSession) -> None:
        """Let another engine play on the side of the present one."""
        (side,) = (side for side in (0, 1) if self._engines[side] is not None)
        self._engines[side] = engine

    def undo(self) -> int:
        """Take back a person's last move and all after it, and restore the clocks. The number of plies taken back."""
        played = range(self._opening, len(self.game.moves))
        last = max((number for number in played if self._mover(number) in self.people), default=None)
        if last is None:
            return 0
        moves = list(self.game.moves)
        self.game = Game(self.game.rules, self.game.start)
        for word in moves[:last]:
            self.game.play(word)
        self._plies = self._plies[: last - self._opening]
        self._set_clocks()
        return len(moves) - last

    def legal_words(self, start: str = "") -> list[str]:
        """The legal moves that begin so."""
        return [word for word in legal_words(self.game) if word.startswith(start)]

    def end(self) -> End:
        """How the rules ended the game; UNFINISHED while it goes on."""
        outcome = self.game.outcome
        return UNFINISHED if outcome is None else End(outcome.winner, outcome.reason)

    def record(self, names: Sequence[str], game_id: str, started_at: str, end: End) -> GameRecord:
        """The game so far as a record, with the names of p1 and p2."""
        plies = Plies.of(self._plies)
        return GameRecord(
            id=game_id,
            number=int(game_id.rpartition("-")[2]),
            round=1,
            variant=self.game.rules.name,
            p1=names[0],
            p2=names[1],
            fen=self.game.start.fen(),
            start_ply=plies_before(self.game.start),
            opening=tuple(self.game.moves[: self._opening]),
            plies=plies,
            winner=end.winner,
            termination=end.termination,
            detail=end.detail,
            tc="-" if self.limit is None or (self._clocks is None and len(self.people) == 2) else str(self.limit),
            seed=0,
            started_at=started_at,
            wall_ms=plies.sums.wall_us // 1000,
            host="",
            clock="wall",
            evidence=end.evidence,
        )

    def _search(self, engine: EngineSession, go_line: bytes, budget_ns: int, limit: Limit) -> EngineMove:
        rules = self.game.rules
        engine.prepare(position_line(self.game, wire_variant(engine.identity, rules) in (None, rules.base)))
        fault = Fault.STALL if limit.kind in ("nodes", "depth") else Fault.TIME
        reply, (took_ns, *_) = engine.search(go_line, budget_ns + GRACE_MS * MS, fault)
        word = reply.word
        if word != "resign" or not engine.identity.announced("UGI_Resign"):
            legal = self.game.find(word)
            if legal is None:
                raise EngineFault(Fault.ILLEGAL_MOVE, f"{word} is not legal in {self.game.position.fen()}")
            word = legal.text
        return EngineMove(word, took_ns, grammar.summary(reply.last_info))

    def _mover(self, ply: int) -> int:
        first = 0 if self.game.start.side == "p1" else 1
        return (first + ply) % 2

    def _full_clocks(self) -> tuple[Clock, Clock] | None:
        limit = self.limit
        return None if limit is None or limit.kind != "clock" else (Clock(limit), Clock(limit))

    def _set_clocks(self) -> None:
        """Set the clocks to what they showed after the plies that are there."""
        self._clocks = self._full_clocks()
        for number, ply in enumerate(self._plies, self._opening):
            if self._clocks is not None:
                clock = self._clocks[self._mover(number)]
                clock.spend(ply.wall_us * 1000)
                # The record of a tournament has judged times on its clocks, which are not wall times.
                if ply.left_ms is not None:
                    clock.left_ns = ply.left_ms * MS

    def _store_ply(self, side: int, took_ns: int, summary: grammar.Summary) -> None:
        left_ns = None if self._clocks is None else self._clocks[side].spend(took_ns)
        depth, nodes, score, pv = summary
        self._plies.append(
            Ply(
                self.game.moves[-1],
                took_ns // 1000,
                None,
                None if left_ns is None else left_ns // MS,
                depth,
                nodes,
                None if score is None else str(score),
                pv=pv,
            )
        )

    def _go(self, engine: EngineSession) -> bytes:
        limit, clocks = self.limit, self._clocks
        assert limit is not None and clocks is not None
        one, two = (max(0, clock.left_ns // MS) for clock in clocks)
        announced = limit.moves is not None and engine.identity.announced("UGI_MovesToGo")
        to_go = clocks[self.turn].moves_to_go if announced else None
        return grammar.go_clock(one, two, grammar.increments(limit.increment_ms, limit.increment_ms), to_go)


def _budget_ns(limit: Limit) -> int:
    return (limit.value if limit.kind == "movetime" else THINK_MS) * MS
