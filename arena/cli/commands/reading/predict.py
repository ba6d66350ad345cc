"""`arena predict`: what the games played so far say of the next game of two engines."""

import json
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli import db_options, output
from arena.cli.db_options import AsJson, Clock, Database, RunId, Variant
from results.shares import percent, percents
from results.tables.text_width import some_games
from results.variant_name import shown

if TYPE_CHECKING:
    from results.tables.prediction import Forecast

_NEARLY_CERTAIN = 0.9995
"""A higher probability is shown as more than 99.9 %. The model is not exact enough to tell such figures apart."""
_OPEN_ENDS = {
    "at least": ", alone or with a few equals, gave the others no point: how much stronger it is",
    "at most": ", alone or with a few equals, took no point from the others: how much weaker it is",
}
"""What the games leave open in a rating."""


def predict(
    a: Annotated[str, typer.Argument(metavar="A", help="An engine, as the database calls it.")],
    b: Annotated[str, typer.Argument(metavar="B", help="Its opponent.")],
    db: Database,
    run: RunId = None,
    variant: Variant = None,
    tc: Clock = None,
    as_json: AsJson = False,
) -> None:
    """Tell what A will score against B, on either side, and how sure that is."""
    from results.tables.prediction import forecast, forecast_json

    with db_options.opened_games(db, run=run, variant=variant, tc=tc) as (store, which, _):
        result = forecast(store, which, a, b)
    if as_json:
        output.echo(json.dumps(forecast_json(result)))
    else:
        _print(result)


def _print(result: "Forecast") -> None:
    from arena.cli.view.pool_tables import MOST_TIME_CONTROLS

    a, b, variants, clocks, prediction = result.a, result.b, result.variants, result.time_controls, result.prediction
    where = shown(variants[0]) if len(variants) == 1 else f"{len(variants)} variants together"
    output.echo_sentence(f"{a} against {b}, {where}")
    output.echo()
    rows: list[tuple[str, ...]] = [("", "score", "95 %", "win %", "draw %", "loss %")]
    sides = {"as p1": prediction.as_p1, "as p2": prediction.as_p2, "both sides alike": prediction.alike}
    for heading, expected in sides.items():
        score, lower, upper = map(percent, expected[:3])
        rows.append((heading, f"{score} %", f"{lower} - {upper}", *percents(expected[3:])))
    output.print_table(rows, right=frozenset({1, 2, 3, 4, 5}))
    output.echo()
    stronger, weaker, chance = a, b, prediction.difference.positive
    if chance < 0.5:
        stronger, weaker, chance = b, a, 1 - chance
    sure = f"{percent(chance)} %" if chance < _NEARLY_CERTAIN else "more than 99.9 %"
    output.echo_sentence(f"{stronger} is stronger than {weaker} with a probability of {sure}.")
    lead = prediction.difference
    output.echo_sentence(f"{a} - {b}: {lead.mean:+.2f} in rating, 95 % {lead.lower:+.2f} to {lead.upper:+.2f}")
    games = result.games
    output.echo_sentence(
        f"from {some_games(games['between'])} of the two, {games['all']} in all of {games['engines']} engines"
    )
    if games["distinct"] < games["all"]:
        output.echo_sentence(f"note: identical games count once: {games['distinct']} of them differ")
    for name, one_sided in result.one_sided.items():
        if one_sided:
            output.echo_sentence(f"note: {name}{_OPEN_ENDS[one_sided]} follows from the prior alone")
    if len(variants) > 1:
        output.echo_sentence(
            f"note: skill differs by game; --variant asks for one of {', '.join(map(shown, variants))}"
        )
    if len(clocks) > 1:
        listed = f": {', '.join(clocks)}" if len(clocks) <= MOST_TIME_CONTROLS else ""
        output.echo_sentence(f"note: skill differs by time; --tc asks for one of {len(clocks)} time controls{listed}")
