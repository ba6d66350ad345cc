"""Commands about this machine and its documents, and about other machines.

Beside it, it may import: no room.
"""
