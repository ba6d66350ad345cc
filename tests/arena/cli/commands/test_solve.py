"""`arena solve`, as a user sees it."""

import json
import os
import signal
from hashlib import sha256
from pathlib import Path

import pytest

from arena.solving.search import Search
from tests.arena.cli.conftest import Arena

EDGE = ("solve", "callanish-5", "--fen", "5/5/5/w4/5 p2 1")


def test_a_solved_position_comes_with_a_proof_that_the_checker_accepts(arena: Arena, tmp_path: Path) -> None:
    """Who wins, in how many plies, by which first moves; then yes."""
    proof = tmp_path / "proof.jsonl"
    solved = arena(*EDGE, "--out", proof)
    assert solved.exit_code == 0, solved.stderr
    assert "callanish-5: p2 wins within 6 plies" in solved.stdout
    assert "first moves that win so soon: d5, e2" in solved.stdout
    assert "proof: 16 positions" in solved.stdout
    checked = arena("solve", "--check", proof)
    assert checked.exit_code == 0
    assert checked.stdout.startswith("yes: in callanish-5, p2 wins within 6 plies from 5/5/5/w4/5 p2 1")
    told = json.loads(arena("solve", "--check", proof, "--json").stdout)
    assert told["proven"] and told["positions"] == 16


@pytest.mark.long
def test_the_proof_of_callanish_5_is_the_file_that_the_page_names(arena: Arena, tmp_path: Path) -> None:
    """Byte for byte on every machine: its digest, its positions, its size."""
    proof = tmp_path / "proof.jsonl"
    assert arena("solve", "callanish-5", "--out", proof).exit_code == 0
    page = (Path(__file__).parents[4] / "docs" / "studies" / "PROOFS.md").read_text(encoding="utf-8")
    told = " ".join(page.partition("### callanish-5")[2].partition("###")[0].split())
    assert f"its SHA-256 begins with `{sha256(proof.read_bytes()).hexdigest()[:12]}`" in told
    assert f"has {len(proof.read_bytes().splitlines()) - 1} positions in {proof.stat().st_size / 1000:.0f} kB" in told


def test_the_checker_names_the_first_wrong_line(arena: Arena, tmp_path: Path) -> None:
    """No, with exit code 1, and the file stays."""
    proof = tmp_path / "proof.jsonl"
    arena(*EDGE, "--out", proof)
    lines = proof.read_text().splitlines()
    proof.write_text("\n".join(line for at, line in enumerate(lines) if at != 7))
    wrong = arena("solve", "--check", proof)
    assert wrong.exit_code == 1
    assert wrong.stdout.startswith(f"no: {proof}, line 4: after the reply")
    told = json.loads(arena("solve", "--check", proof, "--json").stdout)
    assert not told["proven"] and told["line"] == 4


def test_without_a_win_it_says_how_far_it_came(arena: Arena, tmp_path: Path) -> None:
    """The depth for each side, no proof, and why there is none."""
    proof = tmp_path / "proof.jsonl"
    looked = arena("solve", "brandub", "--depth", 4, "--out", proof)
    assert looked.exit_code == 0
    assert looked.stdout.startswith("brandub: not solved")
    assert "p1 has no forced win within 4 plies" in looked.stdout
    assert "p2 has no forced win within 4 plies" in looked.stdout
    assert "is not written: there is no proof yet" in looked.stderr
    assert not proof.exists()


