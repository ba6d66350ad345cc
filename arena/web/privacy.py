"""Leaves out what a report must not tell: command lines, paths, names of machines, and what engines wrote to stderr.

A text of an engine or of the system may hold a path. So texts are searched for paths and for the names of machines that
the database knows, however short. The result of a game, its moves and the rest of the protocol's lines stay.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from results.record import Evidence, GameRecord

HIDDEN = "…"
"""Stands for what was left out."""
_PATH = re.compile(r"""(?<![^\s'"(=:,])(?:~|\.{1,2}|[A-Za-z]:)?[/\\][^\s'",;)]+""")
"""A path, absolute or beginning with a dot. The rows of a position have a sign before their first slash."""
_LINE = re.compile(r"(?P<name>.*?) (?P<direction><-|->) (?P<text>.*)")
_OPTION = re.compile(r"(setoption name .*? value) .*[/\\].*")
"""An option whose value may be the name of a file."""
_STRING = re.compile(r"(info .*?\bstring) .*")
"""What an engine wanted to say, in its own words."""
_QUOTED = re.compile(r"; (?:its last words on stderr: |`arena check ).*", re.DOTALL)
"""The end of the sentence about an engine that cannot play: what it wrote to stderr, and its command line."""
_PRIVATE_KEYS = frozenset({"command", "host", "cwd", "files", "containment", "book", "path", "trace"})
"""Keys of a configuration that name programs, files or machines."""


@dataclass(frozen=True, slots=True)
class Privacy:
    """What may be told. With `hide` off, every text stays as it is."""

    hide: bool = True
    hosts: Collection[str] = ()
    """The names of machines that the database knows."""
    _hosts: re.Pattern[str] | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        hosts = sorted(self.hosts, key=len, reverse=True)
        names = "|".join(re.escape(host) for host in hosts if re.search(r"\w", host))
        object.__setattr__(self, "_hosts", re.compile(rf"(?<!\w)(?:{names})(?!\w)") if names else None)

    def text(self, text: str) -> str:
        """A text of an engine or of the system, without paths and names of machines."""
        if not self.hide:
            return text
        text = _PATH.sub(HIDDEN, text)
        return text if self._hosts is None else self._hosts.sub(HIDDEN, text)

    def withdrawn(self, reason: str) -> str:
        """Why an engine was withdrawn, without its command line and what it wrote to stderr."""
        return self.text(_QUOTED.sub("", reason)) if self.hide else reason

    def dialogue(self, line: str) -> str:
        """A line of a transcript. File names in options and an engine's own words are left out."""
        dialogue = _LINE.fullmatch(line) if self.hide else None
        if dialogue is None:
            return self.text(line)
        text = _STRING.sub(rf"\1 {HIDDEN}", _OPTION.sub(rf"\1 {HIDDEN}", dialogue["text"]))
        return f"{dialogue['name']} {dialogue['direction']} {self.text(text)}"

    def value(self, text: str) -> str:
        """The value of an option, unless it may be the name of a file."""
        return HIDDEN if self.hide and ("/" in text or "\\" in text) else self.text(text)

    def evidence(self, evidence: Evidence) -> Evidence:
        """The evidence of a fault, without what the engine wrote to stderr."""
        if not self.hide:
            return evidence
        return replace(
            evidence,
            detail=self.text(evidence.detail),
            exit=self.text(evidence.exit),
            transcript=tuple(map(self.dialogue, evidence.transcript)),
            stderr="",
        )

    def record(self, record: GameRecord) -> GameRecord:
        """A game that may be shown."""
        if not self.hide:
            return record
        evidence = None if record.evidence is None else self.evidence(record.evidence)
        return replace(record, host="", detail=self.text(record.detail), evidence=evidence)

    def config(self, value: Any) -> Any:
        """A configuration: keys that name programs, files or machines are left out, and texts are searched."""
        if not self.hide:
            return value
        if isinstance(value, Mapping):
            return {key: self.config(each) for key, each in value.items() if key not in _PRIVATE_KEYS}
        if isinstance(value, list | tuple):
            return [self.config(each) for each in value]
        return self.text(value) if isinstance(value, str) else value
