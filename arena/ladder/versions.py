"""Names of engines in a ladder: an engine whose program or settings changed is another player.

Pure: engines, fingerprints and earlier players in, names out.
"""

import hashlib
import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, count
from pathlib import Path

from arena.play.jobs import EngineSpec
from results.record import Player

_VERSION = re.compile(r"@[1-9][0-9]*\Z")


def digest(spec: EngineSpec, fingerprint: str) -> str:
    """A digest of all that may change how it plays: program, files, arguments, options, environment, limit."""
    arguments = [Path(word).name if os.path.isfile(word) else word for word in spec.command[1:]]
    made_of = (
        fingerprint,
        arguments,
        sorted(spec.options.items()),
        sorted(spec.sandbox.environment.items()),
        None if spec.limit is None else str(spec.limit),
        # Only where they are asked for, so that engines without them keep their names.
        *(() if spec.margin_ms is None else (spec.margin_ms,)),
        *(("restart",) if spec.restart else ()),
    )
    return hashlib.sha256(json.dumps(made_of).encode()).hexdigest()


def is_version(name: str) -> bool:
    """True where the name ends as names of changed engines do. No other engine may have such a name."""
    return _VERSION.search(name) is not None


def named(specs: Sequence[EngineSpec], players: Iterable[Player]) -> tuple[EngineSpec, ...]:
    """The engines under their names in the ladder, each with the family that joins its versions.

    An unchanged engine keeps its name. A changed one is `name@2`, then `name@3`. No two engines get the same name:
    their own names differ, and none of these ends like a version.
    """
    known = {player.name: player.sha256 for player in players}
    return tuple(
        replace(spec, name=_name(spec.name, spec.sha256, known), family=spec.family or spec.name) for spec in specs
    )


def _name(name: str, made_of: str, known: Mapping[str, str]) -> str:
    """The name of the version with the same digest; else the first free name."""
    same = sorted(each for each in known if known[each] == made_of and _VERSION.sub("", each) == name)
    free = (each for each in chain([name], (f"{name}@{number}" for number in count(2))) if each not in known)
    return same[0] if same else next(free)
