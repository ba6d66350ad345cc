"""The variants and the knobs of version 1.2 (SPEC.md A.11, A.14), and the faults of a variant's table."""

from tests.zoo.blind import variants
from tests.zoo.blind.variants import ARMED, BRANDUB, LARGE, SEA, SMALL

SEA_11 = "3aaaaa3/5a5/5d5/a4d4a/a4d4a/aadddkdddaa/a4d4a/a4d4a/5d5/5a5/3aaaaa3"
LEWIS = "4aaa4/4aaa4/5d5/5d5/aa3d3aa/aadddkdddaa/aa3d3aa/5d5/5d5/4aaa4/4aaa4"
ELEVEN = "3aaaaa3/5a5/11/a4d4a/a3ddd3a/aa1ddkdd1aa/a3ddd3a/a4d4a/11/5a5/3aaaaa3"
DEFAULTS = variants.SCOTTISH | {
    "centre_pass": "any",
    "camps": "no",
    "shieldwall": "no",
    "encirclement": "no",
    "fort": "no",
    "occurrences": "3",
}
SAAMI = ARMED | {
    "king_captured_by": "four-three-two",
    "centre_hostile": "yes",
    "encirclement": "wins",
    "repetition": "p2-loses",
}
ASHTON = ARMED | {
    "king_captured_by": "four-three-two",
    "centre_pass": "nobody",
    "centre_stop": "nobody",
    "centre_hostile": "always",
    "camps": "yes",
    "occurrences": "2",
}
WTF = {"king_captured_by": "four", "centre_stop": "any", "encirclement": "wins", "repetition": "p2-loses"}
FETLAR = BRANDUB | {"king_captured_by": "four", "centre_hostile": "yes", "encirclement": "wins"}
TAFL: dict[str, tuple[str, dict[str, str]]] = {
    "scottish": (SMALL, {}),
    "tawlbwrdd-bell": (LARGE, SAAMI),
    "tawlbwrdd-lewis": (LEWIS, SAAMI),
    "sea-battle-9-wtf": (SEA, WTF),
    "sea-battle-11": (SEA_11, WTF),
    "tablut-saami": (SEA, SAAMI),
    "tablut-ashton": (SEA, ASHTON),
    "fetlar": (ELEVEN, FETLAR),
    "computer-fetlar": (ELEVEN, FETLAR | {"repetition": "loses"}),
    "copenhagen": (ELEVEN, FETLAR | {"shieldwall": "corner", "fort": "wins", "repetition": "p2-loses"}),
}
P2_FIRST = ("tawlbwrdd-bell", "tawlbwrdd-lewis", "sea-battle-11", "tablut-ashton")
KNOBS = variants.KNOBS | {
    "king_captured_by": "two|four|four-three-two|four-two|all-sides",
    "centre_pass": "any|king|nobody",
    "centre_hostile": "yes|no|always",
    "camps": "no|yes",
    "shieldwall": "no|corner|yes",
    "encirclement": "no|wins",
    "fort": "no|wins",
    "repetition": "draw|loses|p2-loses",
    "occurrences": "3|2",
}
