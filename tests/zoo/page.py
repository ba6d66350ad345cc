"""The page of the manual about the checks and the faults: `python -m tests.zoo.page` prints docs/authors/CHECKS.md."""

from arena.conformance.catalogue import CHECKS, GROUPS
from arena.conformance.check import Check, CheckVerdict, Grade, Severity
from arena.conformance.levels import PROFILES, SMOKE
from tests.arena.conformance.demands import DEMANDS
from tests.zoo.catalogue import FAULTS, sentence
from tests.zoo.table import MUTANTS, VARIANT, Row, row_of


def page() -> str:
    """The page of the manual about the checks."""
    smoke = ", ".join(check.id for check in CHECKS if check.id in SMOKE)
    profiles = "\n".join(
        f"| `{name}` | {check} | {why} |" for name, left_out in PROFILES.items() for check, why in left_out.items()
    )
    parts = [_HEAD.format(smoke=smoke, profiles=profiles, checks=len(CHECKS), variant=VARIANT)]
    for letter, title in GROUPS.items():
        parts.append(f"### {letter}. {title}\n")
        parts.append("| check | | clause | what holds | the fault that breaks it | which also fails |")
        parts.append("|---|---|---|---|---|---|")
        parts += [_line(check) for check in CHECKS if check.id[0] == letter]
        parts.append("")
    parts += [*_demands(), *_mutants()]
    return "\n".join(parts) + "\n"


def _demands() -> list[str]:
    """The table from the demands of SPEC.md to the checks."""
    rows = [
        "## Every demand and its checks\n",
        _DEMANDS,
        "| clause | | what it demands | checks |",
        "|---|---|---|---|",
    ]
    for demand in DEMANDS:
        clause = f"[{demand.clause}](../../protocol/SPEC.md#{demand.clause})"
        checks = " ".join(demand.checks) or f"none: {demand.why_not}"
        rows.append(f"| {clause} | {demand.force} | {demand.words} | {checks} |")
    return [*rows, ""]


def _mutants() -> list[str]:
    """The table of the engines that search."""
    head = _MUTANTS.format(
        all=len(MUTANTS),
        blind=sum(row.engine == "blind" for row in MUTANTS),
        sighted=sum(row.engine == "sighted" for row in MUTANTS),
        modern=sum(row.engine == "modern" for row in MUTANTS),
        rules=sum(row.kind == "rule" for row in MUTANTS),
    )
    return [head, *map(_mutant, MUTANTS)]


def _mutant(row: Row) -> str:
    clause = f"[{row.clause}](../../protocol/SPEC.md#{row.clause})"
    check = f"{row.check} in {row.variant}" if row.check else f"none: {row.why}"
    return f"| `{row.fault}` | {row.kind} | {clause} | {row.wrong} | {check} |"


def _line(check: Check) -> str:
    clause = f"[{check.clause}](../../protocol/SPEC.md#{check.clause})"
    title = f"{check.title} (each variant)" if check.each_variant else check.title
    row = row_of(check.id)
    if row is None:
        broken, also = f"of the referee: {check.tested_by}", ""
    else:
        fault = FAULTS[row.name]
        broken = f"`{row.fault}` {sentence(fault)}"
        also = f"{row.also}: {row.why}" if row.also else ""
    return f"| {check.id} | {check.severity} | {clause} | {title} | {broken} | {also} |".replace("|  |", "| |")


_VERDICTS = "\n".join(f"| `{verdict}` | {text} |" for verdict, text in (
    (CheckVerdict.PASS, "the clause holds, as far as could be seen"),
    (CheckVerdict.FAIL, "a MUST of the protocol is broken"),
    (CheckVerdict.WARNING, "a SHOULD is broken, or there is something to note"),
    (CheckVerdict.SKIPPED, "there was nothing to look at: not announced, never said, not in this game; never a pass"),
    (CheckVerdict.ERROR, "the checker itself went wrong"),
))  # fmt: skip
_SEVERITIES = "\n".join(f"| {severity} | {text} |" for severity, text in (
    (Severity.FATAL, "a MUST without which games cannot be refereed"),
    (Severity.MAJOR, "a MUST"),
    (Severity.MINOR, "a SHOULD: it works; put it right"),
    (Severity.NOTE, "no clause demands it: put down, and no more"),
))  # fmt: skip
_GRADES = "\n".join(f"| `{grade}` | {text} |" for grade, text in (
    (Grade.CLEAN, "no MUST and no SHOULD is broken"),
    (Grade.CONFORMANT, "no MUST is broken"),
    (Grade.PLAYABLE, "nothing of F is broken"),
    (Grade.NOT_PLAYABLE, "something of F is broken"),
))  # fmt: skip

_DEMANDS = """Each MUST and each SHOULD of [the protocol](../../protocol/SPEC.md), quoted by some of its words, and each
statement of the rules. A check fails for a broken MUST or rule, and warns for a broken SHOULD. A check of severity N
has no demand. A test holds this table to the text.
"""

