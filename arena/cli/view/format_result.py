"""The outcome of a format that pairs by results: a Swiss's table, a knockout's bracket, who holds the hill.

Reads a plan and the games that the store has of it. Nothing here for formats whose outcome is the standings.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

    from arena.planning.plan import Plan
    from results.store.store import Store


def values(plan: "Plan", store: "Store") -> dict[str, Any]:
    """The format by name, with what came of the rounds that are over, for JSON."""
    from arena.formats import tie_breaks
    from arena.formats.king_of_the_hill import KingOfTheHill
    from arena.formats.knockout import Knockout
    from arena.formats.swiss import Swiss

    names = [spec.name for spec in plan.engines]
    found: dict[str, Any] = {"name": plan.choice.format}
    format_ = plan.format
    if isinstance(format_, Swiss):
        past = plan.rounds(store)
        breaks = [word for word in tie_breaks.BREAKS if word in (plan.choice.tie_breaks or tie_breaks.BREAKS)]
        breaks.sort(key=(plan.choice.tie_breaks or tie_breaks.BREAKS).index)
        places = tie_breaks.table(len(names), format_.games * format_.starts, past, breaks)
        found["rounds"] = len(past)
        found["table"] = [
            {"name": names[place.player], "points": place.points, **dict(zip(breaks, place.values, strict=True))}
            for place in places
        ]
    elif isinstance(format_, Knockout):
        found["bracket"] = [
            [
                {
                    "better": names[duel.better],
                    "worse": None if duel.worse is None else names[duel.worse],
                    "lead": duel.lead / 2,
                    "winner": None if (winner := format_.winner(duel)) is None else names[winner],
                }
                for duel in duels
            ]
            for _, duels in format_.bracket(plan.rounds(store))
        ]
    elif isinstance(format_, KingOfTheHill):
        past = plan.rounds(store)
        king, *queue = format_.order(past)
        found |= {"challenges": len(past), "king": names[king], "queue": [names[player] for player in queue]}
    return found


def print_table(out: "Console", plan: "Plan", store: "Store") -> None:
    """The same for people; nothing for a format whose outcome is the standings."""
    from rich.table import Table

    found = values(plan, store)
    match found:
        case {"table": [first, *rest], "rounds": rounds}:
            table = Table(title=f"Swiss, after {rounds} rounds", title_justify="left", box=None)
            for key in first:
                table.add_column(key, justify="left" if key == "name" else "right")
            for row in (first, *rest):
                table.add_row(*(value if isinstance(value, str) else f"{value:g}" for value in row.values()))
            out.print(table)
        case {"bracket": [*rounds]}:
            for number, duels in enumerate(rounds, 1):
                out.print(f"round {number}", markup=False)
                for duel in duels:
                    out.print(f"  {_told(duel)}", markup=False)
        case {"king": king, "challenges": challenges}:
            out.print(f"king of the hill after {challenges} challenges: {king}", markup=False)
        case _:
            return
    out.print()


def _told(duel: dict[str, Any]) -> str:
    if duel["worse"] is None:
        return f"{duel['better']} has a bye"
    lead = duel["lead"]
    score = "level" if lead == 0 else f"{duel['better'] if lead > 0 else duel['worse']} leads by {abs(lead):g}"
    return f"{duel['better']} - {duel['worse']}: {score}, {duel['winner'] or 'nobody'} goes on"
