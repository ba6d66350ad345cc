"""The checks that only talk: `talks.toml` has what is sent, awaited and judged."""

import tomllib
from collections.abc import Callable
from importlib import resources

from arena.conformance.check import PLAIN, Area, Severity, check
from arena.conformance.context import CheckContext
from arena.conformance.talk import talk


def _talks(steps: str) -> Callable[[CheckContext], str]:
    return lambda ctx: talk(ctx, steps)


for _id, _about in tomllib.loads((resources.files(__package__) / "talks.toml").read_text(encoding="utf-8")).items():
    check(
        _id,
        _about["clause"],
        Severity(_about["severity"]),
        _about["holds"],
        _about.get("cause", ""),
        each_variant=_about.get("each_variant", False),
        needs=tuple(_about.get("needs", PLAIN)),
        area=Area(_about["area"]) if "area" in _about else None,
        smoke=_about.get("smoke", False),
    )(_talks(_about["says"]))
