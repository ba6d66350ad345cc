"""Checks G, second part: time, clocks, and limits that are counted. They join the group of the first part."""

from statistics import mean

from protocol.conformance.bench import Bench, require
from protocol.conformance.check import Severity
from protocol.conformance.g_search import GROUP as GROUP
from protocol.conformance.positions import Place
from protocol.conformance.talk import Answer
from protocol.conformance.violation import NotApplicable

F, M, m = Severity.FATAL, Severity.MAJOR, Severity.MINOR
MARGIN_MS = 50


@GROUP.check(
    8, "7.9", M, "a move time is kept, but for the margin", "garbage collection, a poll every 100 ms", alone=True
)
def keeps_move_times(bench: Bench) -> str:
    talk, over = bench.engine(), []
    places = bench.book.places(20)
    asked = [100] * bench.many(8, 14) + [500] * bench.many(2, 4) + [2_000] * bench.many(1, 2)
    for number, asked_ms in enumerate(asked):
        place = places[number % len(places)]
        answer = bench.move(talk, f"movetime {asked_ms}", place)
        if answer.elapsed_ms - asked_ms > MARGIN_MS * bench.slow:
            # Once may be the machine's doing.
            answer = bench.move(talk, f"movetime {asked_ms}", place)
        late_ms = answer.elapsed_ms - asked_ms
        over.append(late_ms)
        require(
            late_ms <= MARGIN_MS * bench.slow,
            f"for {asked_ms} ms it took {answer.elapsed_ms:.1f} ms: {bench.line(answer.place).fen}",
        )
    return f"min {min(over):+.1f}, mean {mean(over):+.1f}, max {max(over):+.1f} ms"


@GROUP.check(9, "7.4", M, "on clocks of 1 s down to 1 ms a legal move is given", "a negative budget, no iteration done")
def survives_short_clocks(bench: Bench) -> str:
    talk, times = bench.engine(), []
    for clock_ms in (1_000, 100, 10, 1):
        for place in bench.book.places(3):
            answer = bench.move(talk, f"p1time {clock_ms} p2time {clock_ms} p1inc 0 p2inc 0", place)
        times.append(f"{clock_ms}: {answer.elapsed_ms:.0f} ms")
    return ", ".join(times)


@GROUP.check(
    10, "7.9", M, "in a game against itself it never oversteps its clock", "the same time for every move", alone=True
)
def never_flags(bench: Bench) -> str:
    talk, line = bench.engine(), bench.line()
    first_ms = bench.many(3_000, 10_000) * bench.slow
    left = {"p1": first_ms, "p2": first_ms}
    while line.result == "none" and len(line.moves) < 200:
        side, place = line.side, Place(None, line.moves)
        clocks = f"p1time {max(1, int(left['p1']))} p2time {max(1, int(left['p2']))} p1inc 0 p2inc 0"
        talk.place(place)
        answer = talk.go(clocks, place, left[side] + 1_000)
        left[side] -= answer.elapsed_ms
        require(left[side] > -MARGIN_MS, f"{side} overstepped by {-left[side]:.0f} ms at ply {len(line.moves)}")
        line.play(bench.legal(answer))
    return f"{len(line.moves)} plies, {min(left.values()) / 1000:.1f} s of {first_ms / 1000:.0f} s left"


@GROUP.check(11, "7.3", M, "it uses its own clock and not the other", "p1time and p2time are swapped, or mean colours")
def uses_its_clock(bench: Bench) -> str:
    talk, times = bench.engine(), []
    for place in _both_sides(bench):
        side = bench.line(place).side
        mine, theirs = ("p1time 100", "p2time 60000") if side == "p1" else ("p2time 100", "p1time 60000")
        words = " ".join(sorted((mine, theirs)))
        answer = bench.move(talk, f"{words} p1inc 0 p2inc 0", place)
        require(answer.elapsed_ms < 1_000 * bench.slow, f"{side} had 100 ms and took {answer.elapsed_ms:.0f} ms")
        times.append(f"{side} {answer.elapsed_ms:.0f} ms")
    return ", ".join(times)


def _both_sides(bench: Bench) -> list[Place]:
    game = bench.book.longest
    return [game.at(ply) for ply in (2, 3)]


@GROUP.check(
    12, "7.3", m, "the words of a clock stand in any order, increments may be missing, unknown words between them",
    "words are read by their places",
)  # fmt: skip
def reads_clocks(bench: Bench) -> None:
    talk = bench.engine()
    for words in (
        "p2inc 0 p1inc 0 p2time 300 p1time 300",
        "p1time 300 p2time 300",
        "p2time 300 foo 3 p1time 300 p2inc 0 p1inc 0",
        "p1inc 0 p1time 300 p2inc 0 p2time 300",
    ):
        for place in _both_sides(bench):
            answer = bench.move(talk, words, place)
            require(answer.elapsed_ms < 2_000 * bench.slow, f"`go {words}` took {answer.elapsed_ms:.0f} ms")


@GROUP.check(13, "7.3", m, "numbers that are missing, negative or none are survived", "a division by zero")
def survives_bad_numbers(bench: Bench) -> None:
    talk = bench.engine()
    for words in (
        "p1time p2time 500", "p1time -100 p2time -100 p1inc 0 p2inc 0", "movetime 1e3", "nodes", "depth x",
        "p1time 0 p2time 0 p1inc 0 p2inc 0", "nodes 0", "depth 0",
    ):  # fmt: skip
        talk.place(Place())
        talk.say(f"go {words}")
        talk.drain(60)
        talk.ready("stop")
        talk.drain(20)
    bench.lives(talk)


@GROUP.check(
    14, "7.7", m, "a limit of nodes is kept, as its infos count them", "they are counted rarely, or by each thread"
)
def keeps_node_limits(bench: Bench) -> str:
    talk, most = bench.engine(), 0.0
    told = False
    for limit in (100, 1_000, 4_000):
        for place in bench.book.places(4)[-2:]:
            answer = bench.move(talk, f"nodes {limit}", place)
            nodes = [info.nodes for info in answer.infos if info.nodes is not None]
            told = told or bool(nodes)
            if nodes:
                require(nodes[-1] <= limit * 1.1 + 1_024, f"for {limit} nodes it reports {nodes[-1]}")
                most = max(most, nodes[-1] / limit)
    if not told:
        raise NotApplicable("it never says `nodes`")
    return f"at most {most:.2f} of the limit"


@GROUP.check(15, "7.7", m, "a limit of depth is reached and not passed, as its infos tell it", "off by one")
def keeps_depth_limits(bench: Bench) -> str:
    talk, limits = bench.engine(), (1, 2, 3)
    place = bench.book.longest.at(2)
    answers = [bench.move(talk, f"depth {limit}", place) for limit in limits]
    depths = [_depth(answer) for answer in answers]
    if None in depths:
        raise NotApplicable("it never says `depth`")
    if depths == [1, 1, 1]:
        raise NotApplicable("it searches one ply, whatever the limit")
    for limit, depth, answer in zip(limits, depths, answers, strict=True):
        mate = answer.exact is not None and answer.exact.score is not None and answer.exact.score.kind == "mate"
        require(depth == limit or mate, f"`go depth {limit}` ends at depth {depth}")
    return " ".join(map(str, depths))


def _depth(answer: Answer) -> int | None:
    depths = [info.depth for info in answer.infos if info.depth is not None]
    return depths[-1] if depths else None
