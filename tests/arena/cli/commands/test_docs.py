"""`arena docs`: the documents, wherever the arena is installed."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from arena.cli.documents import by_reader, documents
from tests.command_line import program


def asked(*words: str) -> tuple[int, str]:
    """Exit code and output of `arena docs`."""
    result = CliRunner().invoke(program(), ["docs", *words])
    return result.exit_code, result.output


def test_all_documents_are_listed_with_their_titles() -> None:
    """By reader, with the README and the protocol."""
    code, text = asked()
    assert code == 0
    lines = text.splitlines()
    assert [line.split()[0] for line in lines if not line.endswith(":")] == list(documents())
    assert [line for line in lines if line.endswith(":")] == [f"{heading}:" for heading in by_reader()]
    assert {"README", "QUICKSTART", "SPEC", "COMMANDS", "BENCHMARKS", "CHANGELOG"} <= set(documents())
    assert "SPEC             The protocol" in text


@pytest.mark.parametrize("name", ["SPEC", "spec", "protocol/SPEC.md"])
def test_a_document_is_printed_by_its_name_or_by_a_link(name: str) -> None:
    """In small letters too. `--path` says where it is."""
    assert asked(name) == (0, documents()["SPEC"].read_text(encoding="utf-8"))
    assert asked(name, "--path") == (0, f"{documents()['SPEC']}\n")


def test_a_page_has_the_tables_that_the_program_makes() -> None:
    """Commands with their help, the options that they share, exit codes, and checks with their clauses."""
    _, commands = asked("COMMANDS")
    assert "\nUsage: arena sprt A B [OPTIONS]\n" in commands
    assert re.search(r"^--move-limit S +Seconds for a move ", commands, re.MULTILINE)
    assert "| 130 | interrupted |" in commands and "<!--" not in commands
    assert "prints this page" in documents()["COMMANDS"].read_text() and "prints this page" not in commands
    assert "| A1 | F | [" in asked("CHECKS")[1]


def test_words_are_found_in_pages_and_in_made_tables() -> None:
    """With the page, the line and the heading."""
    code, text = asked("margin", "overrun")
    assert code == 0 and re.search(r"^SPEC:\d+  7\. go$", text, re.MULTILINE)
    assert text.splitlines()[-1].endswith(f"read one by `arena docs {text.split()[0]}`")


def test_a_hit_is_a_name_and_a_search_may_stay_within_a_document() -> None:
    """The section of the line is printed, which hit lists give with the document."""
    code, text = asked("COMMANDS", "merge")
    hits = re.findall(r"^(\w+):\d+  .+$", text, re.MULTILINE)
    hit = re.search(r"^(COMMANDS:\d+)  arena merge$", text, re.MULTILINE)
    assert code == 0 and set(hits) == {"COMMANDS"} and hit is not None
    assert re.match(
        r"#+ arena merge\n(?s:.)*\nA game that is in several of them is taken once\.\s+\Z", asked(hit[1])[1]
    )
    assert asked("COMMANDS", "zzz") == (2, "arena: no part of COMMANDS has 'zzz'; `arena docs` lists all documents\n")


ANSWERS = """
resume after Ctrl-C            FORMATS Resume
see what engine sent           FAULTS Illegal moves and other faults: see what the engine sent
how many games                 SPRT How many games a test takes
add an engine to my running ladder  LADDER Join, change, leave
friend                         HOST A ladder that strangers join
option comma                   COMMANDS How to name an engine
elo0                           COMMANDS arena sprt
forfeit                        FAULTS What a fault costs
import fastchess               COMMANDS arena import
convert games to pgn           RESULTS Files
"""
"""What people searched first, and the part of a document that answers it."""


def test_what_people_search_first_is_answered_by_one_of_the_first_three_hits() -> None:
    """Filler words do not matter; a word that no part has with the others is named, and the rest is found."""
    for question, page, heading in re.findall(r"^(.+?)  +(\w+) (.+)$", ANSWERS, re.MULTILINE):
        code, text = asked(*question.split())
        first = re.findall(r"^([A-Z_]+):\d+  (.+)$", text, re.MULTILINE)[:3]
        assert code == 0 and (page, heading) in first, f"{question}: {first}"
    code, text = asked("void", "game", "zzz")
    assert code == 0 and text.startswith("no part of a document has all of void, game, zzz; these have most of them:")
    assert "  Void games" in text


def test_what_no_document_has_is_answered_with_the_nearest_name() -> None:
    """Or with the command that lists them."""
    code, text = asked("quikstart")
    assert code == 2 and "did you mean QUICKSTART?" in text
    code, text = asked("zzz", "yyy")
    assert code == 2 and "`arena docs` lists all documents" in text


def test_all_documents_are_written_for_a_site_with_links_between_them(tmp_path: Path) -> None:
    """Beside each other, so that every link to a page leads to a file."""
    assert asked("--output", str(tmp_path))[0] == 0
    assert {file.stem for file in tmp_path.iterdir()} == set(documents())
    for file in tmp_path.iterdir():
        for target in re.findall(r"\]\(([\w./-]+\.md)", file.read_text(encoding="utf-8")):
            assert (tmp_path / target).exists(), f"{file.name}: {target}"