def test_the_same_command_goes_on_where_it_stopped(arena: Arena, tmp_path: Path) -> None:
    """The work file has what was found: the second call searches less than one that begins anew."""
    work = tmp_path / "search.work"
    short = json.loads(arena("solve", "callanish-5", "--depth", 6, "--work", work, "--json").stdout)
    assert short["winner"] is None and short["no_win_within"] == {"p1": 6, "p2": 6}
    further = json.loads(arena("solve", "callanish-5", "--depth", 7, "--work", work, "--json").stdout)
    anew = json.loads(arena("solve", "callanish-5", "--depth", 7, "--json").stdout)
    assert further["no_win_within"] == anew["no_win_within"] == {"p1": 7, "p2": 7}
    assert short["nodes"] < further["nodes"] < short["nodes"] + anew["nodes"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_search_keeps_its_work(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    """Ctrl-C or SIGTERM: how far it came, exit code 130, and the work file to go on from."""
    work, plainly = tmp_path / "search.work", Search.wins

    def interrupted(search: Search, position: object, plies: int) -> bool:
        if plies == 6:
            os.kill(os.getpid(), number)
        return plainly(search, position, plies)  # type: ignore[arg-type]

    monkeypatch.setattr(Search, "wins", interrupted)
    stopped = arena("solve", "callanish-7", "--work", work)
    assert stopped.exit_code == 130
    assert "interrupted: the same command goes on from here" in stopped.stderr
    assert "p1 has no forced win within 5 plies" in stopped.stderr
    monkeypatch.undo()
    told = json.loads(arena("solve", "callanish-7", "--depth", 6, "--work", work, "--json").stdout)
    assert told["no_win_within"] == {"p1": 6, "p2": 6}


def test_the_hours_end_a_search(arena: Arena) -> None:
    """It says so, and how far it came; that is no fault."""
    ended = arena("solve", "callanish-9", "--hours", "0.00001")
    assert ended.exit_code == 0
    assert "the hours are over" in ended.stderr
    assert "p1 has no forced win within" in ended.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "name the variant to solve"),
        (("callanish-6",), "'callanish-6'"),
        (("callanish-5", "--depth", "0"), "--depth 0 is out of range: give 1 to 200"),
        (("callanish-5", "--hours", "nan"), "--hours nan"),
        (("callanish-5", "--hours", "0"), "--hours 0"),
        (("callanish-5", "--memory", "1"), "--memory 1 is out of range: give 8 to"),
        (("callanish-5", "--check", "x"), "--check reads all from the proof"),
        (("--check", "none.jsonl"), "none.jsonl: No such file"),
        (("--check", "notes.txt"), "notes.txt: line 1 must be a JSON object"),
        (("callanish-5", "--work", "notes.txt"), "'notes.txt' holds no search of `arena solve`"),
        (("callanish-5", "--work", "other.work"), "'other.work' is a search of callanish-7 from"),
        (("callanish-5", "--work", "broken.work"), "line 2: is no position with four depths"),
        (("callanish-5", "--out", "x", "--work", "x"), "--work and --out name the same file"),
        (("callanish-5", "--out", "no/x"), "--out"),
        (("callanish-5", "--board", "x.txt", "--fen", "y"), "give --board or --fen"),
        (("callanish-5", "--fen", "5/5/5/5/5 p3"), "p1 or p2"),
        (("callanish-5", "--fen", "5/5/2w2/2w2/2w2 p1"), "the game is over in"),
    ],
)
def test_bad_input_gets_one_sentence(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], said: str
) -> None:
    """Exit code 2, the remedy, and no file changed."""
    monkeypatch.chdir(tmp_path)
    Path("notes.txt").write_text("hello\n")
    head = {"format": "callanish-arena-solve-1", "variant": "callanish-7", "start": "7/7/7/7/7/7/7 p1 1"}
    Path("other.work").write_text(json.dumps(head))
    head |= {"variant": "callanish-5", "start": "5/5/5/5/5 p1 1"}
    broken = json.dumps(head | {"no_win": {"p1": 1, "p2": 1}, "win": None, "nodes": 5}) + "\n[1, 2]\n"
    Path("broken.work").write_text(broken)
    refused = arena("solve", *arguments)
    assert refused.exit_code == 2
    assert refused.stderr.startswith("arena: ") and refused.stderr.count("\n") == 1
    assert said in refused.stderr
    assert Path("notes.txt").read_text() == "hello\n" and Path("broken.work").read_text() == broken
