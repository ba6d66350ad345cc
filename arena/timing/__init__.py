"""When is a side late? Time controls, the clock of a side with its margin, the free reading of positions.

Each default is written here once.

Beside it, it may import: no room.
"""
