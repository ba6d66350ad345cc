"""The tournament file that `arena init` writes: it plays as it is and has every key as a comment."""

from importlib import resources

from arena.formats.registry import FORMATS, KEYS

_COLUMN = 34
"""The column in which the comments of keys begin."""


def template() -> str:
    """The text of the file. Its part about formats is made from what the formats declare."""
    first, *others = FORMATS
    lines = [_line(f'format = "{first}"', f"or {', '.join(others)}")]
    lines += [_line(f"{key.name} = {key.example or key.default}", key.help) for key in KEYS.values()]
    text = (resources.files("arena.config") / "template.toml").read_text(encoding="utf-8")
    return text.replace("{formats}", "\n".join(lines))


def _line(setting: str, comment: str) -> str:
    return f"# {setting}".ljust(_COLUMN - 3) + f"   # {comment}"
