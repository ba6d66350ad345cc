"""Pictures of ratings: for a terminal, as SVG and as HTML.

Beside it, it may import: ratings, store, tables.
"""
