"""Simulates a cluster of many machines: what the arena's one process must do, and where it breaks first.

    python -m benchmarks.cluster_scale [--machines 1000] [--slots 8] [--record-us 900] ...

Each slot plays batches of games and sends their records together, as workers do. Each machine has one call of the arena
open, which answers with all that has come. The arena's process is a server with one queue: a message costs it so much,
a record so much, a transaction so much. All costs are options; SCALE.md says how the defaults were measured.
"""

import argparse
import heapq
import random
from dataclasses import dataclass

BATCH_MS = 100.0
"""So many ms of play come back together."""
MOST_IN_HAND = 32
TOGETHER = 64
AHEAD_MS = 1000.0
"""So much play a slot has in hand."""
HEARTBEAT_S = 2.0


@dataclass(frozen=True, slots=True)
class Costs:
    """What the arena's process pays, in microseconds of CPU, and the sizes of what travels."""

    message_us: float
    record_us: float
    transaction_us: float
    record_bytes: int
    job_bytes: int
    round_trip_ms: float


@dataclass(frozen=True, slots=True)
class Load:
    """What came of a simulation."""

    games_per_s: float
    wanted_per_s: float
    messages_per_s: float
    megabytes_per_s: float
    busy: float
    """Which share of the time the arena's process works."""
    store: float
    """Which share of the time it writes to the database."""
    idle: float
    """Which share of their time slots wait for games."""


def simulate(machines: int, slots: int, game_ms: float, costs: Costs, seconds: float, seed: int = 1) -> Load:
    """Play so many seconds. Lengths of games vary by a third."""
    chance = random.Random(seed)
    batch = max(1, min(MOST_IN_HAND, int(BATCH_MS / game_ms)))
    depth = max(1, min(MOST_IN_HAND, 1 + int(AHEAD_MS / game_ms)))
    per_batch_ms = batch * game_ms
    # A slot that has played what it has in hand waits for the answer to its last batch.
    spare_ms = max(0.0, (depth - batch) * game_ms)
    events = [(chance.random() * per_batch_ms, slot) for slot in range(machines * slots)]
    heapq.heapify(events)
    free_ms = busy_ms = store_ms = idle_ms = 0.0
    games = messages = 0
    last_answer: dict[int, float] = {}
    end_ms = 1000 * seconds
    while events and events[0][0] < end_ms:
        at, slot = heapq.heappop(events)
        machine = slot // slots
        arrives = at + costs.round_trip_ms / 2
        # What comes while the machine's last answer is still on its way goes together with the next one.
        new_message = arrives >= last_answer.get(machine, -1.0)
        begin = max(free_ms, arrives)
        work_ms = (batch * costs.record_us + (2 * costs.message_us if new_message else 0.0)) / 1000
        store = batch * costs.transaction_us / TOGETHER / 1000 if free_ms > arrives else costs.transaction_us / 1000
        free_ms = begin + work_ms + store
        if new_message:
            messages += 2
            last_answer[machine] = free_ms + costs.round_trip_ms / 2
        busy_ms += work_ms + store
        store_ms += store
        games += batch
        answered = free_ms + costs.round_trip_ms / 2
        idle = max(0.0, answered - at - spare_ms)
        idle_ms += idle
        length = per_batch_ms * (1 + (chance.random() - 0.5) * 2 / 3)
        heapq.heappush(events, (at + idle + length, slot))
    messages += int(machines * seconds / HEARTBEAT_S)
    wanted = machines * slots * 1000 / game_ms
    took = max(end_ms, free_ms) / 1000
    size = games * (costs.record_bytes + costs.job_bytes) / took / 1e6
    return Load(
        games / took,
        wanted,
        messages / took,
        size,
        min(1.0, busy_ms / 1000 / took),
        store_ms / 1000 / took,
        min(1.0, idle_ms / (machines * slots * end_ms)),
    )


def main() -> None:
    """Print a table for games of several lengths."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--machines", type=int, default=1000)
    parser.add_argument("--slots", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--message-us", type=float, default=600.0)
    parser.add_argument("--record-us", type=float, default=350.0)
    parser.add_argument("--transaction-us", type=float, default=1500.0)
    parser.add_argument("--record-bytes", type=int, default=1400)
    parser.add_argument("--job-bytes", type=int, default=300)
    parser.add_argument("--round-trip-ms", type=float, default=1.0)
    parser.add_argument("--game-ms", type=float, nargs="*", default=[60_000, 10_000, 3_000, 1_000, 300, 100, 10, 1])
    given = parser.parse_args()
    costs = Costs(
        given.message_us,
        given.record_us,
        given.transaction_us,
        given.record_bytes,
        given.job_bytes,
        given.round_trip_ms,
    )
    print(f"{given.machines} machines x {given.slots} slots")
    print(
        f"{'game':>8} {'games/s':>9} {'wanted':>9} {'messages/s':>10} {'MB/s':>6} {'arena':>6} {'store':>6} {'idle':>6}"
    )
    for game_ms in given.game_ms:
        load = simulate(given.machines, given.slots, game_ms, costs, given.seconds)
        print(
            f"{game_ms:>5.0f} ms {load.games_per_s:>9.0f} {load.wanted_per_s:>9.0f} {load.messages_per_s:>10.0f} "
            f"{load.megabytes_per_s:>6.2f} {load.busy:>6.0%} {load.store:>6.0%} {load.idle:>6.0%}"
        )


if __name__ == "__main__":
    main()
