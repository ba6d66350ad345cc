"""Slows addresses that give wrong tokens, and says what is logged of them. It is told the time.

A right token is never held up: many guests may share an address, as behind a proxy, and no speed is enough to guess a
token. What is bounded is the work and the log that wrong ones cause.
"""

import ipaddress
from collections import OrderedDict
from dataclasses import dataclass

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

    def __len__(self) -> int:
        """The number of addresses that are remembered."""
        return len(self._wrong)


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
