"""Plays one game: rules, send, wait, clock, legality, in one function that reads top to bottom.

Knows sessions and rules. Refuses to know processes' beginnings and ends, schedules and the store.
"""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from arena.clock import MS, Clock
from arena.games.game import Game
from arena.jobs import Terms
from arena.limits import Limit
from protocol import grammar
from protocol.faults import EngineFault, Fault
from protocol.session import Reply, Session
from protocol.stopwatch import Stopwatch
from results.record import Ply, Side, Termination, Winner


@dataclass(frozen=True, slots=True)
class Seat:
    """One side of the board: a session that is ready for this game, and what its engine announced."""

    session: Session
    watch: Stopwatch
    freeze: Callable[[], None] | None = None
    """Stop the engine, None where idle engines are not stopped."""
    thaw: Callable[[], None] | None = None

    def announced(self, option: str) -> bool:
        """Did the engine announce this option? Case does not matter."""
        return self.session.identity.announced(option)


class Entry(NamedTuple):
    """A ply as it happened, packed into a `Ply` only after the game."""

    word: str
    wall_ns: int
    cpu_ns: int | None
    late_ns: int | None
    left_ns: int | None
    info: bytes | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """How the game ended. `fault` is set where an engine broke the protocol; then `winner` is the other side."""

    winner: Winner | None
    termination: Termination
    detail: str = ""
    fault: EngineFault | None = None


SIDES: tuple[Side, Side] = ("p1", "p2")


def play(game: Game, seats: tuple[Seat, Seat], terms: Terms, sheet: list[Entry]) -> Verdict:
    """Play `game` to its end; `seats` are p1's and p2's. Each ply is appended to `sheet` as it happens.

    The game may have moves already (the opening). Every fault of an engine ends in a verdict; any other exception is
    a bug of ours, but for MachineLate: then the game says nothing about the engines.
    """
    with thawed(seats):
        return _play(game, seats, terms, sheet)


def _play(game: Game, seats: tuple[Seat, Seat], terms: Terms, sheet: list[Entry]) -> Verdict:
    limit = terms.limit
    clocks = [Clock.start(limit), Clock.start(limit)] if limit.kind == "clock" else None
    line = position_line(game)
    offered = False
    turn = SIDES.index(game.position.side)
    while game.outcome is None:
        if terms.max_plies and len(game.moves) >= terms.max_plies:
            return Verdict("draw", Termination.ADJUDICATION, f"stopped after {len(game.moves)} plies")
        seat = seats[turn]
        try:
            seat.watch.wake()
            if seat.thaw is not None:
                seat.thaw()
            seat.session.prepare(line)
            budget_ns, fault = budget(terms, clocks[turn] if clocks else None)
            reply = seat.session.search(go_line(limit, clocks, seat, turn), budget_ns, fault, seat.watch)
        except EngineFault as broken:
            return forfeit(turn, broken)
        if seat.freeze is not None:
            seat.freeze()
        spent = reply.spent
        left_ns = None
        if clocks:
            clocks[turn] = clocks[turn].after(spent.think_ns)
            left_ns = clocks[turn].left_ns
        move = game.position.find(reply.word)
        if move is None:
            return refused(game, seat, turn, reply)
        sheet.append(Entry(move.text, reply.elapsed_ns, spent.cpu_ns, spent.late_ns, left_ns, reply.last_info))
        game.play(move.text)
        if game.outcome is not None:
            break
        offers = reply.draw_offered and game.rules.draws and seat.announced("UGI_Draw")
        if offers and offered:
            return Verdict("draw", Termination.DRAW_AGREED)
        offered = offers
        line = line[:-1] + b" " + move.text.encode() + b"\n" if len(game.moves) > 1 else position_line(game)
        turn = 1 - turn
    return Verdict(game.outcome.winner, Termination(game.outcome.reason))


@contextlib.contextmanager
def thawed(seats: tuple[Seat, Seat]) -> Iterator[None]:
    """Leaves no engine stopped, however the game ends."""
    try:
        yield
    finally:
        for seat in seats:
            if seat.thaw is not None:
                seat.thaw()


def position_line(game: Game) -> bytes:
    """The `position` line of a game: its start and all moves so far."""
    return grammar.position(None if game.start == game.rules.start() else game.start.fen(), game.moves)


def go_line(limit: Limit, clocks: list[Clock] | None, seat: Seat, turn: int) -> bytes:
    """The `go` line for the side to move."""
    if clocks is None:
        return FIXED[limit.kind](limit.value)
    one, two = clocks
    to_go = clocks[turn].moves_to_go if limit.moves is not None and seat.announced("UGI_MovesToGo") else None
    return grammar.go_clock(one.left_ns // MS, two.left_ns // MS, limit.increment_ms, limit.increment_ms, to_go)


FIXED = {"movetime": grammar.go_movetime, "nodes": grammar.go_nodes, "depth": grammar.go_depth}


def budget(terms: Terms, clock: Clock | None) -> tuple[int, Fault]:
    """How many ns the next move may take, and the word for taking longer."""
    if clock is not None:
        return clock.left_ns + terms.margin_ms * MS, Fault.TIME
    if terms.limit.kind == "movetime":
        return (terms.limit.value + terms.margin_ms) * MS, Fault.TIME
    return terms.move_limit_ms * MS, Fault.STALL


def forfeit(turn: int, broken: EngineFault) -> Verdict:
    """The verdict for a fault of the side `turn`."""
    return Verdict(SIDES[1 - turn], Termination(broken.fault), broken.detail, broken)


def refused(game: Game, seat: Seat, turn: int, reply: Reply) -> Verdict:
    """The verdict for a `bestmove` that is no legal move: a resignation, an illegal move or a malformed one."""
    word = reply.word
    times = seat.watch.times(reply.elapsed_ns, reply.spent)
    if word == "resign" and seat.announced("UGI_Resign"):
        return Verdict(SIDES[1 - turn], Termination.RESIGNATION)
    if word in grammar.NO_MOVES or game.rules.wellformed(word):
        ply = len(game.moves) + 1
        detail = f"{word} at ply {ply} is not legal in {game.position.fen()}"
        return forfeit(turn, EngineFault(Fault.ILLEGAL_MOVE, detail, times))
    said = reply.raw.decode("utf-8", "replace")[:80]
    return forfeit(turn, EngineFault(Fault.MALFORMED_MOVE, f"{said!r} is not a move of {game.rules.name}", times))


def pack(sheet: list[Entry]) -> tuple[Ply, ...]:
    """The plies of a finished game as they are kept."""
    plies = []
    for entry in sheet:
        depth, nodes, score = grammar.summary(entry.info)
        plies.append(
            Ply(
                entry.word,
                entry.wall_ns // 1000,
                None if entry.cpu_ns is None else entry.cpu_ns // 1000,
                None if entry.left_ns is None else entry.left_ns // MS,
                depth,
                nodes,
                None if score is None else str(score),
                None if entry.late_ns is None else entry.late_ns // 1000,
            )
        )
    return tuple(plies)
