"""Shares in per cent, rounded by one rule for every table and picture: the parts of a whole add up to 100.

Independent of games, engines and how the figures are shown.
"""

from collections.abc import Sequence


def percent(share: float, digits: int = 1) -> str:
    """A share from 0 to 1 in per cent: `57.5`. The shares of two sides add up to 100, also where both end in a half."""
    # An exact half goes to the even digit, so of two such halves one goes up and the other down. Binary fractions hold
    # few of these halves: the inner rounding restores them.
    unit = 10**digits
    return f"{round(round(100 * unit * share, 6)) / unit:.{digits}f}"


def percents(shares: Sequence[float], digits: int = 1) -> list[str]:
    """All parts of a whole in per cent. They add up to 100, and each is less than one last digit from its share."""
    unit = 10**digits
    exact = [round(100 * unit * share, 6) for share in shares]
    whole = [int(part) for part in exact]
    # What is missing goes to the parts that lost most (the largest remainders).
    lost = sorted(range(len(exact)), key=lambda number: whole[number] - exact[number])
    for number in lost[: max(0, round(sum(exact)) - sum(whole))]:
        whole[number] += 1
    return [f"{part / unit:.{digits}f}" for part in whole]
