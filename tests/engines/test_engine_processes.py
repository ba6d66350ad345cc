"""The engines as users run them: their own processes, spoken to through pipes, as `engines.toml` says."""

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.engines.shared import Spoken

ENGINES = Path(__file__).parent.parent.parent / "engines"
ENTRIES: list[dict[str, Any]] = tomllib.loads((ENGINES / "engines.toml").read_text())["engines"]
DEMO: list[dict[str, Any]] = tomllib.loads((ENGINES / "demo.toml").read_text())["engines"]
NAMES = [str(entry["name"]) for entry in ENTRIES]


@pytest.fixture
def spoken(request: pytest.FixtureRequest) -> Iterator[Spoken]:
    (entry,) = [entry for entry in ENTRIES if entry["name"] == request.param]
    command = [sys.executable if word == "{python}" else word for word in entry["command"]]
    # -P keeps the working directory out of the path, where the packages may lie without being installed.
    engine = Spoken(command, ENGINES.parent, {**os.environ, "PYTHONPATH": str(ENGINES.parent)})
    try:
        yield engine
    finally:
        engine.process.kill()
        engine.process.communicate()


def answer_to(spoken: Spoken, *lines: str, word: str) -> str:
    spoken.say(*lines)
    return spoken.hear(word)[-1]


def introduced(name: str, spoken: Spoken) -> None:
    """The handshake names the engine, its variants, rules, seed and queries."""
    spoken.say("ugi")
    told = "\n".join(spoken.hear("ugiok"))
    assert re.search(r"^id name \w+$", told, re.MULTILINE)
    variants = re.search(r"^option name UGI_Variant type combo default (\S+) var (.*)$", told, re.MULTILINE)
    assert variants is not None and variants[1] in variants[2].split()
    assert ("callanish-9" in variants[2].split()) == (name != "buckquoy")
    assert ("scottish" in variants[2].split()) == (name != "stornoway")
    assert "option name UGI_Rules type string" in told
    assert "option name Seed type spin" in told
    assert "option name UGI_Queries type string default p1turn gameover result legalmoves islegal fen perft" in told


@pytest.mark.parametrize(
    ("name", "spoken"),
    [pytest.param(name, name, marks=[pytest.mark.long] * (name != "strong")) for name in NAMES],
    indirect=["spoken"],
)
def test_it_introduces_itself_plays_answers_and_quits(name: str, spoken: Spoken) -> None:
    """A short conversation: a move under each kind of limit, stop, queries, an impossible position, the end."""
    introduced(name, spoken)
    if name == "stornoway":  # it does not play tafl
        return
    assert answer_to(spoken, "isready", word="readyok") == "readyok"
    spoken.say("setoption name UGI_Variant value scottish", "setoption name Seed value 3", "uginewgame")
    answer_to(spoken, "position startpos", "isready", word="readyok")
    for limits in ("depth 1", "nodes 100", "movetime 30", "p1time 1000 p2time 1000 p1inc 0 p2inc 0", "p1time 1"):
        spoken.say(f"go {limits}")
        *infos, answer = spoken.hear("bestmove")
        move = answer.split()[1]
        assert re.search(rf"^info depth \d+ score (cp|mate) -?\d+ nodes \d+ time \d+.* pv {move}\b", infos[-1])
        assert answer_to(spoken, f"query islegal {move}", word="response") == "response true"
    assert answer_to(spoken, "query p1turn", word="response") == "response true"
    assert answer_to(spoken, "query perft 2", word="response") == "response 1152"
    spoken.say("go infinite")
    assert answer_to(spoken, "stop", word="bestmove") != "bestmove 0000"
    # Out of the way: the bridge word, then a board that cannot be and a move that is none.
    assert answer_to(spoken, "position fen 7/7/7/7/7/7/7 p1 1", word="error").count("king") == 1
    assert "d1d9" in answer_to(spoken, "position startpos moves d1d9", word="error")
    answer_to(spoken, "position startpos moves d1c1 d3c3", "isready", word="readyok")
    assert answer_to(spoken, "query result", word="response") == "response none"
    answer_to(spoken, "position startpos" + " moves" + " d1c1 d3c3 c1d1 c3d3" * 2, "isready", word="readyok")
    assert answer_to(spoken, "go nodes 10", word="bestmove") == "bestmove 0000"
    assert answer_to(spoken, "query result", word="response") == "response draw"
    spoken.say("quit")
    assert spoken.process.wait(20) == 0


IMPORTED = """
import importlib, os, sys
import arena.games.variants, protocol.engine  # once, for all of them
for module in sys.argv[1:]:
    if os.fork() == 0:
        importlib.import_module(module)
        print(*(n for n, m in sys.modules.items() if n.startswith("engines.") and not hasattr(m, "__path__")))
        sys.exit()
    os.wait()
"""
"""Prints what each module imports of `engines`, in a process of its own."""


def test_the_fingerprint_covers_what_an_engine_imports() -> None:
    """The `files` of an entry are there, and they are all of `engines` that its program imports."""
    entries = [*ENTRIES, *(each for each in DEMO if "command" in each)]
    programs = [entry["command"][entry["command"].index("-m") + 1] for entry in entries]
    modules = [*dict.fromkeys(programs)]
    done = subprocess.run(
        [sys.executable, "-c", IMPORTED, *modules],
        cwd=ENGINES.parent,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    imported = dict(zip(modules, done.stdout.splitlines(), strict=True))
    for entry, line in zip(entries, map(imported.__getitem__, programs), strict=True):
        assert {name.removeprefix("engines.").replace(".", "/") + ".py" for name in line.split()} == {*entry["files"]}
        assert all((ENGINES / name).is_file() for name in entry["files"])
