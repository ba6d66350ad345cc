"""Games of other programs, as PGN, JSON lines or OTG, replayed by the rules before they become records.

Beside it, it may import: games.
"""
