"""The engine: it reads lines, obeys them and ends."""

import argparse
import os
import sys
import threading
from typing import NoReturn

from tests.zoo.spec.lines import Quit
from tests.zoo.spec.search import Searcher


class Engine(Searcher):
    """Conformant, but for one fault."""

    def run(self) -> int:
        if self.fault("identifies-unasked"):
            self.shake_hands()
        if self.fault("log-in-directory"):
            with open("spec.log", "a") as log:
                log.write("started\n")
        if self.fault("lock-in-directory"):
            try:
                os.close(os.open("spec.lock", os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                return 1
        threading.Thread(target=self.read_input, daemon=True).start()
        status = self.obey_lines()
        if self.fault("lock-in-directory"):
            os.unlink("spec.lock")
        return status

    def obey_lines(self) -> int:
        while True:
            words = self.waiting.popleft() if self.waiting else self.inbox.get()
            if words == ["quit"]:
                return 0
            try:
                self.obey(words)
            except Quit:
                return 0

    def obey(self, words: list[str]) -> None:
        match words[0]:
            case "ugi":
                self.shake_hands()
            case "isready":
                self.ready(words)
            case "setoption":
                self.set_option(words[1:])
            case "uginewgame":
                self.new_game()
            case "position":
                self.set_position(words[1:])
            case "go":
                self.go(words[1:])
            case "query":
                self.query(words[1:])
            case "stop":
                self.late_stop = True
            case "gameover":
                pass  # it needs no answer

    def ready(self, words: list[str]) -> None:
        if self.unready:
            self.unready = False
            return
        self.say("readyok")
        if self.fault("isready-twice-is-once"):
            while not self.inbox.empty() and not self.waiting:
                if (following := self.inbox.get()) != words:
                    self.waiting.append(following)


def run(engine: type[Engine], about: str | None) -> NoReturn:
    """Runs an engine with the fault that the command line names."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--fault", metavar="NAME", help="the fault of tests/zoo/faults.csv to commit")
    sys.setswitchinterval(0.001)
    status = engine(parser.parse_args().fault).run()
    sys.stderr.flush()
    os._exit(status)  # threads that wait for input would keep the process alive
