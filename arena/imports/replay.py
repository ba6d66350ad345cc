"""Replays recorded games against the rules, and reports where record and rules disagree.

It reads records as plain JSON objects, from this arena or from another program, and trusts nothing in them. It needs
only the rules of `arena.games`. Independent of stores, engines and clocks.
"""

import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from arena.games.game import Game
from arena.games.game_words import legal_words
from arena.games.kind import GameKind
from arena.games.line import played
from arena.games.rules import IllegalMove, Outcome, Position, RulesError, plies_before
from arena.games.variants import kind_of, resolve
from results import strict_json
from results.record import FORFEITS, GameRecord

ON_TURN = frozenset({"time", "illegal-move", "malformed-move", "resignation"})
"""Reasons outside the rules that cost the side to move the game."""
ANY_TIME = frozenset({"crash", "stall"})
"""Reasons outside the rules that cost either side the game: an engine can break down while it waits."""
AT_THE_START = frozenset({"malformed-move"})
"""Reasons of ON_TURN that can cost either side the game before it has played: the word also covers endless output."""
AGREED = "draw-agreed"
ADJUDICATED = "adjudication"
UNFINISHED = "unfinished"
MOST_MOVES = 100_000
"""A record has at most so many moves."""


class Disagreement(NamedTuple):
    """A difference between a record and the rules. `ply` counts moves from 0, and is None for the whole game."""

    ply: int | None
    message: str


def check_lines(lines: Iterable[str | bytes]) -> Iterator[tuple[int, list[Disagreement]]]:
    """For every line that is not blank, its number from 1 and what is wrong with the record in it."""
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                record = strict_json.parse_object(line)
            except ValueError as error:
                yield number, [Disagreement(None, f"the line {error}")]
            else:
                yield number, check_record(record)


def check_record(record: Mapping[str, object]) -> list[Disagreement]:
    """Replay one record; empty where it agrees with the rules.

    `variant`, `moves` and `winner` are needed; `fen`, `reason` (or `termination`), `legal`, `legal_crc32`, `samples`,
    `opening`, `plies`, `ply_data`, `start_ply`, `evidence`, `p1` and `p2` are checked where present; other keys are
    ignored.
    """
    return list(_check(record))


def last_position(record: GameRecord) -> str:
    """The position string after the last move. Raises RulesError for a game that the rules refuse."""
    try:
        return played(record.variant, record.fen, record.moves).position.fen()
    except RulesError as refused:
        raise RulesError(f"game {record.id} cannot be replayed: {refused}; see 'arena verify'") from None


def written(record: GameRecord) -> Sequence[str]:
    """The moves of a record as its game writes them in PGN; as they are if its rules are not there or refuse it."""
    try:
        kind, start = _start(record.variant, record.fen)
        return kind.written(start, record.moves)
    except ValueError:
        return record.moves


@lru_cache(maxsize=64)
def _start(variant: str, fen: str) -> tuple[GameKind, Position]:
    rules, start = resolve(variant, fen=fen)
    return kind_of(rules), start


def _check(record: Mapping[str, object]) -> Iterator[Disagreement]:
    if faults := list(_shape_faults(record)):
        yield from faults
        return
    variant, fen, moves = str(record["variant"]), record.get("fen"), words_of(record["moves"])
    if len(moves) > MOST_MOVES:
        yield Disagreement(None, f"the record has {len(moves)} moves; a game has at most {MOST_MOVES}")
        return
    try:
        rules, position = resolve(variant, fen=None if fen is None else str(fen))
    except RulesError as error:
        yield Disagreement(None, str(error))
        return
    yield from _check_parts(record, moves)
    if (stated := record.get("start_ply")) not in (None, before := plies_before(position)):
        yield Disagreement(None, f"start_ply is {stated}, but {before} plies came before its position")
    game = Game(rules, position)
    lists = {key: _list(record.get(key)) for key in ("legal", "legal_crc32") if record.get(key) is not None}
    samples = [
        (each["ply"], words_of(each["legal"])) for each in _list(record.get("samples")) if isinstance(each, dict)
    ]
    for key, entries in lists.items():
        if len(entries) not in (len(moves), len(moves) + 1):
            yield Disagreement(None, f"{key} has {len(entries)} entries for {len(moves)} moves; one each, or one more")
    for ply, _ in samples:
        if not 0 <= ply <= len(moves):
            yield Disagreement(ply, f"samples has ply {ply}, but the game has only {len(moves)} moves")
    for ply, word in enumerate(moves):
        yield from _check_legal_moves(ply, game, lists, samples)
        if game.outcome is not None:
            yield Disagreement(ply, f"the game was over ({_describe(game.outcome)}) before {word}")
            return
        try:
            game.play(word)
        except IllegalMove as error:
            yield Disagreement(ply, str(error))
            return
        if game.moves[-1] != word:
            yield Disagreement(ply, f"the move {word} is stored as {game.moves[-1]}")
    yield from _check_legal_moves(len(moves), game, lists, samples)
    yield from _check_end(record, game)


