"""`arena cluster`, and the options of a cluster: what is refused, in one sentence, before anything is written."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.command_line import program

REFUSED = {
    "match random greedy --keys keys": "--keys goes with --cluster ADDRESS",
    "match random greedy --machines m1": "--machines goes with --cluster ADDRESS",
    "match random greedy --cluster tcp://10.0.0.1:8786": "without --keys anyone who reaches it can run any program",
    "match random greedy --cluster tls://main:8786": "tls://main:8786: needs --keys DIR",
    "match random greedy --cluster tls://main:8786 --keys none-here": "there is no file cluster.pem",
    "cluster scheduler --host 0.0.0.0": "tcp://0.0.0.0:8786: without --keys anyone",
    "cluster join main": "main: without --keys anyone",
    "cluster status tls://": "cannot be read: write tls://HOST:8786",
}


@pytest.mark.parametrize("line", REFUSED)
def test_what_cannot_be_used_is_refused_with_a_sentence(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit code 2, the remedy, and no file."""
    pytest.importorskip("distributed", reason="needs the extra `cluster`")
    monkeypatch.chdir(tmp_path)
    done = CliRunner(env={"NO_COLOR": "1", "XDG_STATE_HOME": str(tmp_path)}).invoke(program(), line.split())
    assert done.exit_code == 2
    assert REFUSED[line] in " ".join(done.stderr.split())
    assert list(tmp_path.iterdir()) == []


def test_the_keys_are_named_when_they_are_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second time they are not."""
    pytest.importorskip("cryptography", reason="needs the extra `cluster`")
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(program(), ["cluster", "keys", "keys"])
    assert done.exit_code == 0
    assert sorted(done.stdout.split()) == sorted(str(path.relative_to(tmp_path)) for path in Path.cwd().glob("keys/*"))
    assert CliRunner().invoke(program(), ["cluster", "keys", "keys"]).exit_code == 2
