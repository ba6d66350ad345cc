"""`arena verify`: recorded games replayed by the rules."""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, BinaryIO

from arena.cli import output
from arena.cli.db_options import AsJson, opened
from arena.cli.errors import BadInput, CheckFailed
from arena.cli.option_groups import argument
from arena.config.load import DATABASE
from arena.imports.import_readers import read_games
from arena.imports.replay import Disagreement, check_lines, check_record
from results.tables.text_width import cut, some, some_games

_LONGEST_MESSAGE = 300
"""What a disagreement quotes may be long."""
_MAX_LINE = 64 << 20
"""Bytes. Even the longest game with the legal moves of every ply is far shorter."""


def verify(
    file: Annotated[Path, argument("A database, JSON lines or PGN; - reads JSON lines from stdin.", "FILE")],
    as_json: AsJson = False,
) -> None:
    """Replay recorded games by the rules and report every disagreement."""
    records = wrong = 0
    rows: list[dict[str, object]] = []
    head = _head(file)
    one = "game" if head.startswith(DATABASE) else "line"
    with _opened(file) as stream:
        checked_games: Iterator[tuple[int, list[Disagreement]]]
        if head.startswith(DATABASE):
            checked_games = _check_database(file)
        elif re.match(rb'\[[A-Za-z]\w*\s+"', head):
            checked_games = _check_pgn(file)
        elif head and not re.search(rb"^\s*\{", head, re.MULTILINE):
            raise BadInput(f"{file} is neither a database, nor JSON lines, one object a line, nor PGN")
        else:
            checked_games = check_lines(_lines(stream, str(file)))
        for number, disagreements in checked_games:
            records += 1
            wrong += bool(disagreements)
            for ply, message in disagreements:
                rows.append({one: number, "ply": ply, "message": cut(message, _LONGEST_MESSAGE)})
                if not as_json:
                    where = f"{one} {number}" if ply is None else f"{one} {number}, after ply {ply}"
                    output.echo(f"{where}: {rows[-1]['message']}")
    if not records:
        raise BadInput(f"{file} holds no records: give a database, JSON lines, one object a line, or PGN")
    checked = f"{some(records, 'record')} checked"
    if as_json:
        output.echo(json.dumps({"records": records, "wrong": wrong, "disagreements": rows}))
    elif wrong:
        output.echo(f"{checked}, {wrong} of them with disagreements, {len(rows)} in all")
    else:
        output.echo(f"{checked}, all agree with the rules")
    if wrong:
        raise CheckFailed


def _head(file: Path) -> bytes:
    """How the file begins, which tells PGN and databases; nothing of what may be read only once."""
    if not file.is_file():
        return b""
    try:
        with file.open("rb") as stream:
            return stream.read(4096).removeprefix(b"\xef\xbb\xbf").lstrip()
    except OSError:
        return b""  # the reader of the whole file says why


def _check_database(db: Path) -> Iterator[tuple[int, list[Disagreement]]]:
    """For every game of a database, its place from 1 and what is wrong with it and its row."""
    from results.export import jsonl

    with opened(db) as store:
        most, games = {run.id: run.games for run in store.runs()}, Counter[str]()
        for number, record in enumerate(store.games(), 1):
            games[record.run] += 1
            wrong = store.wrong_columns(record)
            scheduled = most.get(record.run, 0)  # 0 for a run without an end
            if 0 < scheduled < games[record.run]:
                wrong.append(f"run {record.run} has {some_games(scheduled)}, and this is one more")
            if record.id != f"{record.run}-{record.number}":
                wrong.append(f"its id is {record.id}, and its number {record.number}")
            disagreements = check_record({**jsonl(record), "start_ply": record.start_ply})
            yield number, disagreements + [Disagreement(None, message) for message in wrong]


def _check_pgn(file: Path) -> Iterator[tuple[int, list[Disagreement]]]:
    """For every game of PGN, its line from 1 and what is wrong with it: the first thing, as `import` says it."""
    for game in read_games(file):
        yield game.line, [Disagreement(None, game.refusal)] if game.refusal else []


def _opened(file: Path) -> BinaryIO:
    if str(file) != "-":
        return file.open("rb")
    if sys.stdin is None:
        raise BadInput("-: stdin is closed; name a file")
    return sys.stdin.buffer


def _lines(stream: BinaryIO, name: str) -> Iterator[bytes]:
    """The lines of a file or a pipe. A line that no record can have is refused: a device may have no line ends."""
    number = 0
    try:
        while line := stream.readline(_MAX_LINE + 1):
            number += 1
            if len(line) > _MAX_LINE:
                raise BadInput(f"{name}, line {number}: is longer than {_MAX_LINE >> 20} MiB, so it is no record")
            yield line
    except OSError as error:
        raise OSError(error.errno, error.strerror, name) from error
