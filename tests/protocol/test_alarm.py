"""Reads that an alarm ends, each test in a process of its own: there is one SIGALRM, and the test runner has ours."""

import subprocess
import sys

import pytest

from protocol.alarm import AT_MOST_NS

# The referee's end; `start` starts an engine by its Python code, `known` are the answers that it may give at once.
HEAD = """
import os, select, sys, threading, time
from protocol.alarm import AT_MOST_NS, Alarm
from protocol.containment.warden import Warden
from protocol.faults import EngineFault, Fault
from protocol.process import Command, EngineProcess
from protocol.session import Session
from protocol.transport import TransportTimeout

MS = 1_000_000
ENGINE = "import os, sys, time\\nsay = lambda text: os.write(1, text.encode())\\n"
ECHO = "for line in sys.stdin:\\n    say('yes\\\\n')"
known = {b"yes\\n": "known"}
alarm = Alarm()

class Watchful(Warden):
    ticks = 0

    def tick(self, now_ns):
        self.ticks += 1
        super().tick(now_ns)

warden = Watchful()

def start(code):
    return EngineProcess.spawn(Command((sys.executable, "-I", "-S", "-c", ENGINE + code)), warden, alarm)

def soon(ms=20_000):
    return time.monotonic_ns() + ms * MS

def at_once(engine, within_ns=1_000 * MS):
    before_ns = time.monotonic_ns()
    found = engine.at_once(known, within_ns)
    assert time.monotonic_ns() - before_ns < 10_000 * MS
    return found

def ready(engine):
    assert engine.receive(soon()) == b"ready"
    return engine
"""


def holds(code: str) -> None:
    """Run it in a process of its own, which ends with an error or by a signal where it does not hold."""
    done = subprocess.run([sys.executable, "-P", "-c", HEAD + code], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")


def test_an_answer_that_is_known_comes_at_once_and_any_other_by_asking() -> None:
    """Known bytes give what they stand for; what else comes, lines in a row too, is there for `receive`, in order."""
    holds(
        "engine = start('for line in sys.stdin: say(line.replace(\"/\", chr(10)))')\n"
        "def said(text):\n"
        "    engine.send(text + b'\\n', soon())\n"
        "    while (found := engine.at_once(known, AT_MOST_NS)) is None and not engine._lines.waiting: pass\n"
        "    return found\n"
        "assert said(b'yes') == 'known'\n"
        "assert said(b'no') is None and engine.receive(soon()) == b'no'\n"
        "assert said(b'yes/no') is None and said(b'yes') is None\n"
        "assert [engine.receive(soon()) for _ in '123'] == [b'yes', b'no', b'yes']\n"
        "assert said(b'yes') == 'known'\n"
        "engine.kill()\n"
        "assert engine.at_once(known, AT_MOST_NS) is None\n"
    )


def test_half_a_line_is_no_answer() -> None:
    """What was read of a line before its deadline belongs to it: its rest is not taken for a line."""
    holds(
        'engine = start(\'say("ready" + chr(10) + "x"); sys.stdin.readline(); say("yes" + chr(10))\')\n'
        "try:\n"
        "    ready(engine).receive(soon(50))\n"
        "except TransportTimeout:\n"
        "    engine.send(b'go\\n', soon())\n"
        "assert not at_once(engine) and not at_once(engine)\n"
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
        "assert at_once(engine) == 'known'\n"
        "asked()\n"
        "alarm.stop()\n"
        "alarm.ring()\n"
        "assert at_once(engine) is None and at_once(engine) == 'known'\n"
        "asked()\n"
        "alarm.stop()\n"
        "assert at_once(engine, AT_MOST_NS - 1) is None and not alarm.on and engine.receive(soon()) == b'yes'\n"
        "engine.kill()\n"
    )


def test_silence_ends_such_a_read_and_its_answer_is_not_lost() -> None:
    """Nothing for 100 ms: asked at once there is no answer, asked again there is, and nothing rings any more."""
    holds(
        "engine = start('for line in sys.stdin:\\n    time.sleep(0.1)\\n    say(\"yes\" + chr(10))')\n"
        "for _ in range(3):\n"
        "    engine.send(b'go\\n', soon())\n"
        "    assert at_once(engine) is None\n"
        "    assert engine.receive(soon()) == b'yes'\n"
        "    assert not alarm.on\n"
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
    """Two of them, spoken to in turn: rings lead to the watch and are nobody's loss; most answers come at once."""
    holds(
        "pair = [start(ECHO), start(ECHO)]\n"
        "for engine in pair:\n"
        "    engine.send(b'go\\n', soon())\n"
        "    assert engine.receive(soon()) == b'yes'\n"
        "warden.ticks = quick = slow = 0\n"
        "end_ns = soon()\n"
        "while warden.ticks < 4 or quick <= slow:\n"
        "    assert time.monotonic_ns() < end_ns, (warden.ticks, quick, slow)\n"
        "    for engine in pair:\n"
        "        engine.send(b'go\\n', soon())\n"
        "        if engine.at_once(known, 1_000 * MS):\n"
        "            quick += 1\n"
        "        else:\n"
        "            slow += 1\n"
        "            assert engine.receive(soon()) == b'yes'\n"
        "for engine in pair: engine.kill()\n"
        "alarm.stop()\n"
    )


def test_the_alarm_of_an_engine_that_is_gone_touches_nobodys_pipe() -> None:
    """The number of its stdout may be somebody else's by then, who wants to wait there."""
    holds(
        "engine = start(ECHO)\n"
        "engine.send(b'go\\n', soon())\n"
        "assert at_once(engine) or engine.receive(soon())\n"
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
    """Three rings at most, whatever the parent has blocked."""
    holds(
        "import signal\n"
        "signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})\n"
        "alarm = Alarm()\n"
        "rung = []\n"
        "alarm.ring = lambda: rung.append(time.monotonic_ns())\n"
        "before_ns = time.monotonic_ns()\n"
        "alarm.start()\n"
        "while len(rung) < 3: time.sleep(0.001)\n"
        "alarm.stop()\n"
        f"assert rung[2] - before_ns >= {AT_MOST_NS} - 1_000_000\n"
    )
