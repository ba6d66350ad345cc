"""How often this process was stopped and continued: by SIGSTOP, or by Ctrl-Z in its terminal.

Its engines ran on meanwhile, since they have process groups of their own. What it finds late then is not their fault.
"""

import signal

count = 0


def watch() -> None:
    """Count from now on. Called in the main thread."""
    signal.signal(signal.SIGCONT, _continued)


def _continued(_signal: int, _frame: object) -> None:
    global count
    count += 1
