"""Under which names the engines of a ladder's file play: an engine that is no longer what it was is another player.

Pure: engines, fingerprints and the players of before in, names out.
"""

import hashlib
import json
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from arena.jobs import EngineSpec
from results.record import Player


def digest(spec: EngineSpec, fingerprint: str) -> str:
    """Of all that may make it play otherwise: program, files, arguments, options, environment, limit and the like."""
    arguments = [Path(word).name if os.path.isfile(word) else word for word in spec.command[1:]]
    made_of = (
        fingerprint,
        arguments,
        sorted(spec.options.items()),
        sorted(spec.box.environment.items()),
        None if spec.limit is None else str(spec.limit),
        # Only where they are asked for, so that those who never do keep their names.
        *(() if spec.margin_ms is None else (spec.margin_ms,)),
        *(("restart",) if spec.restart else ()),
    )
    return hashlib.sha256(json.dumps(made_of).encode()).hexdigest()


def named(specs: Sequence[EngineSpec], digests: Sequence[str], players: Iterable[Player]) -> tuple[EngineSpec, ...]:
    """The engines under the names by which the ladder knows them, each with the family that joins its versions.

    One that was there before as it is now has the name that it had then. One that changed is `name@2`, then `name@3`.
    """
    known = {player.name: player.sha256 for player in players}
    taken = {*known, *(spec.name for spec in specs)}
    found = []
    for spec, made_of in zip(specs, digests, strict=True):
        versions = [name for name in known if _is_version(name, spec.name)]
        same = [name for name in versions if known[name] == made_of]
        name = same[0] if same else spec.name if spec.name not in known else _free(spec.name, taken)
        taken.add(name)
        found.append(replace(spec, name=name, family=spec.family or spec.name))
    return tuple(found)


def _is_version(name: str, of: str) -> bool:
    return name == of or re.fullmatch(re.escape(of) + "@[1-9][0-9]*", name) is not None


def _free(name: str, taken: set[str]) -> str:
    number = 2
    while f"{name}@{number}" in taken:
        number += 1
    return f"{name}@{number}"
