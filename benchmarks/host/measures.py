"""What is measured of an open ladder: games over a bad line, cuts, kills, and the CPU of the host."""

import json
import random
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from arena.timing.time_control import parse
from benchmarks.host.open_ladder import OpenLadder, descendants, kill, usage
from results.record import GameRecord, Termination
from tests.arena.host.bad_line import HERE, bad_line
from tests.arena.host.cutting_proxy import cutting_proxies


class Delay(NamedTuple):
    """A move, and how much longer it took for the host than for the engine."""

    game: int
    ply: int
    engine: str
    extra_ms: float
    answered: bool
    """False where the engine never answered, so that all the time counts as delay."""
    over_ms: float
    """How much longer the engine itself took than the time that it had left; below 0 where it did not."""


def percentile(values: Sequence[float], percent: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * percent / 100))] if values else float("nan")


def delays(ladder: OpenLadder, games: Sequence[GameRecord]) -> dict[int, list[Delay]]:
    """The delays of all moves, by game; the last one of a game lost on time is that of the move that was late."""
    noted: dict[tuple[str, str], list[tuple[float, float, float | None]]] = defaultdict(list)
    for name in ladder.names:
        path = ladder.times(name)
        for line in path.read_text().splitlines() if path.exists() else ():
            moves, at_s, took_ms, had_ms = json.loads(line)
            noted[name, moves].append((at_s, took_ms, had_ms))
    found: dict[int, list[Delay]] = {}
    for game in games:
        begin_s = datetime.fromisoformat(game.started_at).timestamp()
        words, here = game.moves, []
        walls: list[tuple[int, float]] = [
            (len(game.opening) + place, ply.wall_us / 1000) for place, ply in enumerate(game.plies)
        ]
        if game.termination == Termination.TIME and game.evidence is not None and game.evidence.wall_us is not None:
            walls.append((len(words), game.evidence.wall_us / 1000))
        for ply, wall_ms in walls:
            engine = game.p1 if game.mover(ply + 1) == "p1" else game.p2
            near = [
                (took_ms, 0.0 if had_ms is None else took_ms - had_ms)
                for at_s, took_ms, had_ms in noted[engine.partition("@")[0], " ".join(words[:ply])]
                if -2 < at_s - begin_s < game.wall_ms / 1000 + 70
            ]
            took_ms, over_ms = near[0] if near else (0.0, 0.0)
            here.append(Delay(game.number, ply + 1, engine, wall_ms - took_ms, bool(near), over_ms))
        found[game.number] = here
    return found


def stored_once(ladder: OpenLadder) -> None:
    """Print what the database has. Raises AssertionError where a game that a guest was told of is not there once."""
    games = ladder.games()
    numbers = Counter(game.number for game in games)
    assert all(count == 1 for count in numbers.values()), numbers.most_common(3)
    told: dict[int, Counter[str]] = defaultdict(Counter)
    for name in ladder.names:
        for number, word in ladder.news(name):
            told[number][word] += 1
    void = {number for number, words in told.items() if words["void"]}
    lost = {number for number, words in told.items() if set(words) - {"void"} and number not in numbers}
    assert not lost, f"told and not stored: {sorted(lost)[:10]}"
    endings = Counter(str(game.termination) for game in games)
    print(f"{len(games)} games stored, each once: {dict(endings.most_common())}; {len(void)} were void once or more")
    again = sum(number in numbers for number in void)
    print(f"of these void ones {again} were played and stored afterwards")


