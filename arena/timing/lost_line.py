"""What a relay of a guest's engine and the referee agree on, so that a lost line is no fault of the engine.

A relay stands for an engine that plays over the network. Imports nothing, since a relay is to start fast.
"""

AWAY_STATUS = 75
"""A relay ends with it where the guest is away or the host is at fault: the game is void, and nobody is charged."""
LINE_DOWN = "arena: the line to the engine was down during this game"
"""What a relay writes to stderr when that happens. An engine's own last words come only with its end, behind it."""
