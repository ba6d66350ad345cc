"""The pages of a ladder, and of a format that pairs by results: Swiss rounds and knockout brackets."""

from collections import Counter
from collections.abc import Iterator, Sequence

from arena.formats.base import FormatOutcome, Played
from arena.formats.registry import FORMATS, FormatConfig
from arena.openings.books import Start
from arena.planning.plan import source_of
from arena.play.jobs import Terms
from arena.run.run import GamesToPlay
from arena.run.source import OddGame, PairedSource, RunSetting
from arena.timing.time_control import fixed
from arena.web.pages.source import Page, PageSource
from results.record import Run
from results.tally import Tally

Meeting = tuple[str, str, Tally | None]
"""Two engines that met in a round, and their score. The second is empty for a bye, which has no score."""
_TERMS = Terms(fixed("depth", 1))
"""Any: who meets whom does not depend on the time control."""


def rounds_page(source: PageSource, run: Run) -> Page | None:
    """The rounds of a run. None where its configuration was changed so that it cannot be read."""
    store, config = source.store, run.settings
    try:
        name = str(config["format"])
        keys = {key.name: config[key.name] for key in FORMATS[name].keys if key.name in config}
        format_config = FormatConfig(name, **keys)
        names = tuple(str(each["name"]) for each in config["engines"])
        starts = tuple(Start(str(variant), fen) for variant, fen in config["starts"])
        setting = RunSetting(run.id, names, starts, int(config["openings"]), run.seed, _TERMS)
        stored = list(store.games(run.id))
        grown = [(int(engines), int(rounds)) for engines, rounds in config.get("grown", ())]
        paired = source_of(setting, format_config, grown, stored)
        assert isinstance(paired, PairedSource)
        games = GamesToPlay(paired, store.done(run.id), map(paired.result, stored), withdrawn=store.withdrawn(run.id))
        games.next()  # now it has all rounds that are over
        outcome = format_config.outcome(names, len(starts), run.seed, paired.progress(games.results))
    except (KeyError, TypeError, ValueError, OddGame):
        return None
    rounds = list(_numbered(paired.past, names))
    return Page(run=run, format=name, rounds=rounds, outcome=outcome or FormatOutcome({}))


def _numbered(past: Sequence[Played], names: tuple[str, ...]) -> Iterator[tuple[str, tuple[Meeting, ...]]]:
    """The number of each round that is over, and who met in it. Extra games are a part of a round: `2 (2)`."""
    seen: Counter[int] = Counter()
    for each in past:
        seen[each.round.number] += 1
        part = seen[each.round.number]
        yield f"{each.round.number}{f' ({part})' if part > 1 else ''}", _meetings(each, names)


def _meetings(played: Played, names: tuple[str, ...]) -> tuple[Meeting, ...]:
    met = [(names[each.first], names[each.second], Tally(each.won, each.drawn, each.lost)) for each in played.scores]
    return (*met, *((names[player], "", None) for player in played.round.byes))


def ladder_page(source: PageSource, run: Run) -> Page:
    """Each engine or version of a ladder in the order in which they joined, and why it was withdrawn, or nothing."""
    withdrawn = source.store.withdrawn(run.id)
    players = source.store.players(run.id)
    return Page(run=run, players=[(each, source.privacy.withdrawn(withdrawn.get(each.name, ""))) for each in players])
