"""Pictures of ratings, as SVG.

Beside it, it may import: ratings, store, tables.
"""
