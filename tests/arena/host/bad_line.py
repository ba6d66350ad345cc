"""A bad line: a TUN device here and one in a network namespace, and a process that delays and drops what they send.

What crosses it is real TCP with its own repetitions. The kernel needs no `netem` for it; only root may make it.

Started as a program it is that process: `bad_line.py NAMESPACE DEVICE DELAY_MS LOSS SEED`.
"""

import contextlib
import ctypes
import fcntl
import json
import os
import random
import selectors
import struct
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import IO

PREFIX = f"bl{os.getpid()}"
NET = f"10.{200 + os.getpid() % 50}.{os.getpid() // 50 % 250}"
HERE, THERE = f"{NET}.1", f"{NET}.2"
"""The address of this end, and of the one in the namespace."""
_TUNSETIFF, _TUN, _NO_INFO, _CLONE_NEWNET = 0x400454CA, 1, 0x1000, 0x40000000
_MTU = 1500
_ROOM = 2_000
"""So many packets are on their way in each direction at most, as in a router; more are dropped."""


def is_possible() -> bool:
    """May this process make namespaces and TUN devices? Only root may, and not within every container."""
    if os.geteuid() != 0:
        return False
    try:
        made = subprocess.run(["ip", "netns", "add", f"{PREFIX}t"], capture_output=True, timeout=20)
        subprocess.run(["ip", "netns", "del", f"{PREFIX}t"], capture_output=True, timeout=20)
        os.close(_tun(f"{PREFIX}t"))
    except OSError:
        return False
    return made.returncode == 0


class BadLine:
    """The line, while it stands. Programs at its other end are started by `there`."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process = process

    def there(self, *command: str | Path) -> list[str]:
        """The command line that starts a program at the other end."""
        return ["ip", "netns", "exec", f"{PREFIX}n", *map(str, command)]

    def cut(self) -> None:
        """Nothing comes through any more, and nobody is told."""
        self._tell(b"cut\n")

    def mend(self) -> None:
        self._tell(b"mend\n")

    @property
    def counts(self) -> dict[str, int]:
        """How many packets were carried and dropped so far."""
        return dict(json.loads(self._tell(b"count\n")))

    def _tell(self, word: bytes) -> bytes:
        stdin, stdout = _pipes(self._process)
        stdin.write(word)
        stdin.flush()
        return stdout.readline()


@contextlib.contextmanager
def bad_line(delay_ms: float = 40, loss: float = 0.01, seed: int = 1) -> Iterator[BadLine]:
    """A line with this delay and share of lost packets in each direction. All is gone when the block ends."""
    namespace, device = f"{PREFIX}n", f"{PREFIX}d"
    with contextlib.ExitStack() as held:
        _ip(f"netns add {namespace}")
        held.callback(_ip, f"netns del {namespace}")
        words = [sys.executable, __file__, namespace, device, str(delay_ms), str(loss), str(seed)]
        process = held.enter_context(subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE))
        held.callback(process.kill)
        assert _pipes(process)[1].readline() == b"ready\n", "the process of the line has ended"
        for where, own, other in (("", HERE, THERE), (f"-n {namespace} ", THERE, HERE)):
            _ip(f"{where}addr add {own} peer {other} dev {device}")
            _ip(f"{where}link set {device} mtu {_MTU} up")
        _ip(f"-n {namespace} link set lo up")
        yield BadLine(process)


def _pipes(process: "subprocess.Popen[bytes]") -> tuple[IO[bytes], IO[bytes]]:
    assert process.stdin is not None and process.stdout is not None
    return process.stdin, process.stdout


def _ip(words: str) -> None:
    subprocess.run(["ip", *words.split()], check=True, capture_output=True, timeout=20)


def _tun(device: str) -> int:
    """A new TUN device in the namespace of this process; it goes when the descriptor is closed."""
    descriptor = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
    fcntl.ioctl(descriptor, _TUNSETIFF, struct.pack("16sH14x", device.encode(), _TUN | _NO_INFO))
    return descriptor


def _enter(namespace: str) -> None:
    with open(f"/run/netns/{namespace}") as file:  # `os.setns` is new in Python 3.12
        if ctypes.CDLL(None, use_errno=True).setns(file.fileno(), _CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), "setns")


def carry(namespace: str, device: str, delay_ms: float, loss: float, seed: int) -> None:
    """Carry packets between a device here and one in the namespace until stdin ends."""
    ends = [_tun(device)]
    _enter(namespace)
    ends.append(_tun(device))
    chance = random.Random(seed)
    ready = selectors.DefaultSelector()
    for end in (*ends, 0):
        ready.register(end, selectors.EVENT_READ)
    on_the_way: deque[tuple[float, int, bytes]] = deque()  # in the order of their times
    counts = {"carried": 0, "dropped": 0}
    is_cut = False
    os.write(1, b"ready\n")
    while True:
        wait_s = max(0.0, on_the_way[0][0] - time.monotonic()) if on_the_way else None
        for key, _ in ready.select(wait_s):
            if key.fd == 0:
                words = os.read(0, 4096)
                if not words:
                    return
                if words != b"count\n":
                    is_cut = words == b"cut\n"
                os.write(1, json.dumps(counts).encode() + b"\n")
                continue
            with contextlib.suppress(BlockingIOError):
                while packet := os.read(key.fd, _MTU + 100):
                    if is_cut or chance.random() < loss or len(on_the_way) >= 2 * _ROOM:
                        counts["dropped"] += 1
                        continue
                    other = ends[1] if key.fd == ends[0] else ends[0]
                    on_the_way.append((time.monotonic() + delay_ms / 1000, other, packet))
        while on_the_way and on_the_way[0][0] <= time.monotonic():
            _, end, packet = on_the_way.popleft()
            counts["carried"] += 1
            with contextlib.suppress(OSError):  # a device that is not up yet, or whose queue is full
                os.write(end, packet)


if __name__ == "__main__":
    carry(sys.argv[1], sys.argv[2], float(sys.argv[3]), float(sys.argv[4]), int(sys.argv[5]))
