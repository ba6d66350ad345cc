"""docs/reference/JSON.md is true: what commands print as JSON has exactly the keys of the page, with their types."""

import json
import os
import re
import shlex
import sqlite3
import sys
import urllib.request
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from typer.testing import CliRunner

from arena.live.file import events_path
from tests.arena.cli.field import Made, keep, round_robin
from tests.arena.live.made import full, written
from tests.command_line import program

PAGE = (Path(__file__).parent.parent / "docs" / "reference" / "JSON.md").read_text(encoding="utf-8")
PLAIN: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
}
Key = tuple[str, str]
"""A section and a key of its table."""


def address(title: str) -> str:
    """How a heading is addressed in a link."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def tables() -> dict[str, dict[str, str]]:
    """The keys of each section with their types, by the address of the section."""
    found: dict[str, dict[str, str]] = {}
    for part in re.split(r"^#+ ", PAGE, flags=re.MULTILINE)[1:]:
        rows = [re.split(r"(?<!\\)\|", line) for line in re.findall(r"^\| `.*$", part, re.MULTILINE)]
        found[address(part.split("\n", 1)[0])] = {cells[1].strip().strip("`"): cells[2].strip() for cells in rows}
    return found


TABLES = tables()


class Wrong(Exception):
    """A value that is not as the page says."""


class Reading:
    """Compares values with the page, and remembers which keys of it were seen."""

    def __init__(self) -> None:
        self.seen: set[Key] = set()

    def object(self, value: Any, section: str) -> None:
        """An object that has a section of its own."""
        self._keys(value, section, "")

    def _keys(self, value: Any, section: str, path: str) -> None:
        if not isinstance(value, dict):
            raise Wrong(f"{section}: {path or 'the value'} is {value!r}, not an object")
        for key, inner in value.items():
            full = f"{path}.{key}" if path else key
            if full not in TABLES[section]:
                raise Wrong(f"{section}: {full} is not on the page")
            self.seen.add((section, full))
            self._value(inner, TABLES[section][full], section, full)

    def _value(self, value: Any, said: str, section: str, path: str) -> None:
        kind = said.removesuffix(" or null")
        if value is None:
            if kind == said:
                raise Wrong(f"{section}: {path} is null, and the page does not say so")
        elif kind.startswith("array of "):
            if not isinstance(value, list):
                raise Wrong(f"{section}: {path} is {value!r}, not an array")
            for each in value:
                self._value(each, said.removeprefix("array of "), section, f"{path}[]")
        elif named := re.fullmatch(r"object by .*? of (.*)", kind):
            for each in value.values():
                self._value(each, named[1] + said[len(kind) :], section, path)
        elif link := re.fullmatch(r"\[.*\]\(#(.*)\)", kind):
            self.object(value, link[1])
        elif kind == "object":
            self._keys(value, section, path)
        elif not isinstance(value, PLAIN[kind]) or (isinstance(value, bool) and kind != "boolean"):
            raise Wrong(f"{section}: {path} is {value!r}, not of the type {said}")


class Sample(NamedTuple):
    """A command and the section that describes what it prints."""

    section: str
    command: str


TWO = "--variant callanish-7 --no-pin --seed 7 --json"
CRASH = "python -P -m tests.zoo --fault exit-1"
SAMPLES = (
    Sample("arena-match", f"match greedy random {TWO} --games 4 --tc 1+1 --db demo.db"),
    Sample("arena-match", f"match random '{CRASH}' {TWO} --games 2 --nodes 10 --fault-budget 1"),
    Sample("arena-match", "tournament cup.toml --set format=swiss --no-smoke --no-pin --json"),
    Sample("arena-match", "tournament cup.toml --set format=knockout --db k.db --no-smoke --no-pin --json"),
    Sample("arena-match", "tournament cup.toml --set format=contest --db c.db --no-smoke --no-pin --json"),
    Sample("arena-sprt", f"sprt random random {TWO} --elo0 0 --elo1 200 --games 20 --nodes 10"),
    Sample("standings", "standings demo.db --wide --json"),
    Sample("standings", "standings odd.db --json"),
    Sample("arena-standings---machines", "standings two.db --machines --json"),
    Sample("arena-standings---machines", "standings odd.db --machines --json"),
    Sample("arena-crosstable", "crosstable demo.db --json"),
    Sample("a-short-game", "games demo.db --json"),
    Sample("arena-watch", "watch demo.db --json"),
    Sample("arena-watch", "watch odd.db --json"),
    Sample("arena-stats", "stats demo.db --json"),
    Sample("arena-plot-ratings", "plot ratings demo.db --json"),
    Sample("arena-plot-ratings", "plot ratings odd.db --json"),
    Sample("arena-plot-history", "plot history demo.db --json"),
    Sample("arena-plot-sides", "plot sides demo.db --json"),
    Sample("a-game", "show demo.db 1 --json"),
    Sample("a-game", "export demo.db --format jsonl"),
    Sample("arena-position", "position callanish-7 --json"),
    Sample("a-registered-engine", "engines list --json"),
    Sample("arena-engines-show", "engines show alphabeta --json"),
    Sample("arena-check", "check 'sleep 9' --only A3 --slow 0.01 --contain none --json"),
    Sample("arena-check", "check 'sleep 9' --only A3,F10 --fuzz 1 --slow 0.01 --contain none --json"),
    Sample("arena-doctor", "doctor --json"),
)
CUP = """
[tournament]
variants = ["callanish-7"]
nodes = 5
seed = 1
max_plies = 40

