"""How commands begin and end: help, version, exit codes, closed pipes."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from arena.cli.app import PANELS, TOOLS, Frame
from arena.cli.errors import CannotStartEngine, CheckFailed
from arena.cli.output import console
from arena.planning.errors import EngineUnavailable, PlanError
from tests.arena.cli.conftest import Arena
from tests.command_line import commands


def ends(error: BaseException) -> Result:
    """A command that raises `error`, run in our frame."""
    small = typer.Typer(cls=Frame, pretty_exceptions_enable=False)

    @small.callback()
    def frame() -> None:
        """A frame."""

    @small.command()
    def fail() -> None:
        raise error

    return CliRunner().invoke(small, ["fail"])


def ran(
    *words: str, shell: str = "", stdout: int = subprocess.PIPE, within_s: int = 120
) -> "subprocess.CompletedProcess[str]":
    """A process of Python; `shell` redirects its output."""
    command = ["sh", "-c", f'"$@" {shell}', "sh"] if shell else []
    pipe = subprocess.PIPE
    return subprocess.run(
        [*command, sys.executable, *words], stdout=stdout, stderr=pipe, text=True, timeout=within_s, check=False
    )


def test_every_command_argument_and_option_has_help() -> None:
    """Nothing on the command line is left unexplained."""
    for name, command in commands().items():
        assert command.help, name
        for parameter in command.params:
            assert parameter.name == "help" or parameter.help, f"{name}: {parameter.name}"


def test_at_first_sight_there_are_few_commands(arena: Arena) -> None:
    """`arena` alone is one screen that names them; the others are listed by `arena tools`, and work without it too."""
    shown = arena()
    assert (shown.exit_code, len(shown.stdout.splitlines()) <= 24) == (0, True)
    assert all(len(line) <= 80 for line in shown.stdout.splitlines())
    names = [name for table in PANELS.values() for name in table]
    assert len(names) <= 24 and all(name in shown.stdout.split() for name in names)
    assert all(f"  {name} " in arena("tools", "--help").stdout for name in TOOLS)
    for words in (("tools", "perft", "scottish", "1"), ("perft", "scottish", "1")):
        assert arena(*words).stdout == "48\n"


def test_version(arena: Arena) -> None:
    """--version prints the name and a number."""
    assert arena("--version").stdout.startswith("arena 0.")


@pytest.mark.parametrize(
    ("error", "code", "sentence"),
    [
        (CheckFailed("two games differ"), 1, "arena: two games differ\n"),
        (CannotStartEngine(), 3, ""),
        (PlanError("--games 0 is out of range"), 2, "arena: --games 0 is out of range\n"),
        (EngineUnavailable("engine x ended at once"), 3, "arena: engine x ended at once\n"),
        (FileNotFoundError(2, "No such file or directory", "x.db"), 2, "arena: x.db does not exist: check the path\n"),
        (
            OSError(errno.EMFILE, "Too many open files"),
            2,
            "arena: Too many open files: allow more (`ulimit -n`), or play fewer games at once\n",
        ),
        (
            OSError(errno.EACCES, "Permission denied", "pages"),
            2,
            "arena: pages: Permission denied; check its permissions and its folder's, or name another place\n",
        ),
        (
            MemoryError(),
            2,
            "arena: no memory is left to this process: allow more (`ulimit -v`), or end other programs\n",
        ),
        (KeyboardInterrupt(), 130, ""),
    ],
)
def test_failures_become_a_sentence_and_a_code(error: BaseException, code: int, sentence: str) -> None:
    """Each kind of failure has its exit code, and users never see a traceback of it."""
    ended = ends(error)
    assert ended.exit_code == code
    assert ended.stderr == sentence


def test_a_sentence_that_stderr_cannot_take_goes_to_stdout() -> None:
    """Where stderr is a file on a full disk, no command ends without a word."""
    ended = ran("-m", "arena.main", "show", "no.db", "1", shell="2>/dev/full")
    assert ended.returncode == 2 and ended.stdout.startswith("arena: ") and "no.db" in ended.stdout


@pytest.mark.parametrize("error", [ZeroDivisionError(), ValueError("odd"), OSError("no file named")])
def test_our_own_bugs_keep_their_traceback(error: Exception) -> None:
    """What is nobody's input is not dressed up as a sentence."""
    assert ends(error).exception is error


