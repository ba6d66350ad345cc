"""The ends of games of which a guest may not have heard: its line was down, or went down soon after."""

from collections import defaultdict, deque
from typing import Any

MOST = 20
"""So many of each guest are kept."""


class Unheard:
    """What each guest was told since the last ping that it has answered. It is told that again when it comes back."""

    def __init__(self) -> None:
        self._ends: defaultdict[str, deque[tuple[int, Any]]] = defaultdict(lambda: deque(maxlen=MOST))

    def add(self, guest: str, number: int, news: Any) -> None:
        """A guest is told of an end, between the pings below and above this number."""
        self._ends[guest].append((number, news))

    def answered(self, guest: str, ping: int) -> None:
        """A guest has answered a ping, so what it was told before has come."""
        ends = self._ends[guest]
        while ends and ends[0][0] < ping:
            ends.popleft()

    def of(self, guest: str) -> list[Any]:
        """The ends that it may not have heard of, in their order."""
        return [news for _, news in self._ends[guest]]
