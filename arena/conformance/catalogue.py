"""All checks in the order of their ids: which of them are done, and which a profile leaves out."""

from collections.abc import Mapping, Sequence
from typing import Literal

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
    recorded,
    talks,
)

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
BY_ID = {check.id: check for check in CHECKS}

Level = Literal["smoke", "full"]

SMOKE = frozenset(check.id for check in CHECKS if check.smoke)


class BadArgument(Exception):
    """An argument cannot be used: one sentence with the remedy."""

    exit_code = 2


def choose(only: Sequence[str] = (), groups: Sequence[str] = (), level: Level = "full") -> tuple[Check, ...]:
    """The selected checks, in the order of the catalogue. Raises BadArgument."""
    ids = {check.id for check in CHECKS}
    for name in only:
        if name.upper() not in ids:
            raise BadArgument(f"there is no check {name!r}; `arena check --list` names them")
    for letter in groups:
        if letter.upper() not in GROUPS:
            raise BadArgument(f"there is no group {letter!r}; the groups are {', '.join(GROUPS)}")
    chosen = {name.upper() for name in only} | {c.id for c in CHECKS if c.id[0] in {g.upper() for g in groups}}
    if not chosen:
        chosen = set(SMOKE) if level == "smoke" else ids
    return tuple(check for check in CHECKS if check.id in chosen)


# What an engine of another protocol cannot pass through its adapter. These checks are skipped, never passed.
_PERIODS = "OTEP tells periods in whole seconds, and its engines are not made for less"
_ONE_SIDE = "Ludii cannot play on from Callanish positions in which only one side has stones"

OTEP: Mapping[str, str] = dict.fromkeys(("G8", "G9", "G10", "G26", "G27", "G28"), _PERIODS)
LUDII: Mapping[str, str] = {
    "D6": "Ludii plays the moves of a position itself, and takes more than 0.1 ms for each",
    "F2": _ONE_SIDE,
    "F10": _ONE_SIDE,
    "G15": "Ludii counts depth in the parts of a move of Callanish",
    "H4": _ONE_SIDE,
    "H7": "Ludii tells no number of nodes",
}

PROFILES: Mapping[str, Mapping[str, str]] = {"ludii": LUDII, "otep": OTEP}
"""The id of each check that a profile leaves out, with the reason, by the profile's name."""
