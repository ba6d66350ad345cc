"""One game and the processes that play it: jobs, workers and the referee.

Beside it, it may import: games, timing.
"""
