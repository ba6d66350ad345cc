"""A walk through the documents: every command of README, QUICKSTART and COMING, typed in terminals of three sizes.

What is on the screen is judged as a person would judge it: no line that the terminal had to break, no traceback, and
the exit code that the document promises. A failing test shows the screen.
"""

import json
import re
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.walk.conftest import Clone
from tests.walk.documents import COMING, QUICKSTART, README, commands, spans, steps
from tests.walk.screen import SIZES, Terminal, in_terminal

long = [pytest.mark.long, pytest.mark.timeout(1800)]
SIZE = pytest.mark.parametrize("size", SIZES, ids=[f"{columns}x{lines}" for columns, lines in SIZES])
Size = tuple[int, int]
LEFT, RIGHT, HOME = "\x1b[D", "\x1b[C", "\x1b[H"
CTRL_C = "\x03"
INTERRUPTED = 130
DEADLINE_S = 300.0
DATA = (
    "arena export ",
    "arena docs ",
    "arena standings demo.db --json",
    "arena show demo.db 1 --json",
    "printf ",
    "sed ",
    "cc ",
)
"""What these print is for programs, or to be copied: the terminal may break it."""

OF_PIP = ("WARNING: ", "DEPRECATION: ", "[notice]")
"""So begins what pip may say of the machine's packages."""


def judged(terminal: Terminal, code: int, wanted: int = 0) -> None:
    """The command ended as it should, and its screen is whole."""
    assert code == wanted, f"exit code {code}\n" + "\n".join(terminal.history)
    assert "Traceback" not in "\n".join(terminal.history), terminal.picture()
    assert code or terminal.command.startswith(DATA) or not (broken := broken_lines(terminal)), "\n".join(
        ["the terminal had to break lines:", *broken, terminal.picture()]
    )


