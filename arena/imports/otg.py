"""Reads and writes OTG, the game files of OpenTafl.

A file has tags, turns such as `1. d1-d3 h6-h9xh8`, and after a turn a comment in brackets. Variations and what comments
say are skipped, but for the costs of plies as `results.export` writes them. A game becomes a `PgnGame`, so records are
made of PGN and OTG alike. It is replayed here as well, because a file also tells what each move captured.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import IO

from arena.games import otn
from arena.games.game import Game
from arena.games.rules import RulesError
from arena.games.tafl import TaflPosition, TaflRules
from arena.games.variants import resolve
from arena.imports.pgn_reader import MOST_MOVES, BadPgn, PgnGame
from results import export
from results.record import GameRecord

BEGINNING = re.compile(rb"\[[A-Za-z][A-Za-z-]*:")
"""What tells a file from PGN, whose tags have quotes."""
LONGEST_GAME = 8 << 20
"""A game takes at most so many bytes."""
_TOO_LONG = f"the game is longer than {LONGEST_GAME >> 20} MiB: take it out"
_TAG = re.compile(r"\[([A-Za-z][A-Za-z-]*):")
_TURN = re.compile(r"([0-9]{1,6})\.(?:\s|$)", re.ASCII)
_VARIATION = re.compile(r"[0-9]+[a-z]\.", re.ASCII)
_RESIGNS, _LEFT_OUT = "---", "....."
_MOST_CAPTURES = 4
"""OpenTafl reads no more captured squares of one move."""
_RESULTS = {"1": "1-0", "-1": "0-1", "0": "1/2-1/2", "?": "*"}
_OUR_RESULTS: dict[str | None, str] = {"p1": "1", "p2": "-1", "draw": "0", None: "?"}
_TAGS = {
    "event": "Event", "site": "Site", "date": "Date", "time": "UTCTime", "round": "Round", "attackers": "White",
    "defenders": "Black", "result": "Result", "termination": "Termination", "compiler": "Compiler",
    "tc": "TimeControl", "game-id": "GameId", "fen": "FEN", "variant": "Variant",
}  # fmt: skip
"""Our tags, and those of PGN that say the same. `time`, `tc`, `game-id` and `fen` are not OpenTafl's."""


@dataclass(slots=True)
class OtgGame:
    """One game as it is written down."""

    line: int
    tags: dict[str, tuple[int, str]] = field(default_factory=dict)
    """The line and the text of each tag."""
    moves: list[tuple[int, str]] = field(default_factory=list)
    """The line and the record of each move of the main line."""
    comments: dict[int, str] = field(default_factory=dict)
    """What is said of a move, by its place in `moves`."""
    turns: int = 0


def split(file: IO[bytes]) -> Iterator[OtgGame]:
    """The games of a file. Raises BadPgn where nothing can be read past a line."""
    game, size = OtgGame(1), 0
    turn = range(0)  # the moves that a comment would speak of
    after_turn = False  # a comment begins on the line after its turn, and a tag does not
    for line, piece in _pieces(file):
        tag = None if after_turn else _TAG.match(piece)
        if tag is not None and (game.moves or tag[1] in game.tags):
            yield game
            game, size = OtgGame(line), 0
        size += len(piece)
        if size > LONGEST_GAME:
            raise BadPgn(game.line, _TOO_LONG)
        if tag is not None:
            game.tags[tag[1]] = line, _unescaped(piece[tag.end() : -1].strip())
        elif piece.startswith("["):
            game.comments |= zip(turn, piece[1:-1].split("|"), strict=False)
        elif _VARIATION.match(piece):
            turn = range(0)
        elif piece:
            turn = _read_turn(game, line, piece)
        after_turn = piece != "" and piece[0] != "["
    if game.tags:
        yield game


