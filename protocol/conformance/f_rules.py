"""Checks F: the rules, as the engine's answers to queries show them."""

import zlib
from collections.abc import Iterator
from itertools import chain

from protocol.conformance.bench import Bench, require
from protocol.conformance.check import Group, Severity
from protocol.conformance.judge import Line
from protocol.conformance.positions import Place
from protocol.conformance.talk import READY_MS, Talk
from protocol.conformance.violation import NotApplicable, Violation
from protocol.messages import Info, ReadyOk, Response

GROUP = Group("F", "Rules")
F, M, m = Severity.FATAL, Severity.MAJOR, Severity.MINOR
_PERFT_MOST = 12_000


def _asked(talk: Talk, *queries: str) -> list[str | None]:
    """The responses to some queries about the position that is set up."""
    return [talk.ask(words) for words in queries]


def _answers(bench: Bench, talk: Talk, word: str) -> None:
    """Raises NotApplicable where it does not answer one of UGI's three."""
    talk.place(Place())
    if talk.ask(word) is None:
        raise NotApplicable(f"it does not answer `query {word}`")


def _plies(bench: Bench, most: int) -> Iterator[tuple[Line, Place]]:
    """Places of all golden games with the lines that lead there, the last ones of each game always."""
    total = sum(len(game.moves) for game in bench.book.games)
    step = max(1, total // most)
    for game in bench.book.games:
        line = bench.judge.line(bench.variant, game.fen)
        for ply in range(len(game.moves) + 1):
            if ply % step == 0 or ply >= len(game.moves) - 2:
                yield line, game.at(ply)
            if ply < len(game.moves):
                line.play(game.moves[ply])
    for special in bench.book.specials:
        yield bench.line(special.place), special.place


def _same(query: str, said: str | None, right: str, line: Line) -> None:
    if said != right:
        where = f"{line.fen} after {len(line.moves)} moves"
        raise Violation(f"`query {query}` is {said!r} where it is {right!r}: {where}")


@GROUP.check(
    1, "9.6", M, "`query p1turn` is right", "the number of moves decides, whatever side began", each_variant=True
)
def knows_the_side(bench: Bench) -> str:
    talk, done = bench.engine(), 0
    _answers(bench, talk, "p1turn")
    for line, place in _plies(bench, bench.many(150, 2_000)):
        talk.say(talk.position(place))
        said, right = talk.ask("p1turn"), str(line.side == "p1").lower()
        if line.result == "none":
            _same("p1turn", said, right, line)
        done += 1
    return f"{done} positions"


@GROUP.check(
    2, "9.6", M, "`query gameover` and `query result` are right, with every way for a game to end",
    "no move left, or the third occurrence, is not seen",
    each_variant=True,
)  # fmt: skip
def knows_the_end(bench: Bench) -> str:
    talk, done = bench.engine(), 0
    _answers(bench, talk, "result")
    ends: set[str] = set()
    for line, place in chain(_plies(bench, bench.many(120, 2_000)), _next_plies(bench)):
        talk.say(talk.position(place))
        over, result = _asked(talk, "gameover", "result")
        _same("result", result, line.result, line)
        if over is not None:
            _same("gameover", over, str(line.result != "none").lower(), line)
        ends.add(line.result)
        done += 1
    return f"{done} positions, {', '.join(sorted(ends))}"


def _next_plies(bench: Bench) -> Iterator[tuple[Line, Place]]:
    """What follows the special positions: every ending, and what answers a threat or does not."""
    for special in bench.book.specials:
        words = (special.move,) if special.move else special.legal[:: max(1, len(special.legal) // 12)]
        for word in words:
            place = Place(special.place.fen, (*special.place.moves, word))
            yield bench.line(place), place


@GROUP.check(3, "9.6", M, "`query gameover` is true exactly where `query result` is not none", each_variant=True)
def ends_consistently(bench: Bench) -> str:
    talk, done = bench.engine(), 0
    _answers(bench, talk, "gameover")
    _answers(bench, talk, "result")
    for line, place in chain(_plies(bench, bench.many(40, 500)), _next_plies(bench)):
        talk.say(talk.position(place))
        over, result = _asked(talk, "gameover", "result")
        require((over == "true") == (result != "none"), f"gameover is {over}, result is {result}: {line.fen}")
        done += 1
    return f"{done} positions"


@GROUP.check(
    4, "9.7", M, "`query legalmoves` names the legal moves, each once, and their number",
    "men stop on the centre, pieces jump, the king's limit",
    each_variant=True,
)  # fmt: skip
def knows_legal_moves(bench: Bench) -> str:
    bench.needs_query("legalmoves")
    talk, done = bench.engine(), 0
    for line, place in _plies(bench, bench.many(200, 2_000)):
        talk.say(talk.position(place))
        words = (talk.ask("legalmoves") or "").split()
        said, right = words[1:], line.legal()
        if tuple(sorted(said)) != right:
            _name_the_difference(bench, said, right, line)
        require(words[:1] == [str(len(right))], f"it counts {words[:1]} moves where it names {len(right)}: {line.fen}")
        done += 1
    return f"{done} positions"


def _name_the_difference(bench: Bench, said: list[str], right: tuple[str, ...], line: Line) -> None:
    names = {line.canonical(word) or word for word in said}
    wrong, lacking = sorted(names - set(right)), sorted(set(right) - names)
    if not wrong and not lacking:
        if len(names) == len(said):
            # The two targets of a turn may be named in either order.
            return
        raise Violation(f"`query legalmoves` names a move twice: {line.fen}")
    parts = [f"illegal: {' '.join(wrong[:5])}"] * bool(wrong) + [f"missing: {' '.join(lacking[:5])}"] * bool(lacking)
    crc = zlib.crc32(" ".join(sorted(said)).encode())
    raise Violation(
        f"`query legalmoves` differs ({'; '.join(parts)}; crc32 {crc}): {line.fen} after {len(line.moves)} moves"
    )


@GROUP.check(5, "9.7", M, "`query perft N` counts as the rules do", each_variant=True)
def counts_sequences(bench: Bench) -> str:
    bench.needs_query("perft")
    talk, done = bench.engine(), []
    for place in (Place(), *bench.book.places(3)):
        line = bench.line(place)
        talk.say(talk.position(place))
        branches = max(1, len(line.legal()))
        for depth in (0, 1, 2, 3):
            if branches**depth > _PERFT_MOST and depth > 1:
                break
            right = line.perft(depth)
            said = talk.ask(f"perft {depth}")
            _same(f"perft {depth}", said, str(right), line)
            done.append(str(right))
    return " ".join(done[:4])


@GROUP.check(
    6, "9.7", m, "`query fen` is the position after each move", "a capture is forgotten, or one too many is made",
    each_variant=True,
)  # fmt: skip
def knows_the_board(bench: Bench) -> str:
    bench.needs_query("fen")
    talk, done = bench.engine(), 0
    for line, place in _plies(bench, bench.many(200, 2_000)):
        talk.say(talk.position(place))
        said = talk.ask("fen")
        _same("fen", said, line.fen, line)
        done += 1
    return f"{done} positions"


@GROUP.check(
    7, "9.7", m, "`query islegal` tells legal moves from others that look like them", "stops that are forbidden",
    each_variant=True,
)  # fmt: skip
def tells_legal_moves(bench: Bench) -> str:
    bench.needs_query("islegal")
    talk, legal, illegal = bench.engine(), 0, 0
    # What is legal elsewhere in the game looks like a move here and mostly is none.
    tempting = sorted({word for place in bench.book.places(12) for word in bench.line(place).legal()[::5]})
    for place in bench.book.places(10):
        line = bench.line(place)
        right = set(line.legal())
        talk.say(talk.position(place))
        others = [word for word in tempting if word not in right and line.canonical(word) is None]
        for word in (*sorted(right)[:: max(1, len(right) // 10)][:10], *others[:: max(1, len(others) // 10)][:10]):
            said, expected = talk.ask(f"islegal {word}"), str(word in right).lower()
            _same(f"islegal {word}", said, expected, line)
            legal, illegal = legal + (word in right), illegal + (word not in right)
    return f"{legal} legal and {illegal} other words"


@GROUP.check(
    8, "9.7", m, "a query changes nothing about the search that follows", "it resets or moves the search's state"
)
def asks_freely(bench: Bench) -> str:
    talk = bench.engine()
    _answers(bench, talk, "p1turn")
    asked = (
        ["p1turn", "gameover", "result", *(bench.announced["ugi_queries"].default or "").split()]
        if ("ugi_queries" in bench.announced)
        else ["p1turn", "gameover", "result"]
    )
    words = [f"perft {1}" if word == "perft" else "islegal a1" if word == "islegal" else word for word in asked]
    for place in bench.book.places(8)[-3:]:
        plain = [_searched(talk, place, ()) for _ in range(2)]
        if plain[0] != plain[1]:
            raise NotApplicable("it does not search alike twice, queries or not")
        after = _searched(talk, place, words)
        require(after == plain[0], f"after queries it gives {after} and not {plain[0]}: {bench.line(place).fen}")
    return f"{len(words)} queries"


def _searched(talk: Talk, place: Place, queries: "tuple[str, ...] | list[str]") -> tuple[str, int | None]:
    talk.new_game()
    talk.place(place)
    for words in queries:
        talk.ask(words)
    answer = talk.go("nodes 500", place)
    nodes = [each.message.nodes for each in answer.heard if isinstance(each.message, Info)]
    return answer.word, nodes[-1] if nodes else None


@GROUP.check(
    9, "9.7", m, "an unknown query is passed over or answered by an error", "it waits for a word that it knows"
)
def survives_unknown_queries(bench: Bench) -> None:
    talk = bench.engine()
    talk.place(Place())
    heard = talk.ready("query nonsense", "query", "query perft x", "query islegal")
    known = talk.ask("p1turn")
    if known is not None:
        talk.say("query nonsense", "query p1turn", "isready")
        heard += talk.until(ReadyOk, READY_MS, "readyok")
        require(heard[-2].raw.strip() == f"response {known}".encode(), f"then `query p1turn` brings {heard[-2].raw!r}")
    for each in heard:
        truth = isinstance(each.message, Response) and each.message.text in ("true", "p1win", "p2win", "draw")
        require(
            not truth or each.raw.strip() == f"response {known}".encode(), f"it answered nonsense with {each.raw!r}"
        )
    bench.lives(talk)
