"""What is right: golden positions, random positions by family, and the names of rules, all by `arena.games`.

Beside it, it may import: no room.
"""
