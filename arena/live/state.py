"""How a run stands: one value, which a screen draws, a file keeps, and a reader in another process gets back.

It is folded from the run's events, by one function for screens, pages and all other readers.
Times ending in `_ns` are those of `time.monotonic_ns`, which all processes of a machine share until it restarts.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Literal

from arena.play.snapshots import Thought
from results.store.filter import Filter
from results.store.reader import Reader
from results.tally import meetings

MS = 1_000_000
LAST = 5
"""How many games that have ended are told."""
DETAIL = 300
"""How much of a detail is told."""


def duration_text(seconds: float) -> str:
    """`2:03:04`, and days where there are any."""
    days, rest = divmod(int(seconds), 86_400)
    text = f"{rest // 3600}:{rest // 60 % 60:02}:{rest % 60:02}"
    return f"{days} d {text}" if days else text


@dataclass(frozen=True, slots=True)
class LiveGame:
    """A game that is being played. p1's figures come first."""

    slot: int
    """Its place among the games that are played at once, from 0."""
    id: str
    number: int
    round: int
    variant: str
    p1: str
    p2: str
    tc: str
    began_ns: int
    fen: str = ""
    """The start position; empty until the worker has told it."""
    opening: tuple[str, ...] = ()
    moves: tuple[str, ...] | None = ()
    """The plies of the engines so far, without the opening. None where a file had no room for them."""
    scores: tuple[str, ...] = ()
    """For each of these plies the score that its engine reported, such as `cp 31`; empty where it reported none."""
    plies: int = 0
    """How many plies were played, with those of the opening."""
    last: str = ""
    """The last move, that of the opening where there is none yet."""
    left_ms: tuple[int | None, int | None] = (None, None)
    """The clocks after the last ply; None without a clock."""
    turn: Literal[0, 1] = 0
    """The side to move, 0 for p1."""
    thinking_since_ns: int | None = None
    """When this side began to think; None where it does not think yet."""
    thoughts: tuple[Thought, Thought] = (Thought(), Thought())

    def clock_ms(self, side: int, now_ns: int) -> int | None:
        """What the clock of a side shows at this moment; None without a clock."""
        left = self.left_ms[side]
        if left is None or side != self.turn or self.thinking_since_ns is None:
            return left
        return left - max(0, now_ns - self.thinking_since_ns) // MS


@dataclass(frozen=True, slots=True)
class LiveResult:
    """A game that has ended."""

    number: int
    variant: str
    p1: str
    p2: str
    winner: Literal["p1", "p2", "draw"]
    termination: str
    detail: str
    plies: int


@dataclass(frozen=True, slots=True)
class LiveScore:
    """The decided games of an engine."""

    name: str
    wins: int = 0
    draws: int = 0
    losses: int = 0
    faults: int = 0
    """How many games it lost by a fault since the run began or went on."""

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def share(self) -> float:
        """Its points as a share of its games, from 0 to 1."""
        return (self.wins + self.draws / 2) / max(1, self.games)


@dataclass(frozen=True, slots=True)
class LiveMachine:
    """A machine of a cluster that plays for the run."""

    host: str
    slots: int
    """How many games it plays at once."""
    games: int = 0
    """How many games it has ended since the run began or went on."""


@dataclass(frozen=True, slots=True)
class LiveRun:
    """A run that is being played."""

    name: str
    run: str
    """Its id."""
    kind: str
    """`match` (also for a sequential test), `tournament` or `ladder`."""
    began_at: str
    """When it began or went on: UTC, ISO 8601."""
    began_ns: int
    games: int | None = None
    """How many games it has; None where it has no end."""
    may_end_early: bool = False
    """Whether `games` is only the most that may be played."""
    stored: int = 0
    """How many of them had ended before it went on."""
    done: int = 0
    """How many have ended since."""
    paused: bool = False
    """Whether no new games are begun."""
    faults: int = 0
    """How many games were lost by a fault since it began or went on."""
    late: int = 0
    """In how many games the machine was late since then."""
    withdrawn: Mapping[str, str] = field(default_factory=dict)
    """The engines that play no more, each with the reason."""
    status: tuple[tuple[str, ...], ...] = ()
    """Lines about the run, each in parts of which the first are the most important."""
    counted: int | None = None
    """How many games these lines are about, if some that ended wait for others; None: all that ended."""
    scores: dict[str, LiveScore] = field(default_factory=dict)
    """By the names of the engines."""
    playing: tuple[LiveGame, ...] = ()
    """In the order of their slots."""
    last: tuple[LiveResult, ...] = ()
    """The games that ended last, the newest first."""
    lost: tuple[LiveResult, ...] = ()
    """The games that were lost by a fault last, the newest first."""
    machines: tuple[LiveMachine, ...] = ()
    """The machines that can play; none where the games are played on one machine alone."""
    is_over: bool = False

    @property
    def standings(self) -> list[LiveScore]:
        """The engines with their games, the best first. Another thread may count games meanwhile."""
        return sorted(self.scores.copy().values(), key=lambda each: (-each.share, each.name))

    @property
    def ended(self) -> int:
        """How many games have ended in all."""
        return self.stored + self.done

    def rate(self, now_ns: int) -> float | None:
        """Games a second since it began or went on; None where none has ended."""
        passed = (now_ns - self.began_ns) / 1e9
        return self.done / passed if self.done and passed > 0 else None


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
