"""Following a run from another process."""

from dataclasses import replace
from pathlib import Path

from arena.live.reader import Follower, LiveFile, RunState
from arena.live.state import LiveRun
from tests.arena.live.made import running

RUN = running()


def found(run: LiveRun, state: RunState = "running") -> LiveFile:
    return LiveFile(Path(f"cup.db-{run.run}.events"), run, state)


def test_a_run_is_followed_to_its_end() -> None:
    """With all that its file says. Another run that has begun meanwhile is not followed, and no old one."""
    there = [found(RUN), found(replace(RUN, run="old"), "ended")]
    follower = Follower(lambda: tuple(there))
    assert follower.now().state == "running"
    there[:] = [found(replace(RUN, run="def")), found(replace(RUN, done=7))]
    assert follower.now().run == replace(RUN, done=7)
    there[1] = found(replace(RUN, done=8), "ended")
    for _ in range(2):
        ended = follower.now()
        assert ended.state == "ended" and ended.run is not None and ended.run.done == 8
        del there[1:]