def losses_on_time(ladder: OpenLadder, lag_ms: int) -> list[int]:
    """Print each loss on time with its delays, and the delays of all moves.

    Returns the games that were lost although no move of the loser had a longer delay than the lag, and its last search
    ended within the time that it had.
    """
    games = ladder.games()
    all_delays = delays(ladder, games)
    moves = [each.extra_ms for game in games for each in all_delays[game.number] if each.answered]
    above = sum(each > lag_ms for each in moves)
    print(
        f"{len(moves)} moves: delay {statistics.median(moves):.0f} ms (median), {percentile(moves, 99):.0f} (99 %), "
        f"{max(moves):.0f} (most); {above} above {lag_ms} ms"
    )
    unexplained: list[int] = []
    for game in games:
        if game.termination != Termination.TIME:
            continue
        loser = game.p2 if game.winner == "p1" else game.p1
        own = [each for each in all_delays[game.number] if each.engine == loser]
        most, last = max(own, key=lambda each: each.extra_ms), own[-1]
        is_explained = most.extra_ms > lag_ms or last.over_ms > 0
        unexplained += [] if is_explained else [game.number]
        answer = f"{last.extra_ms:.0f} ms of delay" if last.answered else "no answer of the engine"
        answer += f", whose search took {last.over_ms:.0f} ms more than it had" if last.over_ms > 0 else ""
        print(
            f"  game {game.number}: {loser} lost on time at ply {last.ply}: {answer}; its longest delay "
            f"{most.extra_ms:.0f} ms at ply {most.ply}; "
            f"{sum(each.extra_ms > lag_ms for each in own)} of {len(own)} moves above {lag_ms} ms"
            f"{'' if is_explained else '  <- NONE ABOVE THE LAG'}; {game.detail}"
        )
    print(f"losses on time without a delay above {lag_ms} ms: {unexplained or 'none'}")
    return unexplained


def over_a_bad_line(folder: Path, guests: int, games: int, tc: str, at_once: int, think_ms: float) -> list[int]:
    """Guests over a line with 80 ms round trip and 1 % loss. Returns what `losses_on_time` does."""
    how = {"tc": tc, "variant": "scottish", "address": HERE}
    with bad_line() as line, OpenLadder(folder, guests, at_once=at_once, longest_ms=think_ms, **how) as open_:
        open_.start_host(games)
        for name in open_.names:
            open_.start_client(name, within=line.there())
        print(f"all {guests} guests connected after {open_.wait_for_all(60 + 3 * guests):.0f} s")
        since_s = time.monotonic()
        host = open_.host
        assert host is not None
        open_.wait(lambda: host.poll() is not None, 60 + 10 * games, "all games are played")
        took_s = time.monotonic() - since_s
        rate = f"{open_.count() / took_s * 60:.0f} games a minute"
        counts = line.counts
        print(f"played in {took_s:.0f} s, {rate}; packets {counts}")
        time.sleep(1)  # the last news
        stored_once(open_)
        return losses_on_time(open_, max(parse(game.tc).lag_ms for game in open_.games()))


def cuts(folder: Path, guests: int, count: int, tc: str, at_once: int, longest_s: float, seed: int = 3) -> None:
    """Cuts of 0.1 s to `longest_s` at random moments, every other one with a new client process."""
    chance = random.Random(seed)
    with OpenLadder(folder, guests, tc=tc, at_once=at_once, longest_ms=1000, variant="scottish") as open_:
        open_.start_host()
        with cutting_proxies((open_.address, open_.port), [[] for _ in open_.names]) as proxies:
            ports = dict(zip(open_.names, (proxy.port for proxy in proxies), strict=True))
            by_name = dict(zip(open_.names, proxies, strict=True))
            for name in open_.names:
                open_.start_client(name, ports[name])
            open_.wait_for_all(120)
            open_.wait_to_join(guests)
            busy_until: dict[str, float] = {}
            done = fresh = 0
            while done < count or busy_until:
                now_s = time.monotonic()
                for name, until_s in list(busy_until.items()):
                    if now_s < until_s:
                        continue
                    client = open_.clients[name]
                    if client.poll() is not None:  # killed, or it gave up before it was ever connected
                        open_.start_client(name, ports[name])
                        busy_until[name] = now_s + 5
                    elif name in open_.present():
                        del busy_until[name]
                there = open_.present()
                free = [name for name in there if name not in busy_until and open_.has_moved(name, 3)]
                if done < count and free:
                    name, for_s = chance.choice(free), 0.1 * (longest_s / 0.1) ** chance.random()
                    by_name[name].cut(for_s, silent=chance.random() < 0.5)
                    done += 1
                    if done % 2:
                        fresh += 1
                        kill(open_.clients[name])
                    busy_until[name] = now_s + for_s
                    if done % 20 == 0:
                        print(f"{done} cuts, {open_.count()} games", flush=True)
                time.sleep(chance.random() * 0.5)
            back_s = open_.wait_for_all(60)
            open_.wait_for_games(5)
        print(f"{done} cuts, {fresh} with a new process; all are back after {back_s:.1f} s")
        assert open_.host is not None
        kill(open_.host)
        stored_once(open_)
        shares: Counter[str] = Counter()
        for game in open_.games():
            down = game.evidence is not None and any(
                "line to the engine was down" in text for text in (game.evidence.stderr, game.detail)
            )
            shares[f"{game.termination}{' (the line was down)' if down else ''}"] += 1
        print(dict(shares.most_common()))


