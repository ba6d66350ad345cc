"""How a run stands after each of its events: one function for screens, pages and all other readers.

The state is plain JSON, so that the file beside a database can begin with it. `live_run` makes of it what is shown.
"""

import time
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from arena.live.process import this_process
from arena.live.state import LiveGame, LiveMachine, LiveProcess, LiveResult, LiveRun, LiveScore
from arena.play.snapshots import Thought
from results.store.filter import Filter
from results.store.reader import Reader
from results.tally import meetings

LAST = 5
"""How many games that have ended are told."""
DETAIL = 300
"""How much of a detail is told."""

State = dict[str, Any]
_RESULT = ("number", "variant", "p1", "p2", "winner", "termination", "detail", "plies")


def begin(
    name: str, run_id: str, kind: str, stored: int, games: int | None, may_end_early: bool, store: Reader | None = None
) -> State:
    """How a run stands before its first game. `games` is None where it has no end; `store` has what was played."""
    scores: dict[str, list[int]] = {}
    if stored and store is not None:
        for (p1, p2), tally in meetings(store.counts(Filter(run=run_id))).items():
            for engine, own in ((p1, tally), (p2, tally.reversed)):
                before = scores.setdefault(engine, [0, 0, 0, 0])
                scores[engine] = [before[0] + own.wins, before[1] + own.draws, before[2] + own.losses, 0]
    process = this_process()
    return {
        "name": name,
        "run": run_id,
        "kind": kind,
        "process": {key: getattr(process, key) for key in ("pid", "started", "boot", "host")},
        "began_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "began_ns": time.monotonic_ns(),
        "games": games,
        "may_end_early": may_end_early,
        "stored": stored,
        "done": 0,
        "paused": False,
        "faults": 0,
        "late": 0,
        "withdrawn": {},
        "status": [],
        "scores": scores,
        "playing": {},
        "last": [],
        "lost": [],
        "machines": {},
        "ended": False,
    }


def fold(state: State, event: Mapping[str, Any]) -> State:
    """How a run stands after one more event. The state may be changed, and is returned."""
    match event["event"]:
        case "state":
            return dict(event["state"])
        case "start":
            _start(state, event)
        case "plies":
            _plies(state, event)
        case "game":
            _game(state, event)
        case "withdrawn":
            state["withdrawn"] = {**state["withdrawn"], event["engine"]: event["reason"]}
        case "out":
            state["withdrawn"] = event["withdrawn"]
        case "status":
            state["status"] = event["status"]
        case "paused":
            state["paused"] = event["paused"]
        case "machine":
            state["machines"] = {**state["machines"], event["host"]: dict(event["machine"])}
        case "end":
            state["ended"] = True
            state["playing"] = {}
    return state


def _start(state: State, event: Mapping[str, Any]) -> None:
    game = {key: event[key] for key in ("slot", "number", "round", "variant", "p1", "p2", "tc")}
    game |= {"id": event["game"], "began_ns": event["at_ns"], "fen": "", "opening": [], "moves": [], "scores": []}
    game |= {"left_ms": [None, None], "turn": 0, "thinking_since_ns": None, "thoughts": [None, None]}
    state["playing"] = {**state["playing"], str(event["slot"]): game}


def _plies(state: State, event: Mapping[str, Any]) -> None:
    game = state["playing"].get(str(event["slot"]))
    if game is None or game["id"] != event["game"]:
        return
    moves, first = game["moves"], event["from_ply"]
    if first and (moves is None or first != len(moves)):
        return  # after a gap
    new = {key: event[key] for key in ("fen", "opening", "left_ms", "turn", "thinking_since_ns", "thoughts")}
    new["moves"] = [*moves[:first], *event["moves"]] if first else list(event["moves"])
    new["scores"] = [*game["scores"][:first], *event["scores"]] if first else list(event["scores"])
    state["playing"] = {**state["playing"], str(event["slot"]): {**game, **new}}


def _game(state: State, event: Mapping[str, Any]) -> None:
    slot = str(event["slot"])
    if slot in state["playing"] and state["playing"][slot]["id"] == event["game"]:
        state["playing"] = {key: game for key, game in state["playing"].items() if key != slot}
    if (winner := event["winner"]) is None:
        return
    state["done"] += 1
    state["late"] += event["flagged"]
    result = {key: event[key] for key in _RESULT} | {"detail": event["detail"][:DETAIL]}
    state["last"] = [result, *state["last"]][:LAST]
    loser = event["p2"] if winner == "p1" else event["p1"]
    for name, place in ((event["p1"], "p1"), (event["p2"], "p2")):
        wins, draws, losses, faults = state["scores"].get(name, (0, 0, 0, 0))
        is_fault = bool(event["fault"]) and name == loser
        state["scores"][name] = [
            *(wins + (winner == place), draws + (winner == "draw"), losses + (winner not in (place, "draw"))),
            faults + is_fault,
        ]
    if event["fault"]:
        state["faults"] += 1
        state["lost"] = [result, *state["lost"]][:LAST]
    if (machine := state["machines"].get(event["host"])) is not None:
        state["machines"] = {**state["machines"], event["host"]: {**machine, "games": machine["games"] + 1}}


def live_run(state: State) -> LiveRun:
    """How the run stands, as it is shown. Another thread may fold events meanwhile."""
    scores = [LiveScore(name, *counts) for name, counts in state["scores"].copy().items()]
    scores.sort(key=lambda each: (-each.share, each.name))
    playing = state["playing"]
    same = ("name", "run", "kind", "began_at", "began_ns", "games", "may_end_early", "stored", "done", "paused")
    return LiveRun(
        **{key: state[key] for key in (*same, "faults", "late", "withdrawn")},
        process=LiveProcess(**state["process"]),
        status=tuple(map(tuple, state["status"])),
        standings=tuple(scores),
        engines=len(scores),
        playing=tuple(_live_game(game) for _, game in sorted(playing.items(), key=lambda each: int(each[0]))),
        at_once=len(playing),
        last=tuple(LiveResult(**result) for result in state["last"]),
        lost=tuple(LiveResult(**result) for result in state["lost"]),
        machines=tuple(LiveMachine(**machine) for machine in state["machines"].values()),
    )


def _live_game(game: Mapping[str, Any]) -> LiveGame:
    opening, moves = tuple(game["opening"]), None if game["moves"] is None else tuple(game["moves"])
    known = (*opening, *(moves or ()))
    same = (
        "slot",
        "id",
        "number",
        "round",
        "variant",
        "p1",
        "p2",
        "tc",
        "began_ns",
        "fen",
        "turn",
        "thinking_since_ns",
    )
    return LiveGame(
        **{key: game[key] for key in same},
        opening=opening,
        moves=moves,
        scores=tuple(game["scores"]),
        plies=len(known) if moves is not None else game["plies"],
        last=known[-1] if known else "",
        left_ms=(game["left_ms"][0], game["left_ms"][1]),
        thoughts=(_live_thought(game["thoughts"][0]), _live_thought(game["thoughts"][1])),
    )


def _live_thought(thought: Mapping[str, Any] | None) -> Thought:
    return Thought() if thought is None else Thought(**thought)
