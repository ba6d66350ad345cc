"""The command line of the zoo and the list of its faults. That its correct engine is correct, the checks say."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from protocol.faults import Fault
from tests.zoo.catalogue import FAULTS
from tests.zoo.cli import main
from tests.zoo.faults.fault import Verdict
from tests.zoo.settings import PHASES

ROOT = Path(__file__).parents[2]


def said(*arguments: str, asked: str = "") -> list[str]:
    """What the zoo says with these arguments when it is told these lines."""
    program = (sys.executable, "-P", "-m", "tests.zoo", *arguments)
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    done = subprocess.run(program, input=asked, env=environment, capture_output=True, text=True, timeout=60, check=True)
    return done.stdout.splitlines()


def test_resigning_and_offering_can_be_asked_for() -> None:
    """--resign and --offer let a correct engine resign and offer draws, unless its options forbid it."""
    later = "position startpos moves a1\ngo nodes 1\n"
    refused = "setoption name UGI_Resign value false\nsetoption name UGI_Draw value false\n"
    asked = f"position startpos\ngo nodes 1\n{later}{refused}{later}"
    lines = said("--offer", "0", "--resign", "1", "--mover", "first", asked=asked)
    *wished, last = (line for line in lines if not line.startswith("info"))
    assert wished == ["offer draw", "bestmove a1", "bestmove resign"]
    assert last.startswith("bestmove ") and last != "bestmove resign"


def test_the_list_names_every_fault(capsys: pytest.CaptureFixture[str]) -> None:
    """With a sentence and verdicts that exist."""
    assert main(["--list"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(FAULTS)
    for name, fault in FAULTS.items():
        assert (fault.__doc__ or "").endswith("."), name
        assert fault.verdicts and len(dict(fault.verdicts)) == len(fault.verdicts), name
        assert {phase for phase, _ in fault.verdicts} <= set(PHASES), name


def test_the_words_of_a_forfeit_are_the_protocols() -> None:
    """Every word of a forfeit is a verdict of some fault."""
    assert {str(verdict) for verdict in Verdict} == {str(word) for word in Fault} | {"harmless", "contained"}
    assert {verdict for fault in FAULTS.values() for _, verdict in fault.verdicts} == set(Verdict)
