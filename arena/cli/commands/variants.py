"""`arena variants`, `position`, `perft` and `verify`: what the rules say. These commands start no engine."""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO, Literal

import typer

from arena.cli import output, wrap
from arena.cli.errors import BadInput, CheckFailed
from results.tables.text_width import cut
from results.variant_name import shown

if TYPE_CHECKING:
    from arena.games.game import Game
    from arena.games.rules import Rules
    from arena.verification.replay import Disagreement

Variant = Annotated[
    str,
    typer.Argument(
        metavar="VARIANT",
        help="A variant, or the TOML file of one; options may follow a name: scottish:king_armed=yes.",
    ),
]
RuleOptions = Annotated[str, typer.Option("--rules", help="Rule options, such as 'king_steps=2 king_armed=no'.")]
Fen = Annotated[str | None, typer.Option(help="A position string to start from.")]
Moves = Annotated[str, typer.Option(help="Moves to play first, separated by blanks.")]
Ascii = Annotated[bool, typer.Option("--ascii", help="Draw with plain ASCII: the letters of position strings.")]
_LONGEST_MESSAGE = 300
"""What a disagreement quotes may be long."""
_LEAST_SUMMARY = 20
"""Columns."""
_INDENT = 4
_MAX_LINE = 64 << 20
"""Bytes. Even the longest game with the legal moves of every ply is far shorter."""


def variants(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]", help="Print the rules of this variant, or of that in a TOML file. [default: list all]"
        ),
    ] = None,
    lang: Annotated[Literal["en", "ja"], typer.Option(help="English or Japanese.")] = "en",
    rules: RuleOptions = "",
    ascii_only: Ascii = False,
) -> None:
    """List the variants, or print the rules of one and draw its board."""
    from arena.games import variant_file
    from arena.games.variants import find, names
    from arena.rulebook import board_drawing
    from arena.rulebook.facts import marked
    from arena.rulebook.page import page

    if lang == "ja":
        output.refuse_without_japanese()
    if name is None:
        if rules:
            raise BadInput("--rules changes one variant: name it, as in 'arena variants scottish --rules ...'")
        _list_all([(each, find(each)) for each in names()], lang)
        return
    file = variant_file.read(Path(name)) if variant_file.is_file_name(name) else None
    variant = find(variant_file.named(name) if file is None else file.rules.name, rules)
    text = page(variant, lang, "" if file is None else file.name_ja if lang == "ja" else file.name)
    out = output.console()
    out.print("\n".join(wrap.wrap(text.title, out.width)), style="bold", markup=False, soft_wrap=True)
    out.print("\n".join(wrap.wrap(text.summary, out.width)), markup=False, soft_wrap=True)
    out.print()
    start = board_drawing.read(variant.start().fen(), marked(variant))
    output.draw(start, output.glyphs(ascii_only, lang), lang)
    for heading, sentences in text.sections:
        out.print()
        out.print(heading, style="bold", markup=False)
        for sentence in sentences:
            out.print("\n".join(wrap.wrap(sentence, out.width)), markup=False, soft_wrap=True)


def position(
    variant: Variant,
    rules: RuleOptions = "",
    board: Annotated[Path | None, typer.Option(help="A drawn board to start from: a text or TOML file.")] = None,
    fen: Fen = None,
    moves: Moves = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead.")] = False,
    ascii_only: Ascii = False,
) -> None:
    """Draw a position and list its legal moves."""
    from arena.games.line import position_json

    game = _game(variant, rules, board, fen, moves)
    if as_json:
        output.echo(json.dumps(position_json(game)))
    else:
        _print_position(game, ascii_only)
    for warning in game.rules.warnings(game.position):
        output.say(f"arena: warning: {warning}")


def perft(
    variant: Variant,
    depth: Annotated[int, typer.Argument(metavar="DEPTH", min=0, help="Number of moves in a sequence, from 0.")],
    rules: RuleOptions = "",
    fen: Fen = None,
    moves: Moves = "",
    divide: Annotated[bool, typer.Option("--divide", help="Also print the count after each first move.")] = False,
) -> None:
    """Count the move sequences of exactly DEPTH moves; the last line is the bare count."""
    from arena.games import perft as counting

    start = _game(variant, rules, None, fen, moves).position
    if divide and depth:
        for word, count in counting.divide(start, depth).items():
            output.echo(f"{word} {count}")
    output.echo(str(counting.perft(start, depth)))


