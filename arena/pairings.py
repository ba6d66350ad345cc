"""Who meets whom: pure functions from a number to a pairing. Knows no engine, no process, no result."""


def round_robin(players: int, k: int) -> tuple[int, int]:
    """The k-th pairing (from 0) of a single round robin of `players` (Berger's circle), lower index first.

    Everybody meets everybody once in `pairings(players)` pairings; each cycle of players // 2 pairings names nobody
    twice. Computed from k alone.
    """
    if not 0 <= k < pairings(players):
        raise IndexError(k)
    wheel = players - 1 if players % 2 == 0 else players
    boards = players // 2
    cycle, board = divmod(k, boards)
    # With an even number the last player stands still and board 0 is his; with an odd number board 0 is the bye.
    if players % 2 == 0 and board == 0:
        a, b = cycle, players - 1
    else:
        step = board if players % 2 == 0 else board + 1
        a, b = (cycle + step) % wheel, (cycle - step) % wheel
    return (a, b) if a < b else (b, a)


def pairings(players: int) -> int:
    """How many pairings a single round robin has."""
    return players * (players - 1) // 2
