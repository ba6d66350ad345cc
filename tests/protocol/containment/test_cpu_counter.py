"""The kernel's counter of an engine's CPU time: whatever it starts is charged, and an honest engine pays no more."""

import json
import subprocess
from pathlib import Path

import pytest

from protocol import cpu_counter
from protocol.containment import bubblewrap
from protocol.containment.policy import Level
from tests.protocol.containment.referees import Referee

CHARGED = Path(__file__).parent / "charged.py"
ENDS = ("ignored", "not waited for", "waited for", "orphans")

pytestmark = pytest.mark.skipif(not cpu_counter.available(), reason="this kernel gives no counters")


def figures(referee: Referee, level: Level, *how: object) -> list[tuple[float, float, float]]:
    """What the moves of an engine used, took and were charged, in ms."""
    if level is Level.STRICT and bubblewrap.program() is None:
        pytest.skip("bubblewrap is not installed")
    command = [*referee.prefix, str(CHARGED), level, *map(str, how)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, cwd="/")
    assert ran.returncode == 0, ran.stderr
    found: list[tuple[float, float, float]] = json.loads(ran.stdout)
    return found


def check(referee: Referee, level: Level, end: str, helpers: int, life_ms: int, cpus: int, beside: int) -> None:
    """All of an engine's moves are charged what they used, up to what they took; without helpers, just that."""
    for used_ms, took_ms, charged_ms in figures(referee, level, end, helpers, life_ms, cpus, beside):
        assert charged_ms >= 0.95 * min(used_ms, took_ms), (used_ms, took_ms, charged_ms)
        assert helpers or 0.98 * used_ms <= charged_ms <= 1.02 * used_ms, (used_ms, took_ms, charged_ms)


def test_short_helpers_that_nobody_waits_for_are_charged(referee: Referee) -> None:
    """Six at a time for 20 ms each, on the CPU of their parent, which ignores SIGCHLD."""
    check(referee, Level.BASIC, "ignored", 6, 20, 1, 0)


@pytest.mark.long
@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize(("helpers", "life_ms", "cpus"), [(3, 5, 1), (6, 20, 1), (3, 400, 2), (60, 5, 2)])
def test_helpers_of_all_kinds_are_charged(
    referee: Referee, level: Level, helpers: int, life_ms: int, cpus: int, end: str
) -> None:
    """However they end, however long they live, on one CPU or several, and beside a busy process."""
    check(referee, level, end, helpers, life_ms, cpus, 1)


@pytest.mark.long
@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("beside", [0, 2, 4])
def test_a_single_thread_is_charged_what_it_uses(referee: Referee, level: Level, beside: int) -> None:
    """On a busy machine, too."""
    check(referee, level, "none", 0, 200, 2, beside)
