"""The mutants as a section of docs/authors/CHECKS.md.

`python -m tests.protocol.conformance.mutants.table` prints the whole page: that of the zoo's matrix and this section.
"""

from engines.zoo import conformance_matrix
from tests.protocol.conformance.mutants.noticed import MUTANTS, UNNOTICED, Mutant

_HEAD = """## The mutants: {all} engines with one fault each

A conformant engine commits each of these faults on request, and the check that is named must notice it. Somebody who
had not seen the checks wrote the first {blind} from the specification alone, those of `blind.py`; somebody who had
seen them wrote the {sighted} of `sighted.py`. {rules} of them are faults of a rule of a game, for which the check must
fail. Both lie in `tests/protocol/conformance/mutants`. A long test runs them all.

| fault | | clause | what the engine does wrong | the check that must notice |
|---|---|---|---|---|
"""


def section() -> str:
    """The table of all mutants."""
    head = _HEAD.format(
        all=len(MUTANTS),
        blind=sum(mutant.module == "blind" for mutant in MUTANTS),
        sighted=sum(mutant.module == "sighted" for mutant in MUTANTS),
        rules=sum(mutant.rule for mutant in MUTANTS),
    )
    return head + "".join(f"{_row(mutant)}\n" for mutant in MUTANTS)


def _row(mutant: Mutant) -> str:
    force = "rule" if mutant.rule else mutant.force
    clause = f"[{mutant.clause}](../../protocol/SPEC.md#{mutant.clause})"
    check = f"{mutant.check} in {mutant.variant}" if mutant.check else f"none: {UNNOTICED[mutant.name]}"
    return f"| `{mutant.name}` | {force} | {clause} | {mutant.wrong} | {check} |"


def page() -> str:
    """The page of the manual about the checks."""
    return f"{conformance_matrix.page()}\n{section()}"


if __name__ == "__main__":
    print(page(), end="")
