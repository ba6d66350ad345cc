"""The names of variants as people read them. Records keep the whole name, which says what was played.

The whole name of a user's own variant is `callanish:name=two-lochs,board=7/7/2*1*2/7/2*1*2/7/7`. People read and write
`two-lochs`. What the other parts mean is the business of the rules.
"""

from collections.abc import Iterable

_KEY = "name="


def own_name(variant: str) -> str | None:
    """The short name of a user's own variant; None for any other."""
    _, _, options = variant.partition(":")
    return next((part.removeprefix(_KEY) for part in options.split(",") if part.startswith(_KEY)), None)


def shown(variant: str) -> str:
    """The name for tables and titles: the short one where there is one."""
    return own_name(variant) or variant


def whole_name(variant: str, stored: Iterable[str]) -> str:
    """The stored name that a user means by `variant`, which may be a short one; unchanged where there is none."""
    return next((name for name in stored if own_name(name) == variant), variant)


def namesake(variant: str, stored: Iterable[str]) -> str | None:
    """A stored variant with the same short name and another board or other rules; None where there is none."""
    own = own_name(variant)
    if own is None:
        return None
    return next((name for name in stored if name != variant and own_name(name) == own), None)
