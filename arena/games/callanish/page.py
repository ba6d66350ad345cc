"""The rules of Callanish for people: a page, and five lines. Which texts say the facts of a variant, in which order."""

from arena.games.callanish.facts import CallanishFacts, Need, facts
from arena.games.callanish.rules import CallanishRules
from arena.games.kind import Lang, Page, Section
from arena.games.rules import Position
from arena.games.texts import Texts

Sections = dict[str, list[str]]


def page(rules: CallanishRules, lang: Lang, title: str) -> Page:
    """The whole rules. `title` is that of a user's own variant."""
    known = facts(rules)
    say = Texts(known, lang, __file__)
    game, board = say("callanish title"), say("any board") if known.any_board else f"{known.width}x{known.height}"
    if rules.own is not None:
        game = say("own title", title=title or rules.own.title, name=rules.own.name, game=game)
    sections = tuple(Section(*part) for part in _sections(say, known).items())
    return Page(game, _summary(say, known), board, sections)


def short_rules(rules: CallanishRules, start: Position) -> tuple[str, ...]:
    """Five lines of at most 80 columns: who begins, how to move, what a move does, who wins."""
    known = facts(rules)
    say = Texts(known, "en", __file__)
    # Where lines differ, half of their squares is the shorter answer.
    alike = len(known.needs) == 1 and not known.any_board
    need = say("short need", squares=known.needs[0].squares) if alike else say("short half")
    first = say("short white" if start.side == "p1" else "short black")
    return tuple(say.lines("short callanish", first=first, need=need))


def _summary(say: Texts, facts: CallanishFacts) -> str:
    if facts.any_board:
        return say("callanish summary, any board")
    needs = say("callanish summary, or").join(str(need.squares) for need in facts.needs)
    holes = say("callanish summary, holes", count=len(facts.holes)) if facts.holes else ""
    return say("callanish summary", needs=needs, holes=holes)


def _sections(say: Texts, facts: CallanishFacts) -> Sections:
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
        say("heading origin"): [say("played callanish"), say("source", source="nestorgames.com")],
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
