"""Games in the formats that other tools and people read: PGN, JSON lines, CSV, text.

Pure: records in, text or plain values out.
"""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import chain
from typing import Literal

from results import safe_text
from results.eval_disagreement import centipawns
from results.plies import Ply, short_pv
from results.record import GameRecord
from results.variant_name import shown

RESULTS = {"p1": "1-0", "p2": "0-1", "draw": "1/2-1/2", None: "*"}
"""The results in PGN, where White is p1: White in Callanish, the attackers in tafl, whoever moves first."""
PGN_COLUMNS = 80
"""A line of moves has at most this many characters."""

JSON_KEYS = tuple(
    "id run number round p1 p2 variant fen moves opening winner termination detail plies wall_ms tc seed started_at "
    "ply_data host clock measured flagged machine burns_idle p1_idle_us p2_idle_us evidence".split()
)
CSV_HEADER = tuple(
    "id run number round variant p1 p2 winner termination detail ply_count wall_ms tc seed started_at host fen "
    "moves".split()
)

Format = Literal["pgn", "jsonl", "csv", "text"]


Write = Callable[[GameRecord], Sequence[str]]
"""Gives the moves of a game as programs for this game read them in PGN."""


def export(games: Iterable[GameRecord], form: Format, events: Mapping[str, str], write: Write) -> Iterator[str]:
    """The text of an export, a piece for each game; `events` has the name of each run, by its id."""
    match form:
        case "pgn":
            yield from (pgn(game, write(game), events.get(game.run, game.run)) for game in games)
        case "jsonl":
            yield from (json.dumps(jsonl(game)) + "\n" for game in games)
        case "text":
            yield from (text(game, write(game)) for game in games)
        case "csv":
            line = io.StringIO()
            writer = csv.writer(line, lineterminator="\n")
            for row in chain([CSV_HEADER], map(csv_row, games)):
                writer.writerow(safe_text.csv_row(row))
                yield line.getvalue()
                line.seek(0)
                line.truncate()


def pgn(record: GameRecord, words: Sequence[str], event: str = "?") -> str:
    """One game with its tags, and a blank line at the end, so that games can be written one after another.

    Tools that rate (Ordo, BayesElo) read the tags. p1 is White, even if p2 begins. Ordo and BayesElo want each tag on
    a line of its own, and BayesElo reads comments in braces. Each ply played has a comment:
    `{+0.31/7 0.012345s, n=12345, tl=9.998s}` is the score in points (or `+M5`) from the mover's side, the depth, the
    wall time, the nodes and the time left. `pv="d3c3 e1e2"` is the principal
    variation, where one was said.
    """
    tags = pgn_tags(record, event)
    lines = [f'[{name} "{safe_text.pgn_tag(value)}"]' for name, value in tags.items()]
    return "\n".join([*lines, "", *_wrapped(chain(_numbered(record, words), [tags["Result"]])), "", ""])


def pgn_tags(record: GameRecord, event: str) -> dict[str, str]:
    """What the tags of a game in PGN say."""
    return {
        "Event": event,
        "Site": record.host or "?",
        "Date": record.started_at[:10].replace("-", ".") or "????.??.??",
        "Round": f"{record.round}.{record.number}",
        "White": record.p1,
        "Black": record.p2,
        "Result": RESULTS[record.winner],
        "Variant": record.variant,
        "SetUp": "1",
        "FEN": record.fen,
        "TimeControl": record.tc,
        "Termination": record.termination,
        "PlyCount": str(len(record.moves)),
        "UTCTime": record.started_at[11:19] or "??:??:??",
        "GameId": record.id,
    }


def text(record: GameRecord, words: Sequence[str]) -> str:
    """One game for people: a line about it, its moves, a blank line."""
    why = f" by {record.termination}" + (f": {record.detail}" if record.detail else "")
    head = f"{record.id}, round {record.round}: {record.p1} - {record.p2}, {shown(record.variant)}, {record.tc}"
    numbered = chain(_numbered(record, words, costs=False), [RESULTS[record.winner] + why])
    return "\n".join([*map(safe_text.harmless, [head, record.fen, *_wrapped(numbered)]), "", ""])


def jsonl(record: GameRecord) -> dict[str, object]:
    """One game for one line of JSON. `moves` has the opening's first, `ply_data` only the plies played."""
    converted = {
        "moves": list(record.moves),
        "opening": list(record.opening),
        "termination": record.termination,
        "plies": record.ply_count,
        "ply_data": [ply._asdict() | {"pv": ply.pv.split()} for ply in record.plies],
        "burns_idle": list(record.burns_idle),
        "evidence": None if record.evidence is None else asdict(record.evidence),
    }
    return {key: converted[key] if key in converted else getattr(record, key) for key in JSON_KEYS}


def csv_row(record: GameRecord) -> tuple[object, ...]:
    """One game in the order of CSV_HEADER, for csv.writer; moves separated by blanks, no winner as an empty field."""
    return tuple(record.movetext if name == "moves" else getattr(record, name) for name in CSV_HEADER)


def comment(ply: Ply) -> str:
    """The costs of a ply as a comment of PGN."""
    parts = [f"{ply.wall_us / 1e6:.6f}s"]
    if ply.nodes is not None:
        parts.append(f"n={ply.nodes}")
    if ply.left_ms is not None:
        parts.append(f"tl={ply.left_ms / 1000:.3f}s")
    if pv := short_pv(ply.pv):
        parts.append(f'pv="{pv}"')
    score = points(ply.score)
    if score or ply.depth is not None:
        parts[0] = f"{score or '?'}{'' if ply.depth is None else f'/{ply.depth}'} {parts[0]}"
    return "{" + ", ".join(parts) + "}"


def points(score: str | None) -> str:
    """`cp 31` is +0.31 and `mate -4` is -M4; nothing for anything else."""
    if centipawns(score) is None:
        return ""
    kind, _, number = str(score).partition(" ")
    value = int(number)
    return f"{value / 100:+.2f}" if kind == "cp" else f"{'+' if value > 0 else '-'}M{abs(value)}"


def _numbered(record: GameRecord, words: Sequence[str], costs: bool = True) -> Iterator[str]:
    """The words of the movetext: `1.`, a move of White, a move of Black; `3...` where Black begins."""
    black, number = record.start_ply % 2 == 1, record.start_ply // 2 + 1
    if black and words:
        yield f"{number}..."
    opening = len(record.opening)
    for at, move in enumerate(words):
        if not black:
            yield f"{number}."
        yield safe_text.pgn_word(move)
        if costs and at >= opening:
            yield from comment(record.plies[at - opening]).split(" ")
        number += black
        black = not black


def _wrapped(words: Iterator[str]) -> Iterator[str]:
    """Words joined by blanks into lines of at most PGN_COLUMNS."""
    line = next(words)
    for word in words:
        if len(line) + 1 + len(word) > PGN_COLUMNS:
            yield line
            line = word
        else:
            line += f" {word}"
    yield line
