"""The grant of a loopback: TCP among an engine's own processes, in `strict` alone, and nothing beyond."""

import errno
import json
import socket

import pytest
from protocol.containment.sandbox import Sandbox

from protocol.containment import bubblewrap, probe, seccomp
from protocol.containment.policy import Caps, Level, SandboxPolicy
from protocol.faults import CannotStart
from tests.protocol.containment.referees import Ran, Referee, job

PYTHON = ("{python}", "-I", "-S", "-c")
TALK = """
import os, socket, sys
for host in ("localhost", "127.0.0.1", "arena", *["::1"] * os.path.exists("/proc/net/if_inet6")):
    with socket.create_server((host, 5800), family=socket.AF_INET6 if ":" in host else socket.AF_INET) as server:
        with socket.create_connection((host, 5800), 5) as ours:
            theirs = server.accept()[0]
            theirs.sendall(b"got " + host.encode())
            print(ours.recv(100).decode())
            theirs.close()
"""
OTHERS = {
    "UDP": "socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
    "UDP over IPv6": "socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)",
    "MPTCP": "socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262)",
    "SCTP": "socket.socket(socket.AF_INET, socket.SOCK_STREAM, 132)",
    "raw": "socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)",
    "netlink": "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
}
SERVE = """
import socket, time
server = socket.create_server(("127.0.0.1", 5800))
print("up", flush=True)
time.sleep(20)
"""
FILL = """
import socket, time
kept = []
server = socket.create_server(("127.0.0.1", 5800))
for _ in range(30):
    ours = socket.create_connection(("127.0.0.1", 5800))
    kept += [ours, server.accept()[0]]
    ours.setblocking(False)
    try:
        while True:
            ours.send(bytes(1 << 20))
    except BlockingIOError:
        pass
print("had it all", flush=True)
time.sleep(20)
"""


@pytest.fixture
def strict(level: Level) -> Level:
    """`strict`, where the machine has it."""
    if level is not Level.STRICT:
        pytest.skip("only `strict` has a loopback")
    return level


def ran(referee: Referee, code: str, *, loopback: bool = True, caps: Caps | None = None) -> Ran:
    return referee.run(Level.STRICT, [*PYTHON, code, "{mark}", "{referee}"], loopback=loopback, caps=caps)


def test_an_engine_speaks_tcp_to_itself(referee: Referee, strict: Level) -> None:
    """By name and by address; without the grant not at all."""
    granted = ran(referee, TALK)
    assert granted.status == 0, granted
    assert granted.out.splitlines()[:3] == ["got localhost", "got 127.0.0.1", "got arena"], granted
    refused = ran(referee, TALK, loopback=False)
    assert refused.status == 1 and "got" not in refused.out and "Error" in refused.out, refused


def test_no_other_address_is_reached(referee: Referee, strict: Level) -> None:
    """Not a server of this machine on any of its addresses, and no other machine."""
    with socket.create_server(("0.0.0.0", 0)) as server:
        port = server.getsockname()[1]
        addresses = {"127.0.0.1", "127.0.0.2", "192.0.2.1", socket.gethostbyname(socket.gethostname())}
        tries = "\n".join(
            f"try: socket.create_connection(({each!r}, {port}), 2); print('got {each}')\nexcept OSError: print('kept')"
            for each in sorted(addresses)
        )
        free = referee.run(Level.NONE, [*PYTHON, "import socket\n" + tries, "{mark}"])
        boxed = ran(referee, "import socket\n" + tries)
    assert "got 127.0.0.1" in free.out, f"the attempt proves nothing here: {free}"
    assert boxed.out.split() == ["kept"] * len(addresses), boxed


@pytest.mark.parametrize("kind", OTHERS)
def test_no_other_kind_of_socket_is_made(referee: Referee, strict: Level, kind: str) -> None:
    """The grant is for TCP."""
    boxed = ran(referee, f"import socket\n{OTHERS[kind]}\nprint('got')")
    assert "PermissionError" in boxed.out and "got" not in boxed.out, boxed


