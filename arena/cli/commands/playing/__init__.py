"""Commands that play games, and what they need first: engines and tournament files.

Beside it, it may import: no room.
"""
