"""Where the programs of a cluster listen, as the kernel tells it, and what somebody without a key gets there."""

import asyncio
import contextlib
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from ipaddress import ip_address
from pathlib import Path
from typing import Any, NamedTuple

import psutil
import pytest

from arena.cluster.access import access, cannot_reach, keys_do_not_fit
from arena.cluster.keys import make
from tests.running import running

pytest.importorskip("distributed", reason="needs the extra `cluster`")
ARENA = [sys.executable, "-m", "arena"]
DEADLINE_S = 60
LOOPBACK, NETWORK = "127.0.0.1", "0.0.0.0"


class Listening(NamedTuple):
    """A socket that takes connections or datagrams."""

    kind: str
    host: str
    port: int


def listening(pid: int) -> set[Listening]:
    """All such sockets of a process and of all that it has started."""
    found = set[Listening]()
    with contextlib.suppress(psutil.NoSuchProcess):
        process = psutil.Process(pid)
        for each in (process, *process.children(recursive=True)):
            with contextlib.suppress(psutil.Error):
                found |= {
                    Listening(socket.SocketKind(there.type).name, there.laddr.ip, there.laddr.port)
                    for there in each.net_connections()
                    if there.status == psutil.CONN_LISTEN or (there.status == psutil.CONN_NONE and not there.raddr)
                }
    return found


def wait_for(found: Callable[[], Any], what: Callable[[], str]) -> None:
    deadline = time.monotonic() + DEADLINE_S
    while not found():
        assert time.monotonic() < deadline, what()
        time.sleep(0.05)


@contextlib.contextmanager
def programs(folder: Path, host: str, options: list[str]) -> Iterator[tuple[int, str, list[int]]]:
    """A scheduler, the port and the address of it, and the processes of it and of a machine that has joined."""
    with socket.socket() as free:
        free.bind((host if host != NETWORK else LOOPBACK, 0))
        port = free.getsockname()[1]
    named = ["--host", host] if host not in (LOOPBACK, NETWORK) else []
    address = f"{LOOPBACK if host == NETWORK else host}:{port}"
    log, pids = folder / "log", list[int]()
    with log.open("wb") as out, contextlib.ExitStack() as held:
        for words in (["scheduler", "--port", str(port), *named], ["join", address, "--slots", "1"]):
            command = [*ARENA, "cluster", *words, *options]
            process = held.enter_context(running(command, cwd=folder, stdout=out, stderr=out))
            held.callback(process.send_signal, signal.SIGTERM)
            pids.append(process.pid)
        wait_for(lambda: "has joined" in log.read_text(), log.read_text)
        yield port, address, pids


@pytest.mark.long
@pytest.mark.parametrize("case", ["without keys", "with keys"])
def test_every_socket_of_a_cluster_is_where_it_should_be(case: str, tmp_path: Path) -> None:
    """The scheduler, a machine, and its workers, before and while a match is played: one port each, and none for pages.

    Without keys on the loopback, with keys also elsewhere.
    """
    host, options = LOOPBACK, []
    if case == "with keys":
        make(tmp_path / "keys")
        host, options = NETWORK, ["--keys", "keys"]
    with programs(tmp_path, host, options) as (port, address, pids):
        match = [*ARENA, "match", "random", "greedy", "--variant", "callanish-5", "--nodes", "9", "--games", "20"]
        match += ["--db", "a.db", "--cluster", address, *options]
        before, during, arena = [listening(pid) for pid in pids], set[Listening](), set[Listening]()
        with running(match, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            while process.poll() is None:
                during |= listening(pids[1])
                arena |= listening(process.pid)
            assert process.returncode == 0
        # A containment is tried out, there and here, with sockets that it has to keep an engine from.
        assert {each.host for each in arena | during - before[1]} <= {LOOPBACK}
        assert before[0] == {Listening("SOCK_STREAM", host, port)}
        assert len({each.port for each in before[1]}) == 1
        if case == "with keys":
            assert {each.host for each in before[1]} <= {NETWORK, "::"}
            for listener in before:
                assert_says_nothing(next(each.port for each in listener))
        else:
            assert [(each.kind, each.host) for each in before[1]] == [("SOCK_STREAM", host)]


def assert_says_nothing(port: int) -> None:
    """Neither to somebody who sends plain text, nor to somebody who shows no certificate, or one of another cluster."""
    alert = b"\x15"
    with socket.create_connection((LOOPBACK, port), DEADLINE_S) as plain:
        plain.sendall(b"GET /info/main/workers.html HTTP/1.1\r\nHost: localhost\r\n\r\n")
        with contextlib.suppress(ConnectionError):
            assert plain.recv(1000)[:1] in (b"", alert)
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with socket.create_connection((LOOPBACK, port), DEADLINE_S) as connection:
        with contextlib.suppress(ConnectionError, ssl.SSLError), context.wrap_socket(connection) as stranger:
            assert stranger.recv(1000) == b""


@pytest.mark.long
def test_keys_of_another_cluster_end_a_machine_with_a_sentence(tmp_path: Path) -> None:
    """It does not wait: they will never fit."""
    make(tmp_path / "keys")
    make(tmp_path / "foreign")
    with programs(tmp_path, NETWORK, ["--keys", "keys"]) as (_, address, _):
        for words in (["join"], ["status"]):
            command = [*ARENA, "cluster", *words, address, "--keys", "foreign"]
            done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=DEADLINE_S)
            assert done.returncode == 2
            assert done.stderr.splitlines() == [
                f"arena: tls://{address}: the keys do not fit: use those that its scheduler was started with"
            ]


def test_a_machine_without_keys_listens_on_the_loopback_and_with_keys_on_all_addresses(tmp_path: Path) -> None:
    """It takes programs from anybody who reaches it."""
    for address in ("127.0.0.1:8786", "localhost", "[::1]:1"):
        assert ip_address(access(address, None).machine_host.strip("[]")).is_loopback
    make(tmp_path / "keys")
    assert access("main", tmp_path / "keys").machine_host == ""


@pytest.mark.timeout(60)
def test_where_nobody_answers_keys_are_not_blamed(tmp_path: Path) -> None:
    """A machine waits for its scheduler, and ends only where its keys are refused."""
    from distributed.comm import connect

    make(tmp_path / "keys")
    with socket.socket() as closed:
        closed.bind((LOOPBACK, 0))
        reached = access(f"{LOOPBACK}:{closed.getsockname()[1]}", tmp_path / "keys")
        arguments = reached.security().get_connection_args("worker")
        with pytest.raises(OSError, match="Timed out") as refused:
            asyncio.run(connect(reached.address, timeout=0.5, **arguments))
    assert not keys_do_not_fit(refused.value)
    assert "nobody answers there" in cannot_reach(reached, refused.value)
