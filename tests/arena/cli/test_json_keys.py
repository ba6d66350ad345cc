"""What commands print as JSON has the keys that `arena docs JSON` lists, with these types, and all of them."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from arena.cli.reference import json_keys
from results.record import Evidence, Termination
from results.store.store import Store
from tests.arena.cli.conftest import ESCAPE, Arena, add, record
from tests.arena.cli.field import keep, round_robin

SCALARS = {bool: ("boolean",), int: ("integer", "number"), float: ("number",), str: ("string",)}
NOT_HERE = ("A format", "A bridge", "A misfit", "An estimate", "The guests of a ladder", "A guest")
"""Sections of which these outputs need not have all keys."""


class Keys:
    """The listed keys of sections that outputs have, and those of them that were seen."""

    def __init__(self) -> None:
        self.listed: dict[tuple[str, str], tuple[str, str]] = {}
        self.seen: set[tuple[str, str]] = set()

    def follow(self, value: Any, kind: str, section: str, path: str = "") -> None:
        """Compare a value with its listed type, and its keys with the listed ones."""
        at = f"{section}, {path}: {value!r} is no {kind}"
        if value is None:
            assert kind.endswith("or null"), at
        elif isinstance(value, list):
            assert kind.startswith("array of "), at
            for each in value:
                self.follow(each, kind.removeprefix("array of "), section, f"{path}[]")
        elif isinstance(value, dict) and "object by " in kind:
            for each in value.values():
                self.follow(each, kind.partition("object by ")[2].partition(" of ")[2], section, path)
        elif isinstance(value, dict) and "{" in kind:
            self.keys(value, kind[kind.index("{") + 1 : kind.index("}")], "")
        elif isinstance(value, dict):
            assert kind.startswith("object"), at
            self.keys(value, section, f"{path}.")
        else:
            assert kind.removesuffix(" or null").split(" or ")[0] in SCALARS[type(value)], at

    def keys(self, value: dict[str, Any], section: str, within: str) -> None:
        """Compare the keys of an object with those of a section that begin with `within`."""
        self.listed |= {(section, path): (kind, about) for path, kind, about in json_keys(section)}
        for key, each in value.items():
            assert (section, within + key) in self.listed, f"{section}: {within}{key} is not listed"
            self.seen.add((section, within + key))
            self.follow(each, self.listed[section, within + key][0], section, within + key)

    def unseen(self) -> list[tuple[str, str]]:
        """Listed keys of these sections that no output had, but for those that are there only sometimes."""
        only = {each for each, (_, about) in self.listed.items() if about.startswith("only")}
        inside = {each for each in self.listed if any(each[1].startswith(f"{path}[].") for _, path in only)}
        return sorted(each for each in {*self.listed} - self.seen - only - inside if each[0] not in NOT_HERE)


PLAYED = "--variant callanish-7 --nodes 5 --seed 1"
OUTPUTS = {
    f"match greedy random --games 4 --db match.db {PLAYED}": "{arena match}",
    f"sprt greedy random --elo0 0 --elo1 200 --games 4 {PLAYED}": "{arena sprt}",
    "standings field.db --wide": "{Standings}",
    "standings field.db --crosstable": "{arena standings --crosstable}",
    "standings field.db --machines": "{arena standings --machines}",
    "watch field.db": "{arena watch}",
    "stats field.db": "{arena stats}",
    "games field.db --last 1": "{A short game}",
    "show field.db fd02-1": "{A game}",
    "show match.db 1": "{A game}",
    "verify field.db": "{arena verify}",
    "verify odd.jsonl": "{arena verify}",
    "openings check twice.txt --variant callanish-7": "{arena openings check}",
    "docs": "array of {A document}",
    "docs clocks": "{A document}",
    "docs margin overrun": "{arena docs}",
    "position brandub": "{arena position}",
    "perft brandub 1 --divide": "{arena perft}",
    "variants": "array of {arena variants}",
    "variants brandub": "{arena variants}",
    "engines list": "array of {A registered engine}",
    "engines show greedy": "{arena engines show}",
    "check true --only A1,A3": "{arena check}",
    "doctor": "{arena doctor}",
}


def database(folder: Path) -> None:
    """A field of three, and a fault with its evidence."""
    path = keep(folder / "field.db", "fd01", round_robin("ann bob cyd", 9))
    lost = replace(
        record("fd02", 1, "p2", Termination.CRASH, ESCAPE[:4]),
        evidence=Evidence("p1", "crash", "it died", "exit status 1", ("fox <- go",), "oh no", 5, 4, 3, 2),
    )
    with Store.create_or_open(path) as store:
        add(store, "fd02", [lost, record("fd02", 2, "draw", Termination.ADJUDICATION)])


def test_outputs_have_the_keys_that_are_listed(arena: Arena, tmp_path: Path, quick: None) -> None:
    """A key that a command prints and the page lacks, or the reverse, is a mistake."""
    database(tmp_path)
    (tmp_path / "odd.jsonl").write_text("{}\n")
    (tmp_path / "twice.txt").write_text("a1 b2\na1 b2\n")
    keys = Keys()
    for words, kind in OUTPUTS.items():
        ended = arena(*words.split(), "--json")
        assert ended.exit_code in (0, 1), ended.stderr
        keys.follow(json.loads(ended.stdout), kind, words)
    assert keys.unseen() == []
