"""Reads games from files into records: JSON lines and PGN, as `arena export` or another program writes them.

It trusts nothing: every game is replayed by the rules, and a refusal comes with the game's line. It stores nothing.
"""

import contextlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, fields, replace
from pathlib import Path
from typing import IO, Any, NamedTuple

from arena.games.game import Game
from arena.games.rules import IllegalMove, Rules, RulesError, plies_before
from arena.games.user_file import NotUtf8, utf8_text
from arena.games.variants import kind_of, resolve
from arena.imports import pgn_reader, replay
from results import strict_json
from results.export import jsonl
from results.plies import Plies, Ply, short_pv
from results.record import Evidence, GameRecord, Termination, Winner
from results.store.lookup import BadWord, parse_time
from results.store.rows import faults, is_game_id
from results.tables.text_width import cut

LONGEST_GAME = 8 << 20
"""A game takes at most so many bytes of PGN."""
LONGEST_LINE = 16 << 20
"""A game takes at most so many bytes of JSON."""
_CHUNK_BYTES = 2 << 20
"""So many bytes of PGN are read at once, and as many more as the last game has."""
_LONGEST_REFUSAL = 300
"""A refusal has at most so many characters: what it quotes may be long."""
_LONGEST_NAME = 300
"""Characters of a name: no page of an engine has a longer one."""
_TYPES: dict[str, Any] = {field.name: field.type for field in fields(GameRecord)} | {"clock": str}
_DEFAULTS = (
    {"id": "?-1", "number": 1, "round": 1, "detail": "", "tc": "-", "seed": 0}
    | {"started_at": "", "wall_ms": 0, "host": ""}
    | {field.name: field.default for field in fields(GameRecord) if field.default is not MISSING}
    | {"clock": "wall"}
)
del _DEFAULTS["start_ply"]  # the rules tell it
"""The fields of a record that a line of JSON may leave out."""
_WINNERS: dict[str | None, Winner | None] = {"1-0": "p1", "0-1": "p2", "1/2-1/2": "draw", "*": None}
_TAG = re.compile(rb'\[[A-Za-z]\w*\s+"')
_COST = re.compile(
    r"\b([A-Za-z][A-Za-z0-9]*+(?:[-=][A-Za-z0-9]++)*+[+#]*+)\s++\{\s*(?:(?P<score>[+-]\d{1,9}\.\d\d|[+-]M\d{1,9}|\?)(?:/(?P<depth>\d{1,9}))?\s+)?"
    r"(?P<wall>\d{1,9}\.\d{1,9})s(?:,\s+n=(?P<nodes>\d{1,20}))?(?:,\s+tl=(?P<left>-?\d{1,9}\.\d{1,9})s)?"
    r"(?:,\s+pv=\"(?P<pv>[A-Za-z0-9\s]{1,200}+)\")?\s*\}"
)
_NUMBER = re.compile(r"[\s\d.]*")


class IncomingGame(NamedTuple):
    """One game of a file: the record, or why it is refused."""

    line: int
    record: GameRecord | None = None
    refusal: str = ""
    has_id: bool = False
    """Does the file have the game's id? Otherwise the record still needs an id and a number."""
    event: str = ""
    """The name of the run in the file."""


def read_games(path: Path) -> Iterator[IncomingGame]:
    """The games of a file, one by one. Raises OSError where it cannot be read."""
    with path.open("rb") as file:
        head = file.read(4096).removeprefix(b"\xef\xbb\xbf").lstrip()
        file.seek(0)
        for game in (_json_lines if head.startswith(b"{") else _pgn)(file):
            yield game._replace(refusal=cut(game.refusal, _LONGEST_REFUSAL)) if game.refusal else game


def _json_lines(file: IO[bytes]) -> Iterator[IncomingGame]:
    number = 0
    while line := file.readline(LONGEST_LINE + 1):
        number += 1
        if len(line) > LONGEST_LINE:
            yield IncomingGame(number, refusal=f"the line is longer than {LONGEST_LINE >> 20} MiB: take the game out")
            return
        if not line.strip():
            continue
        try:
            values = strict_json.parse_object(line)
        except ValueError as error:
            yield IncomingGame(number, refusal=f"the line {error}")
            continue
        wrong = replay.check_record(values)
        try:
            record = None if wrong else _from_values(values)
        except (ValueError, TypeError, BadWord) as error:
            yield IncomingGame(number, refusal=str(error))
            continue
        yield IncomingGame(
            number, record, _sentence(wrong[0]) if wrong else "", "id" in values, str(values.get("run", ""))
        )


