"""What is left of a host that is killed."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.running import running

pytestmark = pytest.mark.timeout(60)
HOST = """
import json, os, socket, sys, time
from pathlib import Path
from arena.host.hub_process import hub_beside
from arena.web.server import listening
folder = Path(sys.argv[1])
with listening.listen("127.0.0.1", 0) as opened:
    with hub_beside(folder / "lad.db", folder / "none.json", opened, "127.0.0.1", None, open_pages=False) as hub:
        relays = []
        for key in (hub.environment["ARENA_HUB_KEY"], "wrong"):
            relay = socket.socket(socket.AF_UNIX)
            relay.connect("\\0" + hub.environment["ARENA_HUB"])
            relay.sendall(json.dumps(["join", key, "fox", "build"]).encode() + b"\\n")
            if key == "wrong":
                relay.recv(1)  # it is closed: the one before is known now
            relays.append(relay)
        for odd in (b"7", b'{"join": 1}', b'["join", [], [], []]', b"\\xff", b"[" * 9999):
            with socket.socket(socket.AF_UNIX) as relay:
                relay.connect("\\0" + hub.environment["ARENA_HUB"])
                relay.sendall(odd + b"\\n")
                relay.recv(1)
        worker = os.fork()
        if not worker:
            time.sleep(50)
        print(hub._process.pid, worker, flush=True)
        time.sleep(50)
"""


def test_the_process_of_the_lines_ends_with_its_host_although_a_worker_lives_on(tmp_path: Path) -> None:
    """The worker holds open what tells the process that the ladder is over. A relay is there; nothing is logged, not
    even of programs that are no relays.
    """
    command = (sys.executable, "-c", HOST, str(tmp_path))
    log = tmp_path / "log"
    with log.open("wb") as out, running(command, stdout=subprocess.PIPE, stderr=out) as host:
        assert host.stdout is not None
        hub, worker = map(int, host.stdout.readline().split())
        try:
            host.kill()
            host.wait()
            until_s = time.monotonic() + 20
            while _lives(hub) and time.monotonic() < until_s:
                time.sleep(0.05)
            assert not _lives(hub) and log.read_text() == ""
        finally:
            os.kill(worker, signal.SIGKILL)


def _lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
