"""The value of a start position, and proofs of it that the plain rules check.

Beside it, it may import: games.
"""
