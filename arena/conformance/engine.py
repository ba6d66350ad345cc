"""What the checks need to know of an engine to start it."""

from collections.abc import Mapping
from typing import Protocol

from protocol.containment.policy import SandboxPolicy


class EngineToCheck(Protocol):
    """An engine as it is registered, or as a command line has it."""

    @property
    def name(self) -> str: ...

    @property
    def command(self) -> tuple[str, ...]: ...

    @property
    def options(self) -> Mapping[str, str]:
        """What is set after the handshake."""

    @property
    def variants(self) -> tuple[str, ...]:
        """What it plays if it announces no variants."""

    @property
    def sandbox(self) -> SandboxPolicy:
        """Its containment, its working directory, and its environment."""

    @property
    def files(self) -> tuple[str, ...]:
        """The files that its fingerprint covers besides the executable."""
