"""The lines that come and go. One thread reads; the engine looks at the input during a search."""

import os
import queue
import select
import threading
import time
from collections import deque

COMMANDS = ("ugi", "isready", "setoption", "uginewgame", "position", "go", "stop", "query", "gameover", "quit")


class Stopped(Exception):
    """The search must end, with a bestmove."""


class Quit(Exception):
    """The engine must end, without a bestmove."""


class Lines:
    """Says lines, reads lines and keeps those that wait their turn."""

    def __init__(self, fault_name: str | None) -> None:
        self.fault_name = fault_name
        self.inbox: queue.SimpleQueue[list[str]] = queue.SimpleQueue()
        self.waiting: deque[list[str]] = deque()
        self.ending = threading.Event()
        self.stopped = False
        self.searching = False
        self.unsaid = ""
        self.next_look = 0.0

    def fault(self, name: str) -> bool:
        return name == self.fault_name

    def say(self, text: str) -> None:
        if self.fault("response-waits-for-next-line") and text.startswith("response"):
            self.unsaid += text + "\n"
            return
        line, self.unsaid = (self.unsaid + text + "\n").encode(), ""
        self.write(line)

    def write(self, line: bytes) -> None:
        try:
            while line:
                line = line[os.write(1, line) :]
        except OSError:
            os._exit(0)

    def read_input(self) -> None:
        rest = b""
        while data := os.read(0, 65_536):
            if self.fault("cuts-at-return"):
                *lines, rest = (rest + data).replace(b"\r", b"\n").split(b"\n")
            elif self.fault("cuts-at-page-feed"):
                *lines, rest = (rest + data).replace(b"\f", b"\n").split(b"\n")
            else:
                *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                if not self.take_line(line):
                    return
        if not self.fault("end-of-input-after-search"):
            self.ending.set()
        self.inbox.put(["quit"])

    def take_line(self, line: bytes) -> bool:
        """Hands over the words of a line. False after `quit`."""
        text = line.decode("ascii", "replace").removesuffix("\r").replace("\t", " ")
        words = [word for word in text.split(" ") if word]
        if self.fault("leading-blank-not-skipped") and text.startswith(" "):
            words.insert(0, "")
        if words == ["quit"]:
            if not self.fault("quit-after-search"):
                self.ending.set()
            self.inbox.put(words)
            return False
        if self.fault("readyok-overtakes") and words == ["isready"] and not self.searching:
            self.say("readyok")
        elif words:
            self.inbox.put(words)
        return True

    def listen(self) -> None:
        """Looks at the input during a search (2.9, 6.5, 7.2)."""
        if self.ending.is_set() and not (self.fault("perft-does-not-listen") and not self.searching):
            raise Quit
        while not self.inbox.empty():
            self.hear(self.inbox.get())
        if time.monotonic() > self.next_look:
            self.next_look = time.monotonic() + 0.25
            self.look_at_stdout()

    def look_at_stdout(self) -> None:
        """A search that has nothing to say would not notice that nobody listens any more (14.4)."""
        poll = select.poll()
        poll.register(1, 0)
        if poll.poll(0):
            raise Quit

    def hear(self, words: list[str]) -> None:
        """Takes a line that comes during a search or a count. What is not for the search waits its turn."""
        asked = self.stopped or any(line[0] == "query" for line in self.waiting)
        match words[0]:
            case "isready" if self.searching and not asked:
                self.say("readyok")
                self.stopped |= self.fault("isready-ends-search")
            case "stop" if self.searching:
                self.stopped |= not (self.fault("stop-behind-lines-not-seen") and self.waiting)
            case "go" if self.searching and self.fault("second-go-ends-search"):
                self.stopped = True
                self.waiting.append(words)
            case "setoption" | "query" if self.searching and self.fault("lines-in-search-dropped"):
                pass
            case word if word in COMMANDS:
                self.waiting.append(words)


def split_at(words: list[str], word: str) -> tuple[list[str], list[str]]:
    if word not in words:
        return words, []
    at = words.index(word)
    return words[:at], words[at + 1 :]
