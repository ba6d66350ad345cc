"""Plays as an engine that speaks almost our protocol, such as UCI: translates word by word, by a table.

    python -m engines.adapters.uci [--table FILE] ./fish

Knows no rules and keeps no game: it translates a line when it comes. `uci.toml` is the table for UCI; a table of a user
replaces single words of it. docs/authors/UCI.md has an example.
"""

import argparse
import re
import sys
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from typing import Any

from engines.adapters import command_line
from engines.adapters.line_process import CannotStart, LineProcess, OwnLines
from protocol.commands import integer

TABLE = Path(__file__).with_name("uci.toml")
_SQUARE = r"[A-Ya-y][0-9]{1,2}"
_SQUARES = re.compile(_SQUARE)
_CACHED = 4096
"""Moves. Most of those in a line of play have come before."""
_EMPTY_TEXT = "<empty>"
_NO_MOVE = "0000"
_KEPT = frozenset("depth seldepth time nodes hashfull nps multipv score pv string".split())
"""The words of an info that are ours. UCI has more, such as `tbhits` and `wdl`, whose values go with them."""
_INFO = _KEPT | frozenset(
    "lowerbound upperbound wdl tbhits sbhits cpuload currmove currmovenumber currline refutation".split()
)
_BOUNDS = ("lowerbound", "upperbound")
_CHESS, _CHESS960, _UCI_CHESS960 = "chess", "chess960", "UCI_Chess960"


class BadTable(CannotStart):
    """A table cannot be used: one sentence with its key."""


class Words:
    """A table: our words as those of an engine, and the other way round."""

    def __init__(self, table: Mapping[str, Mapping[str, Any]]) -> None:
        self._words, self._variants = table["words"], table["variants"]
        self._position, self._moves = table["position"], table["moves"]
        self._counts_moves = table["score"]["mate"] == "moves"
        self._our_words = {theirs: ours for ours, theirs in self._words.items() if theirs}
        self._our_variants = {theirs: ours for ours, theirs in self._variants.items()}
        self._letters = str.maketrans(dict(table["pieces"]))
        between = re.escape(self._moves["between"])
        # Some write the piece before a move, and after it the squares of what it captures, and signs.
        self._move = re.compile(rf"[A-Z]?({_SQUARE}(?:{between}{_SQUARE})*)(?:=?([A-Za-z]))?(?:x.*)?[-+#=!]*")
        self._our_move = lru_cache(_CACHED)(self._read_move)
        self._blank: set[str] = set()
        """The options of the engine that have no text by default and write so."""
        self._variant_option = ""
        """What the engine announced as its option for the game."""
        self._plays_chess960 = False

    def theirs(self, line: str) -> list[str]:
        """The lines for the engine that say what a line of ours says; none if it has no word for it."""
        keyword, *rest = line.split() or [""]
        if keyword == "setoption" and rest[:1] == ["name"]:
            return self._their_options(*" ".join(rest[1:]).partition(" value ")[::2])
        if keyword == "position":
            rest = self._their_position(rest)
        elif keyword == "go":
            rest = [self._words.get(word, word) for word in rest]
        their_word = self._words.get(keyword, keyword)
        return [" ".join((their_word, *rest))] if their_word else []

    def ours(self, line: str) -> list[str]:
        """The lines that say in our words what a line of the engine says; none if we have no word for it."""
        keyword, *rest = line.split() or [""]
        keyword = self._our_words.get(keyword, keyword)
        if keyword == "option" and "type" in rest:
            return self._our_options(rest)
        if keyword == "ugiok":
            return [*self._our_variant_option(), keyword]
        if keyword == "info":
            rest = self._our_info(rest)
            return [f"info {' '.join(rest)}"] if rest else []
        if keyword == "bestmove":
            move, *after = map(self._our_move, rest or [""])
            return [f"bestmove {move} ponder {after[1]}" if len(after) > 1 else f"bestmove {move}"]
        return [" ".join((keyword, *rest)) if keyword in self._words else line] if keyword else []

    def _their_position(self, words: list[str]) -> list[str]:
        at = words.index("moves") if "moves" in words else len(words)
        start, moves = words[:at], words[at:]
        if start[:1] == ["fen"] and len(start) > 2 and (form := self._position["fen"]):
            board, side, turn = start[1].translate(self._letters), start[2], (*start[3:], "1")[0]
            start = ["fen", *form.format(board=board, side=self._position.get(side, side), turn=turn).split()]
        return [*start, *moves[:1], *map(self._their_move, moves[1:])]

    def _their_move(self, word: str) -> str:
        squares = _SQUARES.findall(word)
        if "".join(squares) != word:
            return word
        move: str = self._moves["between"].join(squares)
        return move.upper() if self._moves["upper"] else move

    def _read_move(self, word: str) -> str:
        if word == self._moves["none"]:
            return _NO_MOVE
        if (move := self._move.fullmatch(word)) is None:
            return word
        return ("".join(_SQUARES.findall(move[1])) + (move[2] or "")).lower()

    def _their_options(self, name: str, value: str) -> list[str]:
        def told(their_name: str, their_value: str) -> str:
            return f"setoption name {their_name}" + (f" value {their_value}" if their_value else "")

        if name != "UGI_Variant":
            text = "" if value == _EMPTY_TEXT and name in self._blank else value
            return [told(self._words.get(name, name), text)]
        lines = []
        if self._plays_chess960:
            lines.append(told(_UCI_CHESS960, "true" if value == _CHESS960 else "false"))
            value = _CHESS if value == _CHESS960 else value
        if self._variant_option or not lines:
            lines.append(told(self._words.get(name, name), self._variants.get(value, value)))
        return lines

    def _our_options(self, words: list[str]) -> list[str]:
        at = words.index("type")
        name = " ".join(words[1:at])
        name = self._our_words.get(name, name)
        self._plays_chess960 = self._plays_chess960 or name == _UCI_CHESS960
        if name != "UGI_Variant":
            if words[-1] == "default":  # UCI writes `<empty>` for no text, and some engines write nothing
                self._blank.add(name)
                words = [*words, _EMPTY_TEXT]
            return [f"option name {name} {' '.join(words[at:])}"]
        values = " ".join(self._our_variants.get(word, word) for word in words[at:])
        self._variant_option = f"option name UGI_Variant {values}"
        return []

    def _our_variant_option(self) -> list[str]:
        """The option for the game, once all options are known: UCI has a check of its own for Chess960."""
        option = self._variant_option
        if self._plays_chess960:
            option = f"{option or f'option name UGI_Variant type combo default {_CHESS} var {_CHESS}'} var {_CHESS960}"
        return [option] if option else []

    def _our_info(self, words: list[str]) -> list[str]:
        fields: list[list[str]] = []
        for at, word in enumerate(words):
            if word == "string":
                fields.append(words[at:])
                break
            if word in _INFO or not fields:
                fields.append([word])
            else:
                fields[-1].append(word)
        names = {field[0] for field in fields}
        if not names.isdisjoint(("currmove", "currline")):
            return []
        ours = []
        for name, *values in fields:
            if name == "score" and len(values) > 1:
                moves = integer(values[1])
                if values[0] == "mate" and self._counts_moves and moves is not None:
                    values[1] = str(2 * moves - (moves > 0))
                values += [bound for bound in _BOUNDS if bound in names]
            elif name == "pv":
                values = [*map(self._our_move, values)]
            if name in _KEPT:
                ours += [name, *values]
        return ours


