"""Everything from nothing to a header: rounds of self-play, fit and test for each variant.

A round plays with the best weights so far, fits new ones and tests them against these. New weights are taken only if
the test accepts that they are stronger. At last the best are tested against the weights in use.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from arena.games.rules import RulesError
from engines.native import weights
from engines.native.kernel import KernelError
from engines.tuning import trial
from engines.tuning.fit import fit
from engines.tuning.header import NAMES, header, set_of
from engines.tuning.selfplay import Table, play

PATIENCE = 2
"""After so many rounds without a gain no other is played."""
FOUND = {"H1": "stronger", "H0": "not stronger", "running": "undecided"}
"""What the state of a test says of the first weights."""
_RESULTS = "results.jsonl"


class TuningPlan(NamedTuple):
    """What is done for each variant."""

    start: str
    """plain: begin with the weights by hand; used: with those that the engine is compiled with."""
    rounds: int
    games: int
    """Of self-play in each round."""
    nodes: int
    plies: int
    rules: trial.TrialRules
    """Of the tests. Its seed is that of round 1; each round has a seed of its own, one more than the round before."""


class Step(NamedTuple):
    """A round, or the test at last, as a line of the results tells it."""

    variant: str
    round: int
    """0 is the test at last, against the weights in use."""
    positions: int
    before: float
    after: float
    """The loss on the games that were held back, with the old weights and with the new ones."""
    result: trial.TrialResult

    @property
    def gained(self) -> bool:
        return self.result.state == "H1"


def run(tables: Sequence[Table], work: Path, plan: TuningPlan) -> None:
    """Do all rounds that the folder does not have yet, print a line for each, and write the headers.

    Raises RulesError, KernelError and OSError.
    """
    sets = [set_of(table) for table in tables]
    for table, name in zip(tables, sets, strict=True):
        if sets.count(name) > 1:
            raise RulesError(f"{table.variant!r} has the same weights as another variant that is named: name one")
    work.mkdir(parents=True, exist_ok=True)
    done = _known(work, plan)
    learned = {}
    for table in tables:
        best = _rounds(table, work, plan, done)
        if best is not None:
            learned[table.variant] = best
    for engine, name in NAMES.items():
        named = {
            table.variant: learned[table.variant]
            for table in tables
            if table.engine == engine and table.variant in learned
        }
        if named:
            header(engine, work / name, named)
            print(f"{work / name} has new weights for {', '.join(named)}")
    if not learned:
        print("no weights are stronger than those in use, so there is no header")


def _rounds(table: Table, work: Path, plan: TuningPlan, done: Sequence[Step]) -> Path | None:
    """The rounds of one variant. Returns the weights that are stronger than those in use, None if there are none."""
    known = {step.round: step for step in done if step.variant == table.variant}
    used, best = work / f"{table.variant}-used.txt", work / f"{table.variant}-0.txt"
    kernel = table.kernel()
    weights.write(used, kernel.weights(), f"weights of {table.engine} for {table.variant} in use")
    if plan.start == "plain":
        kernel.evaluate_plainly()
    weights.write(best, kernel.weights(), f"weights of {table.engine} for {table.variant}: {plan.start}")
    data: list[Path] = []
    failed = gains = 0
    for number in range(1, plan.rounds + 1):
        if failed == PATIENCE:
            break
        target, source = work / f"{table.variant}-{number}.txt", work / f"{table.variant}-{number}.npz"
        data.append(source)
        if number not in known:
            known[number] = _round(table, work, plan, number, best, data[-2:])
        if known[number].gained:
            best, failed, gains = target, 0, gains + 1
        else:
            failed += 1
    if not gains:
        return None
    if plan.start == "plain":
        if 0 not in known:
            result = _test(table, work, plan, 0, best, used)
            known[0] = _told(work, Step(table.variant, 0, 0, 0, 0, result))
        return best if known[0].gained else None
    return best


def _round(table: Table, work: Path, plan: TuningPlan, number: int, best: Path, data: Sequence[Path]) -> Step:
    """Play, fit and test. The fit has the games of the round before, too."""
    target = work / f"{table.variant}-{number}.txt"
    play(table, data[-1], plan.games, plan.nodes, plan.rules.seed + number - 1, plan.plies, best)
    fitted = fit(table, target, data, best)
    result = _test(table, work, plan, number, target, best)
    return _told(work, Step(table.variant, number, *fitted, result))


def _test(table: Table, work: Path, plan: TuningPlan, number: int, ours: Path, theirs: Path) -> trial.TrialResult:
    rules = plan.rules._replace(seed=plan.rules.seed + (number or plan.rounds + 1) - 1)
    book = work / f"{table.variant}-{number}.book"
    trial.openings(table, book, theirs, rules)
    return trial.sprt(table, ours, theirs, book, rules)


def _told(work: Path, step: Step) -> Step:
    what = f"round {step.round}" if step.round else "at last, against the weights in use"
    loss = f"{step.positions} positions, loss {step.before:.4f} to {step.after:.4f}; " if step.round else ""
    print(f"{step.variant}, {what}: {loss}{sentence(step.result)}", flush=True)
    with (work / _RESULTS).open("a", encoding="utf-8") as file:
        file.write(json.dumps(step._asdict() | {"result": step.result._asdict()}) + "\n")
    return step


def sentence(result: trial.TrialResult) -> str:
    """What a test has found."""
    elo = "" if result.elo is None else f", Elo {result.elo:+.0f} ({result.low:+.0f} to {result.high:+.0f})"
    return f"{FOUND[result.state]} after {result.games} games{elo}"


def markdown(file: Path) -> str:
    """The steps of a file of results as a table. Raises KernelError and OSError."""
    _, steps = read(file)
    lines = ["| variant | step | positions | loss | games | pairs | Elo | found |", "|---|---|---|---|---|---|---|---|"]
    for step in steps:
        result = step.result
        elo = "-" if result.elo is None else f"{result.elo:+.0f} ({result.low:+.0f} to {result.high:+.0f})"
        pairs = " ".join(map(str, result.pairs))
        what = f"round {step.round} | {step.positions} | {step.before:.4f} to {step.after:.4f}"
        lines.append(
            f"| {step.variant} | {what if step.round else 'at last | - | -'} | {result.games} | {pairs} | {elo}"
            f" | {FOUND[result.state]} |"
        )
    return "\n".join(lines)


def read(file: Path) -> tuple[dict[str, Any], list[Step]]:
    """The settings of a file of results, and its steps. Raises KernelError and OSError."""
    try:
        first, *lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        return first, [_step(line) for line in lines]
    except (ValueError, TypeError, KeyError):
        raise KernelError(f"{file} is no file of results: name another folder, or remove this one") from None


def _known(work: Path, plan: TuningPlan) -> list[Step]:
    """The steps that are done. Raises KernelError if they were done by another plan."""
    file = work / _RESULTS
    settings = json.loads(json.dumps(plan._asdict() | {"rules": plan.rules._asdict()}))
    if not file.exists():
        file.write_text(json.dumps(settings) + "\n", encoding="utf-8")
        return []
    first, steps = read(file)
    if first != settings:
        raise KernelError(f"{file} has results of other settings: name another folder, or remove this one")
    return steps


def _step(line: dict[str, Any]) -> Step:
    result = line["result"]
    return Step(**line | {"result": trial.TrialResult(**result | {"pairs": tuple(result["pairs"])})})
