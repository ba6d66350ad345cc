"""Keys: what a terminal sends becomes names, and the terminal is put back."""

import pytest

from arena.cli.view.keys import names


@pytest.mark.parametrize(
    ("sent", "keys"),
    [
        ("\x1b[D\x1b[C\x1b[A\x1b[B", ["left", "right", "up", "down"]),
        ("\x1bOD\x1bOH\x1bOF", ["left", "home", "end"]),
        ("\x1b[H\x1b[F\x1b[1~\x1b[4~\x1b[7~\x1b[8~", ["home", "end"] * 3),
        ("\x1b[5~\x1b[6~\x1b[1;5C", ["pgup", "pgdn", "right"]),
        ("12\rq\x7f\x04\x1b", ["1", "2", "enter", "q", "backspace", "eof", "esc"]),
        ("\x1b[24~\x1b[200~é石", ["é", "石"]),
    ],
)
def test_what_terminals_send_has_a_name(sent: str, keys: list[str]) -> None:
    """Arrows in both modes, with modifiers too; keys that nobody asked for are left out."""
    assert names(sent) == keys
