"""A contained engine that means no harm: what it finds in its box, and how it ends."""

import json
import os
import shutil
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from protocol.containment import box
from protocol.containment.policy import Level, SandboxPolicy
from protocol.faults import CannotStart
from protocol.process import Command, EngineProcess
from tests.protocol.containment.conftest import SYSTEM_PYTHON
from tests.protocol.containment.referees import Ran, Referee, got, job

PYTHON = ("{python}", "-I", "-S", "-c")


def test_interpreters_start(referee: Referee, level: Level) -> None:
    """Shell, Perl and Python with its compiled modules run without any grant."""
    argvs = [["/bin/sh", "-c", "echo works"], ["perl", "-e", "use POSIX; print qq(works\n)"]]
    argvs += [["{python}", "-c", "import hashlib, json, sqlite3, ctypes, random; print('works')"]]
    for argv in argvs:
        if argv[0] == "perl" and shutil.which("perl") is None:
            continue
        ran = referee.run(level, argv)
        assert ran.out.strip() == "works" and ran.status == 0, ran


PACKAGE = """
import os
print('hello')
for path in ('x', 'granted/x', 'granted/greeter/__main__.py'):
    try: open(os.path.join(os.environ['THEIR_HOME'], path), 'a'); print('written')
    except OSError: print('refused')
"""


def test_a_granted_folder_is_read_and_not_written(referee: Referee, level: Level, home: Path) -> None:
    """`python -m` finds a package in a granted folder, and the rest of the home stays closed."""
    package = home / "granted" / "greeter"
    package.mkdir(parents=True, exist_ok=True)
    (package / "__main__.py").write_text(PACKAGE)
    environment = {"PYTHONPATH": str(home / "granted"), "THEIR_HOME": str(home)}
    ran = referee.run(level, ["{python}", "-m", "greeter"], reads=[home / "granted"], environment=environment)
    # In `strict` a folder on the way to a granted one is in memory and the engine's own.
    assert ran.out.split()[0] == "hello" and ran.out.split()[2:] == ["refused"] * 2, ran
    assert not (home / "x").exists()


def test_the_environment_is_what_was_granted(referee: Referee, level: Level) -> None:
    """HOME and TMPDIR are the scratch. What is loaded into an engine is not loaded into its box."""
    granted = {"GRANTED": "yes", "LD_LIBRARY_PATH": "/granted"}
    found = dict(line.split("=", 1) for line in referee.run(level, ["/usr/bin/env"], environment=granted).out.split())
    assert found.keys() - {"PWD", "USER"} == {"PATH", "LANG", "HOME", "TMPDIR", "NUMBA_CACHE_DIR", *granted}
    assert found["HOME"] == found["TMPDIR"] and found.get("USER", "engine") == "engine"
    assert found["LD_LIBRARY_PATH"] == "/granted"
    if level is Level.STRICT:
        ran = referee.run(level, ["/bin/sh", "-c", ":"], environment={"LD_PRELOAD": "/nowhere.so"})
        complaints = ran.out.count("/nowhere.so")
        assert complaints in (1, 2), "of each program's loader: the engine, and without a group a shell in its box"


def soon() -> int:
    return time.monotonic_ns() + 20_000_000_000


WHO = "import os; open('x', 'w').write('x'); print(os.getuid(), os.getgid(), os.getgroups(), oct(os.stat('.').st_mode))"


def test_engines_of_root_have_one_user_without_rights(referee: Referee, level: Level, home: Path) -> None:
    """It owns their scratch and nothing else. An ordinary user has no other users to give."""
    if os.geteuid() != 0 or not box.may_become_user():
        pytest.skip("only root gives users")
    script = home / "engine.py"
    script.write_text(WHO)
    ran = referee.run(level, [SYSTEM_PYTHON, "-I", str(script)])
    assert ran.status == 0 and ran.left == 0, ran
    if referee.is_root:
        assert ran.out.split()[:2] == [str(box.USER)] * 2, ran
    assert not ran.scratch or not os.path.exists(ran.scratch)


def test_root_runs_what_is_closed_to_others_as_itself(level: Level, home: Path) -> None:
    """Then it has no capabilities, and cannot get any."""
    if os.geteuid() != 0 or not box.may_become_user():
        pytest.skip("only root gives users")
    engine = home / f"closed-{level}" / "engine"
    engine.parent.mkdir()
    engine.write_text("#!/bin/sh\ngrep -E '^(Uid|CapEff|CapBnd)' /proc/self/status\n")
    for mode, user in ((0o755, box.USER), (0o700, 0)):
        engine.chmod(mode)
        with EngineProcess.spawn(Command((str(engine),), SandboxPolicy(level))) as running:
            lines = [running.receive(soon()).split() for _ in range(3)]
            assert running.box.user == (user or None)
        assert int(lines[0][1]) == user and int(lines[1][1], 16) == 0, lines
        assert user or int(lines[2][1], 16) == 0, lines


