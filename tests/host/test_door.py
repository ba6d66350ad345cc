"""The door: an engine at home with its author is checked over its line, and the author is told what fails."""

import sys
from pathlib import Path

import pytest

from arena.conformance.check import CheckEvidence, CheckVerdict, Finding, Severity
from arena.host.door import DoorResult, _for_author, checked
from arena.openings.books import Start
from arena.timing.time_control import fixed
from tests.arena.cli.conftest import ENGINE_IN_C
from tests.host.guests import Lab, connected, hub

pytestmark = [pytest.mark.timeout(400), pytest.mark.long]
SILENT = """
import sys
for line in sys.stdin:
    if line.split()[0] == "quit":
        break
"""


def check(lab: Lab) -> DoorResult:
    return checked(lab.spec("fox", plain=True), (Start("callanish-5"),), [fixed("nodes", 10)])


@pytest.mark.skipif(not ENGINE_IN_C.exists(), reason="the engine in C was not built")
def test_a_sound_engine_passes_the_door(tmp_path: Path) -> None:
    """All smoke checks, its way of ending too, hold over the line."""
    with hub(tmp_path, "fox") as lab, connected(lab, "fox", (str(ENGINE_IN_C), "random")):
        result = check(lab)
    assert result.identity is not None and not result.refusal and not result.remarks


def test_a_check_that_fails_by_our_mistake_tells_the_author_nothing_of_the_host(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The traceback, which names files of the host, is for its organiser."""
    evidence = CheckEvidence('File "/home/me/checks.py"')
    broken = Finding("E1", "6.1", Severity.FATAL, "it moves", None, CheckVerdict.ERROR, "", evidence)
    told = _for_author(broken, "callanish-5")
    assert "mistake" in told and "/home" not in told
    assert "/home/me/checks.py" in capsys.readouterr().err


def test_an_engine_that_breaks_the_protocol_is_refused_with_the_clause(tmp_path: Path) -> None:
    """What the author reads names the check and the clause, and no command of the host."""
    with hub(tmp_path, "fox") as lab:
        with connected(lab, "fox"):  # it plays e5 whatever the position
            result = check(lab)
        assert result.identity is None and "(clause " in result.refusal and "relay" not in result.refusal
        (tmp_path / "silent.py").write_text(SILENT)
        with connected(lab, "fox", (sys.executable, str(tmp_path / "silent.py"))):
            result = check(lab)
        assert result.identity is None and "no ugiok" in result.refusal and "relay" not in result.refusal
        assert "A3 (clause 3.1)" in result.refusal and "--only A3 --variant callanish-5" in result.refusal