def _check_parts(record: Mapping[str, object], moves: list[str]) -> Iterator[Disagreement]:
    """Check the facts that a record says twice against each other."""
    opening, plies, played = record.get("opening"), record.get("plies"), record.get("ply_data")
    if opening is not None and words_of(opening) != moves[: len(words_of(opening))]:
        yield Disagreement(None, "the moves do not begin with the opening")
    if plies is not None and plies != len(moves):
        yield Disagreement(None, f"plies is {plies}, but there are {len(moves)} moves")
    if played is not None:
        words = [str(ply["move"]) for ply in _list(played) if isinstance(ply, dict)]
        # Without an opening the record does not say where the measured plies begin.
        rest = len(moves) - len(words) if opening is None else len(words_of(opening))
        if rest < 0 or words != moves[rest:]:
            yield Disagreement(None, "the moves of ply_data are not those after the opening")
    if record.get("p1") is not None and record.get("p1") == record.get("p2"):
        yield Disagreement(None, f"p1 and p2 are both {record['p1']!r}")
    reason, termination = record.get("reason"), record.get("termination")
    if reason is not None and termination is not None and reason != termination:
        yield Disagreement(None, f"the record says reason {reason} and termination {termination}")
    evidence, winner, reason = record.get("evidence"), record["winner"], _reason(record)
    if isinstance(evidence, dict) and reason in FORFEITS:  # else it is of a fault after which the game began again
        fault, side = evidence.get("fault", reason), evidence.get("side")
        if fault != reason or side == winner:
            two_ends = f"winner {winner} by {reason}, and its evidence {fault} of {side}"
            yield Disagreement(None, f"the record says {two_ends}")


def _check_end(record: Mapping[str, object], game: Game) -> Iterator[Disagreement]:
    winner, reason = record["winner"], _reason(record)
    is_unplayed = len(words_of(record["moves"])) <= len(words_of(record.get("opening")))
    if game.outcome is not None:
        if winner != game.outcome.winner:
            yield Disagreement(None, f"the record says winner {winner or 'null'}, the rules {_describe(game.outcome)}")
        elif reason is not None and reason != game.outcome.reason:
            yield Disagreement(None, f"the record says reason {reason}, the rules {_describe(game.outcome)}")
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
    elif reason == ADJUDICATED:
        return  # by scores or by plies: whoever won, the rules have nothing to say
    elif reason in ON_TURN | ANY_TIME:
        if winner == "draw":
            yield Disagreement(None, f"the record says {reason} and winner draw; that reason gives one side the game")
        elif winner == game.position.side and reason in ON_TURN and not (reason in AT_THE_START and is_unplayed):
            yield Disagreement(
                None,
                f"the record says winner {winner} by {reason}, but {winner} is to move: only that side can lose so",
            )
    else:
        why = "without a reason" if reason is None else f"by {reason}"
        yield Disagreement(None, f"the record says winner {winner} {why}, but by the rules the game goes on")


def _check_legal_moves(
    ply: int, game: Game, lists: Mapping[str, list[object]], samples: Sequence[tuple[int, list[str]]]
) -> Iterator[Disagreement]:
    """Check what a record claims about the legal moves of this ply."""
    claims = {key: entries[ply] for key, entries in lists.items() if ply < len(entries)}
    own_samples = [words for at, words in samples if at == ply]
    if not claims and not own_samples:
        return
    words = legal_words(game)
    count, crc = claims.get("legal"), claims.get("legal_crc32")
    if count is not None and count != len(words):
        yield Disagreement(ply, f"the record counts {count} legal moves, the rules {len(words)}")
    if crc is not None and crc != (ours := f"{zlib.crc32(' '.join(words).encode()):08x}"):
        yield Disagreement(ply, f"the record's legal_crc32 is {crc}, by the rules it is {ours}")
    for sample in own_samples:
        if sorted(sample) != sorted(words):
            differing = sorted(set(sample) ^ set(words)) or ["a move listed twice"]
            yield Disagreement(ply, f"the record's sample of legal moves differs in {' '.join(differing)}")


def _shape_faults(record: Mapping[str, object]) -> Iterator[Disagreement]:
    """The faults because of which a record cannot be read."""
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
    if record.get("opening") is not None and not _is_words(record["opening"]):
        yield Disagreement(None, "opening is neither a list of words nor a text with blanks between words")
    if not isinstance(record.get("plies"), int | None) or isinstance(record.get("plies"), bool):
        yield Disagreement(None, f"plies is {record['plies']!r}; it is the number of moves")
    played = record.get("ply_data")
    is_ply = [isinstance(ply, dict) and isinstance(ply.get("move"), str) for ply in _list(played)]
    if played is not None and not (isinstance(played, list) and all(is_ply)):
        yield Disagreement(None, 'ply_data is no list of {"move": word, ...}')
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
    """None, or a list with entries of one kind or null. A truth value is a number in Python, but not in JSON."""
    if value is None:
        return True
    return isinstance(value, list) and all(
        entry is None or (isinstance(entry, kind) and not isinstance(entry, bool)) for entry in value
    )


def _is_words(value: object) -> bool:
    return isinstance(value, str) or (isinstance(value, list) and all(isinstance(word, str) for word in value))


def words_of(value: object) -> list[str]:
    """The words of a list, or of a text with blanks between words."""
    return value.split() if isinstance(value, str) else [str(word) for word in _list(value)]


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _describe(outcome: Outcome) -> str:
    return f"{outcome.winner} by {outcome.reason}"
