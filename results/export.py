"""Games in the formats that other tools and people read: PGN, JSON lines, CSV, text.

Pure: records in, text or plain values out.
"""

from collections.abc import Iterator
from dataclasses import asdict
from itertools import chain

from results.eval_disagreement import centipawns
from results.plies import Ply
from results.record import GameRecord

RESULTS = {"p1": "1-0", "p2": "0-1", "draw": "1/2-1/2", None: "*"}
"""The words of PGN, where White is the side that moves first in the variant: p1, the attackers in tafl."""
PGN_COLUMNS = 80

CSV_HEADER = (
    "id",
    "run",
    "number",
    "round",
    "variant",
    "p1",
    "p2",
    "winner",
    "termination",
    "detail",
    "ply_count",
    "wall_ms",
    "tc",
    "seed",
    "started_at",
    "host",
    "fen",
    "moves",
)


def pgn(record: GameRecord, event: str = "?") -> str:
    """One game with its tags, ended by a blank line, so that games can be written one after another.

    The moves are our own words: tools that rate (Ordo, BayesElo) read the tags, boards of chess cannot replay it. p1 is
    White, whoever begins. Both want a tag on a line of its own, and BayesElo knows comments in braces. Each ply played
    has one: `{+0.31/7 0.012345s, n=12345, tl=9.998s}` is score in points (or `+M5`) from the mover's side, depth, wall
    time, nodes and the time left.
    """
    result = RESULTS[record.winner]
    tags = {
        "Event": event,
        "Site": record.host or "?",
        "Date": record.started_at[:10].replace("-", ".") or "????.??.??",
        "Round": f"{record.round}.{record.number}",
        "White": record.p1,
        "Black": record.p2,
        "Result": result,
        "Variant": record.variant,
        "SetUp": "1",
        "FEN": record.fen,
        "TimeControl": record.tc,
        "Termination": record.termination.value,
        "PlyCount": str(len(record.moves)),
        "UTCTime": record.started_at[11:19] or "??:??:??",
        "GameId": record.id,
    }
    lines = [f'[{name} "{_escaped(value)}"]' for name, value in tags.items()]
    return "\n".join([*lines, "", *_wrapped(chain(_numbered(record), [result])), "", ""])


def text(record: GameRecord) -> str:
    """One game for people: a line about it, its moves, a blank line."""
    why = f" by {record.termination}" + (f": {record.detail}" if record.detail else "")
    head = f"{record.id}, round {record.round}: {record.p1} - {record.p2}, {record.variant}, {record.tc}"
    words = chain(_numbered(record, costs=False), [RESULTS[record.winner] + why])
    return "\n".join([head, record.fen, *_wrapped(words), "", ""])


def jsonl(record: GameRecord) -> dict[str, object]:
    """One game as plain values, for one line of JSON. `moves` has the opening's first, `ply_data` only played plies."""
    return {
        "id": record.id,
        "run": record.run,
        "number": record.number,
        "round": record.round,
        "p1": record.p1,
        "p2": record.p2,
        "variant": record.variant,
        "fen": record.fen,
        "moves": list(record.moves),
        "opening": list(record.opening),
        "winner": record.winner,
        "termination": record.termination.value,
        "detail": record.detail,
        "plies": len(record.moves),
        "wall_ms": record.wall_ms,
        "tc": record.tc,
        "seed": record.seed,
        "started_at": record.started_at,
        "ply_data": [_ply(ply) for ply in record.plies],
        "host": record.host,
        "clock": record.clock,
        "measured": record.measured,
        "flagged": record.flagged,
        "machine": record.machine,
        "burns_idle": list(record.burns_idle),
        "p1_idle_us": record.p1_idle_us,
        "p2_idle_us": record.p2_idle_us,
        "evidence": None if record.evidence is None else asdict(record.evidence),
    }


def csv_row(record: GameRecord) -> tuple[str | int, ...]:
    """One game in the order of CSV_HEADER, for csv.writer; moves separated by blanks, no winner as an empty field."""
    return (
        record.id,
        record.run,
        record.number,
        record.round,
        record.variant,
        record.p1,
        record.p2,
        record.winner or "",
        record.termination.value,
        record.detail,
        len(record.moves),
        record.wall_ms,
        record.tc,
        record.seed,
        record.started_at,
        record.host,
        record.fen,
        " ".join(record.moves),
    )


def _ply(ply: Ply) -> dict[str, object]:
    return {
        "move": ply.move,
        "wall_us": ply.wall_us,
        "cpu_us": ply.cpu_us,
        "left_ms": ply.left_ms,
        "depth": ply.depth,
        "nodes": ply.nodes,
        "score": ply.score,
        "late_us": ply.late_us,
    }


def _escaped(value: str) -> str:
    """A tag's value: quotes and backslashes escaped, line breaks and other control characters made blanks."""
    plain = "".join(c if c.isprintable() else " " for c in value)
    return plain.replace("\\", "\\\\").replace('"', '\\"')


def comment(ply: Ply) -> str:
    """What a ply cost, as a comment of PGN."""
    parts = [f"{ply.wall_us / 1e6:.6f}s"]
    if ply.nodes is not None:
        parts.append(f"n={ply.nodes}")
    if ply.left_ms is not None:
        parts.append(f"tl={ply.left_ms / 1000:.3f}s")
    score = _points(ply.score)
    if score or ply.depth is not None:
        parts[0] = f"{score or '?'}{'' if ply.depth is None else f'/{ply.depth}'} {parts[0]}"
    return "{" + ", ".join(parts) + "}"


def _points(score: str | None) -> str:
    """`cp 31` is +0.31 and `mate -4` is -M4; nothing for anything else."""
    if centipawns(score) is None:
        return ""
    kind, _, number = str(score).partition(" ")
    value = int(number)
    return f"{value / 100:+.2f}" if kind == "cp" else f"{'+' if value > 0 else '-'}M{abs(value)}"


def _numbered(record: GameRecord, costs: bool = True) -> Iterator[str]:
    """The words of the movetext: `1.`, a move of White, a move of Black; `3...` where Black begins."""
    *_, side, turn = record.fen.split()
    black, number = side == "p2", int(turn)
    if black and record.moves:
        yield f"{number}..."
    opening = len(record.opening)
    for at, move in enumerate(record.moves):
        if not black:
            yield f"{number}."
        yield move
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
