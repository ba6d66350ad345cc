"""`arena show` in a terminal, where one steps through the game."""

from pathlib import Path

import pytest

from arena.cli.view import game_stepper, keys
from tests.arena.cli.conftest import Arena
from tests.arena.cli.terminal import DEADLINE_S, in_terminal


@pytest.mark.parametrize(
    ("options", "steps"),
    [([], True), (["--ascii"], True), (["--no-step"], False), (["--all"], False), (["--ply", "2"], False)],
)
def test_a_terminal_steps_unless_something_else_is_asked_for(
    arena: Arena, db: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], steps: bool
) -> None:
    """A board that is asked for is printed at once."""
    stepped: list[object] = []
    monkeypatch.setattr(keys, "can_step", lambda: True)
    monkeypatch.setattr(game_stepper, "step_through", stepped.append)
    done = arena("show", db, "1", *options)
    assert (done.exit_code, len(stepped), "king-escaped" in done.stdout) == (0, steps, not steps), done.stderr


@pytest.mark.parametrize("leave", [b"\x03", pytest.param(b"\x1b", marks=pytest.mark.long)])
def test_a_reader_steps_through_a_game_and_finds_his_terminal_as_it_was(db: Path, leave: bytes) -> None:
    """An arrow and a number go to plies; Esc, or Ctrl-C, leaves without a trace."""
    with in_terminal("show", db, "1") as (terminal, before):
        assert "ply 2 of 6" in terminal.until("q quit")
        for typed, ply in ((b"\x1b[C", 3), (b"2\r", 2)):
            terminal.type(typed)
            terminal.until(f"ply {ply} of 6")
        terminal.until("q quit")
        terminal.type(leave)
        assert "\x1b[?1049l" in terminal.until("\x1b[?25h")
        assert terminal.process.wait(DEADLINE_S) == 0
        assert terminal.state() == before


@pytest.mark.parametrize(
    ("sent", "pressed"),
    [
        ("\x1b[D\x1b[C\x1b[A\x1b[B", ["left", "right", "up", "down"]),
        ("\x1bOD\x1bOH\x1bOF", ["left", "home", "end"]),
        ("\x1b[H\x1b[F\x1b[1~\x1b[4~\x1b[7~\x1b[8~", ["home", "end"] * 3),
        ("\x1b[5~\x1b[6~\x1b[1;5C", ["pgup", "pgdn", "right"]),
        ("12\rq\x7f\x04\x1b", ["1", "2", "enter", "q", "backspace", "eof", "esc"]),
        ("\x1b[24~\x1b[200~é石", ["é", "石"]),
    ],
)
def test_what_terminals_send_has_a_name(sent: str, pressed: list[str]) -> None:
    """Arrows in both modes, with modifiers too; keys that nobody asked for are left out."""
    assert keys.names(sent) == pressed