_MUTANTS = """## The mutants: {all} engines with one fault each

A conformant engine commits each of these faults on request, and the check that is named must notice it. Somebody who
had not seen the checks wrote the first {blind} from the specification alone: `python -P -m tests.zoo.blind --fault X`.
Somebody who had seen them wrote {sighted} others, `python -P -m tests.zoo.sighted --fault X`, and {modern} in the tafl
games of version 1.2, `python -P -m tests.zoo.modern --fault X`. {rules} are faults of a rule of a game, for which the
check must fail. A long test runs them all.

| fault | | clause | what the engine does wrong | the check that must notice |
|---|---|---|---|---|"""

_HEAD = f"""# The checks

`arena check ENGINE` asks an engine for everything that [the protocol](../../protocol/SPEC.md) demands, and compares its
moves and its answers with the rules. An engine is a registered name, a path or a quoted command line.

```
arena check ./mine                                   # every game that it announces
arena check ./mine --variant scottish                # one game
arena check ./mine --level smoke                     # what must hold before a tournament, in two seconds
arena check ./mine --only B3,G6 --variant scottish   # some checks; --group B: a letter
arena check ./mine --slow 3                          # on a slow machine: three times as long for everything
arena check ./mine --thorough                        # more positions, games and measurements
arena check ./mine --fuzz 60 --seed 7                # the rules in random positions for a minute
arena check ./mine --json                            # for programs; --junit FILE for build servers
arena check ./mine --verbose                         # every check, and the evidence of every failure
arena check ./mine --transcript talks                # what was said in each check, a file each
arena check --list                                   # the checks
```

Every check starts the engine afresh, so that one that hangs costs no other. The report has at most 25 lines. Failures
are grouped by cause: a wrong rule makes checks of many kinds fail, and the report shows the one that names the rule,
with what was sent, what came, what the clause demands, what is likely behind it and the command that does this check
again. Behind `follow` stand the checks that are likely to pass once it is mended. An illegal move is laid to the rules
where the same position brings one in a plain session, too, and else to what the check did. The last line says where to
begin:

```
Begin with F10 (A.10): the piece on c5 was taken between d5 and another enemy on b5 ... (29 others follow from it)
```

`--verbose` prints each check as it ends, and the evidence of every failure.

A plain UGI engine, one without UGI_Variant, infos and queries, is checked for what it promises; name its game with
`--variant`. Where an engine answers `query legalmoves` ([9.7](../../protocol/SPEC.md#9.7)), its rules are compared in
hundreds of positions of every variant; where it does not, by the legality of its moves. The positions are data
([appendix D](../../protocol/SPEC.md#D.1)) that an engine's author can use without the arena.

F10 compares the rules in random positions: men and stones anywhere, changed rule options, the king beside a corner or
on the centre, two lines at once, a supply that runs out, holes, no turn left, and pieces that go to and fro until a
position comes again, with either side to move. Where the rules have them, there are shieldwalls, forts, rings of
attackers, camps, and pieces about the centre, some whole and some with a fault. A difference is shrunk to few pieces
and moves, and the report names the rule first. A seed gives the same positions each time. Every full check has a small
dose of them; `--fuzz` gives more.

A runtime has threads of its own: the JVM, Node, Go and .NET start a dozen or more. An author cannot choose how many.
K7 does not count them. In a process of such a runtime it counts the threads that work in a search of 300 ms: those with
at least half the CPU time of the busiest one.

Time is judged as in games, by the referee's own clock ([CLOCKS.md](../reference/CLOCKS.md)): what an engine waits for a
CPU that others have is taken off, and what it needs too long to read a position goes off its clock. A move or a game
that is lost on time is played once more, and counts if it is lost again. The report says what the overrun costs: `it
loses on time at 0.1+0: move 3 of p1 took 201.4 ms`.

An engine that is checked is contained as in games ([CONTAINMENT.md](../reference/CONTAINMENT.md)); `--contain none`
checks it as any program that you start yourself. Where the sandbox refuses something and the engine says so on stderr,
the report names the file or the network: "your engine tried to use `engine.log`; in games that is refused". It also
says so where the engine looked for a file in HOME, which is another folder there.

`--certificate DIR` writes the result as files to publish ([KIT.md](KIT.md#the-certificate)).

Exit codes: 0 all passed but for warnings, 1 a check failed, 2 bad input, 3 the engine cannot be started.

| verdict | |
|---|---|
{_VERDICTS}

| severity | |
|---|---|
{_SEVERITIES}

| grade | |
|---|---|
{_GRADES}

`--level smoke` does {{smoke}}.

## Profiles

An engine behind an [adapter](ADAPTERS.md) cannot do what its own protocol cannot say. `--profile NAME` skips these
checks, and the report gives the reason. A skipped check is no pass, but it costs no grade.

| profile | check | why it is skipped |
|---|---|---|
{{profiles}}

## All {{checks}} of them, and what breaks them

Each check has a fault of [the zoo](../project/CONTRIBUTING.md#engines-that-fail-on-purpose) that breaks its clause:
`python -P -m tests.zoo --fault NAME` in
a checkout fails the check, and passes every other but those of the last column. `...` there stands for more, whichever
come to the place that is broken. A test holds this table, in `{{variant}}`.
"""


if __name__ == "__main__":
    print(page(), end="")
