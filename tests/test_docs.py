"""The documents are true: their commands exist, their examples run, their tables are complete, their links work."""

import functools
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import typer
from pydantic import BaseModel
from typer.testing import CliRunner

from arena.config.load import ConfigError, load_registry, load_tournament
from arena.config.schema import EachTable, EngineTable, LimitsTable, TournamentTable
from arena.conformance.catalogue import choose
from arena.formats.registry import FORMATS as DECLARED
from arena.ladder.file_watch import WITHOUT_EFFECT, LadderFile
from arena.play.jobs import GameJob, Terms
from arena.run import slots
from arena.run.event_lines import now, public, values
from arena.run.events import GameEnded, GameStarted, Withdrawn
from arena.timing.time_control import fixed
from results.record import FORFEITS, GameRecord, Run, Termination
from tests.arena import workers
from tests.command_line import program

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS_PAGE = (ROOT / "docs" / "reference" / "COMMANDS.md").read_text(encoding="utf-8")
FILE_PAGE = (ROOT / "docs" / "organisers" / "TOURNAMENT_FILE.md").read_text(encoding="utf-8")
FORMATS = (ROOT / "docs" / "organisers" / "FORMATS.md").read_text(encoding="utf-8")
LADDER = (ROOT / "docs" / "organisers" / "LADDER.md").read_text(encoding="utf-8")
RESULTS = (ROOT / "docs" / "organisers" / "RESULTS.md").read_text(encoding="utf-8")
EVENTS = (ROOT / "docs" / "reference" / "EVENTS.md").read_text(encoding="utf-8")
SPEC = (ROOT / "protocol" / "SPEC.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
CHANGELOG = ROOT / "CHANGELOG.md"
"""It also names commands, options and targets that are gone."""
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
EVERYWHERE = {"--help", "--version", "--install-completion", "--show-completion"}
FOREIGN = {"--compliance"}
"""Of another program, which a page compares with ours."""
OF_OTHERS = ("CONTAINMENT.md", "TABLUT.md", "CONTRIBUTING.md")
"""Pages on which an option alone may be of bubblewrap, an adapter, `engines.tune` or the zoo."""


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


def block(page: str, language: str, having: str) -> str:
    """The only code block of a page in this language that contains this text."""
    (found,) = (text for text in re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL) if having in text)
    return str(found)


def cells(row: str) -> list[str]:
    """The cells of a row of a table; a bar in a cell is written with a backslash."""
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", row.strip())[1:-1]]


def table(page: str, heading: str) -> list[list[str]]:
    """The rows of the table whose first line begins with this."""
    lines = page.split(heading, 1)[1].split("\n\n", 1)[0].splitlines()
    return [cells(line) for line in lines[2:]]


def section(page: str, title: str) -> str:
    """What stands under a heading, up to the next heading of its level or above."""
    (mark, rest) = re.findall(rf"^(#+) {re.escape(title)}\n(.*)", page, re.MULTILINE | re.DOTALL)[0]
    return re.split(rf"^#{{1,{len(mark)}}} ", str(rest), maxsplit=1, flags=re.MULTILINE)[0]


def test_every_command_is_in_the_table_of_commands_and_every_command_there_exists() -> None:
    """The table has each command, those of groups too, and no other."""
    first_column = [row[0] for row in table(COMMANDS_PAGE, "| command | what it does |")]
    named = [split(span)[0] for cell in first_column for span in re.findall(r"`(arena [^`]+)`", cell)]
    assert sorted(named) == sorted(COMMANDS)


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


def test_every_option_that_a_page_names_exists() -> None:
    """In running text: `arena match --tc` has that of its command, `--tc` alone that of some command.

    Changes tell of options that went.
    """
    anywhere = set().union(EVERYWHERE, FOREIGN, *OPTIONS.values())
    fences = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
    pages = [page for page in PAGES if page.name != "CHANGELOG.md"]
    texts = [(page, fences.sub("", page.read_text(encoding="utf-8"))) for page in pages]
    for page, span in ((page, span) for page, text in texts for span in re.findall(r"`([^`\n]+)`", text)):
        known = anywhere
        if span.startswith("arena ") and not span.startswith("arena -"):
            known = OPTIONS[split(span)[0]] | EVERYWHERE
        if span.startswith("arena ") or (span.startswith("--") and page.name not in OF_OTHERS):
            for option in re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", span):
                assert option in known, f"{page.name}: {span}"


