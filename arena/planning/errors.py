"""What can be wrong with what was asked for. Each text is for the user: it names the option or file and the remedy.

Imports nothing, so that a caller can catch these errors without loading what raises them.
"""


class PlanError(ValueError):
    """Settings that cannot be played."""

    exit_code = 2


class EngineUnavailable(PlanError):
    """An engine that a run needs cannot be started."""

    exit_code = 3


def require_range(name: str, value: float, least: float, most: float) -> None:
    """Raise PlanError for a number outside its range; `name` is the option that it was given by."""
    if not least <= value <= most:
        raise PlanError(f"{name} {value} is out of range: it must be from {least} to {most}")
