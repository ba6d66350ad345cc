"""A plain client of an engine of ours: handshake, options, positions, queries and searches."""

import time
from collections.abc import Sequence

from engines.adapters.line_process import LineProcess, ProgramFailed

START_S = 30.0
"""For `ugiok`. A virtual machine may take seconds to start on a busy machine."""
READY_S = 60.0
ANSWER_S = 60.0


class EngineSilent(ProgramFailed):
    """The engine did not answer in time."""


class UgiClient(LineProcess):
    """An engine that has said `ugiok`."""

    def __init__(self, argv: Sequence[str]) -> None:
        """Start the engine. Raises ProgramFailed."""
        super().__init__(argv)
        self.name = "engine"
        self.choices: dict[str, tuple[str, ...]] = {}
        """Each announced option by its name; the values of a combo, nothing for the other types."""
        try:
            self._greet()
        except ProgramFailed:
            self.close()
            raise

    def _greet(self) -> None:
        self.send("ugi")
        deadline = time.monotonic() + START_S
        while (line := self._line(deadline, "ugi")) != "ugiok":
            if line.startswith("id name "):
                self.name = line.removeprefix("id name ")
            elif line.startswith("option name "):
                name, _, rest = line.removeprefix("option name ").partition(" type ")
                self.choices[name] = tuple(choice.strip() for choice in rest.split(" var ")[1:])

    def set(self, name: str, value: str) -> None:
        """Set an option if the engine announced it."""
        if name in self.choices:
            self.send(f"setoption name {name} value {value or '<empty>'}")

    def ready(self) -> None:
        """Wait until it has done what it was told. Raises ProgramEnded and EngineSilent."""
        self.send("isready")
        deadline = time.monotonic() + READY_S
        while self._line(deadline, "isready") != "readyok":
            pass

    def ask(self, query: str) -> str:
        """The response to a query; empty for an `error`. Raises ProgramEnded and EngineSilent."""
        self.send(f"query {query}")
        deadline = time.monotonic() + ANSWER_S
        while True:
            word, _, text = self._line(deadline, f"query {query}").partition(" ")
            if word == "response":
                return text
            if word == "error":
                return ""

    def _line(self, deadline: float, asked: str) -> str:
        line = self.read(max(0.0, deadline - time.monotonic()))
        if line is None:
            raise EngineSilent(f"{self.name} did not answer `{asked}` in time")
        return " ".join(line.split())
