"""Checks F: the rules, as the engine's answers to queries show them."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

from arena.conformance.check import Area, M, check, m
from arena.conformance.checked_engine import READY_MS, CheckedEngine
from arena.conformance.context import START, CheckContext, applies, require
from arena.conformance.judge.named_rule import named_rule
from arena.conformance.judge.positions import GamePosition
from arena.conformance.violation import Violation
from arena.games.game import Game
from arena.games.game_words import answer, canonical_word, legal_words
from arena.games.illegal import why_illegal
from arena.games.line import played
from arena.games.perft import perft
from protocol.messages import ReadyOk, Response

_PERFT_MOST = 12_000
_LONGEST_SHOWN = 160


class Difference(NamedTuple):
    """An answer of the engine that is not the judge's."""

    query: str
    response: str
    right: str

    def __str__(self) -> str:
        question = "bestmove" if self.query == "bestmove" else f"`query {self.query}`"
        response, right = (
            text if len(text) < _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 4]} ..."
            for text in (self.response, self.right)
        )
        return f"{question} is {response!r} but should be {right!r}"


def difference(query: str, response: str | None, line: Game) -> Difference | None:
    """How the answer to a query differs from the judge's; None where it is right."""
    right = answer(line, query.split())
    if query == "p1turn" and line.outcome is None:
        right = str(line.position.side == "p1").lower()
    given = "nothing" if response is None else response
    if right in (None, given) or (query == "legalmoves" and right == _in_order(given, line)):
        return None
    return Difference(query, given, right)


def _in_order(moves: str, line: Game) -> str:
    """A list of moves as the judge spells and sorts them: neither order is demanded, nor that of a turn's targets."""
    count, *words = moves.split() or [""]
    return " ".join([count, *sorted(canonical_word(line, word) or word for word in words)])


def _answers(engine: CheckedEngine, word: str) -> bool:
    """Whether the engine answers one of UGI's three queries."""
    engine.set_position(START)
    return engine.ask(word) is not None


