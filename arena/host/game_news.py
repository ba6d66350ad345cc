"""What guests were told of their games: to which they are bound, and of which ends they may not have heard."""

from collections import defaultdict, deque
from collections.abc import Mapping
from typing import Any

MOST = 20
"""So many ends of each guest are kept."""


class GameNews:
    """The line of a guest may have been down at the end of a game, or soon after. It is told of that again then."""

    def __init__(self) -> None:
        self.bound: defaultdict[str, set[int]] = defaultdict(set)
        """The games of each guest that it was told of and that have not ended."""
        self._ends: defaultdict[str, deque[tuple[int, Any]]] = defaultdict(lambda: deque(maxlen=MOST))

    def tell(self, guest: str, news: Mapping[str, Any], number: int, is_there: bool) -> None:
        """A guest is told of a game, if it is there, between the pings below and above this number."""
        if "result" in news:
            self.bound[guest].discard(news["game"])
            self._ends[guest].append((number, news))
        elif is_there:
            self.bound[guest].add(news["game"])

    def answered(self, guest: str, ping: int) -> None:
        """A guest has answered a ping, so what it was told before has come."""
        ends = self._ends[guest]
        while ends and ends[0][0] < ping:
            ends.popleft()

    def unheard(self, guest: str) -> list[Any]:
        """The ends of which it may not have heard, in their order."""
        return [news for _, news in self._ends[guest]]
