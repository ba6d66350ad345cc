"""What people type and write by mistake: each gets one sentence with the remedy, and leaves everything as it was."""

import os
import re
import shlex
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from arena.cli import reference, usage
from results.store.store import Store
from tests.arena.cli.conftest import Arena, add, record
from tests.command_line import commands

ENGINES = '[[engines]]\nname = "random"\n[[engines]]\nname = "greedy"\n'
GONE = """
[[engines]]
name = "gone"
command = ["python3", "bare.py"]
[[engines]]
name = "lost"
command = ["/none/my fox"]
[[engines]]
name = "nowhere"
command = ["no-such-fox", "--quick"]
"""
UCI = """#!/bin/sh
while read -r word; do case $word in
uci) echo id name Fish; echo uciok ;;
quit) exit ;;
*) echo "Unknown command: $word" ;;
esac; done
"""
MUTE = "#!/bin/sh\nwhile read -r word; do test $word != quit || exit; done\n"
NO_READY = "#!/bin/sh\nwhile read -r word; do test $word != ugi || echo ugiok; done\n"
CHESS = '[Event "x"]\n[White "a"]\n[Black "b"]\n[Result "1-0"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n'


def script(path: str, text: str, mode: int = 0o755) -> None:
    Path(path).write_text(text)
    Path(path).chmod(mode)


class Made(NamedTuple):
    """A folder, and all its files as they were made."""

    folder: Path
    files: dict[str, bytes]


