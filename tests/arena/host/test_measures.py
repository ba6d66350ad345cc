"""An open ladder over a bad line, and that its measurement can fail."""

import json
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.host.measures import losses_on_time, over_a_bad_line, stored_once
from benchmarks.host.open_ladder import ROOT, OpenLadder, descendants, running
from results.plies import Ply
from results.record import Evidence, GameRecord, Termination
from results.store.store import Store
from tests.arena.host.bad_line import is_possible
from tests.results.made import GAME
from tests.running import running as started

BEGIN_S = 1_790_000_000.0
STARTED = "2026-09-21T14:13:20+00:00"


@pytest.fixture
def ladder(tmp_path: Path) -> OpenLadder:
    return OpenLadder(tmp_path, 2, tc="5+0.2", at_once=1)


def lost(ladder: OpenLadder, delay_ms: int, had_ms: int = 150) -> GameRecord:
    """A game that g00 lost on time by its second move, which took so much longer here than there; it is stored.

    The engine took 100 ms of the time that it had.
    """
    words = ("d1c1", "d3c3")
    for name, moves, took_ms in (("g00", "", 90), ("g01", "d1c1", 95), ("g00", "d1c1 d3c3", 100)):
        with ladder.times(name).open("a") as file:
            file.write(json.dumps([moves, BEGIN_S + 1, took_ms, had_ms]) + "\n")
    plies = [Ply(word, 100_000, None, 5_000) for word in words]
    evidence = Evidence("p1", "time", "late", "running", (), "", wall_us=1000 * (100 + delay_ms))
    game = replace(GAME, p1="g00", p2="g01", winner="p2", termination=Termination.TIME, evidence=evidence)
    return replace(game, plies=plies, opening=(), started_at=STARTED, wall_ms=2_000, tc="5+0.2 lag=250")


@pytest.mark.parametrize(("delay_ms", "had_ms", "unexplained"), [(240, 100, True), (260, 100, False), (240, 99, False)])
def test_a_loss_on_time_counts_against_the_host_unless_the_line_or_the_engine_was_late(
    ladder: OpenLadder, delay_ms: int, had_ms: int, unexplained: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The delay is what the host saw, less what the engine thought, and must be above the lag."""
    game = lost(ladder, delay_ms, had_ms)
    monkeypatch.setattr(ladder, "games", lambda: [game])
    assert losses_on_time(ladder, 250) == ([game.number] if unexplained else [])


def test_a_game_that_a_guest_was_told_of_must_be_stored(ladder: OpenLadder, monkeypatch: pytest.MonkeyPatch) -> None:
    """A void one need not be."""
    game = lost(ladder, 0)
    monkeypatch.setattr(ladder, "games", lambda: [game])
    log = ladder.folder / "g01.log"
    log.write_text(f"game {game.number}: lost against g01 by time\ngame 77: void against g01 by unfinished\n")
    stored_once(ladder)
    log.write_text("game 78: won against g01 by line\n")
    with pytest.raises(AssertionError, match=r"told and not stored: \[78\]"):
        stored_once(ladder)


@pytest.mark.long
@pytest.mark.netns
@pytest.mark.skipif(not is_possible(), reason="only root may make network namespaces and TUN devices")
@pytest.mark.xdist_group("netns")
@pytest.mark.timeout(400)
def test_guests_play_over_a_bad_line_and_lose_on_time_only_by_longer_delays_than_the_lag(tmp_path: Path) -> None:
    """Eight games, each stored once, over 80 ms round trip and 1 % loss."""
    pytest.importorskip("websockets", reason="needs the extra `host`")
    assert over_a_bad_line(tmp_path, 4, 8, "2+0.1", 2, 500) == []
    with Store.open_existing(tmp_path / "l.db") as store:
        assert [game.tc for game in store.games()] == ["2+0.1 lag=250"] * 8


@pytest.mark.long
@pytest.mark.timeout(180)
def test_a_measurement_that_is_told_to_end_leaves_no_process(tmp_path: Path) -> None:
    """Neither a host nor a client: each is in a session of its own."""
    command = (sys.executable, "-m", "benchmarks.host", "kills", "--guests", "2", "--keep", tmp_path)
    with started(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
        until_s = time.monotonic() + 60
        while not (tmp_path / "g01.log").exists() or not (left := descendants(run.pid)):
            assert run.poll() is None and time.monotonic() < until_s
            time.sleep(0.05)
        run.send_signal(signal.SIGTERM)
        assert run.wait(60) == 128 + signal.SIGTERM
        while any(map(running, left)):
            assert time.monotonic() < until_s
            time.sleep(0.05)
