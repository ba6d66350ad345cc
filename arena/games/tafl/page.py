"""The rules of a variant of tafl for people: a page, and five lines. Which texts say its facts, and in which order."""

from arena.games.kind import Lang, Page, Section
from arena.games.rules import Position
from arena.games.tafl.facts import TaflFacts, facts
from arena.games.tafl.rules import TaflRules
from arena.games.texts import Texts

Sections = dict[str, list[str]]


def page(rules: TaflRules, lang: Lang, title: str) -> Page:
    """The whole rules. `title` is that of a user's own variant."""
    known = facts(rules)
    say = Texts(known, lang, __file__)
    game = _title(say, known)
    if rules.own is not None:
        game = say("own title", title=title or rules.own.title, name=rules.own.name, game=game)
    sections = tuple(Section(*part) for part in _sections(say, known).items())
    return Page(game, _summary(say, known), f"{known.size}x{known.size}", sections)


def short_rules(rules: TaflRules, start: Position) -> tuple[str, ...]:
    """Five lines of at most 80 columns: who begins, how to move, what a move does, who wins."""
    known = facts(rules)
    return tuple(_short_rules(Texts(known, "en", __file__), known, start))


def _short_rules(say: Texts, known: TaflFacts, start: Position) -> list[str]:
    options, board = known.options, start.fen().split()[0]
    attackers, defenders = board.count("a"), board.count("d")
    men, king = say.far("short far", options.men_steps), say.far("short far", options.king_steps)
    return say.lines(
        "short tafl",
        attackers=attackers or say("short none"),
        s="s" * (attackers != 1),
        defenders=defenders or say("short none"),
        s_of_defenders="s" * (defenders != 1),
        first=say("attackers" if start.side == "p1" else "defenders"),
        steps=men if men == king else say("short steps", men=men, king=king),
        helps=say(f"short armed {options.king_armed}"),
        captors=say(f"short taken by {options.king_captured_by}"),
        camps=say(f"short camps {options.camps}"),
        row=say("short row no" if options.shieldwall == "no" else "short row yes"),
        end=say(
            "short end" + ", fort" * (options.fort == "wins") + ", encirclement" * (options.encirclement == "wins"),
            goal=say(f"short escape {options.escape}"),
        ),
    )


def _title(say: Texts, facts: TaflFacts) -> str:
    options = facts.changed.split()
    changed = say("changed", changed=say("comma").join(options)) if options else ""
    return say("tafl title", title=say(f"tafl title {facts.base}"), changed=changed)


def _summary(say: Texts, facts: TaflFacts) -> str:
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


def _sections(say: Texts, facts: TaflFacts) -> Sections:
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


def _origin(say: Texts, facts: TaflFacts) -> list[str]:
    played, source = facts.origin
    sentences = [say(f"played {played}"), say("source", source=source)]
    if facts.changed:
        sentences.append(say("origin changed", changed=say("comma").join(facts.changed.split())))
    return sentences
