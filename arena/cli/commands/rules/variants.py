"""`arena variants`: the variants in a list, or the rules of one."""

import json
from pathlib import Path
from typing import Annotated, Literal

from arena.cli import output, wrap
from arena.cli.db_options import AsJson
from arena.cli.errors import BadInput
from arena.cli.option_groups import argument, option
from arena.cli.position_options import Ascii, RuleOptions
from arena.games import variant_file
from arena.games.game_boards import board_of_start, pictures
from arena.games.kinds import installed
from arena.games.rules import Rules
from arena.games.variants import find, kind_of, names
from results.tables.text_width import aligned, columns
from results.variant_name import shown


def variants(
    name: Annotated[
        str | None,
        argument("Print the rules of this variant, or of that in a TOML file. [default: list all]", "[NAME]"),
    ] = None,
    lang: Annotated[Literal["en", "ja"], option("English or Japanese.")] = "en",
    rules: RuleOptions = "",
    ascii_only: Ascii = False,
    as_json: AsJson = False,
) -> None:
    """List the variants, or print the rules of one and draw its board, and a picture of each special rule."""
    if lang == "ja":
        output.refuse_without_japanese()
    if name is None:
        if rules:
            raise BadInput("--rules changes one variant: name it, as in 'arena variants scottish --rules ...'")
        _list_all([(each, find(each)) for each in names()], lang, as_json)
        for broken in installed().broken:
            output.notify(broken.sentence)
        return
    file = variant_file.read(Path(name)) if variant_file.is_file_name(name) else None
    variant = find(variant_file.named(name) if file is None else file.rules.name, rules)
    text = kind_of(variant).rules_text(
        variant, lang, "" if file is None else file.name_ja if lang == "ja" else file.name
    )
    if as_json:
        sections = [{"heading": heading, "sentences": sentences} for heading, sentences in text.sections]
        values = _values(shown(variant.name), variant, lang)
        output.echo(json.dumps({**values, "title": text.title, "sections": sections}))
        return
    out = output.console()
    out.print(text.title, style="bold", markup=False)
    out.print(text.summary, markup=False)
    out.print()
    output.draw(board_of_start(variant), output.glyphs(ascii_only, lang), lang)
    for heading, sentences in text.sections:
        out.print()
        out.print(heading, style="bold", markup=False)
        for sentence in sentences:
            out.print(sentence, markup=False)
    for caption, before, after in pictures(variant, lang):
        out.print()
        out.print(caption, style="bold", markup=False)
        output.draw(before, output.glyphs(ascii_only, lang), lang)
        out.print()
        output.draw(after, output.glyphs(ascii_only, lang), lang)


def _values(name: str, rules: Rules, lang: Literal["en", "ja"]) -> dict[str, str]:
    """What a list has of a variant."""
    kind = kind_of(rules)
    text = kind.rules_text(rules, lang)
    first = kind.side_name(rules.start().side, lang)
    return {"name": name, "board": text.board, "first": first, "summary": text.summary}


def _list_all(variants: list[tuple[str, Rules]], lang: Literal["en", "ja"], as_json: bool) -> None:
    listed = [_values(name, rules, lang) for name, rules in variants]
    if as_json:
        output.echo(json.dumps(listed))
        return
    headings = {"en": ("variant", "board", "first", "in short"), "ja": ("名前", "盤", "先手", "概要")}
    rows = [headings[lang], *(tuple(each.values()) for each in listed)]
    out = output.console()
    left = aligned([(*row[:3], "|") for row in rows])
    for row, line in zip(rows, left, strict=True):
        out.print("\n".join(wrap.wrap(line[:-1] + row[3], out.width, columns(line) - 1)), markup=False, soft_wrap=True)
