"""The defaults and limits that the documents tell are those of the code."""

import ast
import contextlib
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
WORDS = "no one two three four five six seven eight nine ten eleven twelve".split()
FIGURES = """
README.md | shows {} faults, each at every moment of a game | docs/reference/FAULTS.md
README.md | {} games that three other programs played | tests/arena/games/traces/*.jsonl
reference/CLOCKS | {} ms and 0.1 ms for each move in the list are free | arena/timing/free_reading.py:FREE_READING_MS
reference/CLOCKS | 5 ms and {} ms for each move in the list | arena/timing/free_reading.py:FREE_READING_MOVE_NS / 1e6
reference/CLOCKS | It is at most {} times what the move may take | protocol/stopwatch.py:PATIENCE_FACTOR
reference/CLOCKS | what the move may take, and {} s more | protocol/stopwatch.py:PATIENCE_NS / 1e9
reference/CLOCKS | had a CPU at least {} times a second | protocol/stopwatch.py:LEAVES_A_SECOND
reference/CLOCKS | an engine of more than {} threads | protocol/run_delay.py:MAX_TASKS
reference/CLOCKS | of each move are free, {} unless the file says otherwise | arena/timing/time_control.py:LAG_MS
reference/CLOCKS | only the first {} are looked at | protocol/process.py:_MOST_UNREAD
reference/CLOCKS | if the machine was late by {} ms or more | results/plies.py:LATE_US / 1000
reference/CLOCKS | 10 ms or more, a fifth of the usual margin | arena/timing/clock.py:MARGIN_MS
reference/CLOCKS | the last {} lines of the dialogue | arena/play/evidence.py:TRANSCRIPT_LINES
reference/CLOCKS | the last {} KiB of stderr | arena/play/evidence.py:STDERR_BYTES / 1024
reference/CLOCKS | if that begins within {} µs | protocol/stopwatch.py:REUSE_CPU_NS / 1000
reference/CLOCKS | if the last reading is older than {} µs | protocol/stopwatch.py:REUSE_MARK_NS / 1000
reference/CLOCKS | are looked at every {} ms, for the waits | protocol/run_delay.py:LOOK_NS / 1e6
reference/CLOCKS | They are {} s, and 60 s after `uginewgame` | protocol/deadlines.py:ready_ms / 1000
reference/CLOCKS | They are 10 s, and {} s after `uginewgame` | protocol/deadlines.py:newgame_ms / 1000
reference/CONTAINMENT | ended within moments, the cap is {} \\| | protocol/containment/policy.py:processes
reference/CONTAINMENT | ended within moments, the cap is {} MB | protocol/containment/policy.py:memory_mb
reference/CONTAINMENT | one file: stopped at {} MB | protocol/containment/policy.py:disk_mb
reference/CONTAINMENT | looks at all engines of the worker every {} ms | protocol/containment/watchdog.py:WATCH_MS
reference/CONTAINMENT | is read every 200 ms | protocol/containment/usage_caps.py:_HIDDEN_EVERY
reference/CONTAINMENT | *Once a second* it counts the scratch | protocol/containment/usage_caps.py:_DISK_EVERY
reference/CONTAINMENT | {} deleted files that are only mapped | protocol/containment/usage_caps.py:MAPPED_DELETED
reference/CONTAINMENT | more than {} open files | protocol/containment/usage_caps.py:OPEN_FILES
reference/CONTAINMENT | more than {} file locks | protocol/containment/usage_caps.py:FILE_LOCKS
reference/CONTAINMENT | or {} mappings | protocol/containment/usage_caps.py:MAPPINGS
reference/CONTAINMENT | (RLIMIT_NPROC, {}) | protocol/containment/policy.py:threads
reference/CONTAINMENT | RLIMIT_SIGPENDING {} | protocol/containment/child_setup.py:_SIGNALS
reference/CONTAINMENT | (from {} on) | protocol/containment/engine_user.py:FIRST
reference/FAULTS | 2 s to quit, {} s to heed SIGTERM | protocol/process.py:_TERM_MS / 1000
organisers/RESULTS | of less than {} ms, those of the last 100 ms | arena/play/result_sender.py:HELD_S * 1000
organisers/RESULTS | In more than {} games they are not counted | results/tables/rating_lists.py:MOST_PAIRED
organisers/RESULTS | An Elo beyond {} is a bound, too | results/tables/elo.py:MOST
organisers/RESULTS | values above {} MiB are refused | results/store/files.py:LONGEST_VALUE / 2 ** 20
organisers/RESULTS | at most {} and 60 characters | results/plies.py:PV_MOVES
organisers/RESULTS | at most 12 and {} characters | results/plies.py:PV_CHARACTERS
organisers/RATINGS | if fewer than {} games connect two groups | results/diagnostics.py:THIN
organisers/RATINGS | than chance explains in one of {} cases | 1 / results/diagnostics.py:UNLIKELY
organisers/RATINGS | three of {} pairs are those whose result | 1 / results/ratings/matchmaking.py:AT_RANDOM
organisers/SPRT | In a log there is a line for every {} pairs | arena/cli/commands/playing/sprt.py:EVERY
organisers/SPRT | It is left out during the first {} pairs | arena/sprt/summary.py:ENOUGH_PAIRS
organisers/SPRT | must lie between -200 and {}, because | results/ratings/sprt.py:FARTHEST
organisers/SPRT | is counted as {}, because it is not impossible | results/ratings/sprt.py:NOTHING
organisers/SPRT | at the latest after {} steps | results/ratings/sprt.py:_ROUNDS
organisers/SPRT | If it has no result {} times | arena/sprt/job_source.py:TRIES
organisers/LADDER | a line every {} games | arena/cli/run/log_lines.py:EVERY
organisers/LADDER | A batch has {} games | arena/ladder/job_source.py:SMALLEST_BATCH
organisers/LADDER | an engine with fewer than {} games | 2 * arena/ladder/pairing.py:NEWCOMER_OPPONENTS
organisers/LADDER | It meets {} opponents | arena/ladder/pairing.py:NEWCOMER_OPPONENTS
organisers/LADDER | is tried {} times. Then the batch ends | arena/ladder/job_source.py:TRIES
organisers/LADDER | in a row ({}) by its own faults | arena/config/schema.py:fault_budget
organisers/FORMATS | up to {} more pairs of games | arena/formats/knockout.py:EXTRA_PAIRS
organisers/FORMATS | More than {} engines are not all started | arena/planning/plan.py:MANY
organisers/CLUSTER | after {} s without an answer it is lost | arena/cluster/joined_machine.py:SILENT_S
organisers/CLUSTER | machines end its games within {} s | arena/cluster/agent.py:SILENT_S
organisers/CLUSTER | a machine is lost {} times in a run | arena/cluster/membership.py:LOSSES
organisers/CLUSTER | A clock that is more than a minute wrong | arena/cluster/membership.py:CLOCKS_APART_S
organisers/CLUSTER | that is larger than {} MB | arena/cluster/shipment.py:MOST_BYTES / 2 ** 20
organisers/HOST | `lag` milliseconds ({}) are free | arena/timing/time_control.py:LAG_MS
organisers/HOST | Up to {} games are played at once | arena/cli/run/open_ladder.py:GAMES
organisers/HOST | being played wait for {} seconds | arena/host/presence.py:GRACE_S
organisers/HOST | before the next game: {} s, then twice | arena/host/presence.py:LINE_S
organisers/HOST | is followed by {} s in the same way | arena/host/presence.py:AGAIN_S
organisers/HOST | by {} s before the next new one | arena/host/presence.py:BUILD_S
organisers/HOST | then twice as long each time, up to an hour | arena/host/throttle.py:longest_s
authors/CONNECT | the last {} KiB of its stderr | arena/connect/client.py:STDERR_BYTES / 1024
authors/CONNECT | a page of your own, good for an hour | arena/connect/messages.py:LINK_S
organisers/PAGES | By default the last {} games have a page | arena/web/choice.py:MOST
organisers/PAGES | the list, a hundred on a page | arena/web/pages/games.py:PAGE
organisers/PAGES | only if at most {} games have a page | arena/web/report.py:MOST_WITH_FILES
organisers/PAGES | at most the last {}; only if there are any | arena/web/pages/check_reports.py:MOST_REPORTS
organisers/PAGES | a card for each running game, {} at most | arena/web/server/game_values.py:MOST_GAMES
organisers/PAGES | by default `http://127.0.0.1:{}/` | arena/web/server/listening.py:PORT
organisers/PAGES | At most {} viewers can watch at once | arena/web/server/feed.py:MOST_VIEWERS
organisers/PAGES | asked to come back after {} seconds | arena/web/server/feed.py:RETRY_S
organisers/PAGES | {} more connections are left for pages | arena/web/server/uvicorn_server.py:_MOST_CONNECTIONS
organisers/PAGES | A request must be there within {} seconds | arena/web/server/connection.py:REQUEST_S
organisers/PAGES | takes nothing of what is sent for {} seconds | arena/web/server/listening.py:_UNREAD_MS / 1000
organisers/PAGES | A page that takes longer than {} seconds is given up | arena/web/server/database.py:LONGEST_S
organisers/PAGES | At most {} games are played at once | arena/human/hosted_games.py:MOST_GAMES
organisers/PAGES | the folder keeps the last {}. | arena/human/hosted_games.py:MOST_KEPT
organisers/PAGES | Without any command for {} minutes | arena/human/hosted_game.py:LEFT_S / 60
organisers/PAGES | a line for each game, at most {} | arena/web/server/api.py:MOST_GAMES
organisers/PAGES | history of at most {} games | arena/web/pages/source.py:MOST_HISTORY
reference/COMMANDS | The last {} files there stay | arena/planning/kept_games.py:KEPT
reference/COMMANDS | and differ by at least {} cp | results/eval_disagreement.py:APART_CP
reference/COMMANDS | `arena check`](#arena-check), two minutes at most | arena/conformance/smoke.py:LONGEST_S
reference/COMMANDS | If a run has {} games or fewer | arena/cli/run/ending.py:FEW
reference/COMMANDS | Up to {} games have a board | arena/cli/run/live_view.py:MOST_BOARDS
reference/COMMANDS | Each engine has {} such lines | arena/cli/run/log_lines.py:FIRST
reference/JSON | have at most {} decimals | results/tables/to_json.py:DECIMALS
reference/VARIANTS | the name, at most {} characters | arena/games/variant_file.py:MAX_TITLE
authors/ENGINES | boards larger than {}x13 | engines/stornoway.py:LARGEST_SIDE
authors/KIT | The referee waits for {} s | arena/timing/time_control.py:MOVE_LIMIT_MS / 1000
authors/KIT | `arena check` for {} s, so | arena/conformance/checked_engine.py:SEARCH_MS / 1000
"""
"""The page, what it says, and where the code has the figure. Where it stands in words, `SPELLED` has the figure."""
SPELLED = {
    "10 ms or more, a fifth of the usual margin": 50,
    "is read every 200 ms": 4,
    "*Once a second* it counts the scratch": 20,
    "A clock that is more than a minute wrong": 60,
    "a page of your own, good for an hour": 3600,
    "then twice as long each time, up to an hour": 3600,
    "the list, a hundred on a page": 100,
    "`arena check`](#arena-check), two minutes at most": 120,
}
ROWS = [tuple(cell.strip() for cell in re.split(r"(?<!\\)\|", row)) for row in FIGURES.strip().splitlines()]


