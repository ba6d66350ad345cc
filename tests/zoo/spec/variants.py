"""The variants and the knobs of their rules."""

SMALL = "3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3"
ARD_RI = "2aaa2/3a3/a1ddd1a/aadkdaa/a1ddd1a/3a3/2aaa2"
LARGE = "4aaa4/4a1a4/5a5/5d5/aa2ddd2aa/a1addkdda1a/aa2ddd2aa/5d5/5a5/4a1a4/4aaa4"
SEA = "3aaa3/4a4/4d4/a3d3a/aaddkddaa/a3d3a/4d4/4a4/3aaa3"
SCOTTISH = {
    "escape": "edge",
    "king_armed": "no",
    "king_steps": "any",
    "men_steps": "any",
    "king_captured_by": "two",
    "centre_stop": "king",
    "centre_hostile": "no",
    "corner_stop": "any",
    "corner_hostile": "no",
    "repetition": "draw",
    "no_move": "loses",
}
ARMED = {"king_armed": "yes"}
BRANDUB = ARMED | {"escape": "corner", "corner_stop": "king", "corner_hostile": "yes"}
CLOSE = ARMED | {"men_steps": "1", "king_steps": "1", "king_captured_by": "four"}
NIELSEN = BRANDUB | {"king_captured_by": "four-three-two", "centre_stop": "nobody", "centre_hostile": "yes"}
TAFL: dict[str, tuple[str, dict[str, str]]] = {
    "scottish": (SMALL, {}),
    "scottish-armed": (SMALL, ARMED),
    "scottish-king1": (SMALL, ARMED | {"king_steps": "1"}),
    "scottish-king2": (SMALL, ARMED | {"king_steps": "2"}),
    "scottish-king3": (SMALL, ARMED | {"king_steps": "3"}),
    "brandub": (SMALL, BRANDUB),
    "brandub-nielsen": (SMALL, NIELSEN),
    "ard-ri": (ARD_RI, CLOSE),
    "ard-ri-two": (ARD_RI, CLOSE | {"king_captured_by": "two"}),
    "tawlbwrdd": (LARGE, ARMED | {"centre_stop": "any"}),
    "sea-battle-9": (SEA, {"king_captured_by": "four", "centre_stop": "any"}),
}
CALLANISH = ("callanish-9", "callanish-7", *(f"callanish-{n}" for n in (5, *range(11, 26, 2))))
VARIANTS = (*CALLANISH, "callanish-corners", "callanish", *TAFL)
KNOBS = {
    "escape": "edge|corner",
    "king_armed": "yes|no",
    "king_steps": "any|[1-9]|1[0-9]|2[0-4]",
    "men_steps": "any|[1-9]|1[0-9]|2[0-4]",
    "king_captured_by": "two|four|four-three-two",
    "centre_stop": "king|any|nobody",
    "centre_hostile": "yes|no",
    "corner_stop": "king|any",
    "corner_hostile": "yes|no",
    "repetition": "draw|loses",
    "no_move": "loses|draw",
    "supply": "[1-9][0-9]{0,3}",
}
CORNERS = "a1 a2 b1 h1 i1 i2 a8 a9 b9 h9 i8 i9".split()
