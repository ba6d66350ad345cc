"""Plays as an engine that speaks almost our protocol, such as UCI: translates word by word, by a table.

    python -m engines.adapters.uci [--table FILE] ./fish

Knows no rules and keeps no game: a line comes in, a line goes out. `uci.toml` is the table for UCI; a table of a user
replaces single words of it. docs/authors/UCI.md has an example.
"""

import argparse
import re
import sys
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from engines.adapters import command_line
from engines.adapters.line_process import LineProcess, OwnLines, ProgramEnded, ProgramFailed

TABLE = Path(__file__).with_name("uci.toml")
_SQUARE = re.compile(r"[A-Ya-y][0-9]{1,2}")
_CAPTURED = re.compile(r"x.*|[-+#=!]+$")
"""What some write behind a move: the squares of what it captures, and signs."""
_NO_MOVE = "0000"


class BadTable(ValueError):
    """A table cannot be used: one sentence with its key."""


class Words:
    """A table: our words as those of an engine, and the other way round."""

    def __init__(self, table: Mapping[str, Mapping[str, Any]]) -> None:
        self._words, self._variants, self._pieces = table["words"], table["variants"], table["pieces"]
        self._position, self._moves = table["position"], table["moves"]
        self._counts_moves = table["score"]["mate"] == "moves"
        self._our_words = {theirs: ours for ours, theirs in self._words.items() if theirs}
        self._our_variants = {theirs: ours for ours, theirs in self._variants.items()}
        self._letters = str.maketrans(dict(self._pieces))

    def theirs(self, line: str) -> str:
        """A line of ours for the engine; empty if it has none."""
        keyword, *rest = line.split() or [""]
        if keyword == "position":
            rest = self._told_position(rest)
        elif keyword == "go":
            rest = [self._words.get(word, word) for word in rest]
        elif keyword == "setoption" and rest[:1] == ["name"]:
            name, value, text = " ".join(rest[1:]).partition(" value ")
            rest = ["name", self._words.get(name, name) + value.rstrip()]
            rest.append(self._variants.get(text, text) if name == "UGI_Variant" else text)
        their_word = self._words.get(keyword, keyword)
        return f"{their_word} {' '.join(rest)}".strip() if their_word else ""

    def ours(self, line: str) -> str:
        """A line of the engine in our words."""
        keyword, *rest = line.split() or [""]
        keyword = self._our_words.get(keyword, keyword)
        if keyword == "option" and "type" in rest:
            rest = self._our_option(rest)
        elif keyword == "info" and "string" not in rest:
            rest = self._our_info(rest)
        elif keyword == "bestmove":
            rest = [word if word == "ponder" else self._our_move(word) for word in rest]
        else:
            return line if keyword not in self._our_words.values() else f"{keyword} {' '.join(rest)}".strip()
        return f"{keyword} {' '.join(rest)}"

    def _told_position(self, words: list[str]) -> list[str]:
        at = words.index("moves") if "moves" in words else len(words)
        start, moves = words[:at], words[at:]
        if start[:1] == ["fen"] and len(start) > 2:
            board, side, turn = start[1].translate(self._letters), start[2], (*start[3:], "1")[0]
            side = self._position.get(side, side)
            start = ["fen", *self._position["fen"].format(board=board, side=side, turn=turn).split()]
        return [*start, *moves[:1], *map(self._their_move, moves[1:])]

    def _their_move(self, word: str) -> str:
        squares = _SQUARE.findall(word)
        if "".join(squares) != word:
            return word
        move: str = self._moves["between"].join(squares)
        return move.upper() if self._moves["upper"] else move

    def _our_move(self, word: str) -> str:
        if word == self._moves["none"]:
            return _NO_MOVE
        squares = _SQUARE.findall(_CAPTURED.sub("", word))
        return "".join(squares).lower() if squares else word

    def _our_option(self, words: list[str]) -> list[str]:
        at = words.index("type")
        name = " ".join(words[1:at])
        name = self._our_words.get(name, name)
        values = words[at:]
        if name == "UGI_Variant":
            values = [self._our_variants.get(word, word) for word in values]
        return ["name", name, *values]

    def _our_info(self, words: list[str]) -> list[str]:
        ours = list(words)
        for at, word in enumerate(words):
            before = words[at - 1] if at else ""
            if before == "mate" and self._counts_moves and word.removeprefix("-").isdigit():
                moves = int(word)
                ours[at] = str(2 * moves - (moves > 0))
            elif before == "currmove" or ("pv" in words and at > words.index("pv")):
                ours[at] = self._our_move(word)
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
        if engine.wait(own.in_fd):
            for line in (taken := own.take()) or ():
                if translated := words.theirs(line):
                    engine.send(translated)
                if line == "quit":
                    return
            if taken is None:
                return
        while (said := engine.read(0)) is not None:
            own.say(words.ours(said))


def main(arguments: Sequence[str] | None = None) -> int:
    """Start the engine and translate until `quit`."""
    parser = argparse.ArgumentParser(
        prog="python -m engines.adapters.uci",
        description="Play as an engine that speaks UCI or almost our protocol: docs/authors/UCI.md has an example.",
    )
    parser.add_argument("--table", metavar="FILE", help="the words of your engine (default: those of UCI)")
    given = command_line.parsed(parser, arguments, "./fish")
    try:
        words = read_table(given.table)
        with closing(LineProcess(given.command)) as engine:
            translate(engine, words, OwnLines())
    except BadTable as error:
        parser.error(str(error))
    except ProgramEnded as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 1
    except ProgramFailed as error:
        parser.error(str(error))
    except BrokenPipeError:
        pass
    return 0


if __name__ == "__main__":
    sys.exit(main())
