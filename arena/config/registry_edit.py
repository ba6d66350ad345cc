"""Adds engines to a registry file and removes them. Comments and order stay, and the file is complete at any moment.

`arena.config.load` reads the new text before it replaces the file.
"""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import tomlkit
from tomlkit import TOMLDocument

from arena.config import load
from arena.games.user_file import utf8_text
from arena.whole_file import replacing
from results.store import disk

HEAD = "# Your own engines; `arena engines` lists, adds and removes them. engines.toml of the arena shows every key.\n"


def check_free(path: Path, name: str) -> None:
    """Raise ConfigError if the file, or a registry that it would replace an engine of, has this name already."""
    if name in load.load_registry(path if path.exists() else None).names:
        raise load.ConfigError(f"there is an engine {name!r} already: choose another name, or add --replace")


def add(path: Path, name: str, command: Sequence[str], more: Mapping[str, object]) -> None:
    """Add an engine under `name`, with the keys in `more`, or replace its entry. Creates the file if it is missing.

    Raises ConfigError if the entry is not valid.
    """
    document = _read(path)
    if not document.get("engines"):
        document["engines"] = tomlkit.aot()  # also instead of `engines = []`
    entries = document["engines"]
    at = next((number for number, entry in enumerate(entries) if entry.get("name") == name), None)
    entry = tomlkit.table()
    for key, value in {"name": name, "command": list(command), **more}.items():
        if value:
            entry.add(key, value)
    if at is None:
        entries.append(entry)
    else:
        entries[at] = entry
    _write(path, document)


def remove(path: Path, name: str) -> None:
    """Remove the engine `name`. Raises ConfigError where it is not in the file."""
    document = _read(path) if path.exists() else None
    entries = document.get("engines", []) if document is not None else []
    at = next((number for number, entry in enumerate(entries) if entry.get("name") == name), None)
    if document is None or at is None:
        there = ", ".join(str(entry.get("name")) for entry in entries) or "none"
        raise load.ConfigError(f"{path} has no engine {name!r}; it has {there}")
    del entries[at]
    if not entries:
        del document["engines"]
    _write(path, document)


def _read(path: Path) -> TOMLDocument:
    if not path.exists():
        return tomlkit.parse(HEAD)
    load.load_registry(path)  # raises the usual ConfigError for a file with errors
    return tomlkit.parse(utf8_text(path.read_bytes()))


def _write(path: Path, document: TOMLDocument) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(Path(os.path.realpath(path))) as part:
        with disk.naming(path):
            part.write_text(document.as_string(), encoding="utf-8")
        try:
            load.load_registry(part)
        except load.ConfigError as wrong:
            raise load.ConfigError(str(wrong).replace(str(part), str(path))) from None
