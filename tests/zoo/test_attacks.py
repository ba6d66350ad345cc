"""The hostile faults of the zoo: each does its attack or reports the refusal, within its bounds."""

import os
import re
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from protocol.containment import scratch
from tests.zoo.animal import GO, WAIT_S, Start, cage, field, report, until


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start a zoo by its arguments; whatever is left of it is killed."""
    with cage(tmp_path) as begin:
        yield begin


def test_memory_is_touched_or_refused(start: Start) -> None:
    """The named MB are resident afterwards; a limit on memory refuses them and the game goes on."""
    zoo = start("--fault", "memory-hog", "--limit", "64")
    zoo.send(GO + "\n")
    assert report(zoo) == "done 64 MB" and int(field(zoo.pid, "VmRSS").split()[0]) > 64 * 1024
    zoo = start("--fault", "memory-hog", before=("sh", "-c", 'ulimit -v 160000; exec "$@"', "sh"))
    zoo.send(GO + "\n")
    assert re.fullmatch(r"refused memory after [1-9][0-9]* MB", report(zoo)) and zoo.lines("bestmove")


def test_the_fork_bomb_is_bounded(start: Start) -> None:
    """--limit children are born once, in its group, and end by SIGTERM."""
    zoo = start("--fault", "fork-bomb", "--limit", "4")
    zoo.send(GO + "\n")
    assert report(zoo) == "done 4 children"
    zoo.lines("bestmove")
    zoo.ask(f"uginewgame\n{GO}", "bestmove")
    children = [int(pid) for pid in Path(f"/proc/{zoo.pid}/task/{zoo.pid}/children").read_text().split()]
    assert len(children) == 4 and {os.getpgid(pid) for pid in children} == {zoo.pid}
    os.kill(children[0], signal.SIGTERM)
    until(lambda: field(children[0], "State").startswith("Z"), "the child's end")


@pytest.mark.parametrize("name", ["orphan", "orphan-shouts"])
def test_an_orphan_outlives_the_engine(start: Start, name: str) -> None:
    """The orphan is in a session of its own and still there when the engine has gone; only one of them talks."""
    zoo = start("--fault", name)
    zoo.send(GO + "\n")
    said = report(zoo)
    orphan = int(said.removeprefix("done pid "))
    try:
        zoo.lines("bestmove")
        zoo.send("quit\n")
        assert zoo.status() == 0
        assert os.getsid(orphan) not in (zoo.pid, os.getsid(0)) and int(field(orphan, "PPid")) != zoo.pid
        if name == "orphan":
            assert zoo.rest() == b""
        else:
            assert zoo.lines("info string an orphan")
        os.kill(orphan, 0)
    finally:
        os.kill(orphan, signal.SIGKILL)


SHELL = ("sh", "-c", '"$@"; exit 0', "sh")
"""A parent that is no test."""


@pytest.mark.parametrize(("really", "number"), [((), signal.SIGTERM), (("--really",), signal.SIGKILL)])
def test_the_parent_is_killed(start: Start, really: tuple[str, ...], number: signal.Signals) -> None:
    """kills-parent ends its parent by SIGTERM, by SIGKILL only with --really."""
    zoo = start("--fault", "kills-parent", *really, before=SHELL)
    zoo.send(GO + "\n")
    assert zoo.status() == -number


def test_tracing_the_parent_leaves_it_unharmed(start: Start) -> None:
    """ptraces says whether it could attach to its parent, which goes on untraced either way."""
    zoo = start("--fault", "ptraces", before=SHELL)
    zoo.send(GO + "\n")
    said = report(zoo)
    assert said == f"done pid {zoo.pid}" or said.startswith("refused ")
    assert field(zoo.pid, "TracerPid") == "0" and field(zoo.pid, "State")[0] in "RSD"
    zoo.send("quit\n")
    assert zoo.status() == 0


@pytest.mark.long
def test_files_are_made_and_read_where_they_may_be(start: Start, tmp_path: Path) -> None:
    """writes-file makes a new file and spares one that is there; reads-file reads; both report what was refused."""
    path = tmp_path / "trace"
    for name, expected in (
        ("reads-file", "refused No such file or directory"),
        ("writes-file", f"done {path}"),
        ("writes-file", "refused File exists"),
        ("reads-file", f"done {path}"),
    ):
        zoo = start("--fault", name, "--path", str(path))
        zoo.send(GO + "\n")
        assert report(zoo) == expected
        zoo.send("quit\n")
        _, errors = zoo.popen.communicate(timeout=WAIT_S)
        assert errors.decode() == f"zoo {name} {expected}\n"
    assert path.read_text() == "the zoo was here\n"


def test_scratch_is_filled_and_given_back(start: Start, tmp_path: Path) -> None:
    """fills-scratch writes the named MB and leaves no file; a limit on file sizes stops it."""
    for before, expected in (
        ((), "done 2 MB"),
        (("sh", "-c", 'ulimit -f 2048; exec "$@"', "sh"), "refused write: File too large after 1 MB"),
    ):
        zoo = start("--fault", "fills-scratch", "--limit", "2", "--path", str(tmp_path), before=before)
        zoo.send(GO + "\n")
        assert report(zoo) == expected
    assert not list(tmp_path.iterdir())


@pytest.mark.long
def test_its_own_file_is_removed_or_replaced(start: Start, tmp_path: Path) -> None:
    """removes-itself and replaces-itself touch the file that they are given, and no directory."""
    path = tmp_path / "engine"
    path.write_text("old")
    path.chmod(0o755)
    for name, target, expected in (
        ("replaces-itself", path, f"done {path}"),
        ("replaces-itself", tmp_path, f"refused {tmp_path} is no regular file"),
        ("removes-itself", tmp_path, f"refused {tmp_path} is no regular file"),
    ):
        zoo = start("--fault", name, "--path", str(target))
        zoo.send(GO + "\n")
        assert report(zoo) == expected
    assert path.read_text() == "#!/bin/sh\nexit 1\n" and path.stat().st_mode & 0o777 == 0o755
    zoo = start("--fault", "removes-itself", "--path", str(path))
    zoo.send(GO + "\n")
    assert report(zoo) == f"done {path}" and not list(tmp_path.iterdir())


@pytest.mark.long
def test_the_loopback_is_reached_or_refused(start: Start) -> None:
    """connects sends one byte by TCP or UDP, and reports a port where nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(type=socket.SOCK_DGRAM) as datagrams:
        datagrams.bind(("127.0.0.1", 0))
        for link, transport in ((server, "tcp"), (datagrams, "udp")):
            link.settimeout(WAIT_S)
            port = link.getsockname()[1]
            zoo = start("--fault", "connects", "--address", f"localhost:{port}", "--transport", transport)
            zoo.send(GO + "\n")
            assert report(zoo) == f"done {transport} 127.0.0.1 {port}"
            if transport == "udp":
                assert datagrams.recv(9) == b"z"
            else:
                peer = server.accept()[0]
                with peer:
                    assert peer.recv(9) == b"z"
        closed = server.getsockname()[1]
    zoo = start("--fault", "connects", "--address", f"127.0.0.1:{closed}")
    zoo.send(GO + "\n")
    assert report(zoo) == "refused Connection refused"


