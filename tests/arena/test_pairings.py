"""Round robins, by property."""

from collections import Counter

import pytest

from arena.pairings import pairings, round_robin


@pytest.mark.parametrize("players", range(2, 51))
def test_everybody_meets_everybody_once_and_nobody_himself(players: int) -> None:
    """All pairs, each once, lower index first."""
    met = [round_robin(players, k) for k in range(pairings(players))]
    assert sorted(met) == [(a, b) for a in range(players) for b in range(a + 1, players)]


@pytest.mark.parametrize("players", range(2, 51))
def test_nobody_plays_twice_in_a_cycle(players: int) -> None:
    """Each cycle of players // 2 pairings names everybody once, but for the bye of an odd number."""
    boards = players // 2
    for first in range(0, pairings(players), boards):
        names = Counter(name for k in range(first, first + boards) for name in round_robin(players, k))
        assert set(names.values()) == {1}
        assert len(names) == players - players % 2


def test_a_pairing_beyond_the_last_is_an_error() -> None:
    """Three players have three pairings."""
    with pytest.raises(IndexError):
        round_robin(3, 3)
