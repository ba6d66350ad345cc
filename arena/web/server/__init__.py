"""`arena serve`: the pages of a database, and its running games as they are played, for many viewers at once.

Beside it, it may import: pages.
"""