def test_every_option_of_every_command_says_what_it_does() -> None:
    """No option without help, and the help is reached by --help."""
    for name, command in COMMANDS.items():
        assert command.help, name
        for parameter in command.params:
            assert getattr(parameter, "help", None), f"{name}: {parameter.name}"


TABLES: dict[str, type[BaseModel]] = {
    "| key of `[tournament]` |": TournamentTable,
    "| key of `[[engines]]` |": EngineTable,
    "| key of `[each]` |": EachTable,
    "| key of `limits` |": LimitsTable,
}


@pytest.mark.parametrize("heading", TABLES)
def test_the_tables_of_keys_are_those_of_the_files(heading: str) -> None:
    """A key that the page does not name cannot be found; one that does not exist is an error. Defaults are right."""
    fields = TABLES[heading].model_fields
    told = {row[0].strip("`"): row[1] for row in table(FILE_PAGE, heading)}
    assert set(told) == set(fields)
    for key, default in told.items():
        value = fields[key].get_default()
        if isinstance(value, str | int | float | list | dict):
            assert tomllib.loads(f"value = {default.strip('`')}")["value"] == value, key


def test_the_ladder_file_of_its_page_can_be_read(tmp_path: Path) -> None:
    """As it stands there. The keys without effect that the page names are those that there are."""
    file = tmp_path / "ladder.toml"
    text = block(LADDER, "toml", "# ladder.toml")
    file.write_text(text)
    assert len(LadderFile(file, load_registry, tuple).engine_list.engines) == 2
    named = re.findall(r"`(\w+)`", LADDER.split("have no effect there:", 1)[1].split(".", 1)[0])
    assert sorted(["format", *named]) == sorted(WITHOUT_EFFECT)


FORMAT_KEYS = {
    "rounds": "2",
    "games_per_pairing": "4",
    "seeds": "2",
    "best_of": "4",
    "groups": "2",
    "groups_by": '"draw"',
    "go_on": "3",
    "seeds_by": '"rating"',
    "champion": '"a"',
    "points": '"3-1-0"',
    "tie_breaks": '["seed"]',
    "pairings": '[["a", "b"]]',
}
"""The keys that belong to single formats, each with a value that is not its default."""


def test_the_formats_of_the_page_are_those_that_there_are() -> None:
    """Each with a section, and no other."""
    annotation: Any = TournamentTable.model_fields["format"].annotation
    assert sorted(re.findall(r"^## `([a-z-]+)`$", FORMATS, re.MULTILINE)) == sorted(annotation.__args__)


@pytest.mark.parametrize("name", re.findall(r"^## `([a-z-]+)`$", FORMATS, re.MULTILINE))
def test_the_section_of_a_format_has_its_keys_and_says_its_outcome(name: str, tmp_path: Path) -> None:
    """A key in its table is accepted for the format, with its default; any other key of a format is refused."""
    text = section(FORMATS, f"`{name}`")
    assert "**Outcome:**" in text and "JSON:" in text
    told = {row[0].strip("`"): row[1].strip("`") for row in table(text, "| key | default | meaning |")}
    assert told.keys() == {key.name for key in DECLARED[name].keys}
    defaults = {each.name: each.default for each in DECLARED[name].keys if isinstance(each.default, int | str)}
    assert {each: told[each] for each in defaults} == {each: str(default) for each, default in defaults.items()}
    if re.fullmatch(r"\d+", told.get("rounds", "")):
        assert int(told["rounds"]) == DECLARED[name].default_rounds(8)
    file = tmp_path / "cup.toml"
    for key, value in FORMAT_KEYS.items():
        given = f"{key} = {value}"
        if key == "tie_breaks" and name in ("swiss", "contest"):
            given = 'tie_breaks = ["direct-encounter"]'
        if name == "pairings" and key != "pairings":
            given += f"\npairings = {FORMAT_KEYS['pairings']}"
        engines = "".join(f'[[engines]]\nname = "{each}"\ncommand = ["true"]\n' for each in "abcd")
        file.write_text(f'[tournament]\nformat = "{name}"\n{given}\n{engines}')
        try:
            load_tournament(file, load_registry())
            accepted = True
        except ConfigError as error:
            assert f"tournament.{key}" in str(error)
            accepted = False
        assert accepted == (key in told), key