def test_strict_does_not_fall_back_to_a_weaker_level(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without bubblewrap the sentence says what to install; where it fails, nothing runs on and no folder stays."""
    engine, policy = [sys.executable, "-c", "pass"], SandboxPolicy(Level.STRICT)
    with monkeypatch.context() as patched:
        patched.setenv("PATH", str(tmp_path))
        with pytest.raises(CannotStart, match=r"needs bubblewrap.*apt install bubblewrap"):
            box.Box(policy, engine)
    (tmp_path / "bwrap").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(CannotStart, match="bubblewrap did not start the sandbox"):
        box.Box(policy, engine)


# The grant of a loopback: TCP among an engine's own processes, in `strict` alone.

TALK = """
import os, socket
for host in ("localhost", "127.0.0.1", "arena"):
    with socket.create_server((host, 5800)) as server, socket.create_connection((host, 5800), 5) as ours:
        theirs = server.accept()[0]
        theirs.sendall(b"got " + host.encode())
        print(ours.recv(100).decode())
        theirs.close()
"""
SERVE = """
import socket, time
server = socket.create_server(("127.0.0.1", 5800))
print("up", flush=True)
time.sleep(20)
"""


@pytest.fixture
def strict(level: Level) -> Level:
    """`strict`, where the machine has it."""
    if level is not Level.STRICT:
        pytest.skip("only `strict` has a loopback")
    return level


def ran(referee: Referee, code: str) -> Ran:
    return referee.run(Level.STRICT, [*PYTHON, code, "{mark}", "{referee}"], loopback=True)


@pytest.fixture
def neighbour(referee: Referee, strict: Level) -> Iterator[None]:
    """Another engine, which listens at the port that engines use here."""
    other = referee.start()
    assert other.stdin is not None and other.stdout is not None
    try:
        other.stdin.write(job(strict, [*PYTHON, SERVE, "{mark}"], loopback=True, hold=True))
        other.stdin.flush()
        assert other.stdout.readline().strip().isdigit()
        yield
    finally:
        other.kill()
        other.communicate(timeout=10)


@pytest.mark.usefixtures("neighbour")
def test_an_engine_speaks_tcp_to_itself_alone(referee: Referee) -> None:
    """By name and by address; not with another engine, and with no server of this machine on any of its addresses."""
    granted = ran(referee, TALK)
    assert granted.out.split("\n") == ["got localhost", "got 127.0.0.1", "got arena", ""], granted
    with socket.create_server(("0.0.0.0", 0)) as server:
        port = server.getsockname()[1]
        addresses = ("127.0.0.1", "127.0.0.2", "192.0.2.1", socket.gethostbyname(socket.gethostname()))
        tries = [f"({each!r}, {port})" for each in addresses] + ["('127.0.0.1', 5800)"]
        code = "import socket\n" + "\n".join(
            f"try: socket.create_connection({each}, 2); print('got {each[2:11]}')\nexcept OSError: print('kept')"
            for each in tries
        )
        assert got(referee.run(Level.NONE, [*PYTHON, code, "{mark}"])), "the attempt proves nothing here"
        assert ran(referee, code).out.split() == ["kept"] * len(tries)


def test_basic_refuses_a_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sentence says what to type, and what to install where bubblewrap is missing. A grant is recorded."""
    policy = SandboxPolicy(Level.BASIC, loopback=True)
    monkeypatch.setattr("protocol.containment.box.shutil.which", lambda *_: "/usr/bin/bwrap")
    with pytest.raises(CannotStart, match=r"which `basic` cannot give: play with --contain strict"):
        box.Box(policy, ["/bin/true"])
    monkeypatch.setattr("protocol.containment.box.shutil.which", lambda *_: None)
    with pytest.raises(CannotStart, match=r"install bubblewrap .*, and play with --contain strict"):
        box.Box(policy, ["/bin/true"])
    assert SandboxPolicy(Level.STRICT, loopback=True).record()["grants"] == ["loopback"]
    assert "grants" not in json.loads(json.dumps(SandboxPolicy(Level.STRICT).record()))
