"""The tafl family, whose kind is `KIND`. Nothing outside of this folder imports it, but by name.

Beside it, it may import: no room.
"""

from arena.games.tafl.kind import KIND as KIND