def _from_values(values: Mapping[str, Any]) -> GameRecord:
    """A record that agrees with the rules. Raises ValueError or BadWord for a field that cannot be stored."""
    rules, position = resolve(values["variant"], fen=values.get("fen"))
    start = position.fen()
    moves = tuple(replay.words_of(values["moves"]))
    termination = values.get("termination") or values.get("reason")
    if termination is None:
        termination = _replayed(values["variant"], start, moves)[1] or "unfinished"
    costs = values.get("ply_data") or ()
    # Another program may give only the moves here; without times they count as opening, as in `_costs`.
    plies = tuple(_ply(each) for each in costs) if all("wall_us" in each for each in costs) else ()
    given = {key: _typed(values, key, default) for key, default in _DEFAULTS.items() if key != "evidence"}
    given["started_at"] = given["started_at"] and parse_time("started_at", given["started_at"])
    words = (*kind_of(rules).endings, *Termination)
    if termination not in words:
        is_none = f"{termination!r} is no word for the end of a game of {rules.base}"
        raise ValueError(f"{is_none}: name one of {', '.join(words)}")
    record = GameRecord(
        **given,
        variant=rules.name,
        p1=_name(values, "p1"),
        p2=_name(values, "p2"),
        fen=start,
        start_ply=plies_before(position),
        opening=moves[: len(moves) - len(plies)],
        plies=plies,
        winner=values["winner"],
        termination=termination,
        evidence=_evidence(values.get("evidence")),
    )
    for wrong in faults(record, " ".join(moves)):
        raise ValueError(wrong)
    return replace(record, plies=Plies.of(record.plies))


def _ply(values: Mapping[str, Any]) -> Ply:
    known = {key: value for key, value in values.items() if key in Ply._fields}
    if isinstance(pv := known.get("pv"), list):
        known["pv"] = short_pv(" ".join(map(str, pv)))
    return Ply(**{"wall_us": None, "cpu_us": None, "left_ms": None, **known})


def _evidence(values: object) -> Evidence | None:
    if values is None:
        return None
    with contextlib.suppress(TypeError):
        if isinstance(values, dict) and isinstance(values.get("transcript"), list):
            return Evidence.of(values)
    raise ValueError("evidence is not as it was exported")


def _typed(values: Mapping[str, Any], key: str, default: Any) -> Any:
    value, kind = values.get(key, default), _TYPES[key]
    # A truth value is a number in Python, but not in JSON.
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise ValueError(f"{key} is {value!r}; it is {'a number' if kind is not str else 'a text'}")
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise ValueError(f"{key} is {value}; it has at most 63 bits")
    return value


def _name(values: Mapping[str, Any], key: str) -> str:
    name = values.get(key, "")
    if not isinstance(name, str) or len(name) > _LONGEST_NAME:
        raise ValueError(f"{key} is {cut(repr(name), 40)}; it is a text of at most {_LONGEST_NAME} characters")
    if not name:
        raise ValueError(f"the record has no {key}: name who played")
    return name


def _pgn(file: IO[bytes]) -> Iterator[IncomingGame]:
    before = 0
    try:
        for chunk in _chunks(file):
            for game in pgn_reader.read(utf8_text(chunk)):
                yield _from_pgn(game, before + game.line_number)
            before += chunk.count(b"\n")
    except NotUtf8 as error:
        yield IncomingGame(before + error.line, refusal="this line is not UTF-8 text: save the file as UTF-8")
    except pgn_reader.BadPgn as error:
        # Nothing can be read past it: where the next game begins is not known.
        yield IncomingGame(before + error.line_number, refusal=error.problem)


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    """Pieces of many games. Each piece ends before a game begins: after an empty line and before a tag Event.

    Games without a tag Event are told apart by any tag, if need be. Raises BadPgn for a game longer than LONGEST_GAME,
    with the line in which it begins, of those that follow the last piece.
    """
    kept, lines, game, begun, after_blank = bytearray(), 0, 0, 1, False
    while line := file.readline(LONGEST_GAME + 1):
        if after_blank and _TAG.match(line):
            if len(kept) >= (_CHUNK_BYTES if line.startswith(b"[Event ") else LONGEST_GAME):
                yield bytes(kept)
                kept.clear()
                lines = 0
            game, begun = len(kept), lines + 1
        kept += line
        lines += 1
        after_blank = not line.strip()
        if len(kept) - game > LONGEST_GAME:
            raise pgn_reader.BadPgn(begun, f"the game is longer than {LONGEST_GAME >> 20} MiB: take it out")
    if kept:
        yield bytes(kept)


def _from_pgn(game: pgn_reader.PgnGame, line: int) -> IncomingGame:
    try:
        record = _record_of_pgn(game)
    except (ValueError, TypeError, BadWord) as error:
        return IncomingGame(line, refusal=str(error))
    if wrong := replay.check_record(jsonl(record)):
        return IncomingGame(line, refusal=_sentence(wrong[0]))
    return IncomingGame(line, record, "", "GameId" in game.tags, game.tags.get("Event", ""))


