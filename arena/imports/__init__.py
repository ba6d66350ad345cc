"""Games of other programs, as PGN or JSON lines, replayed by the rules before they become records.

Beside it, it may import: games.
"""
