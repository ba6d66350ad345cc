"""How a server begins and ends, and who may look."""

import contextlib
import importlib.util
import signal
import socket
import subprocess
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from arena.web.server import beside, listening, uvicorn_server
from arena.web.server.app import Serving
from tests.arena import workers
from tests.arena.live.made import GAME, running, written
from tests.command_line import program
from tests.running import running as process
from tests.web.conftest import games, keep
from tests.web.serving import ask, events


def typed(*words: object) -> Any:
    """What `arena serve` and these words come to."""
    return CliRunner().invoke(program(), ["serve", *map(str, words)])


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[Serving]:
    """What would be served: the server itself ends at once."""
    found: list[Serving] = []
    monkeypatch.setattr(uvicorn_server, "serve", lambda serving, opened, report: found.append(serving))
    return found


def test_a_file_that_cannot_be_shown_is_refused(tmp_path: Path, begun: list[Serving]) -> None:
    """One sentence, exit code 2, and no server."""
    (tmp_path / "a.txt").write_text("nothing")
    for name, sentence in (("none.db", "none.db"), ("a.txt", "a.txt"), ("", "is a folder")):
        done = typed(tmp_path / name, "--port", 0)
        assert done.exit_code == 2
        assert sentence in done.stderr
    assert begun == []


def test_a_port_in_use_is_told_with_the_remedy(cup: Path, begun: list[Serving]) -> None:
    """And so is an address that is not of this machine."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = typed(cup, "--port", taken.getsockname()[1])
    assert done.exit_code == 2
    assert "is in use" in done.stderr
    assert "--port 0" in done.stderr
    done = typed(cup, "--port", 0, "--host", "192.0.2.1")
    assert done.exit_code == 2
    assert "--host 192.0.2.1" in done.stderr
    assert begun == []


def test_without_its_packages_it_says_how_to_get_them(cup: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both the command and --serve of a run, which does not begin then."""
    find = importlib.util.find_spec

    def without(name: str, package: str | None = None) -> ModuleSpec | None:
        return None if name == "starlette" else find(name, package)

    monkeypatch.setattr(importlib.util, "find_spec", without)
    monkeypatch.setattr(beside, "find_spec", without)
    done = typed(cup)
    assert done.exit_code == 2
    assert "pip install 'callanish-arena[web]'" in done.stderr
    done = CliRunner().invoke(program(), ["match", "random", "random", "--serve", "--contain", "none"])
    assert done.exit_code == 2
    assert "pip install 'callanish-arena[web]'" in done.stderr


def test_whoever_lets_others_look_is_told_and_keeps_private_things(cup: Path, begun: list[Serving]) -> None:
    """Beyond this machine, private things are left out unless asked for."""
    for words, hides, warns in (
        ([], False, False),
        (["--private"], True, False),
        (["--name", "arena.example.org"], True, False),
        (["--host", "0.0.0.0"], True, True),
        (["--host", "0.0.0.0", "--with-private"], False, True),
        (["--host", "localhost"], False, False),
    ):
        done = typed(cup, "--port", 0, *words)
        assert done.exit_code == 0
        assert begun[-1].hide == hides
        assert ("everybody who reaches this machine" in done.stderr) == warns


def test_ctrl_c_ends_it_at_once_and_leaves_nothing(tmp_path: Path) -> None:
    """Also with viewers who watch; there is no traceback and no file beside the database."""
    db = keep(tmp_path / "a.db", games())
    command = [sys.executable, "-m", "arena", "serve", str(db), "--port", "0"]
    with process(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as server:
        assert server.stdout is not None and server.stderr is not None
        base = server.stdout.readline().decode().split()[0].rstrip("/")
        with events(base) as one, events(base) as two:
            assert next(one)[0] == next(two)[0] == "time"
            server.send_signal(signal.SIGINT)
            assert server.wait(30) == 0
        assert server.stderr.read() == b""
    assert [path.name for path in tmp_path.iterdir()] == ["a.db"]


def test_a_server_beside_a_run_ends_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its viewers are told so, with the command that keeps the pages. It answers although there is no database yet."""
    db = tmp_path / "a.db"
    monkeypatch.setattr(listening, "PORT", 0)  # the usual one may be that of another test
    monkeypatch.setattr(beside, "started", workers.started)
    said: list[str] = []
    with contextlib.ExitStack() as held:
        with beside.server_beside(db, said.append):
            base = said[0].split()[0].rstrip("/")
            assert ask(base, "/").status == 503
            keep(db, games())
            written(db, running(GAME))
            stream = held.enter_context(events(base))
            next(each for each in stream if each[0] == "live" and each[1]["games"])
        assert [*stream][-1] == ("end", {"report": "arena report a.db"})
    with pytest.raises(ConnectionError):
        ask(base, "/")
