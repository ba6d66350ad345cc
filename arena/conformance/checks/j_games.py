"""Checks J: several games in one process, and two processes."""

import time

from arena.conformance.check import Area, F, M, N, check
from arena.conformance.checked_engine import NEW_GAME_MS, CheckedEngine
from arena.conformance.context import START, CheckContext, require
from arena.conformance.judge.positions import GamePosition
from arena.conformance.violation import NotApplicable

_SLACK_BYTES = 4 << 20


def _short_games(ctx: CheckContext, engine: CheckedEngine, games: int, plies: int = 6) -> None:
    """Let the engine play short games against itself, each after `uginewgame` and `isready`."""
    for _ in range(games):
        engine.new_game()
        line = ctx.line()
        while line.outcome is None and len(line.moves) < plies:
            line.play(ctx.legal(ctx.move(engine, "nodes 50", GamePosition(None, tuple(line.moves)))))


@check(
    "J1", "6.6", F, "20 games can be played in one process", "a move or a board of the last game is left over",
)  # fmt: skip
def plays_many_games(ctx: CheckContext) -> str:
    games = ctx.repeats(20, 50)
    _short_games(ctx, ctx.new_engine(), games)
    return f"{games} games"


@check(
    "J2", "6.6", M, "after `uginewgame` it searches as in a fresh process", "a table or a generator is not cleared",
    needs=("J1",),
)  # fmt: skip
def forgets_the_last_game(ctx: CheckContext) -> str:
    positions = [START, ctx.book.longest.at(3), ctx.book.longest.at(4)]
    seed = ctx.announced.get("seed")
    fresh: list[list[tuple[str, int | None]]] = []
    for _ in range(2):
        engine = ctx.new_engine()
        fresh.append(_searched(engine, positions, None if seed is None else seed.name))
    if fresh[0] != fresh[1]:
        require(seed is None, "two fresh processes with one seed search differently", minor=True)
        raise NotApplicable("two fresh processes search differently, and it announced no Seed")
    again = _searched(engine, positions, None if seed is None else seed.name)
    if again != fresh[0] and _searched(ctx.new_engine(), positions, None if seed is None else seed.name) != fresh[0]:
        raise NotApplicable("it does not search alike twice: are there threads?")
    require(again == fresh[0], f"in the second game it gives {again}, in a fresh process {fresh[0]}")
    # The generator begins again with each game, also if the seed is not sent again.
    unsaid = _searched(engine, positions, None)
    require(unsaid == fresh[0], f"in a game without a new Seed it gives {unsaid}, in a fresh process {fresh[0]}")
    return " ".join(word for word, _ in again)


def _searched(engine: CheckedEngine, positions: list[GamePosition], seed: str | None) -> list[tuple[str, int | None]]:
    if seed is not None:
        engine.set_option(seed, "7")
    engine.new_game()
    answers = [engine.search(position, "nodes 5000") for position in positions]
    return [(answer.word, answer.nodes) for answer in answers]


@check(
    "J4", "4.6", M, "it plays either side, game by game, and every variant that it announced", "it only plays p1",
    needs=("C9", "J1"),
)  # fmt: skip
def plays_both_sides_and_all_variants(ctx: CheckContext) -> str:
    engine, played = ctx.new_engine(), []
    for variant in ctx.variants()[: ctx.repeats(3, 30)]:
        if len(ctx.line(variant=variant).position.fen()) > 300:
            continue
        ctx.set_variant(engine, variant)
        game = ctx.book_of(variant).longest
        for first in (0, 1):
            engine.new_game()
            for ply in range(first, min(8, len(game.moves)), 2):
                ctx.move(engine, "nodes 50", game.at(ply), variant)
        played.append(variant)
    return ", ".join(played)


@check(
    "J5", "2.1", M, "two of them can run at once in one directory", "a log or a lock of the same name",
)  # fmt: skip
def runs_beside_itself(ctx: CheckContext) -> None:
    first, second = ctx.new_engine(), ctx.new_engine()
    for engine in (first, second, first, second):
        ctx.require_alive(engine)


@check(
    "J6", "6.6", N, "after 20 games it takes no more memory than after two, but for a tenth", "a leak",
)  # fmt: skip
def leaks_no_memory(ctx: CheckContext) -> str:
    engine = ctx.new_engine()
    sizes = []
    for games in (2, ctx.repeats(18, 48)):
        _short_games(ctx, engine, games, 4)
        engine.new_game()
        usage = engine.subject.usage()
        if usage is None:
            raise NotApplicable("the system does not tell its memory")
        sizes.append(usage.memory_bytes)
    grown = f"{sizes[0] / 1e6:.1f} to {sizes[1] / 1e6:.1f} MB"
    require(sizes[1] <= sizes[0] * 1.1 + _SLACK_BYTES, f"it grew from {grown}")
    return grown


@check(
    "J7", "10.3", N, "a new game is ready within a second", "a large table is cleared by one thread", alone=True,
    area=Area.TIME,
)  # fmt: skip
def begins_game_within_a_second(ctx: CheckContext) -> str:
    engine, slowest_ms = ctx.new_engine(), 0.0
    for _ in range(3):
        ctx.move(engine, "nodes 1000")
        start_ns = time.monotonic_ns()
        engine.ready("uginewgame", within_ms=NEW_GAME_MS)
        slowest_ms = max(slowest_ms, (time.monotonic_ns() - start_ns) / 1e6)
    require(slowest_ms <= 1_000 * ctx.slow, f"it took {slowest_ms:.0f} ms")
    return f"{slowest_ms:.0f} ms"
