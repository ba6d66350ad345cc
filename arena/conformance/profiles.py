"""Profiles: the checks that an engine of another protocol cannot pass behind its adapter, each with the reason.

A check that is left out is reported as skipped, never as passed. Owns the lists; independent of how checks run.
"""

from collections.abc import Mapping

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
