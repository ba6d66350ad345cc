"""Checks G, first part: limits, stop, and the moves that come of them."""

import time

from protocol.conformance.bench import MOVES, START, Bench, count, pause, require
from protocol.conformance.check import Group, Severity
from protocol.conformance.positions import Place
from protocol.conformance.talk import READY_MS, SEARCH_MS, STOP_MS, EngineLine, is_remark
from protocol.conformance.violation import NotApplicable
from protocol.messages import BestMove, ReadyOk

GROUP = Group("G", "Searching")
F, M, m = Severity.FATAL, Severity.MAJOR, Severity.MINOR
CLOCK = "p1time 2000 p2time 2000 p1inc 20 p2inc 20"
LIMITS = ("depth 1", "nodes 1000", "movetime 100", CLOCK)
_FEW_NODES = "nodes 20"


@GROUP.check(1, "7.1", F, "each kind of limit brings a bestmove", "a kind is not known, and it thinks for ever")
def heeds_limits(bench: Bench) -> str:
    talk = bench.engine()
    times = [bench.move(talk, limit).elapsed_ms for limit in LIMITS]
    return ", ".join(f"{limit.split()[0]} {ms:.0f} ms" for limit, ms in zip(LIMITS, times, strict=True))


@GROUP.check(
    2, "8.2", F, "its moves are legal, wherever it has to move", "a rule of the variant is not known",
    each_variant=True,
)  # fmt: skip
def moves_legally(bench: Bench) -> str:
    talk = bench.engine()
    places = bench.book.places(bench.many(160, 500))
    for place in places:
        bench.move(talk, _FEW_NODES, place)
    return f"{len(places)} positions"


@GROUP.check(3, "8.1", F, "each `go` brings exactly one bestmove, and nothing behind it", "a second one at `stop`")
def answers_once(bench: Bench) -> None:
    talk = bench.engine()
    for limit in ("nodes 200", "movetime 50"):
        bench.move(talk, limit)
        late = [each for each in talk.drain(200) if not is_remark(each) or b"info" in each.raw]
        require(not late, f"behind the bestmove came {[each.raw[:80] for each in late[:3]]}")


@GROUP.check(4, "14.1", F, "`stop` ends an infinite search within 2 s", "the input is not read while it searches")
def stops(bench: Bench) -> str:
    talk = bench.engine()
    # That it ends by itself is G5's.
    bench.endless(talk, 300, minor=True)
    answer = talk.stop("infinite", START)
    bench.legal(answer)
    return f"{answer.elapsed_ms:.0f} ms"


@GROUP.check(
    5, "7.8", M, "an infinite search ends at `stop` and not before, even where nothing is left to search",
    "it ends at its greatest depth, or does not know `infinite`",
)  # fmt: skip
def waits_for_stop(bench: Bench) -> None:
    places = [
        Place(),
        *(s.place for s in bench.book.about("one-move")[:1]),
        *(s.place for s in bench.book.about("mate")[:1]),
    ]
    talks = [bench.engine() for _ in places]
    for talk, place in zip(talks, places, strict=True):
        talk.place(place)
        talk.say("go infinite")
    pause(bench.many(2_500, 3_000))
    for talk, place in zip(talks, places, strict=True):
        # The dialogue that is judged stands last: a report shows the last.
        bench.talks.sort(key=lambda each: each is talk)
        early = talk.drain(1)
        require(not count(early, MOVES), f"it ended by itself: {bench.line(place).fen}")
        bench.legal(talk.stop("infinite", place))


@GROUP.check(6, "14.1", M, "`stop` right behind `go` brings a legal move", "the stop is lost, or no iteration was done")
def stops_at_once(bench: Bench) -> str:
    talk, times = bench.engine(), []
    for number, place in enumerate(bench.book.places(bench.many(10, 50))):
        limit = ("infinite", "movetime 5000", "nodes 100000000")[number % 3]
        talk.place(place)
        talk.say(f"go {limit}", "stop")
        answer = talk.answer(limit, place, time.monotonic_ns(), STOP_MS)
        bench.legal(answer)
        # Where the search had ended by itself, the stop is one without a search: it must be silent.
        extra = count(talk.ready(), MOVES)
        require(not extra, "a second bestmove came")
        times.append(answer.elapsed_ms)
    return f"{max(times):.0f} ms at most"


@GROUP.check(7, "14.1", M, "`stop` outside a search is not answered", "the last bestmove is printed again")
def ignores_idle_stop(bench: Bench) -> None:
    talk = bench.engine()
    talk.place(Place())
    _no_moves(talk.ready("stop"), "a `stop` before any search")
    bench.move(talk, "nodes 200")
    _no_moves(talk.ready("stop", "stop"), "a `stop` behind the bestmove")
    _no_moves(talk.drain(200), "a `stop` behind the bestmove")
    bench.move(talk, "nodes 200")


def _no_moves(heard: list[EngineLine], after: str) -> None:
    require(not count(heard, MOVES), f"a bestmove came for {after}")


@GROUP.check(16, "8.2", M, "where there is one legal move it is given, under every limit", "it returns without a word")
def plays_the_only_move(bench: Bench) -> str:
    talk, places = bench.engine(), bench.special("one-move")
    for place in places:
        for limit in LIMITS:
            bench.move(talk, limit, place)
        talk.place(place)
        talk.say("go infinite", "stop")
        bench.legal(talk.answer("infinite", place, time.monotonic_ns(), STOP_MS))
    return f"{len(places)} positions"


