"""`arena sprt`: plays two engines until it is known, with chosen error rates, whether the first is stronger."""

from typing import TYPE_CHECKING, Annotated

from arena.cli import options, output
from arena.cli.errors import BadInput
from arena.cli.option_groups import Given, argument, grouped, option
from arena.config.settings import SprtSettings, Waits
from results.ratings.sprt import Model

if TYPE_CHECKING:
    from arena.planning.prepared_run import PreparedRun, RunOutcome
    from arena.run.run import GamesToPlay


@grouped
def sprt(
    a: Annotated[str, argument("The engine that may be stronger: a name, a path, or a command line.", "A")],
    b: Annotated[str, argument("Its opponent. Options follow a colon: 'alphabeta:Hash=16'.", "B")],
    *,
    elo0: Annotated[float, option("H0: A is stronger by no more than this; negative to forbid a loss.")],
    elo1: Annotated[float, option("H1: A is stronger by at least this.")],
    alpha: Annotated[float, option("How often H1 may be accepted although H0 is true.")] = 0.05,
    beta: Annotated[float, option("How often H0 may be accepted although H1 is true.")] = 0.05,
    model: Annotated[Model, option("The unit of elo0 and elo1: normalized or logistic Elo.")] = "normalized",
    games: Annotated[
        int, option("The most games to play; then the test ends undecided.", "N", min=2, max=options.MOST_GAMES)
    ] = 100_000,
    settings: Annotated[Given, SprtSettings],
    waits: Annotated[Given, Waits],
    opponents: options.OpponentOptions,
    machine: options.MachineOptions,
    cluster: options.ClusterOptions,
    containment: options.ContainmentOptions,
    db: options.Database = None,
    output: options.OutputOptions,
) -> None:
    """Play two engines until it is clear whether the first is stronger, and stop."""
    from results.ratings.sprt import BadSprt, Sprt

    machine.keep_to_cpus()
    try:
        test = Sprt(elo0, elo1, alpha, beta, model)
    except BadSprt as bad:
        raise BadInput(f"--{bad}") from None
    if games % 2:
        raise BadInput(f"--games {games} is odd: a pair is two games, so that each opening is played with both sides")
    sandboxes = containment.parse(db).begin()
    from arena.cli.run.two_engines import run_two
    from arena.config.schema import SprtTable

    run_two(
        *("sprt", "{} tested against {}", (a, b), games, settings, waits),
        *(opponents, machine, cluster, sandboxes, db, output),
        table=SprtTable,
        test=test,
        status=_status,
        tell=print_test,
    )


def _status(games: "GamesToPlay") -> dict[str, object]:
    """How the test stands after the games so far, and how many of them it has counted."""
    from arena.planning.sprt_summary import status
    from arena.run.sprt import SprtSource

    test = games.source
    assert isinstance(test, SprtSource)
    test.count(games.results)
    return {"status": status(test), "counted": 2 * test.standing.played}


def print_test(run: "PreparedRun", outcome: "RunOutcome", as_json: bool) -> None:
    """Print how the test stands in the store."""
    from arena.planning.sprt_summary import sentences, summary, test_of

    plan, test, ended = run.plan, test_of(run.plan, run.store), len(run.store.done(run.plan.run_id))
    withdrawn = run.store.withdrawn(plan.run_id)
    if as_json:
        output.echo_json(summary(plan, test, ended, withdrawn))
        return
    for line in sentences(plan, test, ended, withdrawn, outcome.given_up.values()):
        output.echo_sentence(line, 2)
