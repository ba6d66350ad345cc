"""What commands print of games and tables.

Beside it, it may import: no room.
"""
