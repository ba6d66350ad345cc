"""What is written of a run's games when it ends."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from arena.cli.run.print_outcome import write_pgn
from results.record import Termination
from tests.results.made import GAME


def test_games_that_ctrl_c_let_nobody_begin_are_not_in_the_pgn(tmp_path: Path) -> None:
    """They have no position yet. Those that were on the board are there, unfinished."""
    begun = replace(GAME, winner=None, termination=Termination.UNFINISHED)
    waiting = replace(begun, number=2, fen="", opening=(), plies=())
    outcome: Any = SimpleNamespace(records=lambda _: iter((begun, waiting)))
    write_pgn(cast(Any, SimpleNamespace(plan=SimpleNamespace(name="cup"))), outcome, tmp_path / "cup.pgn")
    written = (tmp_path / "cup.pgn").read_text()
    assert written.count("[Event ") == 1 and '[Termination "unfinished"]' in written
