"""The version of the arena."""

from importlib.metadata import version


def number() -> str:
    """The version, such as `0.2.0`."""
    return version("callanish-arena")
