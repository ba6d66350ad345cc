"""Reads JSON that strangers may have written.

Python reads more than other programs do: numbers that are none, keys that are there twice, nesting that the next
function cannot follow, halves of characters. What comes back here can be stored, printed and written again.
"""

import json
import math
from typing import Any

MOST_LEVELS = 32
"""How deep values are nested at most."""


def parse(text: str | bytes) -> Any:
    """The value in a text. Raises ValueError with a clause that lacks its subject, such as `is no UTF-8 text`."""
    try:
        value = json.loads(text, object_pairs_hook=_unique_keys, parse_float=_finite, parse_constant=_finite)
    except UnicodeDecodeError:
        raise ValueError("is no UTF-8 text") from None
    except RecursionError:
        raise ValueError("is nested too deeply") from None
    except json.JSONDecodeError as error:
        early = error.pos >= len(error.doc.rstrip())
        where = "it ends too early" if early else f"it cannot be read from column {error.colno} on"
        raise ValueError(f"is no JSON: {where}") from None
    except ValueError as error:
        # Python's own limit of the digits of a whole number; the other clauses are ours.
        raise ValueError("has a number with too many digits" if "digits" in str(error) else str(error)) from None
    _check_levels(value)
    if (b"\\u" if isinstance(text, bytes) else "\\u") in text:  # type: ignore[operator]  # of the same type
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise ValueError("has half a character, such as \\ud800") from None
    return value


def parse_object(text: str | bytes) -> dict[str, Any]:
    """The object in a text. Raises ValueError likewise."""
    value = parse(text)
    if not isinstance(value, dict):
        raise ValueError("is no JSON object, which is written {...}")
    return value


def _unique_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"has the key {next(key for key in keys if keys.count(key) > 1)!r} twice")
    return members


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"has the number {text[:30]}, which is none")
    return value


def _check_levels(value: object) -> None:
    level = [value]
    for _ in range(MOST_LEVELS):
        level = [
            each
            for one in level
            if isinstance(one, dict | list)
            for each in (one.values() if isinstance(one, dict) else one)
        ]
        if not level:
            return
    raise ValueError("is nested too deeply")
