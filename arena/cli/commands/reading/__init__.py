"""Commands that read a database: tables, games, pages, files.

Beside it, it may import: no room.
"""
