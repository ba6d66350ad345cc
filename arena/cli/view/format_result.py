"""Prints the outcome of a format that pairs by results: a Swiss's table, a knockout's bracket, the king of the hill."""

from typing import TYPE_CHECKING, Any

from results.safe_text import harmless

if TYPE_CHECKING:
    from rich.console import Console

    from arena.planning.plan import Plan
    from results.store.store import Store


def values(plan: "Plan", store: "Store") -> dict[str, Any]:
    """The format's name and its outcome, for JSON."""
    outcome = plan.outcome(store)
    return {"name": plan.format_config.format, **(outcome.values if outcome is not None else {})}


def print_table(out: "Console", plan: "Plan", store: "Store") -> None:
    """Print the outcome; print nothing for a format whose outcome is the standings."""
    outcome = plan.outcome(store)
    if outcome is None:
        return
    if outcome.table:
        from rich.table import Table
        from rich.text import Text

        table = Table(title=outcome.title, title_justify="left", box=None)
        for key, value in outcome.table[0].items():
            table.add_column(key, justify="left" if isinstance(value, str) else "right")
        for row in outcome.table:
            table.add_row(
                *(Text(harmless(value if isinstance(value, str) else f"{value:g}")) for value in row.values())
            )
        out.print(table)
    for line in outcome.lines:
        out.print(harmless(line), markup=False)
    out.print()