def _record_of_pgn(game: pgn_reader.PgnGame) -> GameRecord:
    tags = game.tags
    if "Variant" not in tags:
        raise ValueError(pgn_reader.NO_VARIANT)
    tag = tags.get("Result", game.result)
    if tag not in _WINNERS or (game.result is not None and game.result != tag):
        raise ValueError(f"the tag Result is {tag!r} and the moves end with {game.result!r}: write one result in both")
    winner = _WINNERS[tag]
    rules, start = resolve(tags["Variant"], fen=tags.get("FEN"))
    moves, reason = _replayed(rules.name, start.fen(), game.moves)
    plies = _costs(game, moves)
    game_id = tags.get("GameId", "?-1")
    if not is_game_id(game_id):
        raise ValueError(f"GameId is {game_id!r}; it is a run's id, a hyphen and the number")
    date, time = tags.get("UTCDate", tags.get("Date", "")), tags.get("UTCTime", "")
    begun = date.replace(".", "-") if re.fullmatch(r"\d{4}\.\d\d\.\d\d", date) else ""
    if begun and re.fullmatch(r"\d\d:\d\d:\d\d", time):
        begun += f"T{time}"
    return GameRecord(
        id=game_id,
        number=int(game_id.rpartition("-")[2]),
        round=int(tags.get("Round", "").split(".")[0]) if re.match(r"\d{1,9}(\.|$)", tags.get("Round", "")) else 1,
        variant=rules.name,
        p1=_name(tags, "White"),
        p2=_name(tags, "Black"),
        fen=start.fen(),
        start_ply=plies_before(start),
        opening=moves[: len(moves) - len(plies)],
        plies=plies,
        winner=winner,
        termination=_termination(tags.get("Termination", ""), winner, reason, rules),
        detail="",
        tc=tags.get("TimeControl", "-"),
        seed=0,
        started_at=begun and parse_time("the time", begun),
        wall_ms=plies.sums.wall_us // 1000,
        host=tags.get("Site", ""),
        clock="wall",
    )


def _replayed(variant: str, fen: str, words: tuple[str, ...]) -> tuple[tuple[str, ...], str | None]:
    """The moves in canonical words, and why the rules ended the game, None where they did not. Raises RulesError."""
    game = Game(*resolve(variant, fen=fen))
    kind = kind_of(game.rules)
    for number, word in enumerate(words, 1):
        if game.outcome is not None:
            raise RulesError(f"the game was over by {game.outcome.reason} before move {number}, {word}")
        move = kind.find_written(game.position, word)
        if move is None:
            raise IllegalMove(word, game.position.fen())
        game.advance(move)
    return tuple(game.moves), None if game.outcome is None else game.outcome.reason


def _termination(tag: str, winner: Winner | None, reason: str | None, rules: Rules) -> str:
    """Why a game ended: our own word, or what the rules say, or what other programs mean by their words."""
    if tag in (*kind_of(rules).endings, *Termination):
        return tag
    if reason is not None:
        return reason
    if winner is None:
        return Termination.UNFINISHED
    if winner == "draw":
        return Termination.DRAW_AGREED if rules.draws and tag != "adjudication" else Termination.ADJUDICATION
    return Termination.TIME if tag == "time forfeit" else Termination.RESIGNATION


def _costs(game: pgn_reader.PgnGame, moves: tuple[str, ...]) -> Plies:
    """The plies with their costs, where comments give them for the last moves; the moves before are the opening.

    A move without a cost is no ply, because it would count as played in no time.
    """
    costs = list(_COST.finditer(game.text))
    if not _are_last(costs, game.moves):
        # A comment has no figures, or a person's words before them. Those after it are of the last moves.
        after = (at for at in range(len(costs) - 1, 0, -1) if not _follows(game.text, costs[at - 1], costs[at]))
        costs = costs[next(after, 0) :]
        if not _are_last(costs, game.moves):
            costs = []
    return Plies.of(
        Ply(
            move,
            round(float(each["wall"]) * 1e6),
            None,
            None if each["left"] is None else round(float(each["left"]) * 1000),
            None if each["depth"] is None else int(each["depth"]),
            None if each["nodes"] is None else int(each["nodes"]),
            _score(each["score"]),
            pv=each["pv"] or "",
        )
        for move, each in zip(moves[len(moves) - len(costs) :], costs, strict=True)
    )


def _are_last(costs: Sequence[re.Match[str]], moves: tuple[str, ...]) -> bool:
    return tuple(each[1] for each in costs) == moves[len(moves) - len(costs) :]


def _follows(text: str, before: re.Match[str], after: re.Match[str]) -> bool:
    """True if there is nothing between two moves but the number of the second one."""
    return _NUMBER.fullmatch(text, before.end(), after.start()) is not None


def _score(points: str | None) -> str | None:
    if points is None or points == "?":
        return None
    if points[1] == "M":
        return f"mate {'-' if points[0] == '-' else ''}{points[2:]}"
    return f"cp {round(float(points) * 100)}"


def _sentence(wrong: replay.Disagreement) -> str:
    return wrong.message if wrong.ply is None else f"ply {wrong.ply + 1}: {wrong.message}"
