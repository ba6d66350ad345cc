"""Reads that an alarm ends, each test in a process of its own: there is one SIGALRM, and the test runner has ours."""

import subprocess
import sys

import pytest
from protocol.read_alarm import LONGEST_READ_NS

# The referee's end; `start` starts an engine by its Python code, `known` are the answers that it may give at once.
HEAD = """
import os, select, sys, threading, time
from protocol.read_alarm import LONGEST_READ_NS, ReadAlarm
from protocol.containment.watchdog import Watchdog
from protocol.faults import EngineFault, Fault
from protocol.process import Command, EngineProcess
from protocol.session import Session
from protocol.transport import TransportTimeout

MS = 1_000_000
ENGINE = "import os, sys, time\\nsay = lambda text: os.write(1, text.encode())\\n"
ECHO = "for line in sys.stdin:\\n    say('yes\\\\n')"
known = {b"yes\\n": "known"}
alarm = ReadAlarm()

class Watchful(Watchdog):
    ticks = 0

    def tick(self, now_ns):
        self.ticks += 1
        return super().tick(now_ns)

watchdog = Watchful()

def start(code):
    return EngineProcess.spawn(Command((sys.executable, "-I", "-S", "-c", ENGINE + code)), watchdog, alarm)

def soon(ms=20_000):
    return time.monotonic_ns() + ms * MS

def read_known(engine, within_ns=1_000 * MS):
    before_ns = time.monotonic_ns()
    found = engine.read_known(known, within_ns)
    assert time.monotonic_ns() - before_ns < 10_000 * MS
    return found

def ready(engine):
    assert engine.receive(soon()) == b"ready"
    return engine
"""


