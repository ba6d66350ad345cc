"""One game and the processes that play it: jobs, workers, the referee, clocks, and who is told what happens.

Beside it, it may import: games, timing.
"""