[[engines]]
name = "greedy"
[[engines]]
name = "random"
[[engines]]
name = "random"
"""


def odd_games() -> list[Made]:
    """Two groups that few games link, in one of which no rating explains who beats whom."""
    games = [*round_robin("a b c d", 16), *round_robin("w x y z", 16), ("a", "w", "p1"), ("w", "a", "p1")]
    for one, two in ("xy", "yz", "zx"):
        won: list[Made] = [(one, two, "p1"), (two, one, "p2")]
        games += won * 12
    return games


def on_two_machines(path: Path) -> None:
    """A database of games of two machines."""
    keep(path, "aa", round_robin("a b", 8))
    with closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE games SET host = 'far' WHERE number % 3 = 0")
        db.commit()


def printed(command: str) -> list[Any]:
    """The JSON values that a command prints: one, the elements of an array, or one a line."""
    words = shlex.split(command)
    result = CliRunner().invoke(program(words[0]), words)
    assert result.exit_code in (0, 1, 4), f"{command}: {result.output}"
    try:
        value = json.loads(result.stdout)
    except ValueError:
        return [json.loads(line) for line in result.stdout.splitlines()]
    return value if isinstance(value, list) else [value]


@pytest.mark.long
@pytest.mark.timeout(180)
def test_json_has_the_keys_of_its_page_and_no_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each with its type, and each key of the page is printed by some command."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    (tmp_path / "cup.toml").write_text(CUP)
    keep(tmp_path / "odd.db", "aa", odd_games())
    on_two_machines(tmp_path / "two.db")
    written(tmp_path / "odd.db", full())
    events_path(tmp_path / "odd.db", "bb").write_bytes(b"no events")
    reading = Reading()
    for section, command in SAMPLES:
        values = printed(command)
        assert values, command
        for value in values:
            reading.object(value, section)
    if find_spec("distributed") is None:
        reading.object({"machines": []}, "arena-match")
    else:
        from tests.arena.cluster.machines import places

        with places(1, 2) as address:
            for value in printed(f"match random greedy {TWO} --games 4 --nodes 10 --cluster {address}"):
                assert [each["games"] for each in value["machines"]] == [4]
                reading.object(value, "arena-match")
    from tests.host.guests import connected, hub  # needs the extra `host`

    with hub(tmp_path, "fox") as lab, connected(lab, "fox"):
        with urllib.request.urlopen(f"http://127.0.0.1:{lab.port}/api/guests.json", timeout=20) as answer:
            reading.object(json.loads(answer.read()), "the-guests-of-a-ladder")
    documented = {(section, key) for section, keys in TABLES.items() for key in keys}
    assert documented - reading.seen == set()


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ({"mean": 1.0, "lower": 0.0, "upper": 2.0, "sigma": 1.0}, "sigma is not on the page"),
        ({"mean": "1", "lower": 0.0, "upper": 2.0}, "mean is '1', not of the type number"),
        ({"mean": None, "lower": 0.0, "upper": 2.0}, "mean is null"),
        ({"mean": True, "lower": 0.0, "upper": 2.0}, "mean is True, not of the type number"),
        ([], "not an object"),
    ],
)
def test_a_value_that_is_not_as_the_page_says_is_found(value: Any, why: str) -> None:
    """The test above can fail."""
    with pytest.raises(Wrong, match=why):
        Reading().object(value, "an-estimate")