def holds(code: str) -> None:
    """Run code in its own process, which ends with an error or by a signal if an assertion fails."""
    done = subprocess.run([sys.executable, "-P", "-c", HEAD + code], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_new_game_is_awaited_as_long_as_it_may_take() -> None:
    """One engine is ready at once, one clears a table for longer than a read, one says more, and one ends."""
    holds(
        "LINE = 'option name x type button\\nugiok\\n'\n"
        "def session(new_game):\n"
        "    code = 'for line in sys.stdin:\\n'\n"
        "    code += f'    if line.startswith(\"ugi\\\\n\"): say({LINE!r})\\n'\n"
        "    code += f'    if line.startswith(\"uginewgame\"): {new_game}\\n'\n"
        '    code += \'    if line.startswith("isready"): say("readyok\\\\n")\\n\'\n'
        "    made = Session(start(code))\n"
        "    made.handshake()\n"
        "    return made\n"
        "quick, slow, talks = session('pass'), session('time.sleep(0.06)'), session('say(\"info string new\\\\n\")')\n"
        "for _ in range(3):\n"
        "    for each in (quick, slow, talks):\n"
        "        each.announce_game(())\n"
        "    for each in (quick, slow, talks):\n"
        "        each.await_game()\n"
        "        assert each.last_data[-1] == b'readyok', each.last_data\n"
        "        each.prepare(b'position startpos')\n"
        "dead = session('sys.exit(3)')\n"
        "dead.announce_game(())\n"
        "try:\n"
        "    dead.await_game()\n"
        "except EngineFault as broken:\n"
        "    assert broken.fault is Fault.CRASH, broken\n"
        "else:\n"
        "    raise AssertionError\n"
        "for each in (quick, slow, talks, dead):\n"
        "    each.kill()\n"
    )


def test_an_answer_that_is_known_comes_at_once_and_any_other_by_asking() -> None:
    """Known bytes give what they stand for; what else comes, lines in a row too, is there for `receive`, in order."""
    holds(
        "engine = start('for line in sys.stdin: say(line.replace(\"/\", chr(10)))')\n"
        "def said(text):\n"
        "    engine.send(text + b'\\n', soon())\n"
        "    while (found := engine.read_known(known, LONGEST_READ_NS)) is None and not engine._lines.pending: pass\n"
        "    return found\n"
        "assert said(b'yes') == 'known'\n"
        "assert said(b'no') is None and engine.receive(soon()) == b'no'\n"
        "assert said(b'yes/no') is None and said(b'yes') is None\n"
        "assert [engine.receive(soon()) for _ in '123'] == [b'yes', b'no', b'yes']\n"
        "assert said(b'yes') == 'known'\n"
        "engine.kill()\n"
        "assert engine.read_known(known, LONGEST_READ_NS) is None\n"
    )


def test_half_a_line_is_no_answer() -> None:
    """What was read of a line before its deadline belongs to it: its rest is not taken for a line."""
    holds(
        'engine = start(\'say("ready" + chr(10) + "x"); sys.stdin.readline(); say("yes" + chr(10))\')\n'
        "try:\n"
        "    ready(engine).receive(soon(50))\n"
        "except TransportTimeout:\n"
        "    engine.send(b'go\\n', soon())\n"
        "assert not read_known(engine) and not read_known(engine)\n"
        "assert engine.receive(soon()) == b'xyes'\n"
        "engine.kill()\n"
    )


def test_after_a_ring_everything_is_looked_at_once() -> None:
    """An answer that is there already has to wait for that, and one that there is no time to wait for is not read."""
    holds(
        "engine = start(ECHO)\n"
        "def asked():\n"
        "    engine.send(b'go\\n', soon())\n"
        "    select.select([engine._out], [], [])\n"
        "asked()\n"
        "assert read_known(engine) == 'known'\n"
        "asked()\n"
        "alarm.stop()\n"
        "alarm.handler()\n"
        "assert read_known(engine) is None and read_known(engine) == 'known'\n"
        "asked()\n"
        "alarm.stop()\n"
        "assert read_known(engine, LONGEST_READ_NS - 1) is None and not alarm.running\n"
        "assert engine.receive(soon()) == b'yes'\n"
        "engine.kill()\n"
    )


def test_silence_ends_such_a_read_and_its_answer_is_not_lost() -> None:
    """After 100 ms of silence `read_known` gives up, `receive` has the answer, and the alarm is off."""
    holds(
        "engine = start('for line in sys.stdin:\\n    time.sleep(0.1)\\n    say(\"yes\" + chr(10))')\n"
        "for _ in range(3):\n"
        "    engine.send(b'go\\n', soon())\n"
        "    assert read_known(engine) is None\n"
        "    assert engine.receive(soon()) == b'yes'\n"
        "    assert not alarm.running\n"
        "engine.kill()\n"
    )


@pytest.mark.parametrize(
    ("code", "fault", "words"),
    [
        ("time.sleep(60)", "TIME", "within 150.000 ms"),
        ("while True:\n    say('info depth 1' + chr(10)); time.sleep(0.002)", "TIME", "within 150.000 ms"),
        ("if os.fork() == 0: time.sleep(60)\nos._exit(3)", "CRASH", "exit status 3"),
        ("say('info x' + chr(10))\nif os.fork() == 0: time.sleep(60)\nos._exit(3)", "CRASH", "exit status 3"),
        ("os._exit(4)", "CRASH", "exit status 4"),
        ("while True: say('x' * 65536)", "MALFORMED_MOVE", "65536"),
    ],
)
def test_deadlines_deaths_and_caps_hold_as_without_it(code: str, fault: str, words: str) -> None:
    """Silence, a trickle, a death behind a pipe that a child holds, a death, a flood: seen in time, called by name."""
    budget_ms = 150 if fault == "TIME" else 20_000  # so long may a busy machine let it wait for its end
    holds(
        f"engine = start('say(\"ready\" + chr(10)); sys.stdin.readline()\\n' + {code!r})\n"
        "session = Session(ready(engine))\n"
        "before_ns = time.monotonic_ns()\n"
        "try:\n"
        f"    session.search(b'go movetime 100\\n', {budget_ms} * MS, Fault.TIME)\n"
        "except EngineFault as broken:\n"
        f"    assert (broken.fault, {words!r} in broken.detail) == (Fault.{fault}, True), broken\n"
        "else:\n"
        "    raise AssertionError\n"
        "assert time.monotonic_ns() - before_ns < 15_000 * MS\n"
        "engine.kill()\n"
    )


def test_engines_that_answer_at_once_are_watched_all_the_same() -> None:
    """Two engines get commands in turn. Alarms lead to checks of the watchdog and lose no line."""
    holds(
        "pair = [start(ECHO), start(ECHO)]\n"
        "for engine in pair:\n"
        "    engine.send(b'go\\n', soon())\n"
        "    assert engine.receive(soon()) == b'yes'\n"
        "watchdog.ticks = quick = slow = 0\n"
        "end_ns = soon()\n"
        "while watchdog.ticks < 4 or quick <= slow:\n"
        "    assert time.monotonic_ns() < end_ns, (watchdog.ticks, quick, slow)\n"
        "    for engine in pair:\n"
        "        engine.send(b'go\\n', soon())\n"
        "        if engine.read_known(known, 1_000 * MS):\n"
        "            quick += 1\n"
        "        else:\n"
        "            slow += 1\n"
        "            assert engine.receive(soon()) == b'yes'\n"
        "for engine in pair: engine.kill()\n"
        "alarm.stop()\n"
    )


def test_the_alarm_of_an_engine_that_is_gone_touches_nobodys_pipe() -> None:
    """Another pipe may have the number of its stdout by then, and must stay blocking."""
    holds(
        "engine = start(ECHO)\n"
        "engine.send(b'go\\n', soon())\n"
        "assert read_known(engine) or engine.receive(soon())\n"
        "out = engine._out\n"
        "engine.kill()\n"
        "read, write = os.pipe()\n"
        "os.dup2(read, out)\n"
        "alarm.start()\n"
        "threading.Timer(0.05, os.write, (write, b'x')).start()\n"
        "assert os.read(out, 1) == b'x' and os.get_blocking(out)\n"
        "alarm.stop()\n"
    )


def test_a_ring_comes_within_the_time_that_is_told() -> None:
    """A read takes three alarms at most, whatever signals the parent has blocked."""
    holds(
        "import signal\n"
        "signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})\n"
        "alarm = ReadAlarm()\n"
        "rung = []\n"
        "alarm.handler = lambda: rung.append(time.monotonic_ns())\n"
        "before_ns = time.monotonic_ns()\n"
        "alarm.start()\n"
        "while len(rung) < 3: time.sleep(0.001)\n"
        "alarm.stop()\n"
        f"assert rung[2] - before_ns >= {LONGEST_READ_NS} - 1_000_000\n"
    )
