"""A plain UGI engine that knows one game: `plain_engine.py VARIANT`. No options, no infos, no answers to queries."""

import sys

from engines.zoo.engine import Engine
from engines.zoo.settings import Settings


class Plain(Engine):
    """Says no more than UGI asks for."""

    name = "plain"

    def announced(self) -> list[str]:
        return []

    def say(self, kind: str, text: str = "") -> None:
        if kind not in ("info", "response", "error"):
            super().say(kind, text)


if __name__ == "__main__":
    plain = Plain(Settings())
    plain.state.set_variant(sys.argv[1])
    sys.exit(plain.run())
