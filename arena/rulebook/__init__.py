"""The rules as text for players, in English and Japanese. Start at `arena.rulebook.page`.

Beside it, it may import: games.
"""
