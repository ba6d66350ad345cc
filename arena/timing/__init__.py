"""How much time has a side? Time controls, the clock of a side with its margin, the free reading of positions.

A side that has less time than it used is late: `protocol.session` sees that in a search, the referee in the reading.

Each default is written here once.

Beside it, it may import: no room.
"""
