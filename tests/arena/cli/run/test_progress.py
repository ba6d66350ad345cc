"""The progress of a run: as a log has it where stderr is no terminal, and how a screen begins."""

import io
import itertools
import signal

import pytest
from rich.console import Console
from rich.live import Live

from arena.cli.run.log_lines import LogLines
from arena.cli.run.progress import drawn
from arena.run.events import GameEnded
from tests.arena.cli.conftest import record


def logged(games: int, stored: int, played: int, capsys: pytest.CaptureFixture[str], early: bool = False) -> list[str]:
    """The lines of a run that plays this many games to its end, one in two seconds."""
    seconds = itertools.chain([0], itertools.count(20, 20))
    lines = LogLines(games, stored, early, lambda: float(next(seconds)))
    for number in range(stored + 1, stored + played + 1):
        lines([GameEnded(0, record("aa11", number, "p1", "line"))])
    lines.end()
    return capsys.readouterr().err.splitlines()


def test_a_log_has_a_line_for_every_tenth_of_the_games_with_the_time_to_go(capsys: pytest.CaptureFixture[str]) -> None:
    """Also of a run that is resumed; a few games have none."""
    lines = logged(100, 20, 80, capsys)
    assert lines[0] == "30 of 100 games, about 0:02:20 to go"
    assert [line.split(",")[0] for line in lines] == [f"{done} of 100 games" for done in range(30, 101, 10)]
    assert logged(4, 0, 4, capsys) == []


def test_the_last_line_of_a_log_counts_all_games(capsys: pytest.CaptureFixture[str]) -> None:
    """If an engine was withdrawn or a test was decided, fewer games are played than there might have been."""
    assert logged(45, 0, 45, capsys)[-1] == "45 of 45 games"
    first, last = logged(16, 6, 8, capsys, early=True)
    assert first.startswith("10 of at most 16 games, about ") and last == "14 of at most 16 games"


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
