"""One SQLite file of games: its schema, its writer, its readers.

Beside it, it may import: no room.
"""
