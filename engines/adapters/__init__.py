"""Engines of other programs: Ludii's AIs, and engines that speak OpenTafl's protocol. docs/LUDII.md, docs/OPENTAFL.md.

Knows the rules and the protocol. Has no code of those programs: the user starts them himself.
"""
