"""Standings, crosstables and statistics, for eyes and for JSON.

Beside it, it may import: ratings, store.
"""
