"""What a relay of a guest's engine and the referee agree on, so that a lost line is no fault of the engine.

A relay stands for an engine that plays over the network. Imports nothing, since a relay is to start fast.
"""

AWAY_STATUS = 75
"""A relay ends with it where the guest is away or the host is at fault: the game is void, and nobody is charged."""
WAS_DOWN = "the line to the engine was down during this game"
LINE_DOWN = f"arena: {WAS_DOWN}"
"""What a relay writes to stderr when that happens. An engine's own last words come only with its end, after it."""

KILLED = "arena: a signal ended the engine, where it is at home"
"""What a relay writes to stderr before it ends by that signal, too. One that ends so without a word was killed itself,
as by a system that is out of memory: that is the host's fault."""


def away(name: str) -> str:
    """What a record says of a game that did not begin."""
    return f"the line to {name} was not there"
