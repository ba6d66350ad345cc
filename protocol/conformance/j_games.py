"""Checks J: several games in one process, and two processes."""

import time

from protocol.conformance.bench import Bench, require
from protocol.conformance.check import Group, Severity
from protocol.conformance.positions import Place
from protocol.conformance.talk import NEW_GAME_MS, Talk
from protocol.conformance.violation import NotApplicable
from protocol.messages import Info

GROUP = Group("J", "Several games")
F, M, m = Severity.FATAL, Severity.MAJOR, Severity.MINOR
_SLACK_BYTES = 4 << 20


def _short_games(bench: Bench, talk: Talk, games: int, plies: int = 6) -> None:
    """Games that it plays against itself from the start, each with `uginewgame` and `isready` before it."""
    for _ in range(games):
        talk.new_game()
        line = bench.line()
        while line.result == "none" and len(line.moves) < plies:
            line.play(bench.legal(bench.move(talk, "nodes 50", Place(None, line.moves))))


@GROUP.check(1, "6.6", F, "20 games can be played in one process", "a move or a board of the last game is left over")
def plays_many_games(bench: Bench) -> str:
    games = bench.many(20, 50)
    _short_games(bench, bench.engine(), games)
    return f"{games} games"


@GROUP.check(
    2, "13.2", m, "after `uginewgame` it searches as in a fresh process", "a table or a generator is not cleared"
)
def starts_afresh(bench: Bench) -> str:
    places = [Place(), bench.book.longest.at(3), bench.book.longest.at(4)]
    seed = bench.announced.get("seed")
    fresh: list[list[tuple[str, int | None]]] = []
    for _ in range(2):
        talk = bench.engine()
        fresh.append(_searched(talk, places, None if seed is None else seed.name))
    if fresh[0] != fresh[1]:
        require(seed is None, "two fresh processes with one seed search differently")
        raise NotApplicable("two fresh processes search differently, and it announced no Seed")
    again = _searched(talk, places, None if seed is None else seed.name)
    require(again == fresh[0], f"in the second game it gives {again}, in a fresh process {fresh[0]}")
    return " ".join(word for word, _ in again)


def _searched(talk: Talk, places: list[Place], seed: str | None) -> list[tuple[str, int | None]]:
    if seed is not None:
        talk.set_option(seed, "7")
    talk.new_game()
    found = []
    for place in places:
        talk.place(place)
        answer = talk.go("nodes 5000", place)
        nodes = [each.message.nodes for each in answer.heard if isinstance(each.message, Info)]
        found.append((answer.word, nodes[-1] if nodes else None))
    return found


GROUP.of_ours(
    3, "10.5", M, "the late move of an aborted game is not taken for one of the next",
    "tests/protocol/test_session.py, tests/arena/play/test_referee.py",
)  # fmt: skip


@GROUP.check(4, "5.2", M, "it plays either side, game by game, and every variant that it announced", "it only plays p1")
def changes_sides(bench: Bench) -> str:
    talk, played = bench.engine(), []
    for variant in bench.variants()[: bench.many(3, 30)]:
        if len(bench.line(variant=variant).fen) > 300:
            continue
        bench.choose(talk, bench.announced, variant)
        game = bench.book_of(variant).longest
        for first in (0, 1):
            talk.new_game()
            for ply in range(first, min(8, len(game.moves)), 2):
                bench.move(talk, "nodes 50", game.at(ply), variant)
        played.append(variant)
    return ", ".join(played)


@GROUP.check(5, "2.1", M, "two of them can run at once in one directory", "a log or a lock of the same name")
def runs_twice(bench: Bench) -> None:
    first, second = bench.engine(), bench.engine()
    for talk in (first, second, first, second):
        bench.lives(talk)


@GROUP.check(6, "6.6", m, "after 20 games it takes no more memory than after two, but for a tenth", "a leak")
def keeps_its_size(bench: Bench) -> str:
    talk = bench.engine()
    sizes = []
    for games in (2, bench.many(18, 48)):
        _short_games(bench, talk, games, 4)
        talk.new_game()
        usage = talk.subject.usage()
        if usage is None:
            raise NotApplicable("the system does not tell its memory")
        sizes.append(usage.memory_bytes)
    grown = f"{sizes[0] / 1e6:.1f} to {sizes[1] / 1e6:.1f} MB"
    require(sizes[1] <= sizes[0] * 1.1 + _SLACK_BYTES, f"it grew from {grown}")
    return grown


@GROUP.check(7, "6.6", m, "a new game is ready within a second", "a large table is cleared by one thread", alone=True)
def begins_soon(bench: Bench) -> str:
    talk, slowest_ms = bench.engine(), 0.0
    for _ in range(3):
        bench.move(talk, "nodes 1000")
        start_ns = time.monotonic_ns()
        talk.ready("uginewgame", within_ms=NEW_GAME_MS)
        slowest_ms = max(slowest_ms, (time.monotonic_ns() - start_ns) / 1e6)
    require(slowest_ms <= 1_000 * bench.slow, f"it took {slowest_ms:.0f} ms")
    return f"{slowest_ms:.0f} ms"
