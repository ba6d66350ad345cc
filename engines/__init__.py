"""Engines as independent executables: each speaks the protocol on its own stdin and stdout.

Packages that it may import: arena.games, protocol.
"""