def _plies(ctx: CheckContext, most: int) -> Iterator[tuple[Game, GamePosition]]:
    """The start and positions of all golden games with the lines that lead there, among them the last ones of each."""
    yield ctx.line(), START
    total = sum(len(game.moves) for game in ctx.book.games)
    step = max(1, total // most)
    for game in ctx.book.games:
        line = played(ctx.variant, game.fen)
        for ply in range(len(game.moves) + 1):
            if ply % step == 0 or ply >= len(game.moves) - 2:
                yield line, game.at(ply)
            if ply < len(game.moves):
                line.play(game.moves[ply])
    for special in ctx.book.specials:
        yield ctx.line(special.position), special.position


def _next_plies(ctx: CheckContext) -> Iterator[tuple[Game, GamePosition]]:
    """The positions one ply after the special ones: every ending, and answers to threats."""
    for special in ctx.book.specials:
        words = (special.move,) if special.move else special.legal[:: max(1, len(special.legal) // 12)]
        for word in words:
            position = GamePosition(special.position.fen, (*special.position.moves, word))
            yield ctx.line(position), position


def _same(query: str, response: str | None, right: str, line: Game, why: str = "") -> None:
    if response != right:
        raise Violation(f"{Difference(query, response or 'nothing', right)}: {_place(line)}{why}")


def _place(line: Game) -> str:
    return f"{line.position.fen()} after {len(line.moves)} moves"


def _asks(*about: Any, queries: tuple[str, ...], most: int, endings: bool = False) -> None:
    """A check that compares the answers to some queries in about `most` golden positions.

    It does not apply if the engine does not answer the first query.
    """

    def function(ctx: CheckContext) -> str:
        if queries[0] in _OF_UGI:
            engine = ctx.new_engine()
            applies(_answers(engine, queries[0]), f"it does not answer `query {queries[0]}`")
        else:
            ctx.require_query(queries[0])
            engine = ctx.new_engine()
        asked, done = [query for query in queries if query not in _OF_UGI or _answers(engine, query)], 0
        for line, position in chain(_plies(ctx, ctx.repeats(most, 2_000)), _next_plies(ctx) if endings else ()):
            for query, response in zip(asked, engine.ask_all(asked, position), strict=True):
                if (wrong := difference(query, response, line)) is not None:
                    rule = named_rule(line, query, wrong.response)
                    raise Violation(f"{rule.text} ({rule.clause}). {wrong}: {_place(line)}")
            done += 1
        return f"{done} positions"

    check(*about, each_variant=True, needs=("F10",))(function)


_OF_UGI = ("p1turn", "gameover", "result")
_asks(
    "F1", "9.6", M, "`query p1turn` is right", "the number of moves decides, whatever side began",
    queries=("p1turn",), most=150,
)  # fmt: skip
_asks(
    "F2", "9.6", M, "`query gameover` and `query result` are right, with every way for a game to end",
    "no move left, or the third occurrence, is not seen",
    queries=("result", "gameover"), most=120, endings=True,
)  # fmt: skip
_asks(
    "F4", "9.7", M, "`query legalmoves` names the legal moves, each once, and their number",
    "a rule about where a piece may go", queries=("legalmoves",), most=200,
)  # fmt: skip
_asks(
    "F6", "9.7", M, "`query fen` is the position after each move", "a rule about what a move does to other pieces",
    queries=("fen",), most=200,
)  # fmt: skip


@check("F5", "9.7", M, "`query perft N` counts as the rules do", each_variant=True, needs=("F10",))
def counts_sequences(ctx: CheckContext) -> str:
    ctx.require_query("perft")
    engine, done = ctx.new_engine(), []
    game = ctx.book.longest
    early = [game.at(ply) for ply in (2, 5) if ply < len(game.moves)]
    for position in (START, *early, *ctx.book.positions(3)):
        line = ctx.line(position)
        engine.send(engine.position_command(position))
        branches = max(1, len(legal_words(line)))
        for depth in (0, 1, 2, 3):
            if branches**depth > _PERFT_MOST and depth > 1:
                break
            right = perft(line.position, depth)
            _same(f"perft {depth}", engine.ask(f"perft {depth}"), str(right), line)
            done.append(str(right))
    return " ".join(done[:4])


@check(
    "F7", "9.7", M, "`query islegal` tells legal moves from others that look like them",
    "a rule about where a piece may go", each_variant=True,
    needs=("F10",),
)  # fmt: skip
def tells_legal_moves(ctx: CheckContext) -> str:
    ctx.require_query("islegal")
    engine, legal, illegal = ctx.new_engine(), 0, 0
    # A move that is legal elsewhere in the game looks like a move here, and mostly is not legal.
    tempting = sorted({word for position in ctx.book.positions(12) for word in legal_words(ctx.line(position))[::5]})
    for position in ctx.book.positions(10):
        line = ctx.line(position)
        right = set(legal_words(line))
        engine.send(engine.position_command(position))
        others = [word for word in tempting if word not in right and canonical_word(line, word) is None]
        for word in (*sorted(right)[:: max(1, len(right) // 10)][:10], *others[:: max(1, len(others) // 10)][:10]):
            _same_legality(engine, word, word in right, line)
            legal, illegal = legal + (word in right), illegal + (word not in right)
        for word in sorted(right)[:2]:
            _knows_both_orders(engine, word, line)
        for word in sorted(right)[:1]:
            response = engine.ask(f"islegal {word.upper()}")
            require(
                response != "true",
                f"`query islegal {word.upper()}` is true: moves are in lower case",
                minor=True,
                cause="it reads a word in capitals as a move: compare words as they come",
            )
    for game in ctx.book.games:
        if game.result != "none":
            before = legal_words(ctx.line(game.at(len(game.moves) - 1)))
            line = ctx.line(game.at(len(game.moves)))
            engine.send(engine.position_command(game.at(len(game.moves))))
            # The game is over: not even a move that the board would allow is legal.
            for word in (*before[:: max(1, len(before) // 8)], *tempting[:: max(1, len(tempting) // 24)]):
                _same_legality(engine, word, False, line)
    return f"{legal} legal and {illegal} other words"


def _same_legality(engine: CheckedEngine, word: str, legal: bool, line: Game) -> None:
    why = "" if legal else f": {why_illegal(line, word)}"
    _same(f"islegal {word}", engine.ask(f"islegal {word}"), str(legal).lower(), line, why)


def _knows_both_orders(engine: CheckedEngine, word: str, line: Game) -> None:
    """The targets of a turn may stand in either order, and they are two different squares."""
    squares = re.findall("[a-y][0-9]+", word)
    if len(squares) == 3:
        start, one, other = squares
        for query, right in ((f"islegal {start}{other}{one}", "true"), (f"islegal {start}{one}{one}", "false")):
            _same(query, engine.ask(query), right, line)


@check(
    "F8", "9.7", M, "a query changes nothing about the search that follows", "it resets or moves the search's state",
    area=Area.PROTOCOL,
)  # fmt: skip
def searches_alike_after_queries(ctx: CheckContext) -> str:
    engine = ctx.new_engine()
    applies(_answers(engine, "p1turn"), "it does not answer `query p1turn`")
    queries = ("p1turn", "gameover", "result", *ctx.queries)
    words = [{"perft": "perft 1", "islegal": "islegal a1"}.get(word, word) for word in queries]
    for position in ctx.book.positions(8)[-3:]:
        plain = [_searched(engine, position, ()) for _ in range(2)]
        applies(plain[0] == plain[1], "it does not search alike twice, queries or not")
        after = _searched(engine, position, words)
        where = ctx.line(position).position.fen()
        require(after == plain[0], f"after queries it gives {after} and not {plain[0]}: {where}")
    return f"{len(words)} queries"


def _searched(engine: CheckedEngine, position: GamePosition, queries: Sequence[str]) -> tuple[str, int | None]:
    engine.new_game()
    engine.set_position(position)
    for words in queries:
        engine.ask(words)
    search = engine.go("nodes 500", position)
    return search.word, search.nodes


@check(
    "F11", "9.6", m, "`query p1turn`, `query gameover` and `query result` are answered", "they are not known to it",
    area=Area.PROTOCOL,
)  # fmt: skip
def answers_queries(ctx: CheckContext) -> str:
    engine, queries = ctx.new_engine(), ("p1turn", "gameover", "result")
    engine.set_position(START)
    silent = [f"`query {word}`" for word in queries if engine.ask(word) is None]
    require(not silent, f"it does not answer {', '.join(silent)}")
    return "all three"


@check(
    "F9", "9.7", M, "an unknown query is ignored or answered by an error", "it waits for a word that it knows",
    area=Area.PROTOCOL,
)  # fmt: skip
def survives_unknown_queries(ctx: CheckContext) -> None:
    engine = ctx.new_engine()
    engine.set_position(START)
    for query in ("nonsense", "xyzzy 3"):
        response = engine.ask(query)
        require(response is None, f"it answers `query {query}` with `response {response}`")
    for word in ctx.queries:
        query = {"islegal": f"islegal {legal_words(ctx.line())[0]}", "perft": "perft 1"}.get(word, word)
        require(engine.ask(query) is not None, f"UGI_Queries names {word}, and `query {query}` is not answered")
    lines = engine.ready("query nonsense", "query", "query perft x", "query perft -1", "query islegal")
    p1turn = engine.ask("p1turn")
    if p1turn is not None:
        engine.send("query nonsense", "query p1turn", "isready")
        lines += engine.read_until(ReadyOk, READY_MS, "readyok")
        require(lines[-2].message == Response(p1turn), f"then `query p1turn` brings {lines[-2].raw!r}")
    for each in lines:
        truth = isinstance(each.message, Response) and each.message.text in ("true", "p1win", "p2win", "draw")
        require(not truth or each.message == Response(p1turn or ""), f"it answered nonsense with {each.raw!r}")
    ctx.require_alive(engine)
