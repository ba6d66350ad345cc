"""The host's side of a ladder that strangers join: who is invited, and the lines of their engines.

Beside it, it may import: no room.
"""
