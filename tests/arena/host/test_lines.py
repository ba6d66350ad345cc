"""The bad lines of tests: what they promise, they do."""

import contextlib
import random
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.arena.host.bad_line import HERE, bad_line, is_possible
from tests.arena.host.certificates import make_certificates
from tests.arena.host.cutting_proxy import Cut, cutting_proxies, random_cuts

WHY_NOT = "only root may make network namespaces and TUN devices"
ROUND_TRIPS = """
import socket, sys, time
with socket.create_connection((sys.argv[1], int(sys.argv[2])), 20) as plug:
    plug.settimeout(20)
    plug.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for number in range(int(sys.argv[3])):
        since = time.monotonic()
        plug.sendall(b"x" * 10)
        got = b""
        while len(got) < 10:
            got += plug.recv(10)
        print(time.monotonic() - since, flush=True)
"""


@contextlib.contextmanager
def echo(address: str = "127.0.0.1", context: ssl.SSLContext | None = None) -> Iterator[int]:
    """The port of a server that says what it is told."""

    def answer(plug: socket.socket) -> None:
        with plug, contextlib.suppress(OSError):
            while data := plug.recv(1000):
                plug.sendall(data)

    def serve() -> None:
        with contextlib.suppress(OSError):
            while True:
                plug, _ = listener.accept()
                plug.settimeout(20)
                plug.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                with contextlib.suppress(OSError):
                    if context is not None:
                        plug = context.wrap_socket(plug, server_side=True)
                    threading.Thread(target=answer, args=(plug,), daemon=True).start()

    with socket.create_server((address, 0)) as listener:
        server = threading.Thread(target=serve, daemon=True)
        server.start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)
    server.join(20)


@pytest.mark.netns
@pytest.mark.skipif(not is_possible(), reason=WHY_NOT)
@pytest.mark.xdist_group("netns")
@pytest.mark.parametrize(("loss", "trips"), [(0.0, 4), pytest.param(0.1, 40, marks=pytest.mark.long)])
def test_a_bad_line_delays_and_loses_and_tcp_brings_all_through(loss: float, trips: int) -> None:
    """The quickest round trip has the delay of both directions; where packets are lost, some take longer."""
    with bad_line(40, loss) as line, echo(HERE) as port:
        words = line.there(sys.executable, "-c", ROUND_TRIPS, HERE, str(port), str(trips))
        done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=60)
        took_s = sorted(map(float, done.stdout.split()))
        counts = line.counts
    assert len(took_s) == trips and 0.08 <= took_s[0]
    assert (counts["dropped"] > 0) == (loss > 0) and counts["carried"] >= 2 * trips
    assert loss == 0 or took_s[-1] > 0.25, took_s


@pytest.mark.netns
@pytest.mark.skipif(not is_possible(), reason=WHY_NOT)
@pytest.mark.xdist_group("netns")
def test_nothing_comes_through_a_bad_line_that_is_cut() -> None:
    """Nobody is told, and TCP goes on when it is mended."""
    with bad_line(1, 0) as line, echo(HERE) as port:
        words = line.there(sys.executable, "-c", ROUND_TRIPS, HERE, str(port), "1000000")
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            process.stdout.readline()
            line.cut()
            carried, until = line.counts["carried"], time.monotonic() + 60
            while line.counts["dropped"] < 2 and time.monotonic() < until:
                pass
            assert process.poll() is None and line.counts["carried"] <= carried + 2 and line.counts["dropped"] >= 2
            line.mend()
            while line.counts["carried"] < carried + 20 and time.monotonic() < until:
                pass
            assert line.counts["carried"] >= carried + 20
            process.kill()


def test_a_proxy_carries_until_it_cuts_and_again_afterwards() -> None:
    """A cut resets what is open and refuses what is new; another proxy of the same target is left alone."""
    with echo() as port, cutting_proxies(("127.0.0.1", port), [[], []]) as (one, two):
        with connected(one.port) as plug, connected(two.port) as other:
            assert said(plug) == said(other) == b"hello"
            one.cut(2)
            with pytest.raises(OSError):
                while plug.recv(10):
                    pass
                raise OSError("the end")
            with pytest.raises(OSError):
                connected(one.port)
            assert said(other) == b"hello"
        until = time.monotonic() + 60
        while True:
            with contextlib.suppress(OSError), connected(one.port) as plug:
                assert said(plug) == b"hello"
                break
            time.sleep(0.02)
            assert time.monotonic() < until
    assert (one.cuts, two.cuts, two.connections) == (1, 0, 1)


def test_a_silent_cut_tells_nobody_and_loses_nothing() -> None:
    """What is sent meanwhile arrives when it ends, on the same connection."""
    with echo() as port, cutting_proxies(("127.0.0.1", port), [[]]) as (proxy,), connected(proxy.port) as plug:
        assert said(plug) == b"hello"
        since = time.monotonic()
        proxy.cut(0.2, silent=True)
        assert said(plug) == b"hello" and time.monotonic() - since > 0.15
    assert proxy.connections == 1


def test_cuts_come_at_the_moments_that_are_handed_in() -> None:
    """Those of a seed are the same each time, from the shortest to the longest."""
    cuts = random_cuts(random.Random(7), 500, 100, 0.05, 60)
    assert cuts == random_cuts(random.Random(7), 500, 100, 0.05, 60)
    assert all(0 <= each.at_s <= 100 and 0.05 <= each.for_s <= 60 for each in cuts)
    assert 150 < sum(each.silent for each in cuts) < 350 and 100 < sum(each.for_s < 1 for each in cuts) < 400
    plan = [Cut(0.05, 0.01), Cut(0.15, 0.01, True)]
    with echo() as port, cutting_proxies(("127.0.0.1", port), [plan]) as (proxy,), connected(proxy.port) as plug:
        with pytest.raises(OSError):
            while plug.recv(10):
                pass
            raise OSError("the end")
        until = time.monotonic() + 60
        while proxy.cuts < 2:
            assert time.monotonic() < until


def test_a_certificate_of_a_test_is_trusted_by_its_authority_alone(tmp_path: Path) -> None:
    """For its own names only; the key is nobody else's to read."""
    pytest.importorskip("cryptography", reason="needs the extra `dev`")
    files = make_certificates(tmp_path, "127.0.0.1", "localhost")
    assert files.key.stat().st_mode & 0o777 == 0o600
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(files.certificate, files.key)
    trusting = ssl.create_default_context(cafile=str(files.authority))
    with echo(context=server) as port:
        for name in ("127.0.0.1", "localhost"):
            with connected(port) as plug, trusting.wrap_socket(plug, server_hostname=name) as safe:
                assert said(safe) == b"hello"
        for context, name in ((trusting, "other.example"), (ssl.create_default_context(), "127.0.0.1")):
            with connected(port) as plug, pytest.raises(ssl.SSLCertVerificationError):
                context.wrap_socket(plug, server_hostname=name)


def connected(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), 20)


def said(plug: socket.socket) -> bytes:
    plug.sendall(b"hello")
    return plug.recv(100)
