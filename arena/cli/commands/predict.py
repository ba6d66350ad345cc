"""`arena predict`: what the games played so far say of the next one of two engines."""

import difflib
import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli import db_options
from arena.cli.db_options import AsJson, Clock, Database, Roles, RunId, Variant
from arena.cli.errors import BadInput
from results.tables.text_width import some_games

if TYPE_CHECKING:
    from pathlib import Path

    from results.ratings.fit import Expected, Fit
    from results.ratings.prediction import Prediction
    from results.record import ResultCount

_SURE = 0.9995
"""A probability from here on is shown as more than 99.9 %: the model is not so good that the rest means something."""


def predict(
    a: Annotated[str, typer.Argument(metavar="A", help="An engine, as the database calls it.")],
    b: Annotated[str, typer.Argument(metavar="B", help="Its opponent.")],
    db: Database,
    run: RunId = None,
    variant: Variant = None,
    tc: Clock = None,
    roles: Roles = False,
    as_json: AsJson = False,
) -> None:
    """Tell what A will score against B, on either side, and how sure that is."""
    from results.ratings.prediction import predict as predicted
    from results.ratings.published import RatingOptions, published
    from results.store.filter import Filter

    if a == b:
        raise BadInput(f"{a!r} cannot meet itself: name two engines")
    with db_options.opened(db) as store:
        which = db_options.known(store, Filter(variant=variant, tc=tc), db)
        which = db_options.within(store, which, run, db)
        counts = store.counts(which)
        players = {player.name for run in store.runs() for player in store.players(run.id)}
    where = ", ".join(str(word) for word in (db, run, variant, tc) if word is not None)
    for name in (a, b):
        if name not in players:
            raise BadInput(f"{db} has no engine {name!r}; {_near(name, players)}")
    fit = published(counts, RatingOptions(roles=roles))
    for name in (a, b):
        if fit is None or name not in fit.names:
            raise BadInput(f"{where}: {name} has no decided game, so nothing can be said of its next one")
    assert fit is not None
    found = predicted(fit, a, b)
    if found is None:
        raise BadInput(f"{where}: no games connect {a} and {b}, not even through others: {_groups(fit, a, b)}")
    if as_json:
        typer.echo(json.dumps(_values(a, b, counts, fit, found)))
    else:
        _print(a, b, db, counts, fit, found)


def _near(name: str, players: "set[str]") -> str:
    close = difflib.get_close_matches(name, sorted(players), 1)
    return f"did you mean {close[0]!r}?" if close else f"it has {', '.join(sorted(players)) or 'none'}"


def _groups(fit: "Fit", a: str, b: str) -> str:
    one, two = (next(group for group in fit.groups if name in group) for name in (a, b))
    return f"let one of {_few(one)} play one of {_few(two)}"


def _few(names: "tuple[str, ...]") -> str:
    return ", ".join(names[:4]) + (", …" if len(names) > 4 else "")


def _games(a: str, b: str, counts: "Iterable[ResultCount]", fit: "Fit") -> dict[str, int]:
    """The games that speak of the two: between them, and of all whom games connect with them."""
    (group,) = (group for group in fit.groups if a in group)
    there = [each for each in counts if each.winner is not None and each.p1 in group]
    return {
        "between": sum(each.games for each in there if {each.p1, each.p2} == {a, b}),
        "all": sum(each.games for each in there),
        "distinct": sum(each.distinct for each in there),
        "engines": len(group),
    }


def _values(a: str, b: str, counts: "list[ResultCount]", fit: "Fit", found: "Prediction") -> dict[str, object]:
    from results.tally import clocks, pools

    difference = found.difference
    return {
        "a": a,
        "b": b,
        "variants": list(pools(counts)),
        "time_controls": list(clocks(counts)),
        **{
            side: dict(zip(expected._fields, (round(figure, 6) for figure in expected), strict=True))
            for side, expected in (("p1", found.as_p1), ("p2", found.as_p2), ("both", found.alike))
        },
        "stronger": found.stronger,
        "difference": {"mean": difference.mean, "lower": difference.lower, "upper": difference.upper},
        "bounds": {name: fit[name].one_sided for name in (a, b)},
        "games": _games(a, b, counts, fit),
    }


def _print(a: str, b: str, db: "Path", counts: "list[ResultCount]", fit: "Fit", found: "Prediction") -> None:
    from arena.cli import output
    from arena.cli.view.standings import MANY_CLOCKS
    from results.tally import clocks, pools

    variants, times = list(pools(counts)), list(clocks(counts))
    typer.echo(f"{a} against {b}, {variants[0] if len(variants) == 1 else f'{len(variants)} variants together'}\n")
    rows: list[tuple[str, ...]] = [("", "score", "95 %", "win %", "draw %", "loss %")]
    rows += [
        (f"as {side}" if side != "both" else "both sides alike", *_figures(expected))
        for side, expected in (("p1", found.as_p1), ("p2", found.as_p2), ("both", found.alike))
    ]
    typer.echo(output.table(rows, right=frozenset({1, 2, 3, 4, 5})))
    difference = found.difference
    names, stronger = ((a, b), found.stronger) if found.stronger >= 0.5 else ((b, a), 1 - found.stronger)
    chance = f"more than {100 * _SURE - 0.05:.1f} %" if stronger >= _SURE else f"{100 * stronger:.1f} %"
    typer.echo(f"{names[0]} is stronger than {names[1]} with a probability of {chance}.")
    typer.echo(f"{a} - {b}: {difference.mean:+.2f} in rating, 95 % {difference.lower:+.2f} to {difference.upper:+.2f}")
    games = _games(a, b, counts, fit)
    typer.echo(f"from {some_games(games['between'])} of the two, {games['all']} in all of {games['engines']} engines")
    if games["distinct"] < games["all"]:
        typer.echo(f"note: identical games count once: {games['distinct']} of them differ")
    for name in (a, b):
        if bound := fit[name].one_sided:
            typer.echo(f"note: {name}{_BOUNDS[bound]} rests on what is usual")
    if len(variants) > 1:
        typer.echo(f"note: skill differs by game; --variant asks for one of {', '.join(variants)}")
    if len(times) > 1:
        listed = f": {', '.join(times)}" if len(times) <= MANY_CLOCKS else ""
        typer.echo(f"note: skill differs by time; --tc asks for one of {len(times)} time controls{listed}")


# An engine may share its fate with a few that it shares points with; of those it says nothing.
_BOUNDS = {
    "at least": ", alone or with a few equals, gave the others no point: how much stronger it is",
    "at most": ", alone or with a few equals, took no point from the others: how much weaker it is",
    "open": " is bounded by games on neither side: how strong it is",
}


def _figures(found: "Expected") -> tuple[str, ...]:
    score, lower, upper, win, draw, loss = (f"{100 * figure:.1f}" for figure in found)
    return f"{score} %", f"{lower} - {upper}", win, draw, loss
