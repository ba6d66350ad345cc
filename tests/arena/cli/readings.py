"""Databases in which ratings are doubtful, and all that the reading commands say of one, in a process of its own.

Run as a program it prints that of the databases named, for comparison with another CPU's.
"""

import itertools
import json
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from typer.testing import CliRunner

from results.record import Winner
from tests.arena.cli.field import Made, round_robin
from tests.command_line import program

_P1: Winner = "p1"
_P2: Winner = "p2"
_RESULTS: tuple[Winner, ...] = (_P1, _P2, "draw")


def _alike(names: str, results: tuple[Winner, ...]) -> list[Made]:
    """Each against each on both sides, always with these results."""
    return [(one, two, result) for one, two in itertools.permutations(names.split(), 2) for result in results]


def _numbered(count: int) -> str:
    return " ".join(f"e{number:03}" for number in range(count))


def _link(one: str, two: str, games: int) -> list[Made]:
    return [(one, two, "draw")] * games


_LEAGUES = [game for names in ("a b c d", "h i j k", "w x y z") for game in round_robin(names, 12)]
_CYCLE: list[Made] = [
    (p1, p2, won) for one, two in ("ab", "bc", "ca") for p1, p2, won in [(one, two, _P1), (two, one, _P2)] * 30
]
FIELDS: dict[str, list[Made]] = {
    "equal halves": [*round_robin("a b c d", 16), *round_robin("w x y z", 16), *_link("a", "x", 4)],
    # Three leagues in a ring: two eigenvalues are equal, so their vectors may be any of a plane.
    "ring": [*_LEAGUES, *_link("a", "h", 2), *_link("i", "w", 2), *_link("x", "b", 2)],
    "star": [*_LEAGUES, *_link("m", "a", 3), *_link("m", "h", 3), *_link("m", "w", 3)],
    "apart": [*round_robin("a b c d", 6), *round_robin("v w x y z", 6), ("m", "n", "p1"), ("n", "m", "p2")],
    "equal": _alike("a b c d e f g", _RESULTS),
    "drawn": _alike("a b c d e f", ("draw",) * 3),
    "sides": _alike("a b c d e", ("p1",) * 4),
    "swept": [(p1, p2, "p1" if p1 < p2 else "p2") for p1, p2, _ in _alike("a b c d e f", _RESULTS)],
    "one-sided": [*round_robin("b c d", 8), *[("a", name, "p1") for name in "bcd"], ("d", "e", "p1"), ("d", "f", "p1")],
    "cycle": [*_alike("x y z", _RESULTS), *_CYCLE],
    "chain": [
        game for one, two in itertools.pairwise(_numbered(12).split()) for game in _alike(f"{one} {two}", _RESULTS)
    ],
    "demo": round_robin("random greedy alphabeta mcts minimax", 4),
}
MANY = _alike(_numbered(200), ("p1",))
"""Two hundred engines, none better than another."""


def readings(db: Path) -> Iterator[tuple[str, str]]:
    """Each command that reads this database, with what it prints or writes."""
    told = json.loads(_printed("standings", db, "--json"))
    names = sorted(row["name"] for row in told["engines"])
    plain = ["standings", "standings --crosstable", "stats", "games"]
    commands = [f"{command}{form}" for command in plain for form in ("", " --json")]
    for more in ("--wide", "--by variant", "--by tc", f"--anchor {names[-1]}", "--machines"):
        commands += [f"standings {more}", f"standings {more} --json"]
    commands += [f"export --format {form}" for form in ("pgn", "jsonl", "csv", "text")]
    commands += ["stats --csv", "games --csv"]
    for command in commands:
        name, *words = command.split()
        yield command, _printed(name, db, *words)


def pages(db: Path) -> Iterator[tuple[str, str]]:
    """The pages of a report and those of a server, without the time at which they were made."""
    from arena.web.report import MARK
    from tests.web.serving import ask, served

    with tempfile.TemporaryDirectory() as folder:
        _printed("report", db, "--output", Path(folder) / "report", "--games", "4")
        for path in sorted(Path(folder).rglob("*")):
            if path.suffix in (".html", ".json") and path.name != MARK:
                text = path.read_text()
                yield str(path.relative_to(folder)), re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", "", text)
    with served(db) as base:
        for page in ("standings.html", "crosstable.html", "sides.html", *(f"api/{name}" for name in _API)):
            yield page, ask(base, f"/{page}").text


_API = ("standings.json", "crosstable.json", "stats.json")


def _printed(*words: str | Path) -> str:
    runner = CliRunner(env={"COLUMNS": "120", "NO_COLOR": "1"})
    result = runner.invoke(program(), [str(word) for word in words])
    assert result.exit_code == 0, result.output
    return result.output


def notes(db: Path) -> Iterator[tuple[str, str]]:
    """The standings alone."""
    for form in ("--wide", "--json"):
        yield f"standings {form}", _printed("standings", db, form)


if __name__ == "__main__":
    for word in sys.argv[2:]:
        for make in (readings, pages) if sys.argv[1] == "all" else (notes,):
            for heading, text in make(Path(word)):
                print(f"=== {Path(word).name}: {heading}\n{text}")
