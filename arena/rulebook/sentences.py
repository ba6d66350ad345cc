"""The rules of a variant as sentences: which texts of a language say its facts, and in which order.

So both languages state each fact of `facts` once, in the same order, and nothing else.
"""

from collections.abc import Sequence
from typing import Protocol

from arena.games.tafl_variants import Steps
from arena.rulebook import english, japanese
from arena.rulebook.board_drawing import Lang
from arena.rulebook.facts import CallanishFacts, Need, TaflFacts

Sections = dict[str, list[str]]


class _Language(Protocol):
    """What a module of texts must have."""

    TEXTS: dict[str, str]
    LISTS: dict[str, tuple[str, ...]]


_LANGUAGES: dict[Lang, _Language] = {"en": english, "ja": japanese}


class Texts:
    """The texts of a language, filled with the facts of a variant and with values by name."""

    def __init__(self, facts: CallanishFacts | TaflFacts, lang: Lang) -> None:
        self._facts = facts
        self._language = _LANGUAGES[lang]

    def __call__(self, key: str, **values: object) -> str:
        return self._language.TEXTS[key].format(facts=self._facts, **values)

    def lines(self, key: str, **values: object) -> list[str]:
        """Several sentences that belong together."""
        return [line.format(facts=self._facts, **values) for line in self._language.LISTS[key]]

    def joined(self, names: Sequence[str], word: str = "and") -> str:
        """The names in a row, with `and` or `or` before the last one."""
        row = self("comma").join(names[:-1])
        return f"{row}{self(word)}{names[-1]}" if row else names[-1]

    def far(self, key: str, steps: Steps, **values: object) -> str:
        """How far a piece may go: the text of this number of steps, or the one of any number."""
        own_key = f"{key} {steps}"
        return self(own_key if own_key in self._language.TEXTS else key, steps=steps, **values)


def callanish_summary(say: Texts, facts: CallanishFacts) -> str:
    if facts.any_board:
        return say("callanish summary, any board")
    needs = say("callanish summary, or").join(str(need.squares) for need in facts.needs)
    holes = say("callanish summary, holes", count=len(facts.holes)) if facts.holes else ""
    return say("callanish summary", needs=needs, holes=holes)


def callanish(say: Texts, facts: CallanishFacts) -> Sections:
    start = [say("callanish board, any" if facts.any_board else "callanish board")]
    if facts.holes:
        start.append(say("holes", holes=say.joined(facts.holes), count=len(facts.holes)))
    start += [say(f"callanish sides {facts.first}"), _first_stones(say, facts)]
    turn = say.lines("turn")
    if facts.supply is not None:
        turn.append(say("supply"))
    holes = ", holes" if facts.holes or facts.any_board else ""
    need = _need(say, facts, say(f"half{holes}"))
    end = [say("line"), need, say(f"adjacent{holes}"), *say.lines("callanish end")]
    if facts.any_board:
        end.append(say("drawn line"))
    if facts.small:
        end.append(say("small"))
    return {
        say("heading start"): start,
        say("heading turn"): turn,
        say("heading stacks"): say.lines("stacks"),
        say("heading end"): end,
        say("heading writing"): say.lines("writing callanish"),
        say("heading origin"): _origin(say, facts),
    }


def _first_stones(say: Texts, facts: CallanishFacts) -> str:
    white, black = facts.stones
    if not white and not black:
        one, other = ("white", "black") if facts.first == "p1" else ("black", "white")
        return say("first stones", one=say(one), other=say(other))
    stones = say("stones", white=white, black=black, s="s" * (black != 1))
    if white and black:
        return stones
    return say("stones of one side", stones=stones, side=say("white" if black else "black"))


def _need(say: Texts, facts: CallanishFacts, half: str) -> str:
    if facts.any_board:
        return say("need, any board", half=half)
    *others, most = facts.needs
    if not others:
        return say("need, all alike", most=most.squares, half=half)
    parts = [say("need, part", squares=need.squares, lines=_lines(say, need)) for need in others]
    return say("need", half=half, parts=say("comma").join(parts), most=most.squares)


def _lines(say: Texts, need: Need) -> str:
    kinds = (("files", need.files), ("ranks", tuple(map(str, need.ranks))))
    parts = [say(f"need, {kind}", names=say.joined(names), s="s" * (len(names) > 1)) for kind, names in kinds if names]
    return say("need, and").join(parts)