def broken_lines(terminal: Terminal) -> list[str]:
    """The lines that did not fit. Commands and position strings stay whole because people copy them."""
    whole = [line.rstrip("\r") for line in re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", terminal.text_written).split("\n")]
    found = []
    for part in terminal.screen.broken:
        line = next((line for line in whole if part.rstrip() in line), part)
        is_copied = line.startswith("position ") or line.lstrip().startswith(("arena ", "again ", "cd "))
        if not is_copied and " " in part.strip() and not line.lstrip().startswith(OF_PIP):
            found.append(line)
    return found


def type_keys(terminal: Terminal, *pairs: tuple[str, str]) -> None:
    """Wait for each text, and then press the keys beside it."""
    for text, keys in pairs:
        terminal.until(text)
        terminal.type(keys)


def play(terminal: Terminal) -> int:
    """A move, a hint, the help, and out again."""
    type_keys(terminal, ("1. you (White):", "d4\n"), ("2. you (White):", "hint\n"), ("would play", "help\n"))
    type_keys(terminal, ("quit         leave", "quit\n"), ("`quit` again", "quit\n"))
    return terminal.end()


def step_through(terminal: Terminal) -> int:
    """The arrows, the details and back, and out again."""
    type_keys(terminal, ("q quit", HOME), ("the start, before ply 1", RIGHT), ("ply 1 of", RIGHT), ("ply 2 of", LEFT))
    type_keys(terminal, ("ply 1 of", "i"), ("i back", "i"), ("ply 1 of", "q"))
    return terminal.end()


def stop(terminal: Terminal) -> int:
    """Pause and go on, and stop. What is typed to a run whose output nobody has read would discard that output."""
    type_keys(terminal, ("ply", "p"), ("paused", "p"))
    terminal.until(lambda text: "paused" not in text)
    terminal.type(CTRL_C)
    return terminal.end()


def stop_or_see_the_end(terminal: Terminal) -> int:
    """Stop a run that may be too short for that; where it was stopped, the code is that of an interrupt."""
    type_keys(terminal, ("0 of 8 games", CTRL_C))
    code = terminal.end()
    assert code in (0, INTERRUPTED), terminal.picture()
    assert (code == 0) == ("interrupted: " not in "\n".join(terminal.history)), terminal.picture()
    return 0


DRIVEN: dict[str, tuple[Callable[[Terminal], int], int]] = {
    "arena play greedy --variant callanish-7": (play, 0),
    "arena show games.db 1": (step_through, 0),
    "arena show demo.db 1": (step_through, 0),
    "arena tournament cup.toml": (stop_or_see_the_end, 0),
    "arena match new old": (stop, INTERRUPTED),
    "arena check ./wrong": (Terminal.end, 1),
}
"""By the beginning of a command: the keys that it wants, and its exit code."""
NOT_TYPED = {
    "make demo": "typed by the fixture, in the fresh clone",
    "make test": "the walk is one of its tests",
    **dict.fromkeys(
        (
            "arena engines add fox --adapter tablut --contain strict -- /home/me/fox/runmyplayer.sh",
            "arena match fox buckquoy --variant tablut-ashton --movetime 2000 --games 2 --contain strict",
        ),
        "nobody has this engine; tests/engines/adapters/test_tablut.py adds and plays others",
    ),
    "arena engines build": "test_engines_build.py types it, in a cache of its own",
    "make dist": "`.ci/run` makes and tries the distributions",
    "pipx install dist/*-none-any.whl": "`.ci/run` installs them into empty environments",
    "arena play stornoway:Strength=4 --web": "it serves until Ctrl-C; tests/web/browser/test_play.py plays such games",
    "arena serve cup.db --serve": "they serve until the end; tests/web/test_server_command.py tries both",
    "pip install 'callanish-arena[web]'": "`make venv` installs both packages",
    "arena --install-completion": "changes the shell of whoever runs the tests; test_completion.py tries it",
}
"""And why."""
OF_SENTENCES = {"make venv": "make venv", "source .venv/bin/activate": ". .venv/bin/activate && arena --version"}
"""Commands in sentences, which are typed in the clone."""
OF_README = [
    "arena docs",
    "arena docs QUICKSTART",
    "arena variants callanish-7",
    "arena variants callanish-7 --lang ja",
    "arena new nova --language c",
]
"""Commands in its sentences."""
OF_COMING = [
    "arena --help",
    "arena --version",
    "arena variants",
    "arena engines list",
    'arena engines add mine "{engine}"',
    "arena init my.toml",
    "arena check random --variant callanish-7 --level smoke --slow 2",
    "arena check random --variant callanish-7 --group H",
    "arena match alphabeta alphabeta:Hash=16 --variant callanish-7 --games 2 --seed 7 --concurrency 1 --tc 1+0.1 "
    "--margin 60 --book book.txt --book-order random --book-start 1 --book-plies 2 --draw score=20,moves=8,after=40 "
    "--resign score=600,moves=3 --max-plies 60 --pgn match.pgn --trace traces --events events.jsonl --start-ms 20000 "
    "--ready-ms 20000 --newgame-ms 60000 --freeze --pin --cpus 0 --option Hash=8",
    "arena match greedy random --variant callanish-7 --depth 1",
    "arena match greedy random --variant callanish-7 --movetime 20",
    "arena match greedy alphabeta --variant callanish-7 --nodes 30",
    "arena match greedy alphabeta --variant callanish-7 --limit-a nodes=20 --limit-b movetime=20",
    "arena sprt alphabeta random --variant callanish-7 --nodes 50 --elo0 0 --elo1 200 --alpha 0.1 --beta 0.1 "
    "--model logistic",
    "arena openings make --variant callanish-7 --plies 4 --count 4 --engine greedy --nodes 50 --output made.txt",
    "arena tournament my.toml --concurrency 1 --cpus 0 --seed 3 --pgn my.pgn --db my.db",
    "arena tournament my.toml --resume --db my.db",
    "arena standings demo.db",
    "arena standings demo.db --json",
    "arena stats demo.db",
    "arena show demo.db 1",
    "arena show demo.db 1 --json",
    "arena export demo.db --format fen --output games.fen",
    "arena export demo.db --format jsonl --output games.jsonl",
    "arena export demo.db --format pgn --output demo.pgn",
]
"""One or more commands for each that COMING names in its sentences and tables."""


def typed(command: str, size: Size, folder: Path, clone: Clone) -> None:
    """Type a command, press the keys that it wants, and judge what is seen."""
    drive, wanted = next((how for start, how in DRIVEN.items() if command.startswith(start)), (Terminal.end, 0))
    if "--resume" in command:
        drive, wanted = Terminal.end, 0
    with in_terminal(command, size, folder, clone.home(folder), deadline_s=DEADLINE_S) as terminal:
        judged(terminal, drive(terminal), wanted)


def prepared(tmp_path: Path, clone: Clone) -> Path:
    """A folder of one's own with the games of the demo."""
    folder = tmp_path / "home"
    folder.mkdir()
    shutil.copy2(clone.folder / "demo.db", folder / "demo.db")
    return folder


def follow(page: str, size: Size, folder: Path, clone: Clone) -> None:
    """Save the files of a page and type its commands, in their order."""
    for step in steps(page):
        if step.file:
            (folder / step.file).write_text(step.text, encoding="utf-8")
        elif step.text not in NOT_TYPED and not (step.text.startswith("cc ") and shutil.which("cc") is None):
            typed(step.text, size, folder, clone)


def test_every_command_within_a_sentence_is_typed_somewhere() -> None:
    """A document that names another command or option gets a line here, or a reason why it is not typed."""
    told = [
        *commands(README),
        *commands(QUICKSTART),
        *commands(COMING),
        *OF_README,
        *OF_COMING,
        *OF_SENTENCES,
        *NOT_TYPED,
    ]
    told += ["arena demo"]  # by `make demo`
    for span in [each for page in (README, QUICKSTART, COMING) for each in spans(page)]:
        words = span.split()
        command = [word for number, word in enumerate(words) if number < 3 and re.fullmatch(r"[a-z][a-z./]*", word)]
        known = [line.split() for line in told if line.split()[: len(command)] == command]
        options = {word for word in words if word.startswith("--")}
        assert known and options <= {word for line in known for word in line}, f"no test types `{span}`"


class TestWalk:
    """In a fresh clone, as somebody who has just heard of it."""

    pytestmark = long

    def test_the_demo_ends_with_one_screen(self, clone: Clone) -> None:
        """Its 24 lines of 80 columns hold the table, the board, and three commands to go on with."""
        judged(clone.demo, 0)
        lines, text = clone.demo.lines, clone.demo.text
        assert re.search(r"^# engine +Elo +\+- +TrueSkill games", text, re.MULTILINE), text
        assert sum(bool(re.match(r"[1-5] \S+ +([<>] )?[+-]\d+ +[-+0-9]+ +80 ", line)) for line in lines) == 5, text
        assert "   a b c d e f g" in text and re.search(r"won|beat", text), text
        after = text.partition("Try next:\n")[2].splitlines()
        assert [line.split()[:1] for line in after if line.strip()] == [[".venv/bin/arena"]] * 3, text

    def test_the_commands_of_the_demo_s_end_can_be_typed(self, clone: Clone, tmp_path: Path) -> None:
        """What it tells to try next is there: as it stands in the clone, without the path from elsewhere."""
        folder = prepared(tmp_path, clone)
        told = [line for line in clone.demo.lines if line.startswith("  .venv/bin/arena ")]
        commands_told = [line.strip().removeprefix(".venv/bin/") for line in told]
        assert len(commands_told) == 3
        for command in commands_told:
            drive = step_through if command.startswith("arena show") and "--json" not in command else Terminal.end
            if command.startswith("arena play"):
                drive = play
            with in_terminal(command, (80, 24), folder, clone.home(folder), deadline_s=DEADLINE_S) as terminal:
                judged(terminal, drive(terminal))

    @pytest.mark.parametrize("size", SIZES[1:], ids=["100x30", "40x20"])
    def test_the_demo_in_other_terminals(self, size: Size, clone: Clone, tmp_path: Path) -> None:
        """Its live view never breaks a line, and it ends with the table and what to try next."""
        with in_terminal("arena demo --seed 1", size, tmp_path, clone.home(tmp_path), deadline_s=600) as terminal:
            judged(terminal, terminal.end())
            assert "Try next:" in terminal.text, terminal.picture()

    @SIZE
    def test_commands_in_sentences(self, size: Size, clone: Clone) -> None:
        """`make venv` has nothing more to do, and `arena` is on the path afterwards."""
        for command in OF_SENTENCES.values():
            with in_terminal(command, size, clone.folder, clone.environment, deadline_s=DEADLINE_S) as terminal:
                judged(terminal, terminal.end())

    @SIZE
    def test_the_readme(self, size: Size, clone: Clone, tmp_path: Path) -> None:
        """From the first match to an engine of one's own. The tournament is stopped, and goes on."""
        folder = prepared(tmp_path, clone)
        follow(README, size, folder, clone)
        for command in OF_README:
            typed(command, size, folder, clone)
        with closing(sqlite3.connect(folder / "cup.db")) as store:
            assert store.execute("select count(*) from games").fetchone() == (8,)

    @SIZE
    def test_quickstart(self, size: Size, clone: Clone, tmp_path: Path) -> None:
        """The engines of the document, checked and played."""
        follow(QUICKSTART, size, prepared(tmp_path, clone), clone)

    @SIZE
    def test_coming(self, size: Size, clone: Clone, tmp_path: Path) -> None:
        """The long command of the page is stopped; each option of its tables is used."""
        folder = prepared(tmp_path, clone)
        (folder / "book.txt").write_text("d4 c3\nc3 e5\n", encoding="utf-8")
        if shutil.which("cc") is not None:
            # Two engines with an option `Hash`, as the page has them.
            source = (clone.folder / "engines" / "independent.c").read_text(encoding="utf-8")
            (folder / "new.c").write_text(source.replace("Seed", "Hash"), encoding="utf-8")
            typed("cc -std=c11 -O2 -o new new.c && cp new old", size, folder, clone)
            follow(COMING, size, folder, clone)
        engine = f"{clone.folder / '.venv' / 'bin' / 'python'} -P -m engines.greedy"
        for command in OF_COMING:
            typed(command.replace("{engine}", engine), size, folder, clone)

    @SIZE
    def test_a_run_is_followed_from_another_terminal(self, size: Size, clone: Clone, tmp_path: Path) -> None:
        """`arena watch` shows its boards; q leaves, and the run goes on. Ctrl-C stops the run."""
        folder, home = tmp_path, clone.home(tmp_path)
        command = "arena match greedy alphabeta --variant callanish-7 --games 500 --movetime 50 --db run.db"
        with in_terminal(command, size, folder, home, deadline_s=DEADLINE_S) as run:
            run.until("ply")
            with in_terminal("arena watch run.db", size, folder, home, deadline_s=DEADLINE_S) as watch:
                type_keys(watch, ("ply", "q"))
                judged(watch, watch.end())
            judged(run, stop(run), INTERRUPTED)
            assert not run.screen.broken or not broken_lines(run), run.picture()

    @pytest.mark.parametrize(
        "setting",
        [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {"LC_ALL": "C", "PYTHONUTF8": "0"}],
        ids=["NO_COLOR", "dumb", "C"],
    )
    def test_plainer_terminals(self, setting: dict[str, str], clone: Clone, tmp_path: Path) -> None:
        """Without colours there are none; a dumb terminal gets no cursor movements; ASCII stays ASCII.

        Python writes UTF-8 where the locale is only C, so it is told not to.
        """
        folder = prepared(tmp_path, clone)
        environment = {**clone.home(folder), **setting}
        for command in (
            "arena match greedy random --variant callanish-7 --games 2 --movetime 20",
            "arena standings demo.db",
            "arena crosstable demo.db",
            "arena variants callanish-7",
            "arena position brandub",
            "arena plot ratings demo.db --svg ratings.svg",
            "arena --help",
            "arena mtach",
        ):
            with in_terminal(command, (80, 24), folder, environment, deadline_s=DEADLINE_S) as terminal:
                judged(terminal, terminal.end(), 2 if "mtach" in command else 0)
                written = terminal.text_written
                colours = re.findall(r"\x1b\[(?:[0-9]+;)*(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;[0-9]+)*m", written)
                if "NO_COLOR" in setting:
                    assert not colours, terminal.picture()
                if "TERM" in setting:
                    assert "\x1b" not in written, f"{command}: {written!r}"
                if "LC_ALL" in setting:
                    assert written.isascii(), f"{command}: {written!r}"

    def test_a_pipe_gets_plain_lines(self, clone: Clone, tmp_path: Path) -> None:
        """No colours, no cursor movements, no line broken for a terminal; a reader that leaves is no error."""
        folder = prepared(tmp_path, clone)
        for command in ("standings demo.db", "crosstable demo.db", "stats demo.db", "games demo.db", "show demo.db 1"):
            line = f"arena {command} > out.txt 2> err.txt"
            with in_terminal(line, (40, 20), folder, clone.home(folder), deadline_s=DEADLINE_S) as terminal:
                judged(terminal, terminal.end())
            printed = (folder / "out.txt").read_text(encoding="utf-8")
            assert printed and "\x1b" not in printed
            assert not (folder / "err.txt").read_text(encoding="utf-8")
        assert max(map(len, (folder / "out.txt").read_text(encoding="utf-8").splitlines())) > 40
        gone = "arena export demo.db --format jsonl | head -n 1 | wc -l"
        with in_terminal(gone, (80, 24), folder, clone.home(folder), deadline_s=DEADLINE_S) as terminal:
            judged(terminal, terminal.end())
            assert terminal.history == ["1"], terminal.picture()
        as_json = "arena standings demo.db --json | cat > out.json"
        with in_terminal(as_json, (40, 20), folder, clone.home(folder), deadline_s=DEADLINE_S) as terminal:
            judged(terminal, terminal.end())
        json.loads((folder / "out.json").read_text(encoding="utf-8"))
