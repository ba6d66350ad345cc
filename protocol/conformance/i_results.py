"""Checks I: resigning, offers of a draw, results."""

from protocol.conformance.bench import Bench, count, require
from protocol.conformance.check import Group, Severity
from protocol.conformance.positions import Place
from protocol.conformance.talk import Talk
from protocol.conformance.violation import NotApplicable
from protocol.messages import BestMove, MalformedBestMove, OfferDraw

GROUP = Group("I", "Resigning, draws, results")
M, m = Severity.MAJOR, Severity.MINOR
_MOVES = (BestMove, MalformedBestMove)


def _bad_places(bench: Bench, most: int) -> list[Place]:
    """Places where the side to move is lost, and others late in games."""
    lost = [s.place for s in bench.book.specials if s.result == "none" and (s.about == "lost" or (s.plies or 0) < 0)]
    return [*lost * 2, *bench.book.places(most, late=True)][:most]


def _never_resigns(bench: Bench, talk: Talk) -> str:
    places = _bad_places(bench, bench.many(60, 200))
    for place in places:
        talk.place(place)
        answer = talk.go("nodes 100", place)
        require(answer.word != "resign", f"it resigned in {bench.line(place).fen}")
    return f"{len(places)} searches"


@GROUP.check(1, "8.6", M, "it does not resign without having announced UGI_Resign", "it counts as an illegal move")
def resigns_only_if_announced(bench: Bench) -> str:
    if "ugi_resign" in bench.announced:
        raise NotApplicable("it announced UGI_Resign")
    return _never_resigns(bench, bench.engine())


@GROUP.check(2, "8.7", M, "it resigns in answer to a `go` and at no other time")
def resigns_when_asked(bench: Bench) -> str:
    option = bench.option("UGI_Resign")
    talk, done = bench.engine(), 0
    talk.set_option(option.name, "true")
    for place in _bad_places(bench, 10):
        heard = talk.place(place)
        answer = talk.go("nodes 100", place)
        heard += talk.ready("stop")
        require(not count(heard, _MOVES), "a bestmove came that no `go` had asked for")
        done += answer.word == "resign"
    return f"resigned {done} times in 10"


@GROUP.check(3, "8.8", M, "it offers a draw on the line before its bestmove, once, and at no other time")
def offers_in_place(bench: Bench) -> str:
    if "ugi_draw" not in bench.announced:
        heard = bench.ordinary.heard
        require(not count(heard, OfferDraw), "it offered a draw without having announced UGI_Draw")
        raise NotApplicable("it did not announce UGI_Draw")
    talk, offers = bench.engine(), 0
    for place in bench.book.places(12):
        idle = talk.place(place)
        answer = talk.go("nodes 100", place)
        idle += talk.ready()
        require(not count(idle, OfferDraw), "it offered a draw while no search ran")
        made = [number for number, each in enumerate(answer.heard) if isinstance(each.message, OfferDraw)]
        right = made in ([], [len(answer.heard) - 2])
        require(right, f"{len(made)} offers for one `go`, not one on the line before the bestmove")
        offers += len(made)
    return f"{offers} offers in 12 searches"


@GROUP.check(4, "9.10", m, "`gameover` is taken without a word, and the next game is played", "it answers, or exits")
def takes_results(bench: Bench) -> None:
    bench.option("UGI_GameOver")
    talk = bench.engine()
    for result in ("p1win line", "p2win king-escaped", "draw adjudication", "p1win time"):
        bench.move(talk, "nodes 100")
        talk.say(f"gameover {result}")
        talk.silent(50, "in answer to `gameover`")
        talk.new_game()
    bench.lives(talk)


@GROUP.check(5, "4.5", m, "with UGI_Resign set to false it does not resign", "the option is announced and not heeded")
def plays_on_when_told(bench: Bench) -> str:
    option = bench.option("UGI_Resign")
    talk = bench.engine()
    talk.set_option(option.name, "false")
    return _never_resigns(bench, talk)
