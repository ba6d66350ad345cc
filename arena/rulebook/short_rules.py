"""The rules of a variant in five lines, for somebody who is about to play. The whole rules are in `page`."""

from arena.games.rules import Position, Rules
from arena.rulebook.facts import CallanishFacts, TaflFacts, facts
from arena.rulebook.sentences import Texts


def short_rules(rules: Rules, start: Position | None = None) -> tuple[str, ...]:
    """Five lines of at most 80 columns: who begins, how to move, what a move does, who wins.

    `start` is where the game begins, if not where the variant does.
    """
    known, start = facts(rules), start or rules.start()
    say = Texts(known, "en")
    return tuple(_tafl(say, known, start) if isinstance(known, TaflFacts) else _callanish(say, known, start))


def _callanish(say: Texts, known: CallanishFacts, start: Position) -> list[str]:
    # Where lines differ, half of their squares is the shorter answer.
    alike = len(known.needs) == 1 and not known.any_board
    need = say("short need", squares=known.needs[0].squares) if alike else say("short half")
    return say.lines("short callanish", first=say("short white" if start.side == "p1" else "short black"), need=need)


def _tafl(say: Texts, known: TaflFacts, start: Position) -> list[str]:
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