def read_table(path: str | None) -> Words:
    """The table for UCI, with what a file replaces. Raises BadTable."""
    table: dict[str, dict[str, Any]] = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    try:
        own = {} if path is None else tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise BadTable(f"{path}: {error.strerror}; check the path of the table") from None
    except ValueError as error:
        raise BadTable(f"{path} is no TOML: {error}") from None
    for part, values in own.items():
        if part not in table or not isinstance(values, dict):
            raise BadTable(f"{path}: there is no [{part}]; a table has {', '.join(f'[{each}]' for each in table)}")
        for key, value in values.items():
            if part in ("position", "moves", "score") and key not in table[part]:
                raise BadTable(f"{path}: [{part}] has no key {key!r}, only {', '.join(table[part])}")
            wanted = bool if key == "upper" and part == "moves" else str
            if not isinstance(value, wanted):
                form = "true or false" if wanted is bool else "a text in quotes"
                raise BadTable(f"{path}: {key} of [{part}] is {form}, not {value!r}")
        table[part] |= values
    if table["score"]["mate"] not in ("moves", "plies"):
        raise BadTable(f'{path}: mate of [score] is "moves" or "plies"')
    try:
        table["position"]["fen"].format(board="", side="", turn="")
    except (KeyError, IndexError, ValueError):
        raise BadTable(f"{path}: fen of [position] may have {{board}}, {{side}} and {{turn}} in braces") from None
    return Words(table)


def translate(engine: LineProcess, words: Words, own: OwnLines) -> None:
    """Carry lines to and from the engine until `quit` or the end of the input. Raises ProgramFailed."""
    while True:
        if engine.wait_for(own.in_fd):
            for line in (taken := own.take()) or ():
                for their_line in words.theirs(line):
                    engine.send(their_line)
                if line == "quit":
                    return
            if taken is None:
                return
        own.say(*(our_line for line in engine.lines() for our_line in words.ours(line)))


def main(arguments: Sequence[str] | None = None) -> int:
    """Start the engine and translate until `quit`."""
    parser = argparse.ArgumentParser(
        prog="python -m engines.adapters.uci",
        description="Play as an engine that speaks UCI or almost our protocol: docs/authors/UCI.md has an example.",
    )
    parser.add_argument("--table", metavar="FILE", help="the words of your engine (default: those of UCI)")
    given = command_line.parsed(parser, arguments, "./fish")

    def play() -> None:
        words = read_table(given.table)
        with closing(LineProcess(given.command)) as engine:
            translate(engine, words, OwnLines())

    return command_line.ended(parser.prog, play)


if __name__ == "__main__":
    sys.exit(main())
