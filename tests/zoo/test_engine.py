"""The command line of the zoo and the list of its faults. That its correct engine is correct, the checks say."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from protocol.faults import Fault
from tests.zoo.animal import ENVIRONMENT, WAIT_S, ZOO, Start, cage
from tests.zoo.catalogue import FAULTS, as_values, sentence
from tests.zoo.cli import main
from tests.zoo.faults.fault import Verdict
from tests.zoo.settings import PHASES


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start a zoo by its arguments; whatever is left of it is killed."""
    with cage(tmp_path) as begin:
        yield begin


# The correct engine


def test_resigning_and_offering_can_be_asked_for(start: Start) -> None:
    """--resign and --offer let a correct engine resign and offer draws, unless its options forbid it."""
    zoo = start("--offer", "0", "--resign", "1", "--mover", "first")
    zoo.send("position startpos\ngo nodes 1\n")
    assert zoo.lines("bestmove")[-2:] == ["offer draw", "bestmove a1"]
    assert zoo.ask("position startpos moves a1\ngo nodes 1", "bestmove") == "bestmove resign"
    zoo.send("setoption name UGI_Resign value false\nsetoption name UGI_Draw value false\ngo nodes 1\n")
    assert [line.split()[0] for line in zoo.lines("bestmove")] == ["info", "bestmove"]


# The list, the documents, the command line


def test_the_list_names_every_fault() -> None:
    """--list --json gives each fault with a sentence and verdicts that exist, --list a line for each."""
    done = subprocess.run((*ZOO, "--list", "--json"), env=ENVIRONMENT, capture_output=True, timeout=WAIT_S, check=True)
    listed = json.loads(done.stdout)
    assert listed == as_values() and [row["name"] for row in listed] == list(FAULTS)
    done = subprocess.run((*ZOO, "--list"), env=ENVIRONMENT, capture_output=True, timeout=WAIT_S, check=True)
    assert [line.split()[0] for line in done.stdout.decode().splitlines()] == list(FAULTS)
    for name, fault in FAULTS.items():
        assert fault.__doc__ and sentence(fault).endswith("."), name
        assert fault.verdicts and len(dict(fault.verdicts)) == len(fault.verdicts), name
        assert {phase for phase, _ in fault.verdicts} <= set(PHASES), name
        assert set(fault.needs) <= set(fault.takes), name


def test_the_words_of_a_forfeit_are_the_protocols() -> None:
    """Every word of a forfeit is a verdict of some fault."""
    assert {str(verdict) for verdict in Verdict} == {str(word) for word in Fault} | {"harmless", "contained"}
    assert {verdict for fault in FAULTS.values() for _, verdict in fault.verdicts} == set(Verdict)


@pytest.mark.parametrize(
    ("arguments", "sentence_part"),
    [
        (("--fault", "bite"), "there is no fault 'bite'"),
        (("--fault", "crlf", "--at", "quit"), "the fault crlf cannot be triggered at quit; it can at handshake"),
        (("--fault", "writes-file"), "the fault writes-file needs --path"),
        (("--fault", "fork-bomb", "--limit", "100000"), "--limit of fork-bomb is 1 to 1000, not 100000"),
        (("--fault", "crlf", "--limit", "3"), "--limit is not for the fault crlf"),
        (("--fault", "connects", "--address", "192.0.2.1:80"), "is not on the loopback"),
        (("--fault", "connects", "--address", "127.0.0.1.example.org:80"), "is not on the loopback"),
        (("--at", "mid"), "--at needs --fault"),
        (("--ply", "-1"), "'-1' is no whole number from 0"),
    ],
)
def test_arguments_that_make_no_sense_are_refused(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], sentence_part: str
) -> None:
    """What cannot be run is refused with one sentence and exit status 2."""
    with pytest.raises(SystemExit) as left:
        main(list(arguments))
    out, err = capsys.readouterr()
    assert (left.value.code, out) == (2, "")
    assert sentence_part in err