def verify(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="JSON lines or PGN; - reads JSON lines from stdin.")],
) -> None:
    """Replay recorded games by the rules and report every disagreement."""
    from arena.verification.replay import check_lines

    records = wrong = total = 0
    with _opened(file) as stream:
        if _is_pgn(file):
            checked_games: Iterator[tuple[int, list[Disagreement]]] = _check_pgn(file)
        else:
            checked_games = check_lines(_lines(stream, str(file)))
        for number, disagreements in checked_games:
            records += 1
            wrong += bool(disagreements)
            total += len(disagreements)
            for ply, message in disagreements:
                where = f"line {number}" if ply is None else f"line {number}, after ply {ply}"
                output.echo(f"{where}: {cut(message, _LONGEST_MESSAGE)}")
    if not records:
        raise BadInput(f"{file} holds no records: give JSON lines, one object a line, or PGN")
    checked = f"{records} record{'s' * (records != 1)} checked"
    if not wrong:
        output.echo(f"{checked}, all agree with the rules")
        return
    output.echo(f"{checked}, {wrong} of them with disagreements, {total} in all")
    raise CheckFailed


def _is_pgn(file: Path) -> bool:
    """Does the file begin with a tag, as PGN does? What may be read only once is no PGN. Raises BadInput."""
    if not file.is_file():
        return False
    try:
        with file.open("rb") as stream:
            head = stream.read(4096).removeprefix(b"\xef\xbb\xbf").lstrip()
    except OSError:
        return False  # the reader of the whole file says why
    if head.startswith(b"SQLite format 3\0"):
        raise BadInput(f"{file} is a database: write its games with `arena export {file} --format jsonl` first")
    return re.match(rb'\[[A-Za-z]\w*\s+"', head) is not None


def _check_pgn(file: Path) -> "Iterator[tuple[int, list[Disagreement]]]":
    """For every game of a PGN file, its line from 1 and what is wrong with it: the first thing, as `import` says it."""
    from arena.verification.import_readers import read_games
    from arena.verification.replay import Disagreement

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


def _game(variant: str, rules: str, board: Path | None, fen: str | None, moves: str) -> "Game":
    """The game after `moves`."""
    from arena.games.boards import start_of
    from arena.games.game import Game
    from arena.games.line import Unplayable, play_line

    if board is not None and fen is not None:
        raise BadInput("give --board or --fen, not both")
    game = Game(*start_of(variant, rules, board, fen))
    try:
        play_line(game, moves.split())
    except Unplayable as error:
        raise BadInput(f"--moves, {error}") from error
    return game


def _print_position(game: "Game", ascii_only: bool) -> None:
    from arena.games.line import legal_words
    from arena.rulebook.game_boards import board_of_game
    from arena.rulebook.page import side_name

    at, outcome, legal = game.position, game.outcome, legal_words(game)
    output.draw(board_of_game(game), output.glyphs(ascii_only))
    out = output.console()
    out.print()
    lines = [("variant", shown(game.rules.name)), ("position", at.fen())]
    if outcome is None:
        lines += [
            ("to move", f"{at.side} ({side_name(game.rules, at.side)}), turn {at.turn}"),
            ("legal moves", str(len(legal))),
        ]
    elif outcome.winner == "draw":
        lines.append(("finished", f"draw by {outcome.reason}"))
    else:
        who = side_name(game.rules, outcome.winner)
        lines.append(("finished", f"{outcome.winner} ({who}) won by {outcome.reason}"))
    out.print(output.table(lines), end="", markup=False, soft_wrap=True)
    if legal:
        out.print()
        out.print(" ".join(legal), markup=False)


def _list_all(variants: "list[tuple[str, Rules]]", lang: Literal["en", "ja"]) -> None:
    from arena.rulebook.page import page

    headings = {"en": ("variant", "board", "first", "in short"), "ja": ("名前", "盤", "先手", "概要")}
    rows = [headings[lang]]
    for name, rules in variants:
        text = page(rules, lang)
        rows.append((name, text.board, text.first, text.summary))
    out = output.console()
    left = wrap.table([(*row[:3], "|") for row in rows])
    room = out.width - left[0].index("|")
    below = room < _LEAST_SUMMARY  # then a summary stands under its name
    for row, line in zip(rows, left, strict=True):
        short = wrap.wrap(row[3], out.width - _INDENT if below else room)
        indent = " " * (_INDENT if below else out.width - room)
        lines = [line[:-1].rstrip(), *(indent + part for part in short)] if below else [line[:-1] + short[0]]
        lines += [] if below else [indent + part for part in short[1:]]
        out.print("\n".join(lines), markup=False, soft_wrap=True)
