"""What people read after the tables of a run: how games ended, who failed, where the games are, what to type next.

All of it goes to stderr: stdout has nothing but what was asked for.
"""

from dataclasses import dataclass
from pathlib import Path

from arena.cli.output import program, say, say_command, shell_word
from results.record import GameRecord, faulty, illegal_word
from results.store.store import Store
from results.tables.endings import FaultGroup, ending_text, fault_groups
from results.tables.text_width import some_games

FEW = 10
"""If a run has no more games than this, each has a line that tells its end."""
MOST_GROUPS = 10
"""The most kinds of faults that are listed, those with the most games."""


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a run that was played or stopped."""

    command: str
    """What was typed: `match`, `tournament`, `demo`, `sprt` or `ladder`."""
    store: Store
    run_id: str
    db: Path | None
    """None: the games were in memory only."""
    before: frozenset[int] = frozenset()
    """The numbers of the games stored before this run, if they are few."""

    def print_games(self) -> None:
        """Print how the new games of a small run ended, then the faults, each with the command that shows the evidence.

        A game that was lost by a fault was told when it ended.
        """
        if 0 < len(self.store.done(self.run_id)) <= FEW:
            new = (record for record in self.store.games(self.run_id) if record.number not in self.before)
            if lines := [ending_line(record) for record in new if faulty(record) is None]:
                say("")
            for line in lines:
                say(line)
        if faults := self._faults():
            say("")
            for group in faults[:MOST_GROUPS]:
                evidence = f"game {group.first}" if self.db is None else self._command("show", game=group.first)
                say_command(evidence, f"{group.engine} lost {some_games(group.games)} by {group.termination}, see:")
            if len(faults) > MOST_GROUPS:
                if self.db is None:
                    say("and more")
                else:
                    say_command(self._command("stats"), "and more, see:")

    def print_next_commands(self) -> None:
        """Print three commands that show more of this run."""
        if commands := self.next_commands():
            say("")
            say("Try next:")
            for command in commands:
                say_command(f"  {command}")

    def next_commands(self, game: int | None = None) -> list[str]:
        """Commands that show more of this run, and this game of it; none where no game is kept.

        Without a number it is the first game that was lost by a fault, or the first of all.
        """
        first = next(iter(self.store.done(self.run_id)), None)
        if self.db is None or first is None:
            return []
        faults = self._faults()
        show = self._command("show", game=game or (faults[0].first if faults else first))
        match self.command:
            case "demo":
                return [show, self._command("report"), f"{program()} play greedy --variant callanish-7"]
            case "sprt":
                return [show, self._command("stats"), self._command("games")]
            case "ladder":
                return [self._command("standings"), self._command("report"), self._command("stats")]
            case _:
                return [self._command("standings"), self._command("games"), show]

    def _command(self, words: str, game: int | None = None) -> str:
        """A command on this database, ready to be pasted into a shell."""
        assert self.db is not None
        which = "" if game is None else f" {game}"
        runs = self.store.runs()
        if game is not None and runs[-1].id != self.run_id:  # a number means the newest run
            which = f" {self.run_id}-{game}"
        return f"{program()} {words} {shell_word(self.db)}{which}"

    def _faults(self) -> list[FaultGroup]:
        return fault_groups(self.store, self.run_id, MOST_GROUPS + 1)


def ending_line(record: GameRecord) -> str:
    """How a game ended, and why its last move was illegal, if it was: the records keep only that it was."""
    from arena.games.illegal import why_lost  # late: it loads the rules of all games

    why = why_lost(record.variant, record.fen, record.moves, illegal_word(record))
    return ending_text(record) + (f": {why}" if why else "")
