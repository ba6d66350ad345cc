"""The documents are true: their links lead somewhere, their commands exist, and what they say can be typed works."""

import contextlib
import doctest
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from arena.cli import documents, reference

ROOT = Path(__file__).parent.parent
PAGES = documents.documents()
HISTORY = ("CHANGELOG", "BENCHMARKS")
"""Pages that name commands and options that are gone, or that a program writes."""
FOREIGN = {"--compliance", "--help", "--version", "--install-completion", "--show-completion"}
"""Options of another program, and those of `arena` itself."""
OF_OTHERS = ("CONTAINMENT", "TABLUT", "CONTRIBUTING", "STUDIES")
"""Pages on which an option alone may be of bubblewrap, an adapter, `engines.tune` or the zoo."""
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
DEADLINE_S = 240


def blocks(name: str) -> list[tuple[str, str]]:
    """The language and the text of each block of a page."""
    return [(language, text) for language, text in FENCE.findall(documents.text(name))]


def typed_in(text: str) -> list[str]:
    """The `arena` command lines of a block, each as one line without comments and redirections."""
    lines = (line.strip().removeprefix("$ ") for line in text.replace("\\\n", " ").splitlines())
    plain = [re.sub(r"\s+# .*", "", line) for line in lines if line.startswith("arena ")]
    return [re.split(r"\s[>|]\s", line)[0] for line in plain]


def lines_of(name: str) -> list[str]:
    """All `arena` command lines of a page."""
    return [line for language, text in blocks(name) if language in ("", "sh", "console") for line in typed_in(text)]


def split(line: str) -> tuple[str, list[str]]:
    """The command of a line, by its whole name, and its arguments."""
    words = shlex.split(line)[1:]
    for length in (2, 1):
        if " ".join(words[:length]) in reference.commands():
            return " ".join(words[:length]), words[length:]
    raise AssertionError(f"there is no such command: {line}")


def options(command: str) -> set[str]:
    """All options of a command, or of the commands of a group."""
    its = [each for name, each in reference.commands().items() if f"{name} ".startswith(f"{command} ")]
    return {
        option for each in its for parameter in each.params for option in (*parameter.opts, *parameter.secondary_opts)
    }


@pytest.mark.parametrize("name", [name for name in PAGES if name not in HISTORY])
def test_every_command_and_option_of_a_page_exists(name: str) -> None:
    """Command lines with their arguments, whose values have the right form, and options in running text."""
    for line in lines_of(name):
        if line not in ("arena --help", "arena --version"):
            command, arguments = split(line)
            try:
                reference.commands()[command].make_context(command, arguments)
            except Exception as wrong:
                raise AssertionError(line) from wrong
    anywhere = {option for command in reference.commands() for option in options(command)}
    for span in re.findall(r"`([^`\n]+)`", FENCE.sub("", documents.text(name))):
        of_ours = re.match(r"arena ([a-z]+)", span)
        if of_ours or (span.startswith("--") and name not in OF_OTHERS):
            known = options(of_ours[1]) if of_ours else anywhere
            for option in re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", span):
                assert option in known | FOREIGN, span


@cache
def anchors(file: Path) -> set[str]:
    """What a link into a page may end with: its headings, and what it marks itself."""
    names = {page: name for name, page in PAGES.items()}
    text = documents.text(names[file]) if file in names else file.read_text(encoding="utf-8")
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    made = {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in headings}
    return made | set(re.findall(r'<a id="([^"]+)"', text))


@pytest.mark.parametrize("name", PAGES)
def test_every_link_of_a_page_leads_somewhere(name: str) -> None:
    """To a file that is there, and in it to a place that is there."""
    for target, place in re.findall(r"\]\(([^)#\s]*)#?([^)\s]*)\)", documents.text(name)):
        if "://" not in target:
            file = (PAGES[name].parent / target).resolve() if target else PAGES[name]
            assert file.exists(), target
            assert not place or place in anchors(file), f"{target}#{place}"


@pytest.mark.parametrize("name", ["ARCHITECTURE", "CONTRIBUTING"])
def test_every_file_that_a_page_names_is_there(name: str) -> None:
    """A new developer opens it."""
    for path in re.findall(r"`([a-z_]+/[\w/.]+)`", documents.text(name)):
        assert (ROOT / path).exists(), path


# What can be typed

FOLLOWED = ("README", "QUICKSTART", "RESULTS", "COMMANDS")
"""The pages whose blocks are followed from the first to the last: their files are written and their commands typed."""
WAITS = re.compile(
    r"arena (--|demo|ladder|host|connect|cluster|serve|watch|doctor|play .*--web|engines build|init tablut|.*\bfox\b)"
)
"""Commands that wait for Ctrl-C, or want other machines or a stranger's engine."""
PLAYS = re.compile(r"arena (match|sprt|tournament|check|openings make|play|new|report)\b")
"""Commands of the page of commands that play: other pages have them in full."""
FILE_NAME = re.compile(r"^(?:# |/\* )([\w.]+)")


def typed(command: str, folder: Path) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of a command line in a folder; whoever is asked a question quits."""
    path = os.pathsep.join([str(Path(sys.executable).parent), "/usr/local/bin", "/usr/bin", "/bin"])
    shell = subprocess.Popen(
        ["sh", "-c", command],
        cwd=folder,
        env={"PATH": path, "HOME": str(folder), "LC_ALL": "C.UTF-8", "COLUMNS": "120"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        out, err = shell.communicate("quit\n", timeout=DEADLINE_S)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(shell.pid, signal.SIGKILL)
    return shell.returncode, out, err


def exchanges(name: str, language: str, text: str) -> Iterator[tuple[str, str]]:
    """Each command of a block, and what the page says comes of it; nothing if it does not say."""
    if language == "console":
        for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
            command, _, wanted = part.partition("\n")
            yield command, wanted
    elif language in ("", "sh") or name == "COMMANDS":  # whose helps begin with an example
        for line in typed_in(text):
            if not WAITS.match(line) and not (name == "COMMANDS" and PLAYS.match(line)):
                yield line, ""


@pytest.mark.long
@pytest.mark.timeout(1_200)
@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
@pytest.mark.parametrize("name", FOLLOWED)
def test_a_page_can_be_followed(name: str, tmp_path: Path) -> None:
    """Its files are saved and its commands typed, in their order, as they are; what it shows is what comes."""
    first = "arena match greedy random --variant callanish-7 --games 10 --nodes 10 --seed 7 --db demo.db --json"
    assert typed(first, tmp_path)[0] == 0
    (tmp_path / "openings.txt").write_text("a1 b2\na1 c3\n")
    (mine,) = (text for language, text in blocks("README") if language == "python")
    (tmp_path / "mine.py").write_text(mine)
    done = 0
    for language, text in blocks(name):
        if (file := FILE_NAME.match(text)) and language not in ("", "sh", "console", "text"):
            (tmp_path / file[1]).write_text(text, encoding="utf-8")
        for command, wanted in exchanges(name, language, text):
            code, out, err = typed(command, tmp_path)
            if wanted and name != "README":  # which shows what a demo printed
                assert doctest.OutputChecker().check_output(wanted, out, doctest.ELLIPSIS), f"$ {command}\n{out}{err}"
            assert code == (1 if " FAIL " in wanted else 0), f"$ {command}\n{out}{err}"
            done += 1
    assert done > 2