@cache
def constants(path: str) -> dict[str, float]:
    """The numbers of a module and of its classes, by their names. A name of another module counts as 0."""
    found: dict[str, float] = {}
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    classes = [each for node in tree.body if isinstance(node, ast.ClassDef) for each in node.body]
    for node in (*tree.body, *classes):
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        value = getattr(node, "value", None)
        if isinstance(value, ast.Call) and ast.unparse(value.func) == "Field" and value.args:
            value = value.args[0]
        if not isinstance(target, ast.Name) or value is None:
            continue
        parts = list(ast.walk(value))
        if all(isinstance(each, ast.Constant | ast.BinOp | ast.operator | ast.Name | ast.Load) for each in parts):
            names = {each.id: found.get(each.id, 0) for each in parts if isinstance(each, ast.Name)}
            with contextlib.suppress(ZeroDivisionError):
                number = eval(ast.unparse(value), {}, names)
                if isinstance(number, int | float):
                    found.setdefault(target.id, number)
    return found


def figure(place: str) -> float:
    """What the code has: a constant with what makes its unit that of the page, the lines of files, or the rows."""
    if place.endswith(".jsonl"):
        return sum(len(path.read_bytes().splitlines()) for path in ROOT.glob(place))
    if place.endswith(".md"):
        return len(set(re.findall(r"^\| `([a-z0-9-]+)`[^|]*\| [a-z]+ \|", (ROOT / place).read_text("utf-8"), re.M)))
    path, name = re.findall(r"([\w/]+\.py):(\w+)", place)[0]
    return float(eval(place.replace(f"{path}:{name}", repr(constants(path)[name]))))


def spellings(number: float) -> list[str]:
    """How a page may write it: 4000 and 4 000, and in a word."""
    if round(number, 6) != round(number):
        return [f"{number:g}"]
    whole = round(number)
    return [str(whole), f"{whole:,}".replace(",", " "), *WORDS[whole : whole + 1]]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]}: {row[1]}")
def test_a_figure_of_a_page_is_that_of_the_code(row: tuple[str, str, str]) -> None:
    """Whoever changes a default or a limit is told which page says another one."""
    name, says, place = row
    says = says.replace("\\|", "|")
    page = ROOT / (name if name.endswith(".md") else f"docs/{name}.md")
    text, number = " ".join(page.read_text(encoding="utf-8").split()), figure(place)
    assert any(says.replace("{}", written) in text for written in spellings(number)), (says, number)
    assert "{}" in says or SPELLED[says] == number
