"""Replays recorded games against the rules and says where record and rules disagree.

It reads records as plain JSON objects, from this arena or from another program, and trusts nothing in them. It knows
the rules of `arena.games` alone: no store, no engines, no clocks.
"""

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from arena.games.game import Game
from arena.games.rules import IllegalMove, Outcome, RulesError
from arena.games.variants import resolve

ONE_SIDED = frozenset({"time", "illegal-move", "malformed-move", "crash", "stall", "resignation"})
"""Reasons that lie outside the rules and give one side the game."""
AGREED = "draw-agreed"
ADJUDICATED = "adjudication"
UNFINISHED = "unfinished"


class Disagreement(NamedTuple):
    """Where a record is not what the rules say. `ply` counts moves from 0; None where it is about the whole game."""

    ply: int | None
    message: str


def check_lines(lines: Iterable[str | bytes]) -> Iterator[tuple[int, list[Disagreement]]]:
    """Check JSON lines: for every record, so every line that is not blank, its line number from 1 and what is wrong.

    Nothing in a line raises; what is no record is a disagreement.
    """
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield number, _check_line(line)


def check_record(record: Mapping[str, object]) -> list[Disagreement]:
    """Replay one record; empty where it agrees with the rules.

    `variant`, `moves` and `winner` are needed; `fen`, `reason` (or `termination`), `legal`, `legal_crc32` and `samples`
    are checked where present; other keys are ignored.
    """
    return list(_check(record))


def _check_line(line: str | bytes) -> list[Disagreement]:
    try:
        record = json.loads(line)
    except UnicodeDecodeError:
        return [Disagreement(None, "the line is no UTF-8 text")]
    except (ValueError, RecursionError) as error:
        return [Disagreement(None, f"the line is no JSON: {error}")]
    if not isinstance(record, dict):
        return [Disagreement(None, "the line is no JSON object; a record is written {...}")]
    return check_record(record)


def _check(record: Mapping[str, object]) -> Iterator[Disagreement]:
    faults = list(_shape_faults(record))
    if faults:
        yield from faults
        return
    variant, fen, moves = str(record["variant"]), record.get("fen"), _words(record["moves"])
    try:
        rules, position = resolve(variant, fen=None if fen is None else str(fen))
    except RulesError as error:
        yield Disagreement(None, str(error))
        return
    game = Game(rules, position)
    legal = _Legal(record)
    yield from legal.check_lengths(len(moves))
    for ply, word in enumerate(moves):
        yield from legal.check(ply, game)
        if game.outcome is not None:
            yield Disagreement(ply, f"the game was over ({_said(game.outcome)}) before {word}")
            return
        try:
            game.play(word)
        except IllegalMove as error:
            yield Disagreement(ply, str(error))
            return
    yield from legal.check(len(moves), game)
    yield from _check_end(record, game)


def _check_end(record: Mapping[str, object], game: Game) -> Iterator[Disagreement]:
    winner, reason = record["winner"], _reason(record)
    if game.outcome is not None:
        if winner != game.outcome.winner:
            yield Disagreement(None, f"the record says winner {_name(winner)}, the rules {_said(game.outcome)}")
        elif reason is not None and reason != game.outcome.reason:
            yield Disagreement(None, f"the record says reason {reason}, the rules {_said(game.outcome)}")
    elif winner is None:
        if reason not in (None, UNFINISHED):
            yield Disagreement(
                None, f"the record says reason {reason} and no winner; a game nobody won is {UNFINISHED}"
            )
    elif reason == AGREED:
        if not game.rules.draws:
            yield Disagreement(None, f"the record says {AGREED}, but draw offers are void in {game.rules.base}")
        elif winner != "draw":
            yield Disagreement(None, f"the record says {AGREED} and winner {winner}")
    elif reason in ONE_SIDED:
        if winner == "draw":
            yield Disagreement(None, f"the record says {reason} and winner draw; that reason gives one side the game")
    elif reason != ADJUDICATED:
        why = "without a reason" if reason is None else f"by {reason}"
        yield Disagreement(None, f"the record says winner {winner} {why}, but by the rules the game goes on")


