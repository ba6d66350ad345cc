"""Games from files into records: JSON lines and PGN, as `arena export` writes them or another program.

Trusts nothing: every game is replayed by the rules, and what is refused is said with its line. Stores nothing.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import IO, Any, NamedTuple

from arena.games.game import Game
from arena.games.rules import RulesError
from arena.games.variants import resolve
from arena.verification import pgn_reader, replay
from results.plies import Ply
from results.record import Evidence, GameRecord, Termination, Winner
from results.store.validation import faults

_CHUNK_LINES = 20_000
"""Lines of PGN that are read at once, and as many more as the last game has."""
_WINNERS: dict[str | None, Winner | None] = {"1-0": "p1", "0-1": "p2", "1/2-1/2": "draw", "*": None}
_COST = re.compile(
    r"([A-Za-z][A-Za-z0-9]*)\s+\{\s*(?:(?P<score>[+-]\d+\.\d\d|[+-]M\d+|\?)(?:/(?P<depth>\d+))?\s+)?(?P<wall>\d+\.\d+)s"
    r"(?:,\s+n=(?P<nodes>\d+))?(?:,\s+tl=(?P<left>-?\d+\.\d+)s)?\s*\}"
)


class Incoming(NamedTuple):
    """One game of a file: the record, or why it is refused."""

    line: int
    record: GameRecord | None
    refusal: str
    own_id: bool
    """Did the file say the game's id? Otherwise the record's id and number are still to be given."""
    event: str
    """What the run is called there."""


def read(path: Path) -> Iterator[Incoming]:
    """The games of a file, one by one. Raises OSError where it cannot be read."""
    with path.open("rb") as file:
        head = file.read(4096).removeprefix(b"\xef\xbb\xbf").lstrip()
        file.seek(0)
        yield from _json_lines(file) if head.startswith(b"{") else _pgn(file)


def _json_lines(file: IO[bytes]) -> Iterator[Incoming]:
    for number, line in enumerate(file, 1):
        if not line.strip():
            continue
        wrong = next(replay.check_lines([line]), (0, []))[1]
        if wrong:
            yield Incoming(number, None, _said(wrong[0]), False, "")
            continue
        values = json.loads(line)
        try:
            record = _from_values(values)
        except (ValueError, TypeError) as error:
            yield Incoming(number, None, str(error), False, "")
            continue
        yield Incoming(number, record, "", "id" in values, str(values.get("run", "")))


def _from_values(values: Mapping[str, Any]) -> GameRecord:
    """A record that agrees with the rules. Raises ValueError for a field that cannot be stored."""
    rules, position = resolve(values["variant"], fen=values.get("fen"))
    start = position.fen()
    moves = _split(values["moves"])
    termination = values.get("termination") or values.get("reason")
    if termination is None:
        termination = _replayed(values["variant"], start, moves)[1] or "unfinished"
    costs = values.get("ply_data") or ()
    # Other programs may tell only the moves there; without times they count as opening, as in `_costs`.
    plies = tuple(_ply(each) for each in costs) if all("wall_us" in each for each in costs) else ()
    if values.get("id") is not None and not re.fullmatch(r"\S+-\d{1,18}", str(values["id"])):
        raise ValueError(f"id is {values['id']!r}; it is a run's id, a hyphen and the number")
    record = GameRecord(
        id=_typed(values, "id", str, "?-1"),
        number=_typed(values, "number", int, 1),
        round=_typed(values, "round", int, 1),
        variant=rules.name,
        p1=_name(values, "p1"),
        p2=_name(values, "p2"),
        fen=start,
        opening=moves[: len(moves) - len(plies)],
        plies=plies,
        winner=values["winner"],
        termination=Termination(termination),
        detail=_typed(values, "detail", str, ""),
        tc=_typed(values, "tc", str, "-"),
        seed=_typed(values, "seed", int, 0),
        started_at=_typed(values, "started_at", str, ""),
        wall_ms=_typed(values, "wall_ms", int, 0),
        host=_typed(values, "host", str, ""),
        clock=_typed(values, "clock", str, "wall"),
        measured=_typed(values, "measured", bool, True),
        p1_idle_us=_typed(values, "p1_idle_us", int | None, None),
        p2_idle_us=_typed(values, "p2_idle_us", int | None, None),
        evidence=_evidence(values.get("evidence")),
    )
    if values.get("id") is not None and record.id != f"{record.run}-{record.id.rpartition('-')[2]}":
        raise ValueError(f"id is {record.id!r}; it is a run's id, a hyphen and the number")
    for wrong in faults(record, " ".join(moves)):
        raise ValueError(wrong)
    return record


def _split(moves: object) -> tuple[str, ...]:
    return tuple(moves.split()) if isinstance(moves, str) else tuple(moves)  # type: ignore[arg-type]  # a list of words


def _ply(values: Mapping[str, Any]) -> Ply:
    known = {key: value for key, value in values.items() if key in Ply._fields}
    return Ply(**{"wall_us": None, "cpu_us": None, "left_ms": None, **known})


def _evidence(values: object) -> Evidence | None:
    if values is None:
        return None
    if not isinstance(values, dict) or not isinstance(values.get("transcript"), list):
        raise ValueError("evidence is not as it was exported")
    return Evidence(**{**values, "transcript": tuple(values["transcript"])})


def _typed(values: Mapping[str, Any], key: str, kind: Any, default: Any) -> Any:
    value = values.get(key, default)
    # To Python a truth value is a number, to JSON not.
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise ValueError(f"{key} is {value!r}; it is {'a number' if kind is not str else 'a text'}")
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise ValueError(f"{key} is {value}; it has at most 63 bits")
    return value


def _name(values: Mapping[str, Any], key: str) -> str:
    name = str(_typed(values, key, str, ""))
    if not name:
        raise ValueError(f"the record has no {key}: name who played")
    return name


def _pgn(file: IO[bytes]) -> Iterator[Incoming]:
    before = 0
    for chunk in _chunks(file):
        try:
            text = chunk.decode("utf-8-sig")
            lines = text.splitlines()
            for game, after in _with_next(pgn_reader.read(text)):
                until = after.line_number - 1 if after is not None else len(lines)
                yield _from_pgn(game, "\n".join(lines[game.line_number - 1 : until]), before)
        except UnicodeDecodeError:
            yield Incoming(before + 1, None, "from here on is no UTF-8 text", False, "")
            return
        except pgn_reader.BadPgn as error:
            # Nothing can be read past it: where the next game begins is not known.
            number, _, said = str(error).removeprefix("line ").partition(": ")
            yield Incoming(before + int(number), None, said, False, "")
            return
        before += chunk.count(b"\n")


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    """Pieces of many games that each end before a game begins: an empty line, and then a tag."""
    kept: list[bytes] = []
    while lines := list(islice(file, _CHUNK_LINES)):
        kept += lines
        cut = next(
            (k for k in range(len(kept) - 1, 0, -1) if kept[k].startswith(b"[Event ") and not kept[k - 1].strip()), 0
        )
        if cut:
            yield b"".join(kept[:cut])
            kept = kept[cut:]
    if kept:
        yield b"".join(kept)


def _with_next(games: Iterator[pgn_reader.PgnGame]) -> Iterator[tuple[pgn_reader.PgnGame, pgn_reader.PgnGame | None]]:
    game = next(games, None)
    while game is not None:
        after = next(games, None)
        yield game, after
        game = after


def _from_pgn(game: pgn_reader.PgnGame, text: str, before: int) -> Incoming:
    line = before + game.line_number
    try:
        record = _record_of_pgn(game, text)
    except (ValueError, TypeError) as error:
        return Incoming(line, None, str(error), False, "")
    values = {
        "variant": record.variant,
        "fen": record.fen,
        "moves": list(record.moves),
        "winner": record.winner,
        "termination": record.termination.value,
        "p1": record.p1,
        "p2": record.p2,
        "opening": list(record.opening),
    }
    wrong = replay.check_record(values)
    if wrong:
        return Incoming(line, None, _said(wrong[0]), False, "")
    return Incoming(line, record, "", "GameId" in game.tags, game.tags.get("Event", ""))


def _record_of_pgn(game: pgn_reader.PgnGame, text: str) -> GameRecord:
    tags = game.tags
    if "Variant" not in tags:
        raise ValueError('the game has no tag Variant: write [Variant "..."] as arena variants lists it')
    said = tags.get("Result", game.result)
    if said not in _WINNERS or (game.result is not None and game.result != said):
        raise ValueError(f"the tag Result is {said!r} and the moves end with {game.result!r}: write one result in both")
    winner = _WINNERS[said]
    rules, start = resolve(tags["Variant"], fen=tags.get("FEN"))
    moves, reason = _replayed(rules.name, start.fen(), game.moves)
    plies = _costs(text, game.moves, moves)
    game_id = tags.get("GameId", "?-1")
    if not re.fullmatch(r"\S+-\d{1,18}", game_id):
        raise ValueError(f"GameId is {game_id!r}; it is a run's id, a hyphen and the number")
    date, time = tags.get("UTCDate", tags.get("Date", "")), tags.get("UTCTime", "")
    begun = date.replace(".", "-") if re.fullmatch(r"\d{4}\.\d\d\.\d\d", date) else ""
    return GameRecord(
        id=game_id,
        number=int(game_id.rpartition("-")[2]),
        round=int(tags.get("Round", "").split(".")[0]) if re.match(r"\d{1,9}(\.|$)", tags.get("Round", "")) else 1,
        variant=rules.name,
        p1=_name(tags, "White"),
        p2=_name(tags, "Black"),
        fen=start.fen(),
        opening=moves[: len(moves) - len(plies)],
        plies=plies,
        winner=winner,
        termination=_termination(tags.get("Termination", ""), winner, reason, rules.draws),
        detail="",
        tc=tags.get("TimeControl", "-"),
        seed=0,
        started_at=f"{begun}T{time}+00:00" if begun and re.fullmatch(r"\d\d:\d\d:\d\d", time) else begun,
        wall_ms=sum(ply.wall_us for ply in plies) // 1000,
        host=tags.get("Site", ""),
        clock="wall",
    )


def _replayed(variant: str, fen: str, words: tuple[str, ...]) -> tuple[tuple[str, ...], str | None]:
    """The moves in canonical words, and why the rules ended the game, None where they did not. Raises RulesError."""
    game = Game(*resolve(variant, fen=fen))
    for number, word in enumerate(words, 1):
        if game.outcome is not None:
            raise RulesError(f"the game was over by {game.outcome.reason} before move {number}, {word}")
        game.play(word)
    return tuple(game.moves), None if game.outcome is None else str(game.outcome.reason)


def _termination(tag: str, winner: Winner | None, reason: str | None, draws: bool) -> Termination:
    """Why a game ended: our own word, what the rules say, or what other programs mean by their words for it."""
    if tag in list(Termination):
        return Termination(tag)
    if reason is not None:
        return Termination(reason)
    if winner is None:
        return Termination.UNFINISHED
    if winner == "draw":
        return Termination.DRAW_AGREED if draws and tag != "adjudication" else Termination.ADJUDICATION
    return Termination.TIME if tag == "time forfeit" else Termination.RESIGNATION


def _costs(text: str, words: tuple[str, ...], moves: tuple[str, ...]) -> tuple[Ply, ...]:
    """The plies whose comments say what they cost, if they are the last of the game; the moves before are the opening.

    Moves whose cost nobody has told have no place among plies: they would count as played in no time.
    """
    found = list(_COST.finditer(text))
    if not found or tuple(each[1] for each in found) != words[len(words) - len(found) :]:
        return ()
    return tuple(
        Ply(
            move,
            round(float(each["wall"]) * 1e6),
            None,
            None if each["left"] is None else round(float(each["left"]) * 1000),
            None if each["depth"] is None else int(each["depth"]),
            None if each["nodes"] is None else int(each["nodes"]),
            _score(each["score"]),
        )
        for move, each in zip(moves[len(moves) - len(found) :], found, strict=True)
    )


def _score(points: str | None) -> str | None:
    if points is None or points == "?":
        return None
    if points[1] == "M":
        return f"mate {'-' if points[0] == '-' else ''}{points[2:]}"
    return f"cp {round(float(points) * 100)}"


def _said(wrong: replay.Disagreement) -> str:
    return wrong.message if wrong.ply is None else f"ply {wrong.ply + 1}: {wrong.message}"


def run_of(event: str) -> str:
    """The id of the run that games without an id of their own go to, by what they say of their event."""
    return hashlib.sha256(f"import {event}".encode(errors="replace")).hexdigest()[:12]
