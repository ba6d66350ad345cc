"""Writes the C headers that the engines are compiled with."""

import re
from collections.abc import Mapping
from pathlib import Path

from arena.games.rules import RulesError
from arena.games.tafl.variants import TAFL
from engines.native.build import HERE
from engines.tuning.selfplay import Table, table_of

NAMES = {"stornoway": "stornoway_learned.h", "buckquoy": "buckquoy_weights.h"}
SETS = ("callanish-7", "callanish-9", "callanish-corners", "callanish-13")
"""stornoway has weights for boards up to 7x7, up to 9x9, up to 9x9 with holes, and larger ones; a variant of each."""
_WIDTH = 116


def set_of(table: Table) -> str:
    """The name of the set of weights that a variant uses."""
    board = _board(table)
    if table.engine == "buckquoy":
        return next(name for name in TAFL if _board(table_of(name)) == board)
    width, height, _, *playable = board[1]
    if max(width, height) > 9:
        return "callanish-13"
    if max(width, height) <= 7:
        return "callanish-7"
    # On a line with holes fewer squares are enough, so squares have another worth.
    has_holes = sum(word.bit_count() for word in playable) < width * height
    return "callanish-corners" if has_holes else "callanish-9"


def _board(table: Table) -> tuple[str, tuple[int, ...]]:
    board = table.player.board(table.start)
    assert board is not None
    return board


def header(engine: str, target: Path, learned: Mapping[str, Path]) -> None:
    """Write the header of an engine with the weights of `learned`, which are files by variant. Sets that are not named
    keep the weights in use. Raises RulesError, KernelError and OSError."""
    files: dict[str, Path] = {}
    for variant, file in learned.items():
        table = table_of(variant)
        if table.engine != engine or (engine == "buckquoy" and variant not in TAFL):
            raise RulesError(f"{variant!r} has no weights of its own in {engine}")
        if set_of(table) in files:
            raise RulesError(f"{variant!r} has the same weights as another variant that is named: name one of them")
        files[set_of(table)] = file
    text = _of_buckquoy(files) if engine == "buckquoy" else _of_stornoway(files)
    target.write_text("\n".join(text) + "\n", encoding="utf-8")


def _of_buckquoy(files: Mapping[str, Path]) -> list[str]:
    options, rows = [], []
    known = re.findall(r"\}, /\* (\S+) \*/", (HERE / NAMES["buckquoy"]).read_text(encoding="utf-8"))
    for variant in TAFL:
        # A variant without a set of its own uses the nearest.
        if variant not in files and variant not in known:
            continue
        table = table_of(variant)
        numbers, (_, values) = table.kernel(files.get(variant)).weights(), _board(table)
        options.append(f"    {{{', '.join(str(int(value)) for value in values)}}}, /* {variant} */")
        lines = [" ".join(f"{number}," for number in numbers[at : at + 20]) for at in range(0, len(numbers), 20)]
        rows.append("\n     ".join([f"    {{ /* {variant} */", *lines]) + "\n    },")
    return [
        "/* The weights of buckquoy's evaluation, made by `python -m engines.tune header`. */\n",
        f"enum {{ WEIGHT_SETS = {len(rows)}, OPTION_COUNT = {len(values)} }};\n",
        "/* The rule options that each set was learned for, as in options_t. */",
        "static const int16_t weight_options[WEIGHT_SETS][OPTION_COUNT] = {",
        *options,
        "};\n",
        "static const int16_t learned_weights[WEIGHT_SETS][WEIGHTS] = {",
        *rows,
        "};",
    ]


def _of_stornoway(files: Mapping[str, Path]) -> list[str]:
    rows = []
    for name in SETS:
        lines = ["    {"]
        for number in table_of(name).kernel(files.get(name)).weights():
            if len(lines[-1]) + len(f"{number},") > _WIDTH:
                lines.append("     ")
            lines[-1] += f"{number},"
        rows.append("\n".join(lines).removesuffix(",") + "}")
    return [
        "/* Made by `python -m engines.tune header`: the weights of stornoway for boards up to 7x7, up to 9x9,\n"
        "   up to 9x9 with holes, and larger ones. */\n",
        f"static const int16_t learned_weights[{len(SETS)}][WEIGHTS] = {{",
        ",\n".join(rows),
        "};",
    ]
