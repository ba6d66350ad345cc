"""The scale on which all engines here score a position. It knows no game."""

WON = 30_000
"""A game won here and now; one that is won in n plies is worth n less. Static values stay within `SURE` of 0."""
SURE = 20_000


def won_in(plies: int) -> int:
    """The worth of a game that is won (plies > 0) or lost (plies < 0) in so many plies."""
    return WON - plies if plies > 0 else -WON - plies


def mate_of(score: int) -> int | None:
    """The plies to the end that a score stands for, negative where the game is lost; None for an ordinary score."""
    if score >= SURE:
        return WON - score
    if score <= -SURE:
        return -WON - score
    return None
