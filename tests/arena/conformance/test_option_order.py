"""Check C10 sends the options of a game before its `uginewgame`, as the referee does (SPEC.md 4.2)."""

from arena.conformance.check import CheckVerdict
from tests.zoo import in_process
from tests.zoo.noticed import only
from tests.zoo.spec.engine import Engine


class HeedsOptionsAtNewGame(Engine):
    """Keeps what `setoption` says until the next `uginewgame`: 4.2 promises that one comes before a game."""

    def __init__(self, fault_name: str | None) -> None:
        super().__init__(fault_name)
        self.pending: list[list[str]] = []

    def set_option(self, words: list[str]) -> None:
        self.pending.append(words)

    def new_game(self) -> None:
        for words in self.pending:
            super().set_option(words)
        self.pending.clear()
        super().new_game()


def verdict(engine: type[Engine], fault: str | None = None) -> CheckVerdict:
    (finding,) = in_process.findings(lambda: engine(fault), only("C10"), ("scottish",), "scottish")
    return finding.verdict


def test_options_that_take_effect_at_the_next_game_are_no_fault() -> None:
    """`uginewgame` comes behind the options of every game, so an engine may wait for it."""
    assert verdict(HeedsOptionsAtNewGame) is CheckVerdict.PASS


def test_rules_that_the_next_line_clears_are_noticed() -> None:
    """`uginewgame` and `UGI_Variant` come behind `UGI_Rules`, and neither may change the rules (4.6)."""
    for fault in ("new-game-clears-rules", "variant-clears-rules"):
        assert verdict(Engine, fault) is CheckVerdict.FAIL
