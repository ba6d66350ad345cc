"""All checks in the order of their ids, and the selection among them."""

from collections.abc import Sequence
from typing import Literal

from arena.conformance.arguments import BadArgument
from arena.conformance.check import CATALOGUE, Check
from arena.conformance.checks import (  # noqa: F401  # each puts its checks into the catalogue
    a_start,
    b_lines,
    c_options,
    d_ready,
    e_positions,
    f_fuzz,
    f_rules,
    g_search,
    g_time,
    h_info,
    i_results,
    j_games,
    k_end,
)

Level = Literal["smoke", "full"]

GROUPS = {
    "A": "Start and handshake",
    "B": "Lines and pipes",
    "C": "Options",
    "D": "Synchronisation",
    "E": "Positions",
    "F": "Rules",
    "G": "Searching",
    "H": "info",
    "I": "Resigning, draws, results",
    "J": "Several games",
    "K": "End and resources",
}
"""What the checks of each letter are about."""

CHECKS: tuple[Check, ...] = tuple(sorted(CATALOGUE, key=lambda check: (check.id[0], int(check.id[1:]))))
SMOKE = frozenset({f"A{number}" for number in range(1, 12)} | {"D1", "E1", "G1", "G3", "G4", "K1"})


def choose(only: Sequence[str] = (), groups: Sequence[str] = (), level: Level = "full") -> tuple[Check, ...]:
    """The selected checks, in the order of the catalogue. Raises BadArgument."""
    known = {check.id for check in CHECKS}
    for name in only:
        if name.upper() not in known:
            raise BadArgument(f"there is no check {name!r}; `arena check --list` names them")
    for letter in groups:
        if letter.upper() not in GROUPS:
            raise BadArgument(f"there is no group {letter!r}; the groups are {', '.join(GROUPS)}")
    wanted = {name.upper() for name in only} | {c.id for c in CHECKS if c.id[0] in {g.upper() for g in groups}}
    if not wanted:
        wanted = set(SMOKE) if level == "smoke" else known
    return tuple(check for check in CHECKS if check.id in wanted)
