"""The page of a sequential test: its log-likelihood ratio by game, its bounds, and what it says."""

from arena.web import figures
from arena.web.pages.source import Page, PageSource
from results.ratings.sprt import BadSprt, EloEstimate, Sprt, elo, los, nelo
from results.record import ResultCount, Run
from results.store.filter import Filter


def sprt_page(source: PageSource, run: Run) -> Page | None:
    """The page of a test. None where somebody changed its configuration so that it cannot be read."""
    config = run.settings
    try:
        test = Sprt(**config["sprt"])
        first, second = (str(each["name"]) for each in config["engines"])
    except (BadSprt, KeyError, TypeError, ValueError):
        return None
    results = zip(source.store.done(run.id), source.store.results(Filter(run=run.id)), strict=True)
    known = {number: result for number, result in results if result.winner is not None}
    pairs, games = [0] * 5, [0] * 3
    path: list[tuple[int, float]] = []
    llr, state = 0.0, test.state(0.0)
    number = 1
    while state == "running" and number in known and number + 1 in known:
        points = [_half_points(known[each], first) for each in (number, number + 1)]
        pairs[sum(points)] += 1
        for each in points:
            games[each] += 1
        llr = test.llr(pairs)
        state = test.state(llr)
        path.append((number + 1, llr))
        number += 2
    lost, drawn, won = games
    share = los(pairs)
    estimates = (
        ("Elo", _text(elo(pairs))),
        ("nElo", _text(nelo(pairs))),
        ("LOS", "-" if share is None else f"{100 * share:.1f} %"),
    )
    return Page(
        engines=(first, second),
        test=test,
        state=state,
        llr=llr,
        pairs=tuple(pairs),
        games=(won, drawn, lost),
        estimates=estimates,
        picture=figures.ratio(test.lower, test.upper, path),
    )


def _half_points(game: ResultCount, engine: str) -> int:
    return 1 if game.winner == "draw" else 2 * ((game.p1 if game.winner == "p1" else game.p2) == engine)


def _text(estimate: EloEstimate | None) -> str:
    if estimate is None:
        return "-"
    value, low, high = (f"{figure:+z.1f}" for figure in estimate)
    return f"{value} ({low} to {high})"