def kills(folder: Path, guests: int, count: int, tc: str, at_once: int, seed: int = 5) -> None:
    """`kill -9` of the host and of a client by turns."""
    chance = random.Random(seed)
    back: dict[str, list[float]] = {"the host": [], "a client": []}
    with OpenLadder(folder, guests, tc=tc, at_once=at_once, longest_ms=50) as open_:
        open_.start_host()
        for name in open_.names:
            open_.start_client(name)
        open_.wait_for_all(120)
        known: dict[int, str] = {}
        ended_s = 0.0
        for number in range(2 * count):
            open_.wait_for_games(1)
            time.sleep(chance.random())
            if number % 2:
                name = chance.choice(open_.names)
                kill(open_.clients[name])
                before = open_.connections(name)
                open_.start_client(name)
                back["a client"].append(open_.wait_for_connection(name, before))
            else:
                assert open_.host is not None
                its = descendants(open_.host.pid)
                kill(open_.host)
                ended_s = max(ended_s, open_.wait_for_end(its))
                stored = {game.number: f"{game.p1} {game.p2} {game.movetext} {game.winner}" for game in open_.games()}
                assert all(stored.get(number) == text for number, text in known.items()), "a stored game has changed"
                known = stored
                open_.start_host()
                back["the host"].append(open_.wait_for_all(60))
            if number % 10 == 9:
                print(f"{number + 1} kills, {open_.count()} games", flush=True)
        open_.wait_for_games(3)
        assert open_.host is not None
        kill(open_.host)
        print(f"after its kill, the last process of the host was gone after {ended_s:.1f} s at most")
        for who, seconds in back.items():
            took = f"{statistics.median(seconds):.1f} s (median), {max(seconds):.1f} s (most)"
            print(f"{len(seconds)} kills of {who}: back after {took}")
        stored_once(open_)


def cpu(folder: Path, connected: int, playing: int, tc: str, seconds: float) -> None:
    """The CPU of the host while so many guests are connected, and at most so many play."""
    with OpenLadder(folder, connected, tc=tc, at_once=playing // 2, longest_ms=600, variant="scottish") as open_:
        open_.start_host()
        for place, name in enumerate(open_.names):
            open_.start_client(name)
            if place % 5 == 4:  # so that few start at once
                open_.wait_for_some(place - 3, 120)
        print(f"all {connected} connected after {open_.wait_for_all(240):.0f} s more", flush=True)
        assert open_.host is not None
        joined_s, before = open_.wait_to_join(connected), usage(open_.host.pid)
        print(
            f"all have passed the door after {joined_s:.0f} s more; a check takes "
            f"{before.ended_s / connected:.1f} s of the host's CPU",
            flush=True,
        )
        games, since_s = open_.count(), time.monotonic()
        busy: list[int] = []
        while time.monotonic() - since_s < seconds:
            busy.append(sum(bool(each["playing"]) for each in open_.present().values()))
            time.sleep(2)
        after, took_s, more = usage(open_.host.pid), time.monotonic() - since_s, open_.count() - games
        plies = statistics.mean(len(game.plies) for game in open_.games()[-more:]) if more else 0
        shares = [100 * (late - early) / took_s for early, late in zip(before[:3], after[:3], strict=True)]
        print(
            f"{took_s:.0f} s, {more} games of {plies:.0f} plies, {statistics.mean(busy):.1f} guests playing: "
            f"host {shares[0]:.1f} %, hub {shares[1]:.1f} %, workers and relays {shares[2]:.1f} % of a core; "
            f"{after.memory_mb:.0f} MB in all"
        )
