"""Writes the golden positions of the checks: `python -m tests.arena.conformance.golden_files [VARIANT ...]`.

Without a variant it writes those of all. A test compares the files with what it would write.
"""

import gzip
import json
import random
import sys

from arena.conformance.judge.golden import Json, book_of_games, random_games
from arena.conformance.judge.positions import FILE
from arena.games.kinds import built_in
from arena.games.variants import find
from tests.arena.conformance.rare_positions import changed_rule_options, rare_positions


def golden_positions(variant: str) -> Json:
    """Games and positions of a variant with what its rules say about them."""
    rules, chance = find(variant), random.Random(f"golden {variant}")
    games = random_games(rules, chance)
    rare = {
        "positions": rare_positions(rules, games, chance),
        "knobs": changed_rule_options(rules, games, chance),
    }
    return book_of_games(variant) | rare


def books(game: str) -> dict[str, Json]:
    """What the file of a game has."""
    path = next(kind for kind in built_in() if kind.name == game).file(FILE)
    found: dict[str, Json] = json.loads(gzip.decompress(path.read_bytes())) if path.exists() else {}
    return found


def main(variants: list[str]) -> None:
    """Write the files anew for these variants."""
    for kind in built_in():
        wanted = [name for name in kind.variants() if not variants or name in variants]
        if wanted:
            found = books(kind.name) | {name: golden_positions(name) for name in wanted}
            text = json.dumps({name: found[name] for name in kind.variants() if name in found}, separators=(",", ":"))
            kind.file(FILE).write_bytes(gzip.compress(text.encode(), 9, mtime=0))


if __name__ == "__main__":
    main(sys.argv[1:])
