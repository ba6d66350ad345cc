"""How a run stands after each of its events: one function for screens, pages and all other readers."""

import time
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from arena.live.state import LiveGame, LiveMachine, LiveResult, LiveRun, LiveScore
from arena.play.snapshots import Thought
from results.store.filter import Filter
from results.store.reader import Reader
from results.tally import meetings

LAST = 5
"""How many games that have ended are told."""
DETAIL = 300
"""How much of a detail is told."""


def begin(
    name: str, run_id: str, kind: str, stored: int, games: int | None, may_end_early: bool, store: Reader | None = None
) -> LiveRun:
    """How a run stands before its first game. `games` is None where it has no end; `store` has what was played."""
    scores: dict[str, LiveScore] = {}
    if stored and store is not None:
        for (p1, p2), tally in meetings(store.counts(Filter(run=run_id))).items():
            for engine, own in ((p1, tally), (p2, tally.reversed)):
                had = scores.get(engine, LiveScore(engine))
                scores[engine] = LiveScore(engine, had.wins + own.wins, had.draws + own.draws, had.losses + own.losses)
    return LiveRun(
        name=name,
        run=run_id,
        kind=kind,
        began_at=datetime.now(UTC).isoformat(timespec="seconds"),
        began_ns=time.monotonic_ns(),
        games=games,
        may_end_early=may_end_early,
        stored=stored,
        scores=scores,
    )


def fold(run: LiveRun, event: Mapping[str, Any]) -> LiveRun:
    """How a run stands after one more event. Its scores are changed, all else is kept as it was."""
    match event["event"]:
        case "start":
            return _start(run, event)
        case "plies":
            return _plies(run, event)
        case "game":
            return _game(run, event)
        case "withdrawn":
            return replace(run, withdrawn={**run.withdrawn, event["engine"]: event["reason"]})
        case "out":
            return replace(run, withdrawn=event["withdrawn"])
        case "status":
            return replace(run, status=tuple(map(tuple, event["status"])), counted=event.get("counted"))
        case "paused":
            return replace(run, paused=event["paused"])
        case "machine":
            return _with_machine(run, LiveMachine(**event["machine"]))
        case "end":
            return replace(run, is_over=True, playing=())
    return run


def _start(run: LiveRun, event: Mapping[str, Any]) -> LiveRun:
    same = {key: event[key] for key in ("slot", "number", "round", "variant", "p1", "p2", "tc")}
    game = LiveGame(id=event["game"], began_ns=event["at_ns"], **same)
    others = [each for each in run.playing if each.slot != game.slot]
    return replace(run, playing=tuple(sorted([*others, game], key=lambda each: each.slot)))


def _plies(run: LiveRun, event: Mapping[str, Any]) -> LiveRun:
    game = next((each for each in run.playing if each.id == event["game"] and each.slot == event["slot"]), None)
    first = event["from_ply"]
    if game is None or (first and (game.moves is None or first != len(game.moves))):
        return run  # after a gap
    one, two = (Thought(**thought) for thought in event["thoughts"])
    opening, moves = tuple(event["opening"]), (*(game.moves or ())[:first], *event["moves"])
    now = replace(
        game,
        **{key: event[key] for key in ("fen", "turn", "thinking_since_ns")},
        opening=opening,
        moves=moves,
        scores=(*game.scores[:first], *event["scores"]),
        plies=len(opening) + len(moves),
        last=(*opening, *moves)[-1] if opening or moves else "",
        left_ms=(event["left_ms"][0], event["left_ms"][1]),
        thoughts=(one, two),
    )
    return replace(run, playing=tuple(now if each is game else each for each in run.playing))


def _game(run: LiveRun, event: Mapping[str, Any]) -> LiveRun:
    playing = tuple(each for each in run.playing if (each.slot, each.id) != (event["slot"], event["game"]))
    if (winner := event["winner"]) is None:
        return replace(run, playing=playing)
    same = {key: event[key] for key in ("number", "variant", "p1", "p2", "winner", "termination", "plies")}
    result, is_fault = LiveResult(detail=event["detail"][:DETAIL], **same), bool(event["fault"])
    for name, place in ((result.p1, "p1"), (result.p2, "p2")):
        had, won, lost = run.scores.get(name, LiveScore(name)), winner == place, winner not in (place, "draw")
        run.scores[name] = LiveScore(
            name, had.wins + won, had.draws + (winner == "draw"), had.losses + lost, had.faults + (is_fault and lost)
        )
    run = replace(
        run,
        playing=playing,
        done=run.done + 1,
        late=run.late + event["flagged"],
        last=(result, *run.last)[:LAST],
        faults=run.faults + is_fault,
        lost=(result, *run.lost)[:LAST] if is_fault else run.lost,
    )
    machine = next((each for each in run.machines if each.host == event["host"]), None)
    return run if machine is None else _with_machine(run, replace(machine, games=machine.games + 1))


def _with_machine(run: LiveRun, machine: LiveMachine) -> LiveRun:
    """The run with a machine that is new, or of which more is known, at its place."""
    if all(each.host != machine.host for each in run.machines):
        return replace(run, machines=(*run.machines, machine))
    return replace(run, machines=tuple(machine if each.host == machine.host else each for each in run.machines))
