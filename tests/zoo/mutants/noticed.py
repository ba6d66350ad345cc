"""The check that must notice each fault of the mutants, and how to run it.

`python -m tests.zoo.mutants.noticed` runs the named check against every mutant and prints the share
that is noticed; with `--whole`, the whole full level, which takes an hour or two. With names it runs these mutants
only. Faults of a rule are run within this process, which takes a tenth of the time.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from arena.verification.rules_oracle import RulesJudge
from protocol.conformance import runner
from protocol.conformance.catalogue import CHECKS
from protocol.conformance.check import Check, Finding, Verdict
from protocol.conformance.context import CheckRun, CheckSettings
from protocol.containment.policy import Level, SandboxPolicy
from protocol.process import Command
from tests.zoo.mutants import blind, blind_faults, in_process, sighted, sighted_faults

ROOT = Path(__file__).parents[3]
MAIN_VARIANTS = ("scottish", "callanish-9")
"""The variants of a whole run, beside the one in which the fault shows."""

_BLIND: dict[tuple[str, str], str] = {
    ("F10", "callanish-13"): "supply-of-the-box",
    ("H6", "callanish-9"): """
        best-of-unfinished-depth
    """,
    ("G1", "scottish"): """
        ponder-without-word
    """,
    ("F5", "scottish"): """
        perft-0-is-0
    """,
    ("F7", "callanish-9"): """
        islegal-empty-from
        islegal-same-target
        islegal-in-one-order
        islegal-after-end
    """,
    ("A1", "scottish"): """
        identifies-unasked
    """,
    ("A4", "scottish"): """
        name-twice
    """,
    ("A5", "scottish"): """
        no-author
    """,
    ("A2", "scottish"): """
        banner-at-start
    """,
    ("A6", "scottish"): """
        blank-after-line
    """,
    ("A7", "scottish"): """
        debug-in-handshake
    """,
    ("A8", "scottish"): """
        second-ugi-not-answered
    """,
    ("A10", "scottish"): """
        slow-to-quit
    """,
    ("A11", "scottish"): """
        lock-in-directory log-in-directory needs-home
    """,
    ("B1", "scottish"): """
        response-waits-for-next-line
    """,
    ("B2", "scottish"): """
        return-kept
    """,
    ("B3", "scottish"): """
        half-line-is-a-line one-read-is-one-line
    """,
    ("B4", "scottish"): """
        cuts-at-return cuts-at-page-feed isready-twice-is-once
    """,
    ("B5", "scottish"): """
        blank-line-ends-input
    """,
    ("B6", "scottish"): """
        tab-is-no-blank leading-blank-not-skipped
    """,
    ("B7", "scottish"): """
        unknown-line-ends-engine
    """,
    ("B9", "scottish"): """
        line-of-4096
    """,
    ("B12", "scottish"): """
        debug-before-bestmove
    """,
    ("B14", "scottish"): """
        stderr-is-flooded
    """,
    ("C1", "scottish"): """
        ugiok-before-last-option spin-without-range button-with-default empty-default-left-out
    """,
    ("C2", "scottish"): """
        default-is-no-choice
    """,
    ("C3", "scottish"): """
        names-differ-in-case
    """,
    ("C6", "scottish"): """
        unknown-option-ends-engine number-not-checked out-of-range-is-taken
        unknown-variant-is-default bad-rules-clear-rules
    """,
    ("C7", "scottish"): """
        option-in-exact-case option-of-one-word empty-rules-not-known
    """,
    ("C8", "scottish"): """
        option-is-echoed
    """,
    ("C10", "scottish"): """
        variant-clears-rules rules-fit-variant-at-once new-game-clears-rules
    """,
    ("C11", "scottish"): """
        options-locked-in-first-game
    """,
    ("C12", "scottish"): """
        own-book-at-first
    """,
    ("C13", "scottish"): """
        seed-of-16-bits
    """,
    ("D3", "scottish"): """
        isready-waits-for-search isready-ends-search isready-not-answered-at-rest
    """,
    ("D5", "scottish"): """
        readyok-overtakes
    """,
    ("D6", "scottish"): """
        searches-at-position
    """,
    ("E1", "scottish"): """
         score-behind-move
    """,
    ("E2", "scottish"): """
        capture-with-sign
    """,
    ("E5", "scottish"): """
        empty-moves-refused
    """,
    ("E6", "scottish"): """
        longer-list-goes-on startpos-goes-back-to-string
    """,
    ("E7", "scottish"): """
        repetition-across-positions
    """,
    ("E9", "scottish"): """
        no-readyok-after-error
    """,
    ("E10", "scottish"): """
        board-without-king-ends-engine
    """,
    ("E11", "scottish"): """
        illegal-list-ends-engine
    """,
    ("E14", "scottish"): """
        two-kings-taken escaped-king-taken
    """,
    ("E15", "scottish"): """
        new-game-keeps-position variant-keeps-position
    """,
    ("F1", "scottish"): """
        booleans-of-python
    """,
    ("F2", "scottish"): """
        result-without-win
    """,
    ("F4", "scottish"): """
        moves-without-count
    """,
    ("F6", "scottish"): """
        list-of-256-moves
    """,
    ("F7", "scottish"): """
        islegal-in-any-case
    """,
    ("F8", "scottish"): """
        query-takes-a-random-number
    """,
    ("F9", "scottish"): """
        queries-names-too-much unknown-query-gets-response unknown-query-ends-engine
        perft-depth-not-checked
    """,
    ("F10", "scottish"): """
        steps-of-one-digit king-steps-exactly king-steps-bind-defenders men-steps-bind-king
        men-steps-spare-defenders centre-is-no-step centre-not-passed centre-open-to-defenders
        king-returns-to-centre corner-open-to-defenders corner-stop-needs-escape
        corner-hostile-needs-escape corner-hostile-when-empty corner-hostile-to-defenders
        centre-hostile-to-defenders full-centre-is-hostile edge-is-hostile captures-round-the-edge
        captures-two-at-most captures-where-nobody-moved moving-between-is-death
        unarmed-king-captures unarmed-king-supports armed-king-captures-not armed-king-supports-not
        king-moving-between-is-taken king-by-two-without-hostile king-on-edge-by-three
        four-takes-any-centre four-ignores-hostile-centre three-on-the-centre
        beside-needs-hostile-centre beside-is-diagonal-too defender-on-centre-counts
        attacker-on-centre-does-not king-taken-by-any-move repetition-without-side
        repetition-with-number repetition-without-start repetition-in-a-row repetition-looks-back-16
        repetition-loses-is-draw repetition-loses-for-other no-pieces-goes-on no-move-draw-not-read
        no-move-loses-for-p2 barred-square-is-a-move string-without-move-not-seen
        turn-number-each-ply turn-number-after-p1 number-left-out-is-0 number-of-string-lost
        fen-first-number-left-out draw-is-not-gameover moves-after-repetition 
          perft-counts-shorter-games perft-minds-repetition
        rules-first-pair-only rules-are-added list-without-number-lost
    """,
    ("G2", "scottish"): """
        stale-move-when-late
    """,
    ("G3", "scottish"): """
        info-behind-bestmove
    """,
    ("G4", "scottish"): """
        stop-between-depths
    """,
    ("G5", "scottish"): """
        infinite-ends-with-search
    """,
    ("G6", "scottish"): """
        stop-right-behind-go-lost stopped-early-finds-nothing stopped-search-answers-twice
    """,
    ("G7", "scottish"): """
        stop-outside-kept stop-outside-is-answered
    """,
    ("G8", "scottish"): """
        movetime-at-least-250 movetime-and-a-tenth
    """,
    ("G9", "scottish"): """
        increment-spent-in-advance
    """,
    ("G11", "scottish"): """
        clock-of-p1 clock-of-parity
    """,
    ("G12", "scottish"): """
        clocks-in-fixed-order increment-must-be-there unknown-word-ends-go
    """,
    ("G13", "scottish"): """
        depth-0-finds-nothing word-for-number-ends-engine
    """,
    ("G14", "scottish"): """
        nodes-between-depths
    """,
    ("G15", "scottish"): """
        depth-one-more
    """,
    ("G19", "scottish"): """
        go-alone-is-infinite
    """,
    ("G20", "scottish"): """
         lines-in-search-dropped stop-behind-lines-not-seen
    """,
    ("G22", "scottish"): """
        finished-game-ends-engine finished-game-gets-a-move
    """,
    ("G23", "scottish"): """
        bestmove-in-upper-case
    """,
    ("G25", "scottish"): """
        idle-turns-round ponders
    """,
    ("G26", "scottish"): """
        period-counts-increments
    """,
    ("G27", "scottish"): """
        thinks-at-least-120
    """,
    ("H1", "scottish"): """
        time-with-fraction
    """,
    ("H2", "scottish"): """
        score-in-stones
    """,
    ("H3", "scottish"): """
        score-of-p1 mate-in-moves
    """,
    ("H5", "scottish"): """
        pv-begins-with-reply pv-past-the-end
    """,
    ("H6", "scottish"): """
    """,
    ("H7", "scottish"): """
        never-informs info-without-nodes
    """,
    ("H11", "scottish"): """
        lines-from-0 pv-before-score
    """,
    ("I3", "scottish"): """
        draw-offered-unasked draw-offered-twice info-behind-offer
    """,
    ("I4", "scottish"): """
        gameover-is-answered
    """,
    ("I5", "scottish"): """
        resigns-unasked
    """,
    ("J2", "scottish"): """
        table-outlives-game random-outlives-game order-of-a-set seed-not-used
    """,
    ("K1", "scottish"): """
        status-of-quit
    """,
    ("K2", "scottish"): """
        quit-after-search
    """,
    ("K3", "scottish"): """
        end-of-input-ignored end-of-input-after-search
    """,
    ("K4", "scottish"): """
        lives-without-stdout
    """,
    ("F10", "ard-ri-two"): """
        ard-ri-two-needs-four
    """,
    ("F10", "brandub-nielsen"): """
        nielsen-centre-is-friendly
    """,
    ("F2", "callanish"): """
        callanish-is-7-by-7
    """,
    ("F10", "callanish"): """
        need-counts-holes need-of-the-file need-even-and-one need-at-least-two hole-splits-line
        hole-is-a-target hole-stops-jump drawn-board-at-most-19 drawn-board-is-square
        drawn-board-at-least-5 runs-of-one-digit fen-runs-of-nine fen-hole-as-empty
    """,
    ("F10", "callanish-11"): """
        need-rounded-down-from-11 
    """,
    ("G23", "callanish-11"): """
        targets-ordered-as-text
    """,
    ("E14", "callanish-9"): """
        string-of-any-size
    """,
    ("F10", "callanish-9"): """
        line-without-gaps covered-stones-count last-rank-is-no-line diagonals-are-lines
        own-line-wins-at-once uncovered-line-not-seen turn-judged-before-line no-turn-is-a-draw
        one-target-is-a-turn string-line-not-seen string-line-of-either-side
        string-without-turn-not-seen covered-side-places-again placement-on-enemy target-own-covered
        moves-covered-stones uncovered-stone-lost jumps-round-the-top supply-one-more
        supply-two-at-hand supply-exposed-only supply-of-both supply-does-not-end turn-by-parity
        result-names-mover moves-after-line both-orders-listed 
    """,
    ("G23", "callanish-9"): """
        targets-ordered-by-rank
    """,
    ("H9", "callanish-9"): """
        info-for-each-move
    """,
    ("F10", "callanish-corners"): """
        corners-without-h9
    """,
    ("F10", "scottish-king1"): """
        king1-is-unarmed
    """,
    ("F10", "scottish-king3"): """
        king3-may-go-far
    """,
    ("F10", "sea-battle-9"): """
        sea-battle-is-armed
    """,
    ("F10", "tawlbwrdd"): """
        tawlbwrdd-centre-for-king top-rank-of-11-is-no-edge
    """,
}
"""The faults of blind.py by check and variant."""

UNNOTICED = {
    "second-go-ends-search": "7.2 asks an engine to survive it, and both are answered",
    "perft-does-not-listen": "many engines count a perft where they read their input, and no game asks for one",
    "depth-without-end": "a check would have to wait for the 60 s of the deadline",
    "finished-game-answered-at-once": "8.9 lets an engine answer a finished position at once",
    "first-depth-always": "the first depth of its searches takes no time that could be lost",
    "last-of-period-and-more": "why G26 does not see it is not known yet",
    "clock-every-100-ms": "it keeps most clocks, and why G8 does not see it is not known yet",
    "option-in-search-ends-engine": "no check sets an option in a search yet",
    "time-in-seconds": "the searches of H8 are too short to tell a time that is too small",
    "score-of-opponent": "which side is ahead is the engine's opinion; a mate tells, and H3 asks for it",
}
"""The faults that no check looks for, and why."""


class Mutant(NamedTuple):
    """One fault, the check that must notice it, and a variant in which it shows."""

    module: str
    name: str
    clause: str
    wrong: str
    rule: bool
    force: str
    check: str
    variant: str


class Found(NamedTuple):
    """What the checks made of a mutant."""

    mutant: Mutant
    broken: tuple[Finding, ...]

    @property
    def noticed(self) -> bool:
        """A fault of a rule counts only where a check failed, any other one where a check warned, too."""
        return any(one.verdict is Verdict.FAIL or not self.mutant.rule for one in self.broken)


def _blind() -> list[Mutant]:
    where = {name: key for key, names in _BLIND.items() for name in names.split()}
    return [
        Mutant("blind", f.name, f.clause, f.wrong, f.rule, f.force, *where.get(f.name, ("", MAIN_VARIANTS[0])))
        for f in blind_faults.FAULTS
    ]


def _sighted() -> list[Mutant]:
    return [
        Mutant("sighted", f.name, f.clause, f.wrong, f.rule, f.force, f.check * (f.name not in UNNOTICED), *f.variants)
        for f in sighted_faults.FAULTS
    ]


MUTANTS: tuple[Mutant, ...] = (*_blind(), *_sighted())


def engine(mutant: Mutant, fault: str | None) -> blind.Engine:
    """The engine of a mutant as an object."""
    return sighted.Sighted(fault) if mutant.module == "sighted" else blind.Engine(fault)


def command(mutant: Mutant) -> Command:
    """The engine of a mutant as a process."""
    module = f"tests.zoo.mutants.{mutant.module}"
    policy = SandboxPolicy(Level.NONE, environment={"PYTHONPATH": str(ROOT)})
    return Command((sys.executable, "-P", "-m", module, "--fault", mutant.name), policy)


def run_named(mutant: Mutant) -> Found:
    """Run the check that must notice the mutant."""
    checks = [check for check in CHECKS if check.id == mutant.check]
    if mutant.rule and mutant.check[0] == "F":
        said = in_process.findings(lambda: engine(mutant, mutant.name), checks, (mutant.variant,), mutant.variant)
        return Found(mutant, _broken(said))
    return run_as_process(mutant, checks, (mutant.variant,))


def run_whole(mutant: Mutant) -> Found:
    """Run the whole full level, in the main variants and the one in which the fault shows."""
    variants = tuple(dict.fromkeys((mutant.variant, *MAIN_VARIANTS)))
    return run_as_process(mutant, CHECKS, variants)


def run_as_process(mutant: Mutant, checks: Sequence[Check], variants: tuple[str, ...]) -> Found:
    check_run = CheckRun(CheckSettings(command(mutant), {}, RulesJudge()), variants[0])
    todo = runner.tasks(checks, variants, variants[0])
    return Found(mutant, _broken([done.finding for done in runner.run(check_run, todo, os.cpu_count() or 1)]))


def _broken(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    return tuple(one for one in findings if one.verdict in (Verdict.FAIL, Verdict.WARNING))


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="noticed", description=__doc__)
    parser.add_argument("--whole", action="store_true", help="the whole full level, not the named check alone")
    parser.add_argument("names", nargs="*", help="the mutants; all by default")
    asked = parser.parse_args(arguments)
    noticed, mutants = 0, [m for m in MUTANTS if (m.name in asked.names or not asked.names)]
    for mutant in mutants:
        if not mutant.check and not asked.whole:
            print(f"not looked for  {mutant.name}: {UNNOTICED[mutant.name]}")
            continue
        found = run_whole(mutant) if asked.whole else run_named(mutant)
        noticed += found.noticed
        ids = " ".join(dict.fromkeys(f"{one.id} ({one.verdict})" for one in found.broken))
        print(f"{'noticed' if found.noticed else 'ALIVE  '}  {mutant.name}  {ids}", flush=True)
    share = 100 * noticed / max(1, len(mutants))
    print(f"{noticed} of {len(mutants)} noticed: {share:.1f} %")
    return int(noticed < len(mutants))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