def _pieces(file: IO[bytes]) -> Iterator[tuple[int, str]]:
    """What is in brackets, with them, and the other lines; each with the line where it begins."""
    number, size, begun, body = 0, 0, 0, list[str]()
    while data := file.readline(LONGEST_GAME + 1):
        number += 1
        try:
            line, at = data.decode("utf-8-sig").strip(), 0
        except UnicodeDecodeError:
            raise BadPgn(number, "this line is no UTF-8 text") from None
        while body or line.startswith("[", at):
            end = line.find("]", at) + 1
            begun = begun if body else number
            body.append(line[at:end] if end else line[at:])
            size += len(data)
            if size > LONGEST_GAME:
                raise BadPgn(begun, _TOO_LONG)
            if not end:
                break
            yield begun, " ".join(body)
            body, size, at = [], 0, end
            while at < len(line) and line[at].isspace():
                at += 1
        if not body and (at < len(line) or not line):
            yield number, line[at:]
    if body:
        raise BadPgn(begun, f"{body[0][:30]!r} begins here and is never closed: add its ']'")


def _read_turn(game: OtgGame, number: int, text: str) -> range:
    """Add the moves of a turn to the game. Their places are returned."""
    begins = _TURN.match(text)
    if begins is None or not game.tags:
        raise BadPgn(number, f"{text[:30]!r} is no tag such as [date:2015.05.04] and no turn such as 1. d1-d3 h6-h9")
    game.turns += 1
    if int(begins[1]) != game.turns:
        raise BadPgn(number, f"turn {begins[1]} stands where turn {game.turns} is expected")
    first = len(game.moves)
    game.moves += [(number, word) for word in text[begins.end() :].split() if word not in (_RESIGNS, _LEFT_OUT)]
    if len(game.moves) > MOST_MOVES:
        raise BadPgn(number, f"the game has more than {MOST_MOVES} moves: take it out")
    return range(first, len(game.moves))


def as_pgn(told: OtgGame) -> PgnGame:
    """The game in the words of PGN, replayed by the rules. Raises BadPgn with the line that they contradict."""
    tags = {_TAGS[name]: text for name, (_, text) in told.tags.items() if name in _TAGS}
    tags |= {"TimeControl": told.tags["time-control"][1]} if "time-control" in told.tags else {}
    for name in ("attackers", "defenders", "rules"):
        if not told.tags.get(name, (0, ""))[1]:
            raise BadPgn(told.line, f"the game has no tag {name}: add [{name}:...]")
    try:
        game = _begun(told)
    except RulesError as error:
        raise BadPgn(told.tags["rules"][0], f"the tag rules: {error}") from None
    told_all = any(re.search("x[tkTK]?[a-y]", record) for _, record in told.moves)
    for line, record in told.moves:
        if game.outcome is not None:
            raise BadPgn(line, f"the game was over by {game.outcome.reason} before {record}")
        before = game.position
        try:
            word, named = otn.read_captures(record)
            game.play(word)
        except RulesError as error:
            raise BadPgn(line, str(error)) from None
        taken = _captured(before, game.position)
        says = named or (told_all and "x" not in record and game.outcome is None)
        if says and named not in ({*taken}, {*taken[:_MOST_CAPTURES]}):
            ours = " ".join(taken) or "nothing"
            raise BadPgn(line, f"{record} captures {ours} by the rules of the tag rules, and not what the move says")
    result_line, result = told.tags.get("result", (told.line, "?"))
    if result not in _RESULTS:
        raise BadPgn(result_line, f"the tag result is {result[:30]!r}: write 1, 0, -1 or ?")
    tags |= {"Variant": game.rules.name, "FEN": game.start.fen(), "Result": _RESULTS[result]}
    if game.outcome is not None:
        tags["Result"] = export.RESULTS[game.outcome.winner]
        if result != "?" and tags["Result"] != _RESULTS[result]:
            won = f"{game.outcome.winner} by {game.outcome.reason}"
            raise BadPgn(result_line, f"the tag result is {result}, and by the rules the game ends with {won}")
    text = " ".join(f"{word} {told.comments.get(place, '').strip()}" for place, word in enumerate(game.moves))
    return PgnGame(tags, tuple(game.moves), told.line, tuple(line for line, _ in told.moves), tags["Result"], text)


