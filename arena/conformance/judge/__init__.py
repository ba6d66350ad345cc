"""What is right: golden positions, games, random lines and the names of rules. The kinds of games make all of it.

Beside it, it may import: no room.
"""