def tafl_title(say: Texts, facts: TaflFacts) -> str:
    options = facts.changed.split()
    changed = say("changed", changed=say("comma").join(options)) if options else ""
    return say("tafl title", title=say(f"tafl title {facts.base}"), changed=changed)


def tafl_summary(say: Texts, facts: TaflFacts) -> str:
    options = facts.options
    parts = [
        say(
            "tafl summary",
            armed=say(f"tafl summary, armed {options.king_armed}"),
            escape=say(f"tafl summary, escape {options.escape}"),
            attackers=say(f"tafl summary, taken by {options.king_captured_by}"),
        )
    ]
    for who, steps in (("king", options.king_steps), ("men", options.men_steps)):
        if steps != "any":
            parts.append(say.far("tafl summary, steps", steps, who=say(who)))
    special = (options.camps, options.shieldwall, options.encirclement, options.fort)
    names = [
        say(each)
        for each, value in zip(("camps", "shieldwall", "encirclement", "fort"), special, strict=True)
        if value != "no"
    ]
    if names:
        parts.append(say("tafl summary, with", names=say.joined(names)))
    return say("tafl summary, separator").join(parts)


def tafl(say: Texts, facts: TaflFacts) -> Sections:
    options = facts.options
    first, second = ("first", "second") if facts.first == "p1" else ("second", "first")
    men, king = say.far("far", options.men_steps), say.far("far", options.king_steps)
    stop, crossing = say(f"centre {options.centre_stop}"), facts.crosses_centre
    all_pass = crossing is None or (options.centre_stop == "any" and options.centre_pass == "any")
    effect = say("hostile, king by two" if facts.king_taken_by_two else "hostile")
    capturing_men = [
        *say.lines("capturing"),
        say(f"king armed {options.king_armed}"),
        say(f"hostile centre {options.centre_hostile}, corners {options.corner_hostile}", effect=effect),
    ]
    if facts.camps:
        capturing_men += say.lines("capturing at camps", effect=effect)
    if options.shieldwall != "no":
        capturing_men += say.lines("shieldwall", end=say(f"shieldwall end {options.shieldwall}"))
    moves = [
        say("steps, all alike" if options.men_steps == options.king_steps else "steps", men=men, king=king),
        say("no jump"),
        stop if all_pass else say(f"crossing {crossing}", stop=stop),
        say(f"corner {options.corner_stop}"),
    ]
    if facts.camps:
        moves += say.lines("camps", camps=say("camp separator").join(map(" ".join, facts.camps)))
    end = [
        say("king wins", goal=say(f"goal {options.escape}", corners=say.joined(facts.corners, "or"))),
        *(say.lines("fort wins") if options.fort == "wins" else ()),
        say("attackers win"),
        *(say.lines("encirclement wins") if options.encirclement == "wins" else ()),
        say(f"stuck {options.no_move}"),
        say(f"repeated {options.repetition}", time=say(f"occurrence {options.occurrences}")),
        say("agreement"),
    ]
    return {
        say("heading start"): [
            say("tafl board", corners=say.joined(facts.corners)),
            say("tafl sides", first=say(first), second=say(second)),
        ],
        say("heading moves"): moves,
        say("heading capturing men"): capturing_men,
        say("heading capturing the king"): _capturing_king(say, facts),
        say("heading end"): end,
        say("heading writing"): say.lines("writing tafl"),
        say("heading origin"): _origin(say, facts),
    }


def _capturing_king(say: Texts, facts: TaflFacts) -> list[str]:
    options = facts.options
    holders = {"no": "held by", "yes": "held by, or the centre", "always": "held by, or the centre always"}
    sentences = say.lines(f"king {options.king_captured_by}", holders=say(holders[options.centre_hostile]))
    if options.king_captured_by == "four" and options.escape == "corner":
        sentences.append(say("king on an edge"))
    if facts.camps and options.king_captured_by != "two":
        sentences.append(say("camps hold the king"))
    if options.corner_hostile == "yes" and options.king_captured_by == "all-sides":
        sentences.append(say("corners hold the king"))
    return sentences


def _origin(say: Texts, facts: CallanishFacts | TaflFacts) -> list[str]:
    played, source = facts.origin
    sentences = [say(f"played {played}"), say("source", source=source)]
    if isinstance(facts, TaflFacts) and facts.changed:
        sentences.append(say("origin changed", changed=say("comma").join(facts.changed.split())))
    return sentences
