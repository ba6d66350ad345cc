"""How games ended, in words: a line for a game, and the faults of a run counted by engine and termination."""

from collections import Counter
from typing import NamedTuple

from results.record import GameRecord, Termination, faulty, forfeiter
from results.safe_text import last_words
from results.store.filter import Filter, Selection
from results.store.reader import Reader


class FaultGroup(NamedTuple):
    """The games of a run that one engine lost by one kind of fault."""

    engine: str
    termination: str
    games: int
    first: int
    """The number of the first of them in the schedule."""


def ending_text(record: GameRecord) -> str:
    """`game 1: naive lost by illegal-move: a1 at ply 3`, or `game 2: b won by line at ply 21`."""
    if (loser := faulty(record)) is not None:
        # The position, which follows the illegal move, is told by `arena show`.
        detail = record.detail.partition(" is not legal in ")[0]
        what = f"{loser} lost by {record.termination}" + (f": {detail}" if detail else "") + _why(record)
    elif record.winner is None:
        what = "no result" + (f": {record.detail}" if record.detail else "")
    else:
        who = {"p1": f"{record.p1} won", "p2": f"{record.p2} won", "draw": "a draw"}[record.winner]
        what = f"{who} by {record.termination} at ply {record.ply_count}"
        late = "the line was down" if record.line_was_down else "only the machine was late"
        what += f" ({late})" if record.machine else ""
    return f"game {record.number}: {what}"


def _why(record: GameRecord) -> str:
    """What the evidence tells beyond the detail: the engine's last words, or that it has never answered."""
    if (evidence := record.evidence) is None:
        return ""
    if record.termination == Termination.CRASH and "exit status" in record.detail:
        words = last_words(evidence.stderr)
        return f"; its last words on stderr: {words}" if words else ""
    if record.termination in (Termination.TIME, Termination.STALL) and evidence.transcript:
        sent = evidence.transcript[-1].partition(" <- ")[2]
        answered = any(" -> bestmove" in line or " -> info" in line for line in evidence.transcript)
        if sent.startswith("go ") and not answered:
            if any("<- setoption name UGI_Side " in line for line in evidence.transcript):  # its adapter does flush
                return "; it was its first move: if that takes long, give the engine a `margin`"
            return "; it has said nothing since: does it flush its output?"
    return ""


def fault_groups(reader: Reader, run_id: str, most: int | None = None) -> list[FaultGroup]:
    """Who lost how many games of a run by what fault: most games first, then by name; at most `most` of them."""
    games: Counter[tuple[str, str]] = Counter()
    for count in reader.counts(Filter(run=run_id)):
        if (loser := forfeiter(count)) is not None and count.games > count.machine:
            games[loser, count.termination] += count.games - count.machine
    ranked = sorted(games.items(), key=lambda item: (-item[1], item[0]))[:most]
    return [FaultGroup(*key, number, _first(reader, run_id, *key)) for key, number in ranked]


def _first(reader: Reader, run_id: str, loser: str, termination: str) -> int:
    which = Selection(Filter(run=run_id, engine=loser, termination=termination, machine="0"))
    for brief in reader.briefs(which):
        if loser == (brief.p2 if brief.winner == "p1" else brief.p1):
            return brief.number
    raise LookupError(f"run {run_id} has no game that {loser} lost by {termination}")
