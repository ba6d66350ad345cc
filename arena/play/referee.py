"""Plays one game: rules, send, wait, clock, legality, in one function that reads top to bottom.

It uses sessions and rules. It is independent of how processes start and end, of schedules and of the store.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from arena.games.game import Game
from arena.games.rules import Position, Rules
from arena.play.adjudication import SIDES, adjudicator
from arena.play.jobs import Terms
from arena.timing.clock import FREE_READING_MOVE_NS, MS, free_reading_ns, full_clock
from arena.timing.time_control import Limit
from protocol import grammar
from protocol.faults import EngineFault, Fault, Times
from protocol.session import Reply, Session
from protocol.stopwatch import Spent, Stopwatch
from results.plies import Figures, Plies
from results.record import Termination, Winner


@dataclass(frozen=True, slots=True)
class Seat:
    """One side of the board: a session that is ready for this game."""

    session: Session
    watch: Stopwatch
    freeze: Callable[[], None] | None = None
    """Stops the engine's processes; None where idle engines are not stopped."""
    thaw: Callable[[], None] | None = None
    """Lets them run again."""
    remark: Callable[[str], None] | None = None
    """Writes a comment into the engine's trace; None where there is none."""
    knows_start: bool = True
    """False where `startpos` is another position to the engine, since it plays the variant as a board of another."""

    def announced(self, option: str) -> bool:
        """True where the engine announced this option. Case does not matter."""
        return self.session.identity.announced(option)


@dataclass(frozen=True, slots=True)
class GameEnd:
    """How the game ended. Where an engine broke the protocol, `fault` is set and `winner` is the other side."""

    winner: Winner | None
    termination: str
    detail: str = ""
    fault: EngineFault | None = None


LoggedPly = tuple[str, Reply, Spent, int | None, int]
"""A ply as it happened: its canonical word, the engine's reply, the time it took, the ns left on its clock, and the ns
that the reading of the position took beyond what is free."""
MoveLog = list[LoggedPly]
"""The plies of a running game. Nothing is computed for the record between two moves: `plies_of` does it at the end."""


