"""Commands about rules, positions and engines that follow them.

Beside it, it may import: no room.
"""
