"""Tells which machines play a run, and how fast they are."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from arena.cli import wrap
from arena.cli.output import say
from results.safe_text import harmless

if TYPE_CHECKING:
    from results.record import MachineSpeed


def say_machines(machines: "Sequence[MachineSpeed]", *, normalised: bool, has_times: bool) -> None:
    """Print a table of the machines that were measured, and what follows for games with time limits."""
    if not machines:
        return
    from arena.planning.speeds import APART  # here, so that --help does not load what plans runs

    rows = [("machine", "slots", "nodes/s", "factor")]
    rows += [(harmless(each.host), str(each.slots), f"{each.nps:,.0f}", f"{each.factor:.2f}") for each in machines]
    for line in wrap.fitted_table(rows, frozenset({1, 2, 3}), wrap.terminal_width(sys.stderr)):
        say(line)
    last = machines[-1]
    say(f"nodes/s: {last.engine} on each slot, all slots busy; factor: {last.reference_nps:,.0f} divided by that")
    slowest, fastest = (choose(each.factor for each in machines) for choose in (max, min))
    if normalised:
        say("times of games are multiplied by the factor of their machine")
    elif has_times and slowest > APART * fastest:
        say(f"the slowest machine needs {slowest / fastest:.2f} times as long as the fastest: --normalise evens it out")
