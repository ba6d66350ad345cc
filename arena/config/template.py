"""The tournament file that `arena init` writes: it plays as it is and has every key as a comment."""

import re
from dataclasses import asdict
from importlib import resources

from arena.formats.registry import FORMATS, KEYS
from arena.timing.clock import MARGIN_MS
from arena.timing.free_reading import FREE_READING_MOVE_MS, FREE_READING_MS
from arena.timing.time_control import DEFAULT_TC, LAG_MS, MOVE_LIMIT_MS
from protocol.deadlines import DEADLINES

_COLUMN = 34
"""The column in which the comments of keys begin."""


CONTESTS = ("tablut", "tafl-open")
"""The contests that have a file of their own."""


def contest_template(contest: str) -> str:
    """The text of the file of a contest as its organisers hold it, with engines that come with the arena."""
    return (resources.files("arena.config") / f"contest_{contest}.toml").read_text(encoding="utf-8")


def template() -> str:
    """The text of the file. What it says about formats comes from their declarations; times have their defaults."""
    first, *others = FORMATS
    lines = [_line(f'format = "{first}"', f"or {', '.join(others)}")]
    lines += [_line(f"{key.name} = {key.example or key.default}", key.help) for key in KEYS.values()]
    defaults: dict[str, object] = {
        "formats": "\n".join(lines),
        "tc": DEFAULT_TC,
        "margin_ms": MARGIN_MS,
        "reading_ms": FREE_READING_MS,
        "reading_move_ms": FREE_READING_MOVE_MS,
        "lag_ms": LAG_MS,
        "move_limit_s": MOVE_LIMIT_MS / 1000,
        **asdict(DEADLINES),
    }
    text = (resources.files("arena.config") / "template.toml").read_text(encoding="utf-8")
    return re.sub(r"\{(\w+)\}", lambda name: str(defaults[name[1]]), text)


def _line(setting: str, comment: str) -> str:
    return f"# {setting}".ljust(_COLUMN - 3) + f"   # {comment}"
