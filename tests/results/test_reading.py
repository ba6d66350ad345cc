"""What reading a position took beyond what is free, from the ply to the tables."""

from dataclasses import replace

import pytest

from results.plies import Plies
from results.record import Costs
from results.store.rows import faults
from results.tables import one_game, statistics
from results.tables.engine_stats import Stats
from tests.results.made import GAME

SLOW = replace(GAME, plies=(GAME.plies[0]._replace(reading_us=43_210), GAME.plies[1]))


def test_only_plies_with_such_a_time_have_it_in_the_file() -> None:
    """So files of all versions are alike, and it comes back as it was."""
    packed = Plies.of(SLOW.plies)
    assert packed.costs == '[[1200,1100,9998,4,12345,"cp 31",null,43210],[900,null,null,null,null,null,null]]'
    assert [ply.reading_us for ply in Plies(packed.words, packed.costs)] == [43_210, 0]
    assert not list(faults(SLOW, SLOW.movetext))
    odd = replace(SLOW, plies=Plies(packed.words, packed.costs.replace("43210", '"x"')))
    assert list(faults(odd, odd.movetext)) == ["reading_us of ply 1 is 'x'"]


def test_the_time_belongs_to_the_side_that_read() -> None:
    """Whoever plays the first ply after the opening."""
    for start_ply, opening, side in ((0, 2, "p1"), (0, 1, "p2"), (1, 2, "p2")):
        assert replace(SLOW, start_ply=start_ply, opening=("a1", "b2")[:opening]).reading_us == {side: 43_210}
        assert GAME.reading_us == {}


def test_a_game_and_the_statistics_show_it() -> None:
    """A note, a mark beside the ply, and the mean of an engine over its plies."""
    assert list(one_game.remarks(SLOW)) == ["ann (p1) read positions for 0.043 s more than is free: that is its time"]
    assert [row[9] for row in one_game.ply_rows(SLOW)[3:]] == ["reading 43.2 ms", ""]
    stats = Stats()
    for plies in ([[1_000, None, None, None, None, None, None, 43_000]], [[1_000, None, None, None, None, None, None]]):
        stats.add(Costs("ann", "bob", "p1", [list(ply) for ply in plies], None, None))
    ann = next(each for each in stats.engines() if each.name == "ann")
    assert ann.reading_mean_ms == pytest.approx(21.5)
    assert [row[-1] for row in statistics.engine_rows([ann])] == ["read ms", "21.5"]