@GROUP.check(17, "8.2", M, "where a move wins at once a legal move is given", "it stumbles over the end of the game")
def survives_wins(bench: Bench) -> str:
    talk, won = bench.engine(), 0
    places = bench.special("win-in-1")
    for place in places:
        word = bench.legal(bench.move(talk, "nodes 1000", place))
        line = bench.line(place)
        side = line.side
        line.play(word)
        won += line.result == f"{side}win"
    return f"takes {won} of {len(places)} wins"


@GROUP.check(
    18, "8.2", M, "before the end of the game by repetition or for want of a move, a legal move is given",
    "draws are left out of the list, and none is left",
)  # fmt: skip
def survives_ends(bench: Bench) -> str:
    talk, done = bench.engine(), 0
    for about in ("repetition-next", "no-move-next", "lost", "check"):
        for special in bench.book.about(about):
            bench.move(talk, "nodes 500", special.place)
            done += 1
    if not done:
        raise NotApplicable(f"{bench.variant} has no such position")
    return f"{done} positions"


@GROUP.check(19, "7.1", m, "`go` without a word behind it, and without a position, is survived", "it reads nothing")
def survives_bare_go(bench: Bench) -> None:
    talk = bench.start()
    talk.greet()
    talk.ready("go", "stop")
    talk.drain(50)
    talk.ready("go nodes 10", "stop")
    talk.drain(50)
    bench.choose(talk, bench.announced, bench.variant)
    talk.new_game()
    bench.lives(talk)


@GROUP.check(20, "8.1", m, "a second `go` in a search is survived", "two searches on one board")
def survives_two_goes(bench: Bench) -> str:
    talk = bench.engine()
    talk.place(Place())
    talk.say("go movetime 100", "go movetime 100")
    moves = talk.until(MOVES, SEARCH_MS, "bestmove")
    rest = talk.drain(300) + talk.ready(within_ms=2_000)
    moves += rest
    require(count(moves, MOVES) <= 2, f"{count(moves, MOVES)} bestmoves came for two `go`")
    bench.lives(talk)
    return f"{count(moves, MOVES)} bestmoves"


@GROUP.check(
    21, "14.1", M, "a `position` right behind `stop`, before the bestmove, is survived", "the board changes under it"
)
def survives_early_positions(bench: Bench) -> None:
    talk = bench.engine()
    later = bench.book.longest.at(2)
    for command in (talk.position(later), "uginewgame"):
        bench.endless(talk, 50)
        talk.say("stop", command, "isready")
        heard = talk.until(ReadyOk, READY_MS, "readyok")
        if not count(heard, MOVES):
            heard += talk.until(MOVES, STOP_MS, "bestmove")
        require(count(heard, MOVES) == 1, "one search brought more than one bestmove")
        bench.move(talk, "nodes 100", later)


@GROUP.check(
    22, "8.9", m, "`go` in a finished position is survived",
    "it chooses from an empty list of moves, or searches for ever",
)  # fmt: skip
def survives_finished_positions(bench: Bench) -> str:
    talk, said = bench.engine(), set()
    for game in bench.book.games:
        if game.result != "none":
            talk.place(game.at(len(game.moves)))
            talk.say("go nodes 100")
            heard = talk.drain(300)
            heard += talk.ready("stop")
            said |= {each.raw.decode("ascii", "replace") for each in heard if isinstance(each.message, BestMove)}
    bench.lives(talk)
    return ", ".join(sorted(said)[:3]) or "no answer"


@GROUP.check(23, "5.4", M, "moves are spelt as the grammar has them", "`d1-d4`, upper case, a dot at the end")
def spells_moves(bench: Bench) -> str:
    talk, words = bench.engine(), 0
    for place in bench.book.places(30):
        talk.place(place)
        answer = talk.go(_FEW_NODES, place)
        raw = answer.heard[-1].raw
        word = answer.word
        require(bench.judge.wellformed(bench.variant, word), f"{raw!r} has no word of the move grammar")
        exact = raw.split()[1:2] == [word.encode()]
        require(exact, f"{raw!r} is not in lower case", minor=True)
        canonical = bench.line(place).canonical(word)
        require(canonical in (word, None), f"{raw!r}: the targets stand in the wrong order, {canonical}", minor=True)
        words += 1
    return f"{words} moves"


@GROUP.check(24, "8.3", m, "the word behind `ponder` is a legal answer", "it comes from a table without being checked")
def ponders_legally(bench: Bench) -> str:
    seen = 0
    for answer in bench.ordinary.answers:
        message = answer.heard[-1].message
        if isinstance(message, BestMove) and message.ponder is not None:
            line = bench.line(answer.place)
            line.play(bench.legal(answer))
            legal = line.canonical(message.ponder.lower()) is not None
            require(legal, f"after {message.word} {message.ponder} is not legal: {line.fen}")
            seen += 1
    if not seen:
        raise NotApplicable("it never says `ponder`")
    return f"{seen} words"


@GROUP.check(
    25, "2.9", M, "it uses next to no CPU time while nothing is due", "it waits for input in a loop, or ponders"
)
def rests(bench: Bench) -> str:
    talk = bench.engine()
    bench.move(talk, "nodes 1000")
    pause(100)
    before_ns, start_ns = talk.subject.cpu_ns(), time.monotonic_ns()
    pause(2_000)
    after_ns = talk.subject.cpu_ns()
    if before_ns is None or after_ns is None:
        raise NotApplicable("the system does not tell its CPU time")
    percent = 100 * (after_ns - before_ns) / (time.monotonic_ns() - start_ns)
    require(percent < 5, f"it took {percent:.0f} % of a CPU over 2 s")
    return f"{percent:.1f} %"
