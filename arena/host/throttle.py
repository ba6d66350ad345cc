"""Slows addresses that give wrong tokens, says what is logged of them, and makes guests wait. It is told the time.

A right token is never held up: many guests may share an address, as behind a proxy, and no speed is enough to guess a
token. What is bounded is the work and the log that wrong ones cause.
"""

import contextlib
import ipaddress
import json
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from arena.whole_file import CannotWrite, write_whole
from results.safe_text import harmless

MOST_ADDRESSES = 1_000
"""So many addresses are told apart. All others share one entry then."""
QUIET_S = 600
"""After so many seconds without a wrong token an address is forgotten."""
_FIRST_S, _LONGEST_S = 0.25, 8.0
"""The wait before an answer: it doubles with each wrong token."""
_WAITING_S = 16.0
"""The last answer to an address waits at most so long; what would wait longer gets none."""
_OTHERS = "other addresses"


@dataclass(frozen=True, slots=True)
class Refusal:
    """What becomes of a connection with a wrong token."""

    delay_s: float | None
    """The wait before it is told; None where too many answers wait already, so that it is closed without one."""
    log: str = ""
    """A line for the log; empty where the last one says enough."""


@dataclass(slots=True)
class _Wrong:
    last_s: float
    count: int = 0
    answered_s: float = 0
    """When the last answer goes out."""


class Throttle:
    """The wrong tokens of each address. IPv6 addresses of one network (/64) are one address."""

    def __init__(self) -> None:
        self._wrong: OrderedDict[str, _Wrong] = OrderedDict()
        """The one that was quiet for longest is the first."""

    def wrong(self, address: str, now_s: float) -> Refusal:
        """Count a wrong token. Every power of two is logged."""
        while self._wrong and now_s - next(iter(self._wrong.values())).last_s >= QUIET_S:
            self._wrong.popitem(last=False)
        name = _network(address)
        if name not in self._wrong and len(self._wrong) >= MOST_ADDRESSES:
            name = _OTHERS
        entry = self._wrong.setdefault(name, _Wrong(now_s))
        self._wrong.move_to_end(name)
        entry.last_s = now_s
        entry.count += 1
        log = ""
        if entry.count & (entry.count - 1) == 0:
            log = f"wrong token from {name}" + (f", {entry.count} so far" if entry.count > 1 else "")
        step_s = min(_LONGEST_S, _FIRST_S * 2 ** min(entry.count - 1, 10))
        answered_s = max(now_s, entry.answered_s) + step_s
        if answered_s - now_s > _WAITING_S:
            return Refusal(None, log)
        entry.answered_s = answered_s
        return Refusal(answered_s - now_s, log)


@dataclass(slots=True)
class Pauses:
    """Pauses of guests, in s: each is twice as long as the one before, until nothing came for the longest time."""

    first_s: float
    now_s: Callable[[], float]
    changed: Callable[[], None]
    longest_s: float = 3600.0
    kept: dict[str, tuple[float, float]] = field(default_factory=dict)
    """How long the last pause of each guest is, and its end."""

    def add(self, name: str, ago_s: float = 0.0) -> float:
        """Begin a pause, or note one that has begun before. Returns its length."""
        last_s, until_s = self.kept.get(name, (0.0, 0.0))
        since_s = self.now_s() - ago_s
        grows = since_s < until_s + self.longest_s
        pause_s = min(self.longest_s, max(self.first_s, 2 * last_s if grows else 0.0))
        self.kept[name] = pause_s, since_s + pause_s
        self.changed()
        return pause_s

    def left_s(self, name: str) -> float:
        """How long the pause of a guest still lasts; 0 where it has none."""
        return max(0.0, self.kept.get(name, (0.0, 0.0))[1] - self.now_s())

    def end(self, name: str) -> None:
        """End the pause of a guest; its next one is a first one."""
        if self.kept.pop(name, None) is not None:
            self.changed()


def kept_pauses(path: Path, first_s: Sequence[float], now_s: Callable[[], float]) -> list[Pauses]:
    """Pauses of several kinds that are kept in this file, so that a host that begins anew forgets none.

    A file that is not there or cannot be used has none. `now_s` is in s since 1970.
    """

    def keep() -> None:
        with contextlib.suppress(OSError, CannotWrite):
            write_whole(path, json.dumps([pauses.kept for pauses in kinds]), private=True)

    kinds = [Pauses(each, now_s, keep) for each in first_s]
    with contextlib.suppress(OSError, ValueError, TypeError, AttributeError, RecursionError):
        read = [{name: (float(a), float(b)) for name, (a, b) in kept.items()} for kept in json.loads(path.read_text())]
        for pauses, kept in zip(kinds, read, strict=True):
            pauses.kept = kept
    return kinds


def _network(address: str) -> str:
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return harmless(address[:50])
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped is not None:
            return str(ip.ipv4_mapped)
        return str(ipaddress.ip_network((ip, 64), strict=False))
    return str(ip)