def _begun(told: OtgGame) -> Game:
    """The game before its first move. Raises RulesError."""
    record, variant, fen = (told.tags.get(name, (0, ""))[1] for name in ("rules", "variant", "fen"))
    if variant and fen:
        # OTN has no word for some of our rules; where we wrote the file, the variant's name says them.
        try:
            rules, start = resolve(variant, fen=fen)
            if isinstance(rules, TaflRules) and otn.rules_record(rules, fen) == record:
                return Game(rules, start)
        except RulesError:
            pass
    ours = otn.read_rules(record)
    for rule in ours.otherwise:
        if rule.partition(":")[0] in otn.DEFAULTS:
            raise otn.NoCounterpart(f"our rules have nothing like the rule {rule}")
        raise otn.NoCounterpart(f"there is no rule {rule[:30]}; known are {' '.join(otn.DEFAULTS)}")
    board, side, turn = ours.fen.split()
    if "position" in told.tags:
        board = otn.read_board(told.tags["position"][1])
    return Game(*resolve(ours.variant, ours.rules, f"{board} {side} {turn}"))


def _captured(before: object, after: object) -> list[str]:
    """The squares that were captured between two positions of a game, sorted."""
    assert isinstance(before, TaflPosition) and isinstance(after, TaflPosition)
    gone = before.other & ~after.own
    if before.side == "p1":
        gone |= before.king & ~after.king
    return sorted(name for name, bit in before.board.bits.items() if bit & gone) if gone else []


def write(record: GameRecord, event: str) -> str:
    """The game as OTG. Raises RulesError where OpenTafl has no such game or the rules refuse it."""
    words, comments = list[str](), [""] * len(record.opening) + [export.comment(ply) for ply in record.plies]
    try:
        game = Game(*resolve(record.variant, fen=record.fen))
        if not isinstance(game.rules, TaflRules):
            raise RulesError(f"{record.variant} is no tafl game; choose others by --variant")
        rules = otn.rules_record(game.rules, record.fen)
        for word in record.moves:
            before = game.position
            game.play(word)
            words.append(_move(word, before, game.position))
    except RulesError as error:
        raise RulesError(f"game {record.id} cannot be written as OTG: {error}") from None
    tags = export.pgn_tags(record, event) | {"Compiler": "Callanish Arena", "Result": _OUR_RESULTS[record.winner]}
    lines = [f"[{name}:{_escaped(tags[tag])}]" for name, tag in _TAGS.items()] + [f"[rules:{rules}]"]
    turns = zip_longest(words[::2], words[1::2], comments[::2], comments[1::2], fillvalue="")
    for number, (first, second, *said) in enumerate(turns, 1):
        lines += ["", f"{number}. {first} {second}".rstrip()]
        if any(said):
            lines.append(f"[{'|'.join(said)}]")
    return "\n".join([*lines, "", ""])


def _move(word: str, before: object, after: object) -> str:
    assert isinstance(before, TaflPosition)
    king = {name for name, bit in before.board.bits.items() if bit == before.king}
    record, taken = otn.move_record(word), _captured(before, after)[:_MOST_CAPTURES]
    captured = "/".join("K" + square if square in king else square for square in taken)
    return f"{'K' * (record.partition('-')[0] in king)}{record}{f'x{captured}' if captured else ''}"


def _escaped(value: str) -> str:
    """A tag's text: the bracket that would end it is told by its number, and a control character becomes a blank."""
    plain = "".join(c if c.isprintable() else " " for c in value)
    return re.sub(r"[\[\]]|%(?=25|5B|5D)", lambda found: f"%{ord(found[0]):02X}", plain)


def _unescaped(text: str) -> str:
    return re.sub("%(25|5B|5D)", lambda found: chr(int(found[1], 16)), text)
