"""Checks E: positions."""

from collections.abc import Callable, Iterable

from protocol.conformance.bench import Bench, require
from protocol.conformance.check import Group, Severity
from protocol.conformance.positions import Place
from protocol.conformance.talk import Talk
from protocol.conformance.violation import NotApplicable, Violation

GROUP = Group("E", "Positions")
F, M, m = Severity.FATAL, Severity.MAJOR, Severity.MINOR
_BRIEF = "nodes 20"


@GROUP.check(1, "6.1", F, "from the start position it gives a legal move", each_variant=True)
def moves_from_the_start(bench: Bench) -> str:
    return bench.move(bench.engine(), "nodes 200").word


@GROUP.check(
    2, "6.1", F, "it follows a game: a legal move after each of the first 20", "off by one, or the other side's move",
    each_variant=True,
)  # fmt: skip
def follows_a_game(bench: Bench) -> str:
    talk, game = bench.engine(), bench.book.longest
    plies = range(1, min(21, len(game.moves)))
    for ply in plies:
        bench.move(talk, "nodes 200", game.at(ply))
    return f"{len(plies)} positions"


@GROUP.check(3, "5.6", M, "from a position string it moves for the side that the string names", each_variant=True)
def heeds_the_side(bench: Bench) -> str:
    talk = bench.engine()
    sides = []
    for place in _spread(bench, 12):
        line = bench.line(place)
        sides.append(line.side)
        bench.move(talk, _BRIEF, Place(line.fen))
    require({"p1", "p2"} <= set(sides), "the golden positions are of one side only")
    return f"{len(sides)} positions"


@GROUP.check(
    4, "6.1", M, "moves behind a position string are played as those behind `startpos` are", "they are ignored there",
    each_variant=True,
)  # fmt: skip
def plays_moves_on_a_string(bench: Bench) -> str:
    talk, game, done = bench.engine(), bench.book.longest, 0
    for ply in range(2, min(len(game.moves), 16), 3):
        half = bench.line(game.at(ply // 2)).fen
        bench.move(talk, _BRIEF, game.at(ply))
        bench.move(talk, _BRIEF, Place(half, game.moves[ply // 2 : ply]))
        bench.move(talk, _BRIEF, Place(half, game.moves[ply // 2 : ply + 1]))
        done += 1
    return f"{done} positions"


@GROUP.check(5, "6.3", m, "`moves` with nothing behind it is accepted", "an index beyond the words")
def takes_empty_moves(bench: Bench) -> None:
    talk = bench.engine()
    talk.ready(f"{talk.position(Place())} moves")
    bench.legal(talk.go("nodes 100", Place()))


@GROUP.check(
    6, "6.2", M, "nothing of one position is left in the next", "the old board stays on a shorter list of moves"
)
def forgets_positions(bench: Bench) -> None:
    talk, (first, second) = bench.engine(), _two_places(bench)
    _alternate(bench, talk, [first, second, first, Place(), second, Place(), first])


@GROUP.check(7, "6.2", M, "the same position sent twice is the same position", "moves are played twice")
def takes_a_position_twice(bench: Bench) -> None:
    talk = bench.engine()
    for place in (*_two_places(bench), *(bench.book.longest.at(ply) for ply in (1, 2, 3))):
        talk.place(place)
        bench.move(talk, _BRIEF, place)
        bench.move(talk, _BRIEF, place)


@GROUP.check(8, "6.2", M, "a game can be taken back ten plies", "moves are only ever added")
def goes_back(bench: Bench) -> None:
    talk, game = bench.engine(), bench.book.longest
    last = min(len(game.moves) - 1, 30)
    back = [ply for ply in (last, last - 10, last - 1, last - 11, 1, last) if ply >= 0]
    _alternate(bench, talk, [game.at(ply) for ply in back])


@GROUP.check(9, "6.7", m, "malformed boards are survived", "an index beyond the board", each_variant=True)
def survives_malformed(bench: Bench) -> str:
    return _survives(bench, lambda about: not about.startswith(_ODD))


@GROUP.check(
    10, "6.7", m, "boards that no game leads to are survived: no king, two kings, an empty board", "an assertion",
    each_variant=True,
)  # fmt: skip
def survives_impossible(bench: Bench) -> str:
    return _survives(bench, lambda about: about.startswith(_ODD))


@GROUP.check(11, "6.7", m, "an illegal move in the list is survived", "an assertion")
def survives_illegal_moves(bench: Bench) -> None:
    talk = bench.engine()
    game = bench.book.longest
    for words in ("a1a1", "y25y24", "zz", "0000", game.moves[0] + "x", "a1 a1 a1"):
        talk.ready(f"{talk.position(Place())} moves {words}")
        talk.ready(f"{talk.position(game.at(3))} {words}")
    bench.move(talk, _BRIEF, game.at(3))
    bench.lives(talk)


@GROUP.check(12, "2.4", M, "a game of 300 plies, or the longest that the variant has, is played on", "a history of 256")
def plays_long_games(bench: Bench) -> str:
    talk, game = bench.engine(), bench.book.longest
    ply = min(300, len(game.moves) - 1)
    bench.move(talk, "movetime 100", game.at(ply))
    return f"ply {ply}"


@GROUP.check(
    13, "6.1", M, "the third occurrence of a position is counted from the start of the game",
    "the history is thrown away with each `position`",
    each_variant=True,
)  # fmt: skip
def counts_occurrences(bench: Bench) -> str:
    bench.special("repetition")
    talk, known = bench.engine(), 0
    for special in (*bench.book.about("repetition-next"), *bench.book.about("repetition")):
        talk.place(special.place)
        said = talk.ask("result")
        if said is not None:
            known += 1
            where = f"{bench.line(special.place).fen} after {len(special.place.moves)} moves"
            require(said == special.result, f"`query result` is {said!r} where it is {special.result!r}: {where}")
        if special.result == "none":
            bench.move(talk, _BRIEF, special.place)
    if not known:
        raise NotApplicable("it does not answer `query result`")
    return f"{known} positions"


_ODD = ("an empty board", "only holes", "no king", "two kings", "no attackers", "no defenders")


def _survives(bench: Bench, wanted: Callable[[str], bool]) -> str:
    talk, done = bench.engine(), 0
    for about, fen in bench.book.impossible:
        if wanted(about):
            try:
                talk.ready(f"position fen {fen}")
            except Violation as violation:
                raise Violation(f"{about}: {violation}") from None
            done += 1
    bench.lives(talk)
    return f"{done} boards"


def _spread(bench: Bench, most: int) -> list[Place]:
    return bench.book.places(most)


def _two_places(bench: Bench) -> tuple[Place, Place]:
    games = bench.book.games
    return games[0].at(min(5, len(games[0].moves) - 1)), games[-1].at(min(4, len(games[-1].moves) - 1))


def _alternate(bench: Bench, talk: Talk, places: Iterable[Place]) -> None:
    for place in places:
        bench.move(talk, _BRIEF, place)
