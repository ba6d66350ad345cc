"""`arena docs`: the documents, wherever the arena is installed."""

import pytest
from typer.testing import CliRunner

from arena.cli.commands.machine import docs
from arena.cli.documents import by_reader, documents
from tests.command_line import program


def asked(*words: str) -> tuple[int, str]:
    """Exit code and output of `arena docs`."""
    result = CliRunner().invoke(program("docs"), ["docs", *words])
    return result.exit_code, result.output


def test_all_documents_are_listed_with_their_titles() -> None:
    """By reader. What README.md links to is there, and the protocol."""
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


def test_a_name_that_no_document_has_is_answered_with_the_nearest() -> None:
    """Or with the command that lists them."""
    code, text = asked("quikstart")
    assert code == 2 and "did you mean QUICKSTART?" in text
    code, text = asked("zzz")
    assert code == 2 and "`arena docs` lists all documents" in text


PAGE = """\
# A heading that is longer than the line

A paragraph with several words
in two lines.

* an item that is long enough
  for two lines
* another

```python
a_program_that_is_wider_than_the_terminal()
```
"""


def test_a_terminal_breaks_paragraphs_anew_and_leaves_programs_alone() -> None:
    """The pages have 120 columns. A reader copies programs, so their lines stay as they are."""
    assert docs.reflowed(PAGE, 24).splitlines() == [
        "# A heading that is",
        "longer than the line",
        "",
        "A paragraph with several",
        "words in two lines.",
        "",
        "* an item that is long",
        "  enough for two lines",
        "* another",
        "",
        "```python",
        "a_program_that_is_wider_than_the_terminal()",
        "```",
    ]


@pytest.mark.parametrize("width", [40, 80, 100])
def test_no_page_loses_a_word_on_a_terminal(width: int) -> None:
    """Whatever is in it, reflowing changes nothing but blanks and line ends."""
    for page in documents().values():
        text = page.read_text(encoding="utf-8")
        assert docs.reflowed(text, width).split() == text.split()