def test_the_loopback_of_another_engine_is_not_reached(referee: Referee, strict: Level) -> None:
    """Two engines have the same port, and each its own."""
    other = referee.start()
    assert other.stdin is not None and other.stdout is not None
    try:
        argv = [*PYTHON, SERVE, "{mark}"]
        other.stdin.write(job(Level.STRICT, argv, loopback=True, hold=True))
        other.stdin.flush()
        assert other.stdout.readline().strip().isdigit()
        call = "socket.create_connection(('127.0.0.1', 5800), 2)"
        boxed = ran(referee, f"import socket\ntry: {call}; print('got')\nexcept OSError: print('kept')")
        assert boxed.out == "kept\n", boxed
        assert ran(referee, TALK).status == 0
    finally:
        other.kill()
        other.communicate(timeout=10)


@pytest.mark.long
def test_memory_in_connections_counts(referee: Referee, strict: Level) -> None:
    """What is sent and not read lies in no process. One connection that holds something is allowed."""
    full = ran(referee, FILL, caps=Caps(memory_mb=200))
    assert full.ended_for is not None and "MB of memory" in full.ended_for, full
    one = ran(referee, FILL.replace("range(30)", "range(1)").replace("sleep(20)", "sleep(2)"), caps=Caps(memory_mb=200))
    assert one.ended_for is None and "had it all" in one.out, one


def test_basic_refuses_the_grant(level: Level, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sentence says what to type, and what to install where bubblewrap is missing."""
    policy = SandboxPolicy(Level.BASIC, loopback=True)
    with pytest.raises(CannotStart, match=r"which `basic` cannot give.*--contain strict") as refused:
        Sandbox(policy, ["/bin/true"])
    assert ("install" in str(refused.value)) == (bubblewrap.program() is None)
    monkeypatch.setattr(bubblewrap, "program", lambda: None)
    with pytest.raises(CannotStart, match=r"install bubblewrap .*, and play with --contain strict"):
        Sandbox(policy, ["/bin/true"])


def test_the_probe_tries_the_loopback_with_all_other_parts(strict: Level) -> None:
    """An engine with the grant is kept from all that others are kept from."""
    found = {part.name: part for part in probe.examine(strict, loopback=True).parts}
    assert found["loopback"].works and all(part.works for part in found.values()), found
    assert "loopback" not in {part.name for part in probe.examine(strict).parts}


def test_the_grant_is_recorded() -> None:
    """With the run, and only where there is one."""
    assert SandboxPolicy(Level.STRICT, loopback=True).record()["grants"] == ["loopback"]
    assert "grants" not in json.loads(json.dumps(SandboxPolicy(Level.STRICT).record()))


def test_the_filter_lets_tcp_alone_pass() -> None:
    """Also with the flags of a socket, and with the number of TCP in place of 0."""
    from tests.protocol.containment.test_containment_parts import ALLOW, REFUSED, X86, answer

    strict, granted = (seccomp.program("x86_64", strict=True, loopback=each) for each in (False, True))
    stream = int(socket.SOCK_STREAM) | int(socket.SOCK_CLOEXEC) | int(socket.SOCK_NONBLOCK)
    for family in (socket.AF_INET, socket.AF_INET6):
        for protocol in (0, 6):
            assert answer(granted, X86, 41, int(family), stream, protocol) == ALLOW
            assert answer(strict, X86, 41, int(family), stream, protocol) == REFUSED | errno.EACCES
        for kind, protocol in ((2, 0), (3, 0), (1, 132), (1, 262), (5, 0)):
            assert answer(granted, X86, 41, int(family), kind, protocol) == REFUSED | errno.EACCES, (kind, protocol)
    assert answer(granted, X86, 41, int(socket.AF_UNIX), 2, 0) == ALLOW
    assert answer(granted, X86, 41, int(socket.AF_NETLINK), 1, 0) == REFUSED | errno.EACCES
    for program in (strict, granted):
        for option in (26, 50, 51):
            refused = option != 50
            assert answer(program, X86, 54, 3, int(socket.SOL_SOCKET), option) == (
                REFUSED | errno.EPERM if refused else ALLOW
            )
            assert answer(program, X86, 54, 3, int(socket.IPPROTO_IPV6), option) == ALLOW
