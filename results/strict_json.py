"""Reads JSON that strangers may have written.

Python reads more than other programs do: numbers that are none, halves of characters. What comes back here can be
stored, printed and written again.
"""

import json
import math
from typing import Any


def parse(text: str | bytes) -> Any:
    """The value in a text. Raises ValueError with a clause that lacks its subject, such as `is no UTF-8 text`."""
    try:
        value = json.loads(text, parse_float=_finite, parse_constant=_finite)
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


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"has the number {text[:30]}, which is none")
    return value
