"""Checks D: synchronisation."""

from protocol.conformance.bench import MOVES, START, Bench, count, require
from protocol.conformance.check import Group, Severity
from protocol.conformance.positions import Place
from protocol.conformance.talk import READY_MS
from protocol.conformance.violation import NotApplicable
from protocol.messages import ReadyOk, Response

GROUP = Group("D", "Synchronisation")
F, M, m = Severity.FATAL, Severity.MAJOR, Severity.MINOR
_BURST = 20


@GROUP.check(1, "6.4", F, "each `isready` is answered by one `readyok`", "one answer for a burst of questions")
def answers_each(bench: Bench) -> None:
    talk = bench.engine()
    talk.ready()
    talk.say(*["isready"] * _BURST)
    for number in range(_BURST):
        talk.until(ReadyOk, READY_MS, f"readyok number {number + 1} of {_BURST}")
    extra = count(talk.drain(50), ReadyOk)
    require(not extra, f"{_BURST + extra} readyok came for {_BURST} isready")


@GROUP.check(2, "6.4", F, "`isready` is answered after `uginewgame` and after `position`", each_variant=True)
def answers_after_everything(bench: Bench) -> None:
    talk = bench.engine()
    for place in (Place(), *bench.book.places(3)):
        talk.new_game()
        talk.place(place)


@GROUP.check(
    3, "6.5", M, "`isready` in a search is answered at once, and the search goes on",
    "the input is not read while it searches, or isready ends the search",
)  # fmt: skip
def answers_in_search(bench: Bench) -> None:
    talk = bench.engine()
    bench.endless(talk, 100)
    heard = talk.ready(within_ms=1_000) + talk.drain(300)
    require(not count(heard, MOVES), "its bestmove came behind the `isready` and before the `stop`")
    bench.legal(talk.stop("infinite", START))


@GROUP.check(4, "2.9", m, "after `readyok` it is silent until something is said to it", "it ponders aloud, a heartbeat")
def is_silent(bench: Bench) -> None:
    talk = bench.engine()
    talk.place(Place())
    talk.silent(1_000, "when nothing was due")


@GROUP.check(5, "6.4", M, "answers come in the order of the questions", "they are printed by another thread")
def keeps_the_order(bench: Bench) -> str:
    talk = bench.engine()
    talk.place(Place())
    if talk.ask("p1turn") is None:
        raise NotApplicable("it does not answer `query p1turn`")
    rounds = 10
    talk.say(*["query p1turn", "isready"] * rounds)
    for number in range(rounds):
        heard = talk.until(ReadyOk, READY_MS, "readyok")
        responses = count(heard, Response)
        require(responses == 1, f"before readyok number {number + 1} came {responses} responses, not one")
    return f"{rounds} pairs"
