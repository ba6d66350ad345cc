"""The author's kit: engines in several languages that are conformant as they stand, as the start of an engine.

Beside it, it may import: no room.
"""