def typed(folder: Path, *arguments: str, text: str = "") -> str:
    """What a command prints in a folder of its own, with this input."""
    path = os.pathsep.join([str(Path(sys.executable).parent), "/usr/bin", "/bin"])
    done = subprocess.run(
        [sys.executable, "-m", "arena.main", *arguments],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "PATH": path, "HOME": str(folder)},
        input=text,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, f"{arguments}: {done.stderr}"
    return done.stdout


def output_of(*words: str | Path) -> str:
    """What a command prints that is run in this process."""
    done = CliRunner(env={"NO_COLOR": "1"}).invoke(program(str(words[0])), [str(word) for word in words])
    assert done.exit_code == 0, f"{words}: {done.output}"
    return done.stdout


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with ten games of greedy and random."""
    path = tmp_path_factory.mktemp("played") / "demo.db"
    words = "match greedy random --variant callanish-7 --games 10 --nodes 10 --seed 7 --no-pin --concurrency 1 --json"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(slots, "started", workers.started)
        output_of(*words.split(), "--db", path)
    return path


EXAMPLES = README.split("## Six examples", 1)[1].split("\n## ", 1)[0]


@pytest.mark.long
@pytest.mark.timeout(180)
def test_the_examples_of_the_readme_can_be_typed_in_their_order(tmp_path: Path) -> None:
    """As they stand there, with the files that stand there; whoever plays an engine quits at once.

    A game in the browser is left out: it is served until Ctrl-C. So is the stranger's engine, which is not there. The
    engine of the README plays its tournament without a fault.
    """
    (tmp_path / "mine.py").write_text(block(README, "python", "class Mine"))
    (tmp_path / "cup.toml").write_text(block(README, "toml", "# cup.toml"))
    lines = [line for line in typed_in(EXAMPLES) if "--web" not in line and "fox" not in line]
    assert {split(line)[0] for line in lines} >= {"match", "standings", "show", "play", "sprt", "tournament", "check"}
    for line in lines:
        typed(tmp_path, *shlex.split(line)[1:], text="quit\n")
    games = [json.loads(line) for line in typed(tmp_path, "games", "cup.db", "--json").splitlines()]
    assert len(games) == 8
    assert not {game["termination"] for game in games} & {*FORFEITS, "unfinished"}


def test_the_picture_of_the_readme_is_what_its_commands_print(played: Path) -> None:
    """The board, character by character; the standings below it have the columns of today."""
    console = block(README, "console", "arena position")
    command, rest = console.removeprefix("$ ").split("\n", 1)
    words = shlex.split(command)[1:]
    assert output_of(*words).startswith(rest.split("\n...", 1)[0])
    (heading,) = re.findall(r"^# engine.*$", console, re.MULTILINE)
    assert output_of("standings", played).splitlines()[0].split() == heading.split()


READS = (
    "standings",
    "crosstable",
    "games",
    "stats",
    "show",
    "export",
    "verify",
    "import",
    "merge",
)
ASKS = (
    *("plot", "variants", "position", "perft", "init", "openings check", "openings make"),
    *("engines list", "engines show", "engines add", "engines remove"),
)


@pytest.mark.parametrize("page", [RESULTS, COMMANDS_PAGE], ids=["RESULTS.md", "COMMANDS.md"])
def test_what_a_page_reads_and_asks_can_be_typed_in_its_order(
    page: str, played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it stands there, with games of greedy and random in the database and openings in openings.txt."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setenv("PATH", os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    (tmp_path / "demo.db").write_bytes(played.read_bytes())
    (tmp_path / "openings.txt").write_text("a1 b2\na1 c3\n")
    (tmp_path / "mine.py").write_text(block(README, "python", "class Mine"))
    chosen = [line for line in typed_in(page) if split(line)[0] in (*READS, *ASKS)]
    assert {split(line)[0] for line in chosen} >= set(READS)
    for line in chosen:
        words = shlex.split(line)[1:]
        result = CliRunner(env={"COLUMNS": "120", "NO_COLOR": "1"}).invoke(program(words[0]), words)
        assert result.exit_code == 0, f"{line}: {result.output}"


def test_the_columns_that_are_explained_are_those_of_the_standings(played: Path) -> None:
    """Every column of the table is explained, in its order, and no other."""
    heading = output_of("standings", played).splitlines()[0]
    shown = re.findall(r"p[12] %|\S+", heading)
    told = [word for row in table(RESULTS, "| column | meaning |") for word in re.findall(r"`([^`]+)`", row[0])]
    assert told == [word for word in shown if word not in ("#", "engine")]


def test_every_make_target_that_a_page_names_is_there() -> None:
    """What is typed first must work."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for page in PAGES:
        for target in re.findall(r"(?:^|`)make ([a-z-]+)", page.read_text(encoding="utf-8"), re.MULTILINE):
            assert re.search(rf"^{target}:", makefile, re.MULTILINE), f"{page.name}: {target}"


