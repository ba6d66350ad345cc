"""Workers that are forked from a process that has loaded their modules: one starts in a tenth of the CPU time.

For tests that are about no worker. How a worker begins, ends and is lost is asked of the real ones, in tests/arena/play
and wherever a command is a process.
"""

import os
from collections.abc import Callable
from typing import Any
from unittest import mock

import multiprocess

from arena.games.game import GameFailed
from arena.play import worker

_CONTEXT = multiprocess.get_context("forkserver")
_CONTEXT.set_forkserver_preload([worker.__name__])


def started(serve: Callable[..., None], place: tuple[Any, ...], name: str) -> Any:
    """A new process that runs `serve`, as `arena.run.slots.started` starts one."""
    process = _CONTEXT.Process(target=_serve, args=(dict(os.environ), serve, place), name=name)
    process.start()
    place[0].close()
    return process


def serve_failing(*place: Any) -> None:
    """A worker in which the rules fail at the end of each game."""
    failure = GameFailed("the rules of three failed at ply 9")
    with mock.patch.object(worker.RunningGame, "_try_rules", side_effect=failure):
        worker.main(*place)


def _serve(environment: dict[str, str], serve: Callable[..., None], place: tuple[Any, ...]) -> None:
    """The process that it is forked from has the environment of whichever test was the first."""
    os.environ.clear()
    os.environ.update(environment)
    serve(*place)
