"""Engines of real processes pay for what they used, and for nothing else, beside others that compute."""

import os
import statistics

import pytest

from protocol.containment import group
from tests.protocol.containment.charged import moves


@pytest.fixture(autouse=True)
def in_a_group() -> None:
    """Without a control group helpers that an engine forgets are not seen: CLOCKS says so."""
    if group.groups() is None:
        pytest.skip("this user has no control groups")


def pays_for_helpers(kind: str, helpers: int, life_ms: int, count: int) -> None:
    shares = [move.share for move in moves(kind, helpers, life_ms, count)]
    assert min(shares) >= 0.95, (kind, helpers, life_ms, shares)


def pays_for_its_cpu_time(life_ms: int, count: int, beside: int) -> None:
    shares = [move.share for move in moves("one thread", 0, life_ms, count, beside)]
    assert 0.98 <= statistics.median(shares) <= 1.05, (life_ms, beside, shares)


def test_helpers_do_not_compute_for_nothing() -> None:
    """Neither those that the kernel reaps nor those that left their parent."""
    for kind in ("ignored", "orphans"):
        pays_for_helpers(kind, 5, 20, 1)


def test_an_honest_engine_pays_for_its_cpu_time() -> None:
    """It has one thread, and three others want its CPU."""
    pays_for_its_cpu_time(5, 11, 3)


def test_an_engine_of_more_threads_than_cpus_is_not_blamed() -> None:
    """4 threads compute for 100 ms. Their waits for each other cost them no more than the wall time."""
    ours = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(ours)[:2])
    try:
        found = moves("threads", 4, 100, 3, beside=3)
        assert all(move.charged <= move.wall for move in found)
        assert statistics.median(move.charged for move in found) < 150, found
    finally:
        os.sched_setaffinity(0, ours)