@pytest.fixture(scope="module")
def author(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """A folder as an author of engines has it. It is made once, for every test looks whether it is left as it was."""
    folder = tmp_path_factory.mktemp("author")
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        fill()
    return Made(folder, left_behind(folder))


@pytest.fixture
def made(author: Made, monkeypatch: pytest.MonkeyPatch, quick: None) -> Made:
    """The folder that commands are typed in."""
    monkeypatch.chdir(author.folder)
    return author


def fill() -> None:
    """Make those files in the current folder."""
    for name in ("bin", "games", "my engine"):
        Path(name).mkdir()
    with Store.create_or_open(Path("m.db")) as store:
        add(store, "aa11", [record("aa11", 1, "p2", "king-escaped")])
    with closing(sqlite3.connect("newer.db")) as newer, newer:
        newer.execute("PRAGMA user_version = 9000")
        newer.execute("CREATE TABLE games (a)")
    newer.close()
    Path("empty").touch()
    Path("cup.toml").write_text(f"[tournament]\nnodes = 5\n{ENGINES}")
    Path("bin/gone.toml").write_text(f"{ENGINES}{GONE}")
    Path("half.jsonl").write_text('{"moves": ["a1"], "p1": \n')
    Path("utf16.toml").write_bytes(ENGINES.encode("utf-16"))
    Path("list.toml").write_text('[tournament]\nengines = ["random", "greedy"]\n')
    Path("twice.toml").write_text('[engines]\nname = "random"\n[engines]\nname = "greedy"\n')
    Path("one.toml").write_text('[[engines]]\nname = "random"\n')
    Path("quotes.toml").write_text("[tournament]\nname = my cup\n")
    Path("chess.pgn").write_text(CHESS)
    Path("notes.txt").write_text("b4b5\nnonsense\n")
    script("uci", UCI)
    script("mute", MUTE)
    script("noready", NO_READY)
    script("dies", "#!/bin/sh\necho 'the net is missing: nets/big.bin' >&2\nexit 1\n")
    script("moved.py", "#!/home/me/old-venv/bin/python\n")
    script("bare.py", "print(1)\n")
    script("closed.py", "#!/bin/sh\n", 0o644)
    script("env.py", "#!/usr/bin/env python3\r\nprint(1)\r\n")


MISTAKES = {
    # The command line itself
    "no such command": ("standing m.db", "unknown command 'standing': did you mean standings"),
    "a command of git": ("status", "unknown command 'status'", "`arena watch DB` follows a run"),
    "one engine": ("match random", "missing argument 'B'", "`arena match --help`"),
    "three engines": ("match random greedy mcts", "unexpected argument 'mcts'", "a tournament"),
    "an unquoted command line": ("match python3 mine.py random", "unexpected argument 'random", "quote a command line"),
    "an option misspelt": ("match random greedy --varient brandub", "did you mean --variant?"),
    "an option of nothing": ("match random greedy --gamez 4", "--gamez is no option", "did you mean --games"),
    "fastchess: -each": ("match random greedy -each tc=5", "-each is no option", "--option NAME=VALUE"),
    "a format for a command": ("swiss", "a Swiss is a format", "`arena init swiss ENGINE"),
    "an option in two words": ("match random greedy --option Hash 16", "write --option Hash=16"),
    "a format of init": ("init suisse random greedy", "'suisse' is no format", "did you mean swiss?"),
    "a ladder for a format": ("init ladder random greedy", "round-robin,", "then `arena ladder FILE.toml`"),
    "play --db": ("play greedy --db games.db", "--db is no option", "write --save"),
    "a database by an option": ("standings --db m.db", "--db is no option", "name the database as an argument"),
    "an output by a short name": ("export m.db --format pgn -o g.pgn", "-o is no option", "write --output"),
    "an output as an argument": ("report m.db pages", "unexpected argument 'pages': write `--output pages`"),
    "an unquoted database": ("standings my cup.db", "unexpected argument 'cup.db'", "quote a name that has blanks"),
    "two engines to play": (
        "play greedy random --variant scottish",
        "arena match greedy random --variant scottish --games 1",
    ),
    "a flag with a value": ("match random greedy --quiet=yes", "'--quiet' does not take a value"),
    "an option without a value": (
        "match random greedy --games",
        "'--games' requires an argument; `arena match --help`",
    ),
    "a word for a number": ("match random greedy --games two", "arena: --games two: write a whole number"),
    "a word for a number of moves": ("perft scottish two", "arena: DEPTH two: write a whole number"),
    "no games": ("match random greedy --games 0", "arena: --games 0: it must be at least 1"),
    "a port beyond the last": ("serve m.db --port 99999", "arena: --port 99999: it must be at most 65535"),
    "containment of docker": ("match random greedy --contain docker", "'docker' is not one of 'none', 'basic'"),
    "a format that was forgotten": ("export m.db", "missing option '--format'", "pgn, jsonl"),
    "a check that there is not": ("check random --only Z9", "there is no check 'Z9'"),
    "a group that there is not": ("check random --group Q", "there is no group 'Q'"),
    "games of a report": ("report m.db --games best", "--games 'best' names no games"),
    "a report over a file": ("report m.db --output cup.toml", "cup.toml is a file"),
    "a folder of games": ("verify .", ". is a folder: name a file in it"),
    "a report on stdout": ("report m.db --output -", "cannot be written to stdout; name a folder"),
    "a database on stdout": ("match random greedy --db -", "stdout"),
    "traces on stdout": ("match random greedy --trace -", "stdout"),
    "two forms at once": ("games m.db --json --csv", "--json and --csv: name one of them"),
    "parts of machines": ("standings m.db --machines --anchor random", "--machines and --anchor: name one of them"),
    "two tables at once": ("standings m.db --machines --crosstable", "--machines and --crosstable: name one of them"),
    "a wide crosstable": ("standings m.db --crosstable --wide", "--crosstable and --wide: name one of them"),
    "crosstables by tc": ("standings m.db --crosstable --by tc", "--crosstable and --by: name one of them"),
    "both ends of a list": ("games m.db --limit 1 --last 1", "--limit and --last: name one of them"),
    # Numbers and units
    "a variant without games": (
        "match random greedy --variant callanish-7 --variant callanish-9",
        "--games 2 is too few for 2 variants: write --games 4 or more",
    ),
    "odd games of an sprt": ("sprt random greedy --elo0 0 --elo1 5 --games 3", "--games 3 is odd: a pair is two"),
    "an error of nothing": ("sprt random greedy --elo0 0 --elo1 5 --alpha 0", "--alpha 0"),
    "a ladder of no hours": ("ladder cup.toml --hours 0", "--hours 0"),
    "bounds the wrong way": ("sprt random greedy --elo0 5 --elo1 0", "--elo", "5"),
    "seconds for movetime": ("match random greedy --movetime 0.5", "--movetime: '0.5' has a fraction", "write 0.5s"),
    "a word for movetime": ("match random greedy --movetime soon", "'soon' is no time in milliseconds: write 500"),
    "no movetime": ("match random greedy --movetime 0", "movetime 0 is out of range: it must be from 1"),
    "a negative margin": ("match random greedy --margin -1", "--margin -1: it must be at least 0"),
    "a comma for a point": ("match random greedy --tc 5,3", "time control '5,3' cannot be read: write seconds"),
    "a clock and nodes": ("match random greedy --tc 1+0 --nodes 5", "give one of tc, movetime, nodes and"),
    "nodes with a word": ("match random greedy --nodes 10k", "--nodes 10k: write a whole number"),
    "a limit of A in units": ("match random greedy --limit-a movetime=0.5", "--limit-a: '0.5' has a fraction"),
    "a deadline of days": ("match random greedy --ready-ms 99999999", "--ready-ms 99999999: it must be at most"),
    "too many at once": ("match random greedy --concurrency 99999", "--concurrency 99999: it must be at most 1024"),
    "a seed of letters": ("match random greedy --seed abc", "--seed abc: write a whole number"),
    "time scaled by nothing": ("match random greedy --time-scale 0", "--time-scale 0: it must be above 0"),
    "time scaled by no number": ("match random greedy --time-scale nan", "--time-scale nan: write a number"),
    "a resign rule of one number": ("match random greedy --resign 600", "resign '600'"),
    "a deadline scaled by nothing": ("check random --slow 0", "--slow 0 cannot multiply deadlines: it must be"),
    "random search for no time": ("check random --fuzz 0", "--fuzz 0"),
    "CPUs in words": ("match random greedy --cpus x", "--cpus 'x'", "write their numbers"),
    "CPUs the wrong way": ("match random greedy --cpus 3-1", "--cpus '3-1'", "counts backwards"),
    "a CPU that there is not": ("match random greedy --cpus 4096", "--cpus", "4096"),
    # Variants and positions
    "the file of a variant, without its end": ("perft cup 1", "there is no variant 'cup'; did you mean cup.toml?"),
    "chess": ("match random greedy --variant chess", "there is no variant 'chess'; there are callanish"),
    "a variant without its hyphen": ("match random greedy --variant Callanish9", "did you mean callanish-9"),
    "a position of chess": (
        "match random greedy --fen 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'",
        "position string",
    ),
    "a move of chess": ("position callanish-7 --moves e2e4", "--moves", "e2e4"),
    "a board that is not there": ("match random greedy --board none.txt", "--board: none.txt: there is no such file"),
    "two starts": ("match random greedy --book notes.txt --openings 2", "--openings and book both say where games"),
    "no ply to play": ("match random greedy --variant scottish --openings 2 --max-plies 2", "max_plies 2 ends a game"),
    "an order of no book": ("match random greedy --book-order random", "--book-order says how a book is used"),
    "a book of another variant": (
        "tournament cup.toml --set variants=scottish --set 'book={ brandub = \"notes.txt\" }'",
        "tournament.book: has no file for 'scottish'",
    ),
    "a book that is not there": ("match random greedy --book none.pgn", "there is no file 'none.pgn'"),
    # Files
    "a file that is not there": ("tournament none.toml", "none.toml: there is no such file; check the path"),
    "a database for a file": ("tournament m.db", "m.db: is a database: give a TOML file", "by --db"),
    "a database for a registry": ("match random greedy --engines m.db", "m.db: is a database: give a TOML file"),
    "an empty file": ("tournament empty", "empty: engines: is missing"),
    "text without quotes": ("tournament quotes.toml", "quotes.toml: is not valid TOML", "line 2"),
    "UTF-16": ("tournament utf16.toml", "utf16.toml: cannot be read: line 1 is not UTF-8 text: save the file as UTF-8"),
    "engines in one table": (
        "tournament twice.toml",
        "cannot declare engines twice",
        "begin each engine with [[engines]]",
    ),
    "engines as a list": ("tournament list.toml", "list.toml: tournament.engines", "did you mean [[engines]]"),
    "a single engine in a file": ("tournament one.toml", "engines: has 1, and at least 2 are needed: add more"),
    "a format misspelt": ("tournament cup.toml --set format=swis", "tournament.format", "did you mean 'swiss'?"),
    "a change without a value": ("tournament cup.toml --set rounds", "--set 'rounds' cannot be read: write KEY=VALUE"),
    "seconds in a file": ("tournament cup.toml --set movetime=0.5", "movetime", "a whole number of milliseconds"),
    "a tournament for a registry": ("match random greedy --engines cup.toml", "is a tournament file, not a registry"),
    # Databases
    "a database that is not there": ("standings none.db", "none.db does not exist: check the name, or play a match"),
    "a file for a database": ("standings cup.toml", "cup.toml is not a database: give a results file, such as cup.db"),
    "a text for a new database": (
        "match random greedy --db cup.toml",
        "cup.toml is not a database: give a results file, or another name",
    ),
    "an empty file for a database": ("games empty", "empty"),
    "a database of the future": ("standings newer.db", "newer.db"),
    "a database in no folder": ("match random greedy --db no/x.db", "there is no folder", "make it first"),
    "a run that is still to come": ("watch gone.db", "gone.db does not exist: check the name, or wait", "--wait"),
    "a picture that waits": ("watch m.db --wait --once", "leave out one of them"),
    "a swapped game and database": ("show 1 m.db", "write `arena show m.db 1`"),
    "a text to verify": (
        "verify cup.toml",
        "arena: cup.toml is neither a database, nor JSON lines, one object a line, nor PGN",
    ),
    "nothing to verify": ("verify empty", "empty holds no records: give a database, JSON lines"),
    "a PGN of chess": ("import chess.pgn --into new.db", "chess.pgn", "the game has no tag Variant: write"),
    "an import of an empty file": ("import empty --into new.db", "empty holds no games: name JSON lines or PGN"),
    "an export into a folder": ("export m.db --format pgn --output games", "'games': is a folder; name a file in it"),
    "a PGN into a folder": ("match random greedy --pgn games", "--pgn 'games': is a folder; name a file in it"),
    "an overwritten database": ("merge m.db m.db", "m.db"),
    "traces into a file": ("match random greedy --trace cup.toml --contain none", "is a file; name a folder"),
    # Engines that are not there
    "a name misspelt": ("match greddy random", "engine 'greddy' is neither registered nor", "did you mean 'greedy'?"),
    "a folder for an engine": ("match bin random", "engine 'bin' is a directory: name the program in it"),
    "half a line of JSON": ("import half.jsonl --into new.db", "the line is no JSON: it ends too early"),
    "a book of a file that is not there": (
        "tournament cup.toml --set book=gone.txt",
        "tournament.book: there is no file 'gone.txt' for callanish-9; check the path",
    ),
    "a script that is in the current folder and not in that of the file": (
        "tournament bin/gone.toml --contain none",
        "engine 'gone': there is no file 'bare.py'; check its command; "
        "engine 'lost': there is no file '/none/my fox'; check its command; "
        "engine 'nowhere': there is no program 'no-such-fox' on the PATH; check its command",
    ),
}
"""What is typed, and what the one sentence says, the remedy with it."""


def test_every_hint_names_what_there_is() -> None:
    """What an option of another tool or a likely guess is here: commands and options that exist."""
    known = {option for command in reference.commands().values() for each in command.params for option in each.opts}
    for hint in (*usage._FOREIGN.values(), *usage.WORDS.values(), *(" ".join(each) for each in usage._MEANT.values())):
        assert set(re.findall(r"--[a-z][a-z0-9-]+", hint)) <= {*known, "--help", "--version"}, hint
        assert set(re.findall(r"`arena ([a-z]+)", hint)) <= {*commands()}, hint


STARTS = {
    "a file that is not executable": ("match ./closed.py random", "cannot be started"),
    "a script without a first line": ("match ./bare.py random", "nor a script with a `#!` line", '"python bare.py"'),
    "Windows line ends": (
        "match ./env.py random",
        "its first line ends as Windows ends lines: save it with Unix",
    ),
    "a missing net": ("match ./dies random", "the net is missing: nets/big.bin", "arena check"),
    "an engine for UCI": (
        "match ./uci random --start-ms 100",
        "answers `uci` and not `ugi`: did you mean `--adapter uci`?",
    ),
    "an engine that does not flush": (
        "match ./mute random --start-ms 100",
        "flush its output? Another protocol: --adapter uci",
    ),
    "an engine that is never ready": (
        "match ./noready random --ready-ms 100",
        "no readyok within 100 ms (limits.ready_ms)",
        "More time: --ready-ms or the key limits.ready_ms",
    ),
    "another Python": ("check './moved.py'", "its first line names /home/me/old-venv/bin/python"),
    "a file for an engine": ("check cup.toml", "cannot be started"),
    "an engine to add that dies": ("engines add mine ./dies --engines own.toml", "the net is missing"),
}
"""Engines that cannot be started: exit code 3."""


def left_behind(folder: Path) -> dict[str, bytes]:
    """All files with their content."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def refused(arena: Arena, made: Made, monkeypatch: pytest.MonkeyPatch, typed: str, code: int, said: list[str]) -> None:
    words = shlex.split(typed)
    monkeypatch.setattr(sys, "argv", ["arena", *words])
    done = arena(*words)
    assert done.exit_code == code, done.output
    assert isinstance(done.exception, SystemExit), repr(done.exception)
    lines = done.stderr.strip().splitlines()
    assert lines[-1].startswith("arena: "), done.stderr
    # An import names each refused game in a line of its own, before its sentence.
    assert len(lines) == 1 or words[0] == "import", done.stderr
    for part in said:
        assert part in done.stderr, done.stderr
    assert left_behind(made.folder) == made.files


@pytest.mark.parametrize("typed", MISTAKES)
def test_a_mistake_gets_one_sentence(arena: Arena, made: Made, monkeypatch: pytest.MonkeyPatch, typed: str) -> None:
    """It names what is wrong and what to do; the exit code is 2; nothing is written, nothing is half-written."""
    words, *said = MISTAKES[typed]
    refused(arena, made, monkeypatch, words, 2, said)


@pytest.mark.parametrize("typed", STARTS)
def test_an_engine_that_cannot_be_started_gets_one_sentence(
    arena: Arena, made: Made, monkeypatch: pytest.MonkeyPatch, typed: str
) -> None:
    """With its reason; the exit code is 3; nothing is written."""
    words, *said = STARTS[typed]
    refused(arena, made, monkeypatch, f"{words} --contain none", 3, said)


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "words",
    [
        "tournament {}",
        "match a b --engines {}",
        "openings check {} --variant brandub",
        "match random greedy --variant brandub --book {}",
        "variants {}",
        "position scottish --board {}",
        "import {} --into new.db",
        "merge new.db {}",
        "standings {}",
    ],
)
def test_a_file_that_is_none_is_refused_and_not_waited_for(arena: Arena, words: str) -> None:
    """A pipe that nobody writes, a device without an end, a folder: one sentence that names it."""
    os.mkfifo("pipe")
    for kind in ("pipe", "/dev/zero", "."):
        done = arena(*words.format(kind).split())
        assert (done.exit_code, done.stdout) == (2, ""), kind
        assert kind in done.stderr and done.stderr.count("\n") <= 3
    assert os.listdir() == ["pipe"]