class _Legal:
    """What a record claims about legal moves, ply by ply."""

    def __init__(self, record: Mapping[str, object]) -> None:
        self._lists = {key: _list(record.get(key)) for key in ("legal", "legal_crc32") if record.get(key) is not None}
        self._samples = [
            (sample["ply"], sorted(_words(sample["legal"])))
            for sample in _list(record.get("samples"))
            if isinstance(sample, dict)
        ]

    def check_lengths(self, plies: int) -> Iterator[Disagreement]:
        for key, found in self._lists.items():
            if len(found) not in (plies, plies + 1):
                yield Disagreement(None, f"{key} has {len(found)} entries for {plies} moves; one each, or one more")
        for ply, _ in self._samples:
            if not 0 <= ply <= plies:
                yield Disagreement(ply, f"samples has ply {ply}, but the game has only {plies} moves")

    def check(self, ply: int, game: Game) -> Iterator[Disagreement]:
        claims = {key: found[ply] for key, found in self._lists.items() if ply < len(found)}
        samples = [words for at, words in self._samples if at == ply]
        if not claims and not samples:
            return
        words = [] if game.outcome is not None else [move.text for move in game.position.legal_moves()]
        count, crc = claims.get("legal"), claims.get("legal_crc32")
        if count is not None and count != len(words):
            yield Disagreement(ply, f"the record counts {count} legal moves, the rules {len(words)}")
        if crc is not None:
            found = f"{zlib.crc32(' '.join(words).encode()):08x}"
            if crc != found:
                yield Disagreement(ply, f"the record's legal_crc32 is {crc}, by the rules it is {found}")
        for sample in samples:
            if sample != sorted(words):
                differing = sorted(set(sample) ^ set(words)) or ["a move listed twice"]
                yield Disagreement(ply, f"the record's sample of legal moves differs in {' '.join(differing)}")


def _shape_faults(record: Mapping[str, object]) -> Iterator[Disagreement]:
    """What keeps a record from being read at all."""
    missing = [key for key in ("variant", "moves", "winner") if key not in record]
    if missing:
        yield Disagreement(None, f"the record has no {' and no '.join(missing)}")
        return
    if not isinstance(record["variant"], str):
        yield Disagreement(None, f"variant is {record['variant']!r}; it is a name")
    if not isinstance(record.get("fen"), str | None):
        yield Disagreement(None, f"fen is {record['fen']!r}; it is a position string")
    if not _is_words(record["moves"]):
        yield Disagreement(None, "moves is neither a list of words nor a text with blanks between words")
    if record["winner"] not in ("p1", "p2", "draw", None):
        yield Disagreement(None, f"winner is {record['winner']!r}; it is p1, p2, draw or null")
    for key in ("reason", "termination"):
        if not isinstance(record.get(key), str | None):
            yield Disagreement(None, f"{key} is {record[key]!r}; it is a word")
    if not _is_list_of(record.get("legal"), int):
        yield Disagreement(None, "legal is no list of numbers")
    if not _is_list_of(record.get("legal_crc32"), str):
        yield Disagreement(None, "legal_crc32 is no list of texts")
    for sample in _list(record.get("samples")) if _is_list_of(record.get("samples"), dict) else [None]:
        if not (isinstance(sample, dict) and isinstance(sample.get("ply"), int) and _is_words(sample.get("legal"))):
            yield Disagreement(None, 'samples is no list of {"ply": number, "legal": words}')
            return


def _reason(record: Mapping[str, object]) -> object:
    reason = record.get("reason")
    return record.get("termination") if reason is None else reason


def _is_list_of(value: object, kind: type) -> bool:
    """Absent, or a list whose entries are of one kind or null."""
    if value is None:
        return True
    return isinstance(value, list) and all(entry is None or isinstance(entry, kind) for entry in value)


def _is_words(value: object) -> bool:
    return isinstance(value, str) or (isinstance(value, list) and all(isinstance(word, str) for word in value))


def _words(value: object) -> list[str]:
    return value.split() if isinstance(value, str) else [str(word) for word in _list(value)]


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _name(winner: object) -> str:
    return "null" if winner is None else str(winner)


def _said(outcome: Outcome) -> str:
    return f"{outcome.winner} by {outcome.reason}"