def test_a_closed_pipe_ends_quietly() -> None:
    """`arena variants | head -1`: no traceback and no complaint of Python's."""
    reading, writing = os.pipe()
    os.close(reading)
    ended = ran("-m", "arena.main", "perft", "callanish-25", "1", "--divide", stdout=writing)
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.parametrize(("shell", "said"), [(">/dev/full", "No space left on device"), (">&-", "stdout is closed")])
def test_a_full_or_closed_stdout_is_said_in_a_sentence(shell: str, said: str) -> None:
    """`arena ... > /dev/full` and `arena ... >&-` lose what they print, so they fail."""
    ended = ran("-m", "arena.main", "--help", shell=shell)
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1), ended.stderr
    assert ended.stderr.startswith("arena: ") and said in ended.stderr


def test_what_a_terminal_cannot_show_is_replaced() -> None:
    """A name in another script, or a file name that is no text, is no reason to show nothing; its width stays."""
    small = typer.Typer(cls=Frame, pretty_exceptions_enable=False)

    @small.callback()
    def frame() -> None:
        """A frame."""

    @small.command()
    def say() -> None:
        typer.echo("caf\xe9 \u77f3 \udce9")
        console().print("\u77f3")

    shown = CliRunner(charset="latin-1").invoke(small, ["say"])
    assert (shown.exit_code, shown.stdout_bytes) == (0, b"caf\xe9 ?? ?\n??\n")


def test_an_interrupt_while_modules_are_loaded_has_no_traceback() -> None:
    """Ctrl-C in the first moments ends as it does later."""
    program = (
        "import signal, sys\n"
        "class Interrupting:\n"
        "    def find_spec(self, name, path, target=None):\n"
        "        if name == 'arena.cli.commands.reading.standings':\n"
        "            signal.raise_signal(signal.SIGINT)\n"
        "sys.meta_path.insert(0, Interrupting())\n"
        "sys.argv = ['arena', 'standings', 'none.db']\n"
        "from arena.main import main\n"
        "main()\n"
    )
    ended = ran("-c", program)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")


SWALLOWED = {
    "a module that tries to import another": """
class Finder:
    def find_spec(self, name, path, target=None):
        if name == 'arena.cli.app':
            try:
                signal.raise_signal(signal.SIGINT)
            except BaseException:
                pass
sys.meta_path.insert(0, Finder())
""",
    "a callback from C, with a child": """
import subprocess, time
child = subprocess.Popen(['sleep', '30'])
class Gone:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)
import arena.cli.app as app
def program():
    try:
        Gone()
        time.sleep(30)
    finally:
        child.kill()
        child.wait()
app.program = program
""",
}


@pytest.mark.parametrize("who", SWALLOWED)
def test_an_interrupt_that_python_or_a_module_drops_is_heard_all_the_same(who: str) -> None:
    """At once, with nothing said; a process with children ends them first."""
    program = (
        f"import signal, sys\n{SWALLOWED[who]}from arena.main import main\nsys.argv = ['arena', '--help']\nmain()\n"
    )
    ended = ran("-c", program, within_s=20)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")


def test_starting_loads_the_command_that_was_named_and_nothing_heavy() -> None:
    """Help, and the import that every worker repeats, come without the database, pydantic and processes.

    Whoever reads a database does not wait for what plays.
    """
    program = (
        "import sys, arena.main; assert not any(name.startswith('typer') for name in sys.modules)\n"
        "import typer.main, arena.cli.app; program = typer.main.get_command(arena.cli.app.program())\n"
        "print(*{'sqlite_utils', 'pydantic', 'multiprocess', 'numpy'} & set(sys.modules))\n"
        "program.get_command(None, 'standings'); print(*sys.modules)"
    )
    heavy, loaded = ran("-c", program).stdout.splitlines()
    assert heavy == "" and "arena.cli.commands.reading.standings" in loaded.split()
    assert not set(loaded.split()) & {
        "arena.cli.commands.playing.match",
        "arena.cli.commands.rules.check",
        "arena.cli.run.run_plan",
    }


def test_a_second_ctrl_c_removes_the_lock_of_a_run_too(tmp_path: Path) -> None:
    """The first one unwinds, which may take as long as an engine of the smoke checks; the second one ends at once."""
    code = (
        "import signal, sys, time\n"
        "from pathlib import Path\n"
        "from arena import main\n"
        "from arena.planning.run_lock import run_lock\n"
        "main._hear_every_interrupt()\n"
        "with run_lock(Path(sys.argv[1]), 'ab12', 'cup'):\n"
        "    try:\n"
        "        assert list(Path(sys.argv[1]).parent.glob('*.lock'))\n"
        "        signal.raise_signal(signal.SIGINT)\n"
        "    finally:\n"
        "        signal.raise_signal(signal.SIGINT)\n"
        "        time.sleep(60)\n"
    )
    done = ran("-c", code, str(tmp_path / "a.db"), within_s=20)
    assert (done.returncode, list(tmp_path.iterdir())) == (130, [])
