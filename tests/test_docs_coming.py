"""COMING.md is complete and true: all options of the other tools are in it, and what it names of ours exists."""

import re
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import typer
from pydantic import BaseModel

from arena.cli.app import program
from arena.config.schema import EachTable, EngineTable, TournamentTable

PAGE = (Path(__file__).parent.parent / "docs" / "organisers" / "COMING.md").read_text(encoding="utf-8")
NO = "**no**"
FILES: dict[str, type[BaseModel]] = {"[tournament]": TournamentTable, "[each]": EachTable, "[[engines]]": EngineTable}

# From fastchess's man.md and cutechess's help.txt, of the versions that the page names.
FASTCHESS = """
-version -help -quick -concurrency -force-concurrency -rounds -games -repeat -tournament -seeds -variant -noswap
-reverse -wait -each -engine -maxmoves -tb -tbpieces -tbignore50 -tbadjudicate -srand -output -epdout -event -site
-ratinginterval -scoreinterval -recover -autosaveinterval --compliance -crc32 -check-mate-pvs -show-latency -testEnv
-strict -use-affinity -startup-ms -ucinewgame-ms -ping-ms
-sprt:elo0,elo1,alpha,beta,model -engine:cmd,args,name,tc,timemargin,st,nodes,plies,restart,proto,dir,option.NAME
-draw:movenumber,movecount,score -resign:movecount,score,twosided -openings:file,format,order,plies,start
-pgnout:file,append,notation,min,match_line,nodes,timeleft,latency,seldepth,nps,hashfull,tbhits,pv -report:penta
-config:file,discard,outname,stats -log:file,level,engine,append,compress,realtime
"""
CUTECHESS = """
-help -version -engines -engine -each -variant -concurrency -maxmoves -tb -tbpieces -tbignore50 -tournament -event
-games -rounds -ratinginterval -outcomeinterval -debug -bookmode -pgnout -epdout -recover -repeat -noswap -reverse
-seeds -site -srand -wait -resultformat
-draw:movenumber,movecount,score -resign:movecount,score,twosided -sprt:elo0,elo1,alpha,beta
-openings:file,format,order,plies,start,policy
conf= name= cmd= arg= dir= initstr= stderr= restart= trust proto= tc= st= timemargin= book= bookdepth= whitepov depth=
nodes= ponder tscale= debug option.NAME=
"""


class Row(NamedTuple):
    """A line of a table."""

    theirs: tuple[str, ...]
    ours: tuple[str, ...]
    """Empty for a no."""
    remark: str
    line: str


def rows(heading: str) -> list[Row]:
    """The table under this heading."""
    section = PAGE.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in section.splitlines() if line.startswith("|")][2:]
    found = []
    for line in lines:
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        assert len(cells) == 3, line
        theirs, ours, remark = cells
        spans = tuple(re.findall(r"`([^`]+)`", ours))
        assert spans or ours == NO, f"neither an option of ours nor a no: {line}"
        found.append(Row(tuple(re.findall(r"`([^`]+)`", theirs)), spans, remark, line))
    return found


TABLES = {name: rows(f"From {name}") for name in ("fastchess", "cutechess-cli")}
ROWS = [row for table in TABLES.values() for row in table]


def spelled(options: str) -> list[str]:
    """`-a:b,c` is `-a b=` and `-a c=`."""
    found = []
    for word in options.split():
        option, _, keys = word.partition(":")
        found += [f"{option} {key}=" for key in keys.split(",")] if keys else [option]
    return sorted(found)


@pytest.mark.parametrize(("tool", "options"), [("fastchess", FASTCHESS), ("cutechess-cli", CUTECHESS)])
def test_every_option_of_the_other_tool_has_its_row(tool: str, options: str) -> None:
    """Whoever looks for an option finds it once, and none that the tool does not have."""
    assert sorted(option for row in TABLES[tool] for option in row.theirs) == spelled(options)


@lru_cache
def all_commands() -> Any:  # Any: typer's own copy of click is not public
    """The whole command line."""
    return typer.main.get_command(program())


def missing(span: str) -> str:
    """What a code span names of ours that is not there; empty where all is."""
    first, *words = span.split()
    if first in FILES:
        (key,) = words
        return "" if is_key(FILES[first], key) else key
    if first != "arena":
        return first
    command = all_commands()
    while words and hasattr(command, "commands"):
        if words[0].startswith("-"):
            break
        if words[0] not in command.commands:
            return words[0]
        command = command.commands[words.pop(0)]
    known = {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)} | {"--help"}
    return " ".join(word for word in words if word.startswith("-") and word not in known)


def is_key(table: type[BaseModel], key: str) -> bool:
    """Is there such a key, a dot leading into a table?"""
    head, _, rest = key.partition(".")
    if head not in table.model_fields:
        return False
    inner = table.model_fields[head].annotation
    return not rest or (isinstance(inner, type) and issubclass(inner, BaseModel) and is_key(inner, rest))


def test_what_a_row_names_of_ours_exists() -> None:
    """Commands, options and keys, in the second column as in the remark; a no has its reason."""
    for row in ROWS:
        for span in (*row.ours, *re.findall(r"`(arena [^`]+|\[\[?[a-z]+\]\]? [^`]+)`", row.remark)):
            assert not missing(span), row.line
        assert row.ours or row.remark, f"a no without a reason: {row.line}"


def test_a_row_that_lies_is_found_out() -> None:
    """The test above can fail: for a command, an option and a key that are not there, and at any depth."""
    assert not missing("arena engines add NAME --option") and not missing("[[engines]] limits.ready_ms")
    lies = ("arena matsch A B", "arena match --tb", "arena engines ad", "arena -x", "[tournament] tb", "xboard")
    for lie in (*lies, "[[engines]] limits.tb", "[[engines]] name.tb"):
        assert missing(lie), lie
