"""Counted move sequences against numbers that other programs counted: `perft.txt` in the folder of each game."""

from pathlib import Path
from typing import NamedTuple

import pytest

from arena.games import rules
from arena.games.perft import divide, perft
from arena.games.variants import find


class Count(NamedTuple):
    variant: str
    fen: str
    depth: int
    nodes: int


def read_counts() -> list[Count]:
    """Every count: `id`, then `epd`, then a line `perft DEPTH NODES` each."""
    counts = []
    for path in sorted(Path(rules.__file__).parent.glob("*/perft.txt")):
        variant = fen = ""
        for line in path.read_text().splitlines():
            word, _, rest = line.partition(" ")
            if word == "id":
                variant = rest
            elif word == "epd":
                fen = rest
            else:
                assert word == "perft", f"{path}: {line}"
                depth, nodes = rest.split()
                counts.append(Count(variant, fen, int(depth), int(nodes)))
    return counts


COUNTS = [
    pytest.param(count, id=f"{count.variant}-{count.depth}", marks=[pytest.mark.long] if count.nodes > 30_000 else [])
    for count in read_counts()
]


@pytest.mark.parametrize("count", COUNTS)
def test_counts_agree_with_other_programs(count: Count) -> None:
    """Ludii, OpenTafl, npm `tafl` (Copenhagen), the second version of the rules and we find as many move sequences."""
    assert perft(find(count.variant).parse(count.fen), count.depth) == count.nodes


def test_the_starts_of_the_variants_are_counted() -> None:
    """No file of counts is missing or cut short: seven variants to depth four, those of championships to depth three.

    Copenhagen has three positions more, beside a fort, a shieldwall and a ring.
    """
    starts = [count for count in read_counts() if count.fen == find(count.variant).start().fen()]
    assert len(starts) == 7 * 4 + 9 * 3 and len(COUNTS) == len(starts) + 3 * 3


def test_divide_splits_the_count_by_first_moves() -> None:
    """In the order of the legal moves, and adding up to the whole."""
    start = find("ard-ri").start()
    parts = divide(start, 3)
    assert list(parts) == [move.text for move in start.legal_moves()]
    assert sum(parts.values()) == perft(start, 3) == 4208
    assert divide(start, 1) == dict.fromkeys(parts, 1)
