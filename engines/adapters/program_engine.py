"""The base class of engines whose moves come from a program of others. See docs/authors/OTHER_PROTOCOLS.md."""

from contextlib import closing

from engines.adapters import command_line
from engines.common import Line, RulesEngine
from protocol.engine import Search, run


class ProgramEngine(RulesEngine):
    """An engine that asks a program for its moves. `ask`, `kill` and `close` must be overridden."""

    author = "its authors; the adapter is the Callanish Arena project's"
    version = ""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__()

    def set_option(self, name: str, value: str) -> None:
        # An option of an adapter changes no game.
        self.settings[name] = value

    def choose(self, line: Line, search: Search) -> str:
        answer = self.ask(line, search)
        if answer is None:
            # Few protocols have a `stop`: the program goes, and any legal move stands in for its own.
            self.kill()
            return line.position.moves()[0].text
        return answer

    def ask(self, line: Line, search: Search) -> str | None:
        """The program's move as one word; None where the search was stopped before.

        The referee judges the move: pass on an illegal one, and say a word that is no move where there is none. Raises
        ProgramFailed where the program ended.
        """
        raise NotImplementedError

    def kill(self) -> None:
        """End the program at once. The next search starts it anew."""
        raise NotImplementedError

    def close(self) -> None:
        """End the program as its protocol says. A second call does nothing."""
        raise NotImplementedError

    def started(self) -> object:
        """Start the program now, where it can be started before the first game. Raises ProgramFailed."""
        return None


def play(engine: ProgramEngine, adapter: str) -> int:
    """Speak our protocol until `quit`. Returns the exit code of the adapter, which is called `adapter`."""

    def play() -> None:
        with closing(engine):
            engine.started()
            run(engine)

    return command_line.ended(adapter, play)
