"""The checks, from A to K: one file for each letter, or for each family of a letter.

Beside it, it may import: judge.
"""