def test_every_make_target_is_on_the_page_of_commands() -> None:
    """But `help`, which lists them."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (targets,) = re.findall(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    assert set(re.findall(r"^\| `make ([a-z-]+)`", COMMANDS_PAGE, re.MULTILINE)) == set(targets.split()) - {"help"}


def test_every_termination_is_in_the_specification() -> None:
    """An engine's author finds each word that may stand beside his loss."""
    for word in Termination:
        assert f"`{word}`" in SPEC, word


def anchor(title: str) -> str:
    """How a heading is addressed in a link."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


@functools.cache
def anchors(file: Path) -> set[str]:
    """What a link into a page may end with: its headings, and what it marks itself."""
    text = file.read_text(encoding="utf-8")
    headings = [anchor(title) for title in re.findall(r"^#+ (.+)$", text, re.M)]
    return {*headings, *re.findall(r'<a id="([^"]+)"', text)}


def test_every_link_of_every_page_leads_somewhere() -> None:
    """To a file that is there, and in it to a place that is there."""
    for page in [*PAGES, CHANGELOG]:
        for target, place in re.findall(r"\]\(([^)#\s]*)#?([^)\s]*)\)", page.read_text(encoding="utf-8")):
            if "://" not in target:
                file = (page.parent / target).resolve() if target else page
                assert file.exists(), f"{page.name}: {target}"
                assert not place or place in anchors(file), f"{page.name}: {target}#{place}"


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
    termination="line",
    detail="",
    tc="5+0.05",
    seed=1,
    started_at="2026-01-02T03:04:05+00:00",
    wall_ms=398,
    host="box",
)


def written() -> list[dict[str, Any]]:
    """One event of each kind, a game with and without a winner."""
    job = GameJob(GAME.id, 1, 1, GAME.variant, None, 2, "", GAME.p1, GAME.p2, 1, Terms(fixed("nodes", 1)))
    head = {"time": now(), "run": RUN.id}
    told: list[dict[str, Any]] = [
        {"event": "run", **head, "name": "", "kind": "", "games": 1, "stored": 0, "seed": 1, "engines": []},
        values(RUN.id, GameStarted(0, job)),
        values(RUN.id, GameEnded(0, GAME)),
        values(RUN.id, GameEnded(0, replace(GAME, winner=None, termination=Termination.UNFINISHED))),
        {"event": "lost", **head, "game": "", "number": 2},
        values(RUN.id, Withdrawn("random", "5 faults in a row, the last: crash")),
        {"event": "end", **head, "stored": 1, "interrupted": False},
    ]
    return [json.loads(json.dumps(public(event))) for event in told]


def fields(heading: str) -> dict[str, str]:
    """The fields of the table under a heading of docs/reference/EVENTS.md, each with its type."""
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
    page = (ROOT / "docs" / "project" / "ARCHITECTURE.md").read_text(encoding="utf-8")
    for path in re.findall(r"`([\w/]+/[\w/.]+)`", page):
        assert (ROOT / path).exists(), path
    for row in re.findall(r"^\| `.*\.py`.*$", page, re.MULTILINE):
        types, files = (re.findall(r"`([\w/.]+)`", cell) for cell in row.split("|")[1:3])
        there = {
            name
            for file in files
            for name in re.findall(r"^ *class (\w+)", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)
        }
        assert types and there >= set(types), row


@pytest.mark.parametrize("name", ["QUICKSTART", "KIT"])
def test_a_page_tells_how_many_checks_there_are(name: str) -> None:
    """Of the smoke test or of all that an engine can be asked, in one variant or in two."""
    told = re.findall(r"(\d+)\s+checks\b", (ROOT / "docs" / "authors" / f"{name}.md").read_text(encoding="utf-8"))
    counts: set[int] = set()
    for level in ("smoke", "full"):
        checks = [check for check in choose(level=level) if check.function is not None]
        counts |= {len(checks), len(checks) + sum(check.each_variant for check in checks)}
    assert told and {int(count) for count in told} <= counts