@pytest.mark.long
def test_memory_is_hidden_where_it_may_be(start: Start) -> None:
    """Page tables, pages without a view and files in memory are taken without being resident."""
    for name, status in (("memory-tables", "VmPTE"), ("memory-shared", ""), ("memory-file", "")):
        zoo = start("--fault", name, "--limit", "96")
        zoo.send(GO + "\n")
        assert report(zoo) == "done 96 MB"
        assert int(field(zoo.pid, "VmRSS").split()[0]) < 96 * 1024
        if status:
            assert int(field(zoo.pid, status).split()[0]) >= 96 * 1024


@pytest.mark.long
def test_the_parent_and_the_machine_are_reached_without_harm(start: Start) -> None:
    """reaches-parent names its calls that were allowed; opens-settings and shared-object say what the system said."""
    zoo = start("--fault", "reaches-parent", before=SHELL)
    zoo.send(GO + "\n")
    assert report(zoo) == "done prlimit setpriority sched_setaffinity sched_setparam"
    for name, done in (("opens-settings", "done core_pattern"), ("shared-object", "done a shared memory")):
        zoo = start("--fault", name)
        zoo.send(GO + "\n")
        said = report(zoo)
        assert said == done or (name == "opens-settings" and os.geteuid() and said == "refused Permission denied")


@pytest.mark.long
def test_files_are_hidden_and_modes_are_set(start: Start, tmp_path: Path) -> None:
    """keeps-deleted and deep-folders take what no list of files shows; changes-mode leaves the mode as it is."""
    target = tmp_path / "theirs"
    target.touch(0o640)
    zoo = start("--fault", "changes-mode", "--path", str(target))
    zoo.send(GO + "\n")
    assert report(zoo) == f"done {target}" and target.stat().st_mode & 0o777 == 0o640
    zoo = start("--fault", "keeps-deleted", "--limit", "10", "--path", str(tmp_path))
    zoo.send(GO + "\n")
    deep = start("--fault", "deep-folders", before=("env", f"TMPDIR={tmp_path}"))
    deep.send(GO + "\n")
    assert report(zoo) == "done 10 MB" and report(deep) == "done 20 folders"
    assert sorted(len(path.name) for path in tmp_path.iterdir()) == [6, 250]
    scratch.remove(str(tmp_path / ("d" * 250)))
