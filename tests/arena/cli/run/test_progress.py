"""The progress of a run: as a log has it where stderr is no terminal, and how a screen begins."""

import io
import signal
from dataclasses import dataclass, replace
from typing import Any

import pytest
from rich.console import Console
from rich.live import Live

from arena.cli.run.progress import Log, drawn, log_line
from arena.live.state import LiveRun
from tests.arena.live.made import running


@dataclass
class Played:
    """A run whose log is looked at after each game, one in two seconds."""

    run: LiveRun
    seconds: float = 0.0

    def lines(self, games: int, capsys: pytest.CaptureFixture[str], seconds: float = 2.0) -> list[str]:
        """What a log has of so many games."""
        log = Log(self.run, lambda: self.seconds)
        for _ in range(games):
            self.seconds += seconds
            self.run = replace(self.run, done=self.run.done + 1)
            log.look(self.run)
        return capsys.readouterr().err.splitlines()


def played(games: int | None, stored: int = 0, **more: Any) -> Played:
    return Played(replace(running(), name="cup", games=games, stored=stored, done=0, playing=(), **more))


def test_a_log_has_a_line_for_every_tenth_of_the_games(capsys: pytest.CaptureFixture[str]) -> None:
    """Also of a run that is resumed; a few games have none."""
    lines = played(100, 20).lines(80, capsys, 1.0)
    assert [line.split(",")[0] for line in lines] == [f"{done} of 100 games" for done in range(30, 101, 10)]
    assert played(4).lines(4, capsys) == []
    assert played(16, 6, may_end_early=True).lines(8, capsys)[0].startswith("10 of at most 16 games, about ")


def test_a_line_has_the_time_to_go() -> None:
    """Ten games in twenty seconds, of eighty."""
    run = replace(running(), games=100, stored=20, done=10, began_ns=0)
    assert log_line(run, 20_000_000_000) == "30 of 100 games, about 0:02:20 to go"


def test_a_log_of_a_ladder_has_a_line_every_hundred_games_or_minute(capsys: pytest.CaptureFixture[str]) -> None:
    """So that nobody waits long for a sign of life, and quick games do not fill the log."""
    assert played(None, 98).lines(3, capsys) == ["100 games"]
    assert played(None).lines(3, capsys, 30.0) == ["2 games"]


def test_a_log_of_a_test_has_its_figures(capsys: pytest.CaptureFixture[str]) -> None:
    status = ("LLR 1.55 (-2.94, 2.94)", "Ptnml(0-2) 1 5 20 11 4"), ("Elo +51.2 +- 48.7", "100 games")
    (line,) = played(100_000, status=status).lines(100, capsys, 0.1)
    assert line == "LLR 1.55 (-2.94, 2.94) | Ptnml(0-2) 1 5 20 11 4 | Elo +51.2 +- 48.7 | 100 games"


def test_ctrl_c_while_a_screen_is_drawn_first_leaves_a_whole_line_and_the_cursor() -> None:
    """What is printed next begins on a line of its own."""
    written = io.StringIO()

    class Slow:
        """What is drawn; the first time, Ctrl-C comes meanwhile."""

        drawn = 0

        def __rich__(self) -> str:
            self.drawn += 1
            if self.drawn == 1:
                signal.raise_signal(signal.SIGINT)
            return "half a bar"

    console = Console(file=written, force_terminal=True, width=40)
    with pytest.raises(KeyboardInterrupt), drawn(Live(Slow(), console=console, auto_refresh=False)):
        pass
    assert written.getvalue().count("\x1b[?25l") == written.getvalue().count("\x1b[?25h") == 1
    assert written.getvalue().replace("\x1b[?25h", "").endswith("half a bar\n")
