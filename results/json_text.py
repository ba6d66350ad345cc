"""Computed figures as JSON text: the one place that decides how many decimals programs read."""

import json

DECIMALS = 6
"""Further decimals would differ from CPU to CPU."""


def json_text(value: object) -> str:
    """The value as JSON. Figures have six decimals, and no 0 has a sign."""
    return json.dumps(_rounded(value))


def _rounded(value: object) -> object:
    match value:
        case float():
            return round(value, DECIMALS) + 0.0
        case dict():
            return {key: _rounded(each) for key, each in value.items()}
        case list() | tuple():
            return [_rounded(each) for each in value]
    return value
