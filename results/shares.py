"""Shares in per cent, rounded by one rule for every table and picture."""


def percent(share: float, digits: int = 1) -> str:
    """A share from 0 to 1 in per cent: `57.5`. The shares of two sides add up to 100, also where both end in a half."""
    # An exact half goes to the even digit, so of two such halves one goes up and the other down. Binary fractions hold
    # few of these halves: the inner rounding restores them.
    unit = 10**digits
    return f"{round(round(100 * unit * share, 6)) / unit:.{digits}f}"
