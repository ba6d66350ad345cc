"""All checks in the order of their ids."""

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