def play(game: Game, seats: tuple[Seat, Seat], terms: Terms, log: MoveLog) -> GameEnd:
    """Play `game` to its end; `seats` are p1's and p2's. Each ply is appended to `log` as it happens.

    The game may have moves already (the opening). Every fault of an engine ends the game. Any other exception is
    a bug of ours, except MachineLate: then the game says nothing about the engines.
    """
    most = terms.max_plies
    limits, margins_ns, graces_ns, gains, fixed = conditions(terms)
    clocks = [full_clock(limit) if limit.kind == "clock" else None for limit in limits]
    counts = [limits[side].moves is not None and seats[side].announced("UGI_MovesToGo") for side in (0, 1)]
    judge = adjudicator(terms.adjudication, draws=game.rules.draws, plies=len(game.moves))
    # The line grows ply by ply and is never built anew.
    line = position_line(game, seats[0].knows_start and seats[1].knows_start)
    gap = b" " if game.moves else b" moves "
    free_ns = free_reading_ns(len(game.moves), terms.reading_ms)
    offered = False
    turn = SIDES.index(game.position.side)
    outcome = game.outcome
    try:
        while outcome is None:
            if most and len(game.moves) >= most:
                return GameEnd("draw", Termination.ADJUDICATION, f"stopped after {len(game.moves)} plies")
            seat = seats[turn]
            session, watch = seat.session, seat.watch
            try:
                if seat.thaw is not None:
                    seat.thaw()
                reading = session.prepare(line, watch, free_ns)
                go_line, budget_ns, fault = fixed[turn]
                clock = clocks[turn]
                reading_ns = 0
                if reading is not None:
                    reading_ns = reading[1] - free_ns
                    limit = limits[turn]
                    allowed_ns = (budget_ns if clock is None else clock.left_ns + margins_ns[turn]) + free_ns
                    charge_reading(seat, reading, free_ns, allowed_ns, fault)
                    budget_ns -= reading_ns
                    if clock is not None:
                        clock.charge(reading_ns)
                    elif limit.kind == "movetime":
                        go_line = grammar.go_movetime(max(1, (limit.value * MS - reading_ns) // MS))
                if clock is not None:
                    # An opponent without a clock has the mover's time in the line, which must name both.
                    one, two = clocks[0] or clock, clocks[1] or clock
                    to_go = clock.moves_to_go if counts[turn] else None
                    go_line = grammar.go_clock(one.left_ns // MS, two.left_ns // MS, gains, to_go)
                    budget_ns = clock.left_ns + graces_ns[turn]
                reply, spent = session.search(go_line, budget_ns, fault, watch)
            except EngineFault as broken:
                return forfeit(turn, broken)
            if seat.freeze is not None:
                seat.freeze()
            left_ns = None if clock is None else clock.spend(spent[1])
            move = game.find(reply.word)
            if move is None:
                return refused(game, seat, turn, reply, spent)
            word = move.text
            log.append((word, reply, spent, left_ns, reading_ns))
            outcome = game.advance(move)
            if outcome is not None:
                break
            offers = reply.draw_offered and game.rules.draws and seat.announced("UGI_Draw")
            if offers and offered:
                return GameEnd("draw", Termination.DRAW_AGREED)
            offered = offers
            if judge is not None:
                judged = judge.after_move(turn, grammar.summary(reply.last_info).score)
                if judged is not None:
                    return GameEnd(judged.winner, Termination.ADJUDICATION, judged.detail)
            line += gap + word.encode()
            gap = b" "
            free_ns += FREE_READING_MOVE_NS
            turn = 1 - turn
        return GameEnd(outcome.winner, outcome.reason)
    finally:
        # No engine stays stopped, however the game ends.
        for seat in seats:
            if seat.thaw is not None:
                seat.thaw()


def position_line(game: Game, knows_start: bool = True) -> bytes:
    """The `position` line of a game, without its newline: its start and all moves so far."""
    named = knows_start and _is_start(game.rules, game.start)
    return grammar.position(None if named else game.start.fen(), game.moves)[:-1]


@lru_cache(maxsize=16)
def _is_start(rules: Rules, position: Position) -> bool:
    """Whether engines know this position as the start. Cached: a start position is read from its string.

    The start of a user's own variant is not that of the variant that engines are told.
    """
    return position == rules.start() and (rules.own is None or rules.own.start is None)


FIXED: dict[str, Callable[[int], bytes]] = {
    "clock": lambda value: b"",
    "movetime": grammar.go_movetime,
    "nodes": grammar.go_nodes,
    "depth": grammar.go_depth,
}
"""The `go` line by kind of limit, where it is the same for every move of a game."""


class Conditions(NamedTuple):
    """What a game's terms mean, p1's first. It is the same for all games of these terms."""

    limits: tuple[Limit, Limit]
    margins_ns: tuple[int, int]
    graces_ns: tuple[int, int]
    """The margin and the lag: by how much a move may be longer than its clock has."""
    gains: bytes
    """The increments, as a `go` line has them."""
    fixed: tuple[tuple[bytes, int, Fault], ...]
    """The `go` line of a limit for each move, and what `budget` says."""


@lru_cache(maxsize=64)
def conditions(terms: Terms) -> Conditions:
    """What these terms mean. Cached: most games of a run have the same ones."""
    limits = terms.limit_of(0), terms.limit_of(1)
    margins_ns = terms.margin_ms_of(0) * MS, terms.margin_ms_of(1) * MS
    return Conditions(
        limits,
        margins_ns,
        (margins_ns[0] + limits[0].lag_ms * MS, margins_ns[1] + limits[1].lag_ms * MS),
        grammar.increments(limits[0].increment_ms, limits[1].increment_ms),
        tuple((FIXED[limit.kind](limit.value), *budget(terms.of(side))) for side, limit in enumerate(limits)),
    )


def budget(terms: Terms) -> tuple[int, Fault]:
    """The time in ns of each move of a side with these terms, and the fault of a move that takes longer."""
    if terms.limit.kind in ("nodes", "depth"):
        return terms.move_limit_ms * MS, Fault.STALL
    return (terms.limit.value + terms.margin_ms + terms.limit.lag_ms) * MS, Fault.TIME


def charge_reading(seat: Seat, reading: Spent, free_ns: int, allowed_ns: int, fault: Fault) -> None:
    """Note in the trace that an engine took longer to read a position than is free.

    `allowed_ns` is what is free and what the move may take. Raises EngineFault `fault` if the reading took more.
    """
    wall_ns, judged_ns, cpu_ns, late_ns = reading
    took = f"reading the position took {judged_ns / MS:.3f} ms, of which {free_ns / MS:.3f} ms are free"
    if seat.remark is not None:
        seat.remark(took)
    if judged_ns <= allowed_ns:
        return
    times = Times(allowed_ns, wall_ns, cpu_ns, late_ns)
    left = f"{took}; the rest is more than the {(allowed_ns - free_ns) / MS:.3f} ms that the move might take"
    raise EngineFault(fault, left, times)


def forfeit(turn: int, broken: EngineFault) -> GameEnd:
    """How a game ends by a fault of the side `turn`."""
    return GameEnd(SIDES[1 - turn], Termination(broken.fault), broken.detail, broken)


def refused(game: Game, seat: Seat, turn: int, reply: Reply, spent: Spent) -> GameEnd:
    """How a game ends by a `bestmove` that is no legal move: a resignation, an illegal move or a malformed one."""
    word = reply.word
    times = seat.watch.times(spent[0], spent)
    if word == "resign" and seat.announced("UGI_Resign"):
        return GameEnd(SIDES[1 - turn], Termination.RESIGNATION)
    if word in grammar.NO_MOVES or game.rules.wellformed(word):
        ply = len(game.moves) + 1
        detail = f"{word} at ply {ply} is not legal in {game.position.fen()}"
        return forfeit(turn, EngineFault(Fault.ILLEGAL_MOVE, detail, times))
    raw = reply.raw.decode("utf-8", "replace")[:80]
    return forfeit(turn, EngineFault(Fault.MALFORMED_MOVE, f"{raw!r} is not a move of {game.rules.name}", times))


def plies_of(log: MoveLog) -> Plies:
    """The plies of a finished game as a record keeps them. They are packed when they are sent."""
    return Plies.packed_later(_figures(log))


def _figures(log: MoveLog) -> Iterator[Figures]:
    for word, reply, (wall_ns, _, cpu_ns, late_ns), left_ns, reading_ns in log:
        depth = nodes = score = None
        pv = ""
        if reply.last_info is not None:
            depth, nodes, score, pv = grammar.summary(reply.last_info)
        yield (
            word,
            wall_ns // 1000,
            None if cpu_ns is None else cpu_ns // 1000,
            None if left_ns is None else left_ns // MS,
            depth,
            nodes,
            None if score is None else str(score),
            None if late_ns is None else late_ns // 1000,
            reading_ns // 1000,
            pv,
        )
