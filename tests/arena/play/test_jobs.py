"""Jobs survive the way to a worker."""

import copy
import pickle
from dataclasses import replace

import pytest

from arena.play.adjudication import parse as rules
from arena.play.jobs import GameJob, Terms
from arena.timing.time_control import parse

PLAIN = Terms(parse("1+0"))
ALL = Terms(
    parse("40/1+0.1"), 7, 8, 9, True, parse("nodes=5"), 11, rules("score=600,moves=3", "score=10,moves=8,after=40")
)
JOB = GameJob("run-1", 1, 2, "brandub", "7/7 p1 1", 3, "1/opening/0", "a", "b", 4, PLAIN, ("d1d3",))
TERMS = [PLAIN, ALL, replace(ALL, margin_ms=6), replace(ALL, adjudication=rules(None, "score=10,moves=8"))]


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_a_job_arrives_with_its_own_terms(protocol: int) -> None:
    """Every field arrives, whatever terms other games of the run have."""
    jobs = [replace(JOB, number=number, terms=terms) for number, terms in enumerate(TERMS * 2)]
    sent = [pickle.dumps(job, protocol) for job in jobs]
    assert [pickle.loads(each) for each in sent] == jobs
    assert copy.deepcopy(jobs) == jobs
