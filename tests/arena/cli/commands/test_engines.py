"""`arena engines`: the registry as its owner sees it."""

import json
import sys
import tomllib
from pathlib import Path

import pytest

from tests.arena.cli.conftest import Arena
from tests.arena.conftest import engine

CLIENT = Path(__file__).parents[3] / "engines" / "adapters" / "tablut_client.py"


@pytest.fixture
def player(tmp_path: Path) -> Path:
    """An engine with an option."""
    (tmp_path / "bin").mkdir()
    return engine(
        tmp_path / "bin" / "it", ugi="echo id author A. Author; echo option name Seed type spin default 0 min 0 max 9"
    )


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A registry with a comment of its owner's."""
    (tmp_path / "my").mkdir()
    file = tmp_path / "my" / "mine.toml"
    file.write_text('# my engines\n[[engines]]\nname = "old"  # the first\ncommand = ["/bin/cat"]\n')
    return file


def test_the_shipped_engines_are_listed_with_what_starts_them(arena: Arena) -> None:
    """A line each below the headings, and as JSON."""
    listed = arena("engines", "list")
    shipped = ["engine", "alphabeta", "buckquoy", "greedy", "mcts", "random", "stornoway"]
    assert [line.split()[0] for line in listed.stdout.splitlines()[:7]] == shipped
    values = json.loads(arena("engines", "list", "--json").stdout)
    assert values[0]["options"] == {"Hash": "64"}


def test_an_engine_is_shown_as_it_presents_itself(arena: Arena, player: Path) -> None:
    """Started, asked, ended; its options with their ranges."""
    shown = arena("engines", "show", player)
    assert shown.exit_code == 0, shown.stderr
    assert "Brief" in shown.stdout
    assert "Seed: spin, 0 to 9" in shown.stdout
    said = json.loads(arena("engines", "show", player, "--json").stdout)
    assert said["id"]["author"] == "A. Author" and len(said["sha256"]) == 64


def test_an_added_engine_is_known_by_its_name_and_the_owners_comments_stay(
    arena: Arena, mine: Path, player: Path
) -> None:
    """Added, then there for every command that takes the registry."""
    added = arena("engines", "add", "zoo", player, "--option", "Seed=5", "--contain", "none", "--engines", mine)
    assert added.exit_code == 0, added.stderr
    text = mine.read_text()
    assert "# my engines" in text and "# the first" in text
    entry = tomllib.loads(text)["engines"][1]
    assert entry["name"] == "zoo" and entry["options"] == {"Seed": "5"}
    assert "zoo" in arena("engines", "list", "--engines", mine).stdout


def test_a_removed_engine_is_gone_and_another_can_be_added(arena: Arena, mine: Path) -> None:
    """Also the last one, after which the file is still a registry."""
    assert arena("engines", "remove", "old", "--engines", mine).exit_code == 0
    assert arena("engines", "add", "new", "/bin/cat", "--no-try", "--engines", mine).exit_code == 0
    assert [entry["name"] for entry in tomllib.loads(mine.read_text())["engines"]] == ["new"]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["add", "old", "/bin/false"], 2, "there is an engine 'old' already: choose another name, or add --replace"),
        (["add", "greedy", "/bin/cat", "--no-try"], 2, "there is an engine 'greedy' already"),
        (["add", "a:b", "/bin/cat", "--no-try"], 2, "name"),
        (["add", "new", "/no/such/file", "--no-try"], 2, "/no/such/file"),
        (["add", "new", "/bin/false"], 3, "/bin/false"),
        (["add", "new", "{player}", "--option", "Foo=1", "--contain", "none"], 2, "Foo"),
        (["add", "new", "/bin/cat", "--option", "Foo", "--no-try"], 2, "NAME=VALUE"),
        (["add", "new", "/bin/cat", "--variant", "chess", "--no-try"], 2, "chess"),
        (["remove", "new"], 2, "old"),
    ],
)
def test_what_cannot_be_done_leaves_the_file_as_it_was(
    words: list[str], code: int, said: str, arena: Arena, mine: Path, player: Path
) -> None:
    """One sentence that names the trouble."""
    before = mine.read_bytes()
    done = arena("engines", *(word.format(player=player) for word in words), "--engines", mine)
    assert (done.exit_code, said in " ".join(done.stderr.split())) == (code, True), done.stderr
    assert mine.read_bytes() == before
    assert [path.name for path in mine.parent.iterdir()] == ["mine.toml"]


def test_a_client_of_the_tablut_challenge_is_added_word_by_word(arena: Arena, mine: Path) -> None:
    """With the grant and the limits that it needs, and a new process for each game."""
    words = ["/bin/cat", "{ROLE}", "{seconds}", "--depth", "3"]
    added = arena("engines", "add", "fox", "--adapter", "tablut", "--no-try", "--engines", mine, "--", *words)
    assert added.exit_code == 0, added.stderr
    entry = tomllib.loads(mine.read_text())["engines"][1]
    assert entry["command"][1:] == ["-P", "-m", "engines.adapters.tablut", "--name=fox", *words]
    assert entry["grants"] == ["loopback"] and entry["restart"] and entry["limits"] == {"preset": "contest"}
    assert entry["variants"] == ["tablut-ashton"]
    refused = arena("engines", "show", "fox", "--engines", mine, "--contain", "basic")
    assert refused.exit_code and "which `basic` cannot give" in " ".join(refused.stderr.split())


def test_a_client_is_started_for_each_side_before_it_is_added(arena: Arena, mine: Path) -> None:
    """Its adapter answers without it, so a wrong path would show in the first game alone."""
    before = mine.read_bytes()
    words = ["fox", "--adapter", "tablut", "--contain", "none", "--engines", mine, "--", sys.executable, str(CLIENT)]
    refused = arena("engines", "add", *words, "{port}", "{host}")
    said = " ".join(refused.stderr.split())
    assert refused.exit_code == 3 and "engine 'fox' cannot be started" in said and "ValueError" in said, said
    assert "arena check" not in said and mine.read_bytes() == before  # the checks search for both sides
    added = arena("engines", "add", *words, "{ROLE}", "{seconds}", "{host}", "plays", "{port}")
    assert added.exit_code == 0, added.stderr
    assert "gets ready for a game on each side" in " ".join(added.output.split())
