"""A plain UGI engine that knows one game: `plain_engine.py VARIANT [BYTES]`.

No options, no infos, no errors, no answers to queries. It reads the first BYTES of a line.
"""

import sys

from tests.zoo.engine import Engine
from tests.zoo.settings import Settings


class Plain(Engine):
    """Says no more than UGI asks for."""

    name = "plain"

    def announced(self) -> list[str]:
        return []

    longest: int | None = None

    def handle(self, line: str) -> None:
        super().handle(line[: self.longest])

    def say(self, kind: str, text: str = "") -> None:
        if kind not in ("info", "response", "error"):
            super().say(kind, text)


if __name__ == "__main__":
    plain = Plain(Settings())
    plain.state.set_variant(sys.argv[1])
    plain.longest = int(sys.argv[2]) if len(sys.argv) > 2 else None
    sys.exit(plain.run())
