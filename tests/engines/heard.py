"""A search without a referee."""

from protocol.engine import Limits, Search


class Heard(Search):
    """It keeps what is told, and is never stopped."""

    def __init__(self, limits: Limits) -> None:
        super().__init__(limits, None)  # type: ignore[arg-type]
        self.told: list[dict[str, object]] = []

    def stopped(self) -> bool:
        return False

    def info(self, **told: object) -> None:
        self.told.append(told)
