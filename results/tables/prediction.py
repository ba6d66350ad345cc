"""What stored games say of the next game of two engines, with the games that it rests on."""

import difflib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from results.published import published
from results.ratings.estimates import Expected, Lead, OneSided
from results.ratings.fit import Fit
from results.shares import percent, percents
from results.store.files import StoreError
from results.store.filter import Filter
from results.store.parse_filter import engines
from results.store.reader import Reader
from results.tables.text_width import some_games
from results.tally import by_time_control, by_variant
from results.variant_name import shown

_MOST_NAMES = 4
"""How many engines of a group a message names."""
_NEARLY_CERTAIN = 0.9995
"""A higher probability is shown as more than 99.9 %. The model is not exact enough to tell such figures apart."""
_OPEN_ENDS = {
    "at least": ", alone or with a few equals, gave the others no point: how much stronger it is",
    "at most": ", alone or with a few equals, took no point from the others: how much weaker it is",
}
"""What the games leave open in a rating."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """The next game of an engine against another, from its point of view."""

    as_p1: Expected
    as_p2: Expected
    alike: Expected
    """The mean of both sides."""
    difference: Lead
    """By how much it is stronger, in units of mu, both sides alike."""


def predict(fit: Fit, name: str, opponent: str) -> Prediction | None:
    """The prediction; None where no games connect the two. Raises KeyError for an engine that is not in the field."""
    difference = fit.difference(name, opponent)
    if not any(name in group and opponent in group for group in fit.groups):
        return None
    first, turned = fit.expected(name, opponent), fit.expected(opponent, name)
    second = Expected(1 - turned.score, 1 - turned.upper, 1 - turned.lower, turned.loss, turned.draw, turned.win)
    score, _, _, *chances = ((one + two) / 2 for one, two in zip(first, second, strict=True))
    # At each end of the difference, what the side is worth is added on one side and taken off on the other.
    side = (fit.ahead(name, opponent).mean + fit.ahead(opponent, name).mean) / 2
    lower, upper = ((fit.score(end + side) + fit.score(end - side)) / 2 for end in (difference.lower, difference.upper))
    alike = Expected(score, min(lower, score), max(upper, score), *chances)
    return Prediction(first, second, alike, difference)


@dataclass(frozen=True, slots=True)
class Forecast:
    """The next game of engine `a` against engine `b`."""

    a: str
    b: str
    prediction: Prediction
    """From the point of view of `a`."""
    variants: list[str]
    time_controls: list[str]
    one_sided: dict[str, OneSided | None]
    """Of each of the two: on which side the games leave its rating open."""
    games: dict[str, int]
    """Decided games `between` the two, and `all` of the `engines` that games connect; `distinct` of them differ."""


def forecast(store: Reader, which: Filter, a: str, b: str) -> Forecast:
    """The forecast from these games. Raises StoreError if they do not tell anything of the two."""
    if a == b:
        raise StoreError(f"{a!r} cannot meet itself: name two engines")
    names = engines(store)
    for name in (a, b):
        if name not in names:
            raise StoreError(f"{store.name} has no engine {name!r}; {_similar(name, names)}")
    counts = store.counts(which)
    fit = published(counts)
    variant = which.variant and shown(which.variant)
    where = ", ".join(word for word in (store.name, which.run, variant, which.tc) if word is not None)
    for name in (a, b):
        if fit is None or name not in fit.names:
            raise StoreError(f"{where}: {name} has no decided game, so nothing can be said of its next one")
    assert fit is not None
    prediction = predict(fit, a, b)
    if prediction is None:
        one, two = (_few(next(group for group in fit.groups if name in group)) for name in (a, b))
        reason = f"no games connect {a} and {b}, not even through others"
        raise StoreError(f"{where}: {reason}: let one of {one} play one of {two}")
    (group,) = (group for group in fit.groups if a in group)
    connected = [each for each in counts if each.winner is not None and each.p1 in group]
    return Forecast(
        a,
        b,
        prediction,
        list(by_variant(counts)),
        list(by_time_control(counts)),
        {name: fit[name].one_sided for name in (a, b)},
        {
            "between": sum(each.games for each in connected if {each.p1, each.p2} == {a, b}),
            "all": sum(each.games for each in connected),
            "distinct": sum(each.distinct for each in connected),
            "engines": len(group),
        },
    )


def forecast_json(result: Forecast) -> dict[str, object]:
    """The forecast as plain values; probabilities and scores are from 0 to 1."""
    prediction = result.prediction
    sides = (("p1", prediction.as_p1), ("p2", prediction.as_p2), ("both", prediction.alike))
    difference = prediction.difference
    return {
        "a": result.a,
        "b": result.b,
        "variants": result.variants,
        "time_controls": result.time_controls,
        **{side: score._asdict() for side, score in sides},
        "stronger": difference.positive,
        "difference": {"mean": difference.mean, "lower": difference.lower, "upper": difference.upper},
        "bounds": result.one_sided,
        "games": result.games,
    }


def forecast_rows(result: Forecast) -> list[tuple[str, ...]]:
    """A heading, and a row for each side and for both alike, in per cent."""
    prediction = result.prediction
    sides = {"as p1": prediction.as_p1, "as p2": prediction.as_p2, "both sides alike": prediction.alike}
    rows: list[tuple[str, ...]] = [("", "score", "95 %", "win %", "draw %", "loss %")]
    for heading, expected in sides.items():
        score, lower, upper = map(percent, expected[:3])
        rows.append((heading, f"{score} %", f"{lower} - {upper}", *percents(expected[3:])))
    return rows


def sentences(result: Forecast, most_time_controls: int) -> Iterator[str]:
    """Who is stronger, by how much, and what limits the forecast. More time controls than that are not listed."""
    a, b, lead, games = result.a, result.b, result.prediction.difference, result.games
    stronger, weaker, chance = (a, b, lead.positive) if lead.positive >= 0.5 else (b, a, 1 - lead.positive)
    sure = f"{percent(chance)} %" if chance < _NEARLY_CERTAIN else "more than 99.9 %"
    yield f"{stronger} is stronger than {weaker} with a probability of {sure}."
    yield f"{a} - {b}: {lead.mean:+.2f} in rating, 95 % {lead.lower:+.2f} to {lead.upper:+.2f}"
    yield f"from {some_games(games['between'])} of the two, {games['all']} in all of {games['engines']} engines"
    if games["distinct"] < games["all"]:
        yield f"note: identical games count once: {games['distinct']} of them differ"
    for name, one_sided in result.one_sided.items():
        if one_sided:
            yield f"note: {name}{_OPEN_ENDS[one_sided]} follows from the prior alone"
    if len(result.variants) > 1:
        listed = ", ".join(map(shown, result.variants))
        yield f"note: skill differs by game; --variant asks for one of {listed}"
    if (clocks := len(result.time_controls)) > 1:
        listed = f": {', '.join(result.time_controls)}" if clocks <= most_time_controls else ""
        yield f"note: skill differs by time; --tc asks for one of {clocks} time controls{listed}"


def _similar(name: str, names: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, sorted(names), 1)
    return f"did you mean {close[0]!r}?" if close else f"it has {', '.join(sorted(names)) or 'none'}"


def _few(names: Sequence[str]) -> str:
    return ", ".join(names[:_MOST_NAMES]) + (", …" if len(names) > _MOST_NAMES else "")
