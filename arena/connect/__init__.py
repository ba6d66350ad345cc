"""The guest's side of an open ladder: the client that starts an engine here and relays its lines to a host.

`messages` is what both sides say, and imports the standard library only. Nothing of this machine leaves it but the
engine's lines, its digest and its last words.

Beside it, it may import: no room.
"""
