"""The documents are true: their commands exist, their examples run, their tables are complete, their links lead on."""

import ast
import io
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from arena.cli.app import program
from arena.config import load_registry
from arena.events import Events
from arena.jobs import GameJob, Terms
from arena.ladder_file import LadderFile
from arena.limits import fixed
from arena.settings import EngineTable, TournamentTable
from results.record import GameRecord, Run, Termination
from results.standings import FORFEITS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
EVENTS = (ROOT / "docs" / "EVENTS.md").read_text(encoding="utf-8")
SPEC = (ROOT / "protocol" / "SPEC.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
TYPES = {
    "string": (str,),
    "integer": (int,),
    "boolean": (bool,),
    "string or null": (str, type(None)),
    "array of strings": (list,),
}


def leaves(group: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every command with its whole name, such as `engines add`. Any: typer's own copy of click is not public."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from leaves(command, f"{path}{name} ")
        else:
            yield path + name, command


GROUP: Any = typer.main.get_command(program())
COMMANDS = dict(leaves(GROUP))
OPTIONS = {
    name: {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
    for name, command in COMMANDS.items()
}
OPTIONS |= {name.split()[0]: set() for name in COMMANDS if " " in name}
EVERYWHERE = {"--help", "--version"}
FOREIGN = {"--compliance"}
"""Of another program, which a page compares with ours."""
OF_OTHERS = ("CONTAINMENT.md", "ZOO.md")
"""Pages on which an option alone may be bubblewrap's, or the zoo's engine's."""


def typed_in(text: str) -> list[str]:
    """The `arena` command lines of a page's blocks, each as one line without comments and redirections."""
    found = []
    for language, block in re.findall(r"^```(\w*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        if language in ("", "sh", "console"):
            lines = block.replace("\\\n", " ").splitlines()
            found += [line.removeprefix("$ ") for line in lines if line.removeprefix("$ ").startswith("arena ")]
    return [re.split(r"\s[>|]\s", re.sub(r"\s+# .*", "", line))[0] for line in found]


def split(line: str) -> tuple[str, list[str]]:
    """The command of a line, by its whole name, and its arguments."""
    words = shlex.split(line)[1:]
    for length in (2, 1):
        if " ".join(words[:length]) in OPTIONS:
            return " ".join(words[:length]), words[length:]
    raise AssertionError(f"there is no such command: {line}")


def block(language: str, having: str) -> str:
    """The code block of the README in this language that has these words."""
    (found,) = (text for text in re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL) if having in text)
    return str(found)


def keys(heading: str) -> set[str]:
    """The keys in the first column of the table with this heading."""
    table = README.split(heading, 1)[1].split("\n\n", 1)[0]
    return {
        key for row in table.splitlines()[2:] for key in re.findall(r"`(\w+)`", row.split(" | ")[0].replace("\\|", ""))
    }


def test_every_command_is_in_the_readme_and_every_command_there_exists() -> None:
    """The table of all commands has each of them, those of groups too, and no other."""
    table = README.split("## All commands", 1)[1].split("\n\n", 2)[1]
    first_column = "\n".join(row.split(" | ")[0] for row in table.splitlines())
    assert sorted(split(span)[0] for span in re.findall(r"`(arena [^`]+)`", first_column)) == sorted(COMMANDS)


LINES = sorted({(page.name, line) for page in PAGES for line in typed_in(page.read_text(encoding="utf-8"))})


@pytest.mark.parametrize("page", sorted({page for page, _ in LINES}))
def test_every_command_line_of_every_page_is_understood(page: str) -> None:
    """Its command exists, with these options and so many arguments; their values have the right form."""
    for line in (line for name, line in LINES if name == page):
        if line not in ("arena --help", "arena --version"):
            name, arguments = split(line)
            try:
                COMMANDS[name].make_context(name, arguments)
            except Exception as wrong:
                raise AssertionError(line) from wrong


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_option_that_a_page_names_exists(page: Path) -> None:
    """In running text: `arena match --tc` has that of its command, `--tc` alone that of some command."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    anywhere = set().union(EVERYWHERE, FOREIGN, *OPTIONS.values())
    for span in re.findall(r"`([^`\n]+)`", text):
        known = anywhere
        if span.startswith("arena ") and not span.startswith("arena -"):
            known = OPTIONS[split(span)[0]] | EVERYWHERE
        if span.startswith("arena ") or (span.startswith("--") and page.name not in OF_OTHERS):
            for option in re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", span):
                assert option in known, f"{page.name}: {span}"


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_option_of_every_command_says_what_it_does(name: str) -> None:
    """No option without help, and the help is reached by --help."""
    command = COMMANDS[name]
    assert command.help
    for parameter in command.params:
        assert getattr(parameter, "help", None), f"{name}: {parameter.name}"


def test_the_tables_of_keys_are_those_of_the_files() -> None:
    """A key that the README does not name cannot be found; one that does not exist is an error."""
    assert keys("| key of `[tournament]`") == set(TournamentTable.model_fields)
    assert keys("| key of an `[[engines]]` entry") == set(EngineTable.model_fields)


def test_the_ladder_file_of_the_readme_can_be_read(tmp_path: Path) -> None:
    """As it stands there."""
    file = tmp_path / "ladder.toml"
    file.write_text(block("toml", "# ladder.toml"))
    assert len(LadderFile(file, load_registry, tuple).lineup.engines) == 2


def test_the_formats_of_the_readme_are_those_that_there_are() -> None:
    """Each with a line, and no other."""
    table = README.split("| `format` | who meets whom |", 1)[1].split("\n\n", 1)[0]
    annotation: Any = TournamentTable.model_fields["format"].annotation
    assert sorted(re.findall(r"^\| `([a-z-]+)`", table, re.MULTILINE)) == sorted(annotation.__args__)


def typed(folder: Path, *arguments: str) -> str:
    """What a command prints in a folder of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "arena.main", *arguments],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "HOME": str(folder)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_engine_of_the_readme_plays_in_the_tournament_of_the_readme(tmp_path: Path) -> None:
    """Both files as they stand there, but for less time and fewer games; no game ends in a fault."""
    (tmp_path / "mine.py").write_text(block("python", "class Mine"))
    (tmp_path / "cup.toml").write_text(block("toml", "# cup.toml"))
    quickly = ("--set", "tc=1+0.01", "--set", "rounds=1", "--set", "max_plies=20", "--no-smoke", "--no-pin")
    found = json.loads(typed(tmp_path, "tournament", "cup.toml", *quickly, "--json"))
    assert len(found["games"]) == 4
    assert not {game["termination"] for game in found["games"]} & {*FORFEITS, "unfinished"}


READS = (
    "standings",
    "crosstable",
    "games",
    "stats",
    "show",
    "predict",
    "config",
    "export",
    "verify",
    "import",
    "merge",
)
ASKS = ("variants", "position", "perft", "init", "openings check", "engines list")


def test_what_the_readme_reads_and_asks_can_be_typed_in_its_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it stands there, with games of greedy and random in the databases and openings in openings.txt.

    The columns of the standings that the README explains are there.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    match = "match greedy random --variant callanish-7 --games 10 --nodes 10 --seed 7 --no-pin --db demo.db --json"
    assert CliRunner().invoke(program("match"), match.split()).exit_code == 0
    (tmp_path / "ladder.db").write_bytes((tmp_path / "demo.db").read_bytes())
    (tmp_path / "openings.txt").write_text("a1 b2\na1 c3\n")
    lines = [line for line in typed_in(README) if not line.startswith("arena -")]
    chosen = [line for line in lines if split(line)[0] in (*READS, *ASKS)]
    assert {split(line)[0] for line in chosen} >= set(READS)
    for line in chosen:
        result = CliRunner(env={"COLUMNS": "120", "NO_COLOR": "1"}).invoke(program(), shlex.split(line)[1:])
        assert result.exit_code == 0, f"{line}: {result.output}"
        if line.startswith("arena standings demo.db") and "--roles" in line:
            explained = README.split("| column | what it says |", 1)[1].split("\n\n", 1)[0]
            for row in explained.splitlines()[2:]:
                for column in re.findall(r"`([^`]+)`", row.split("|")[1]):
                    assert column in result.output.splitlines()[0], column


def test_every_make_target_of_the_readme_is_there() -> None:
    """What is typed first must work."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"(?:^|`)make ([a-z-]+)", README, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_every_termination_is_in_the_specification() -> None:
    """An engine's author finds each word that may stand beside his loss."""
    for word in Termination:
        assert f"`{word}`" in SPEC, word


def anchors(file: Path) -> set[str]:
    """What a link into a page may end with: its headings as they are addressed, and what it marks itself."""
    text = file.read_text(encoding="utf-8")
    headings = [
        re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in re.findall(r"^#+ (.+)$", text, re.M)
    ]
    return {*headings, *re.findall(r'<a id="([^"]+)"', text)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_of_every_page_leads_somewhere(page: Path) -> None:
    """To a file that is there, and in it to a place that is there."""
    for target, anchor in re.findall(r"\]\(([^)#\s]*)#?([^)\s]*)\)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            file = (page.parent / target) if target else page
            assert file.exists(), target
            assert not anchor or anchor in anchors(file), f"{target}#{anchor}"


RUN = Run("c2b8454d31bc", "cup", "tournament", "2026-01-02T03:04:05+00:00", "{}", 1, 12, "box", "{}")
GAME = GameRecord(
    id="c2b8454d31bc-1",
    number=1,
    round=1,
    variant="callanish-7",
    p1="greedy",
    p2="random",
    fen="7/7/7/7/7/7/7 p1 1",
    opening=(),
    plies=(),
    winner="p1",
    termination=Termination.LINE,
    detail="",
    tc="5+0.05",
    seed=1,
    started_at="2026-01-02T03:04:05+00:00",
    wall_ms=398,
    host="box",
)


def written() -> list[dict[str, Any]]:
    """One event of each kind, a game with and without a winner."""
    lines = io.StringIO()
    events = Events(RUN, lambda line: void(lines.write(line)))
    limit = Terms(fixed("nodes", 1))
    events.run_began(RUN, ["greedy", "random"], 0)
    events.began(0, GameJob(GAME.id, 1, 1, GAME.variant, None, 2, "", GAME.p1, GAME.p2, 1, limit))
    events.ended(0, GAME)
    events.ended(0, replace(GAME, winner=None, termination=Termination.UNFINISHED))
    events.lost(2)
    events.withdrew({"random": "5 faults in a row, the last: crash"})
    events.run_ended(1, interrupted=False)
    return [json.loads(line) for line in lines.getvalue().splitlines()]


def void(_: object) -> None:
    """Nothing: what a writer of events gives back."""


def fields(heading: str) -> dict[str, str]:
    """The fields of the table under a heading of docs/EVENTS.md, each with its type."""
    section = EVENTS.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    return dict(re.findall(r"^\| `(\w+)` \| ([^|]+) \|", section, re.MULTILINE))


def check_event(event: dict[str, Any]) -> None:
    """It has exactly the fields that the page tells, of those types."""
    told = fields("Every event") | fields(f"`{event['event']}`")
    assert list(told) == list(event)
    for name, value in event.items():
        assert isinstance(value, TYPES[told[name]]), (name, value)
        assert not isinstance(value, bool) or told[name] == "boolean", name


def test_events_are_what_their_page_says() -> None:
    """Each event, field by field with its type, and the examples of the page too."""
    examples = [json.loads(line) for line in re.findall(r"^\{.*\}$", EVENTS, re.MULTILINE)]
    events = written()
    for event in (*events, *examples):
        check_event(event)
    kinds = re.findall(r"^## `(\w+)`", EVENTS, re.MULTILINE)
    assert [event["event"] for event in examples] == kinds
    assert {event["event"] for event in events} == set(kinds)


def test_types_and_files_of_the_architecture_are_where_it_says() -> None:
    """A new developer opens the file and finds the type."""
    page = (ROOT / "docs" / "ARCHITECTURE.md").read_text(encoding="utf-8")
    for path in re.findall(r"`([\w/]+/[\w/.]+)`", page):
        assert (ROOT / path).exists(), path
    for row in re.findall(r"^\| `.*$", page, re.MULTILINE):
        types, files = (re.findall(r"`([\w/.]+)`", cell) for cell in row.split("|")[1:3])
        trees = [ast.parse((ROOT / file).read_text(encoding="utf-8")) for file in files]
        there = {node.name for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
        assert types and there >= set(types), row
