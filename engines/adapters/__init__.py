"""Engines of other programs: Ludii's AIs, and engines that speak OpenTafl's protocol. docs/authors/ADAPTERS.md.

Knows the rules and the protocol. Has no code of those programs: the user starts them himself.

Beside it, it may import: no room.
"""
