"""`arena predict`: what the games played so far say of the next game of two engines."""

from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli import db_options, output
from arena.cli.db_options import AsJson, Clock, Database, RunId, Variant
from results.variant_name import shown

if TYPE_CHECKING:
    from results.tables.prediction import Forecast


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
        output.echo_json(forecast_json(result))
    else:
        _print(result)


def _print(result: "Forecast") -> None:
    from arena.cli.view.rating_list_tables import MOST_TIME_CONTROLS
    from results.tables.prediction import forecast_rows, sentences

    variants = result.variants
    where = shown(variants[0]) if len(variants) == 1 else f"{len(variants)} variants together"
    output.echo_sentence(f"{result.a} against {result.b}, {where}")
    output.echo()
    output.print_table(forecast_rows(result), right=frozenset({1, 2, 3, 4, 5}))
    output.echo()
    for sentence in sentences(result, MOST_TIME_CONTROLS):
        output.echo_sentence(sentence)
