"""The guests of a ladder: who was invited, until when, and by the hash of which token.

They are in one file beside the database, which only its owner may read. It is read anew each time, so what is changed
there takes effect at once. A token is 256 random bits: a plain hash of it cannot be turned around.
"""

import contextlib
import fcntl
import hashlib
import hmac
import os
import secrets
import stat
from collections.abc import Callable, Collection, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError

from arena.connect.messages import LONGEST_TOKEN
from arena.whole_file import write_whole

NAME = "[A-Za-z0-9](?:[A-Za-z0-9._-]{0,38}[A-Za-z0-9])?"
"""Names of guests: harmless in a terminal, a sheet, a page, a file name, a header and a command line."""
_LONGEST_FILE = 1 << 20
_DAY_S = 86_400
LONGEST_DAYS = 3_650
"""The longest time in days after which a token expires."""


class AccountError(ValueError):
    """A file of guests, a name or a time that cannot be used. The message is one sentence."""

    exit_code = 2


Name = Annotated[str, StringConstraints(pattern=f"^{NAME}$")]


class Account(BaseModel):
    """A guest. Times are seconds since 1970."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    name: Name
    sha256: Annotated[str, StringConstraints(pattern="^[0-9a-f]{64}$")]
    """Of the token, in hexadecimal."""
    invited_s: int
    expires_s: int | None = None
    """None: the token does not expire."""
    revoked_s: int | None = None

    def valid(self, now_s: float) -> bool:
        """True if the token opens the line."""
        return self.revoked_s is None and (self.expires_s is None or now_s < self.expires_s)


class _File(BaseModel):
    """What the file has."""

    guests: tuple[Account, ...] = Field(strict=False)


class Accounts:
    """The file of the guests. It is made by the first invitation."""

    def __init__(self, path: Path, report: Callable[[str], None] = lambda sentence: None) -> None:
        """`report` is told once why the file cannot be read when a token is looked for."""
        self.path = path
        self._report = report
        self._known: tuple[Account, ...] = ()
        """The guests as the file had them when it was last read."""
        self._wrong = ""

    @classmethod
    def beside(cls, db: Path) -> "Accounts":
        """The guests of the ladder with this database: `LADDER.guests.json` for `LADDER.db`."""
        return cls(db.with_name(f"{db.name.removesuffix('.db')}.guests.json"))

    def all(self) -> tuple[Account, ...]:
        """All guests in the order of their first invitations, also those whose tokens are no longer valid.

        Raises AccountError.
        """
        try:
            with self.path.open("rb") as file:
                if stat.S_IMODE(os.fstat(file.fileno()).st_mode) & 0o077:
                    raise AccountError(f"{self.path}: others may read or change it: chmod 600 {self.path}")
                return _accounts(file.read(_LONGEST_FILE + 1))
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise AccountError(f"{self.path}: cannot be read ({error.strerror}): check its permissions") from None
        except ValidationError:
            raise AccountError(
                f"{self.path}: is not a file of guests: restore a copy, or remove it and invite all guests again"
            ) from None

    def find(self, token: str, now_s: float) -> str | None:
        """The guest whose token this is; None if it is wrong, expired or revoked.

        A file that cannot be read for a moment sends nobody away: a client that is told that its token is not valid
        ends. All accounts are compared, each in constant time, so the time tells nothing about a token.
        """
        wrong = ""
        try:
            accounts = self.all()
            if self._known and not accounts:
                wrong = f"{self.path}: is gone: restore it from a copy, or invite all guests again"
            self._known = accounts or self._known
        except AccountError as error:
            wrong = str(error)
        if wrong and wrong != self._wrong:
            self._report(f"{wrong}; meanwhile the guests are those that it had")
        self._wrong = wrong
        given = _sha256(token) if len(token) <= LONGEST_TOKEN else ""
        names = [each.name for each in self._known if hmac.compare_digest(each.sha256, given) and each.valid(now_s)]
        return names[0] if names else None

    def invite(self, name: str, now_s: float, days: float | None, engines: Collection[str]) -> str:
        """A new token for a guest. The file keeps its hash alone. Raises AccountError and OSError.

        `days`: when it expires; None: never. `engines` are the names in the ladder's file. A guest whose token is no
        longer valid may be invited again, and is the same player then.
        """
        try:
            TypeAdapter(Name).validate_python(name)
        except ValidationError:
            raise AccountError(
                f"the name {name[:100]!r} cannot be used: write 1 to 40 letters, digits, dots, dashes and underscores "
                "(A-Z, a-z, 0-9, ., -, _), with a letter or digit at both ends"
            ) from None
        if days is not None and not 0 < days <= LONGEST_DAYS:
            raise AccountError(f"--expires {days:g} is out of range: it must be above 0 and at most {LONGEST_DAYS}")
        if clash := _same(name, engines):
            raise AccountError(
                f"{name!r} cannot be invited: the ladder's file names an engine {clash!r}; take another name"
            )
        token = secrets.token_urlsafe(32)
        expires_s = None if days is None else int(now_s + days * _DAY_S)
        with self._changing() as accounts:
            if clash := _same(name, [each.name for each in accounts.values() if each.valid(now_s)]):
                raise AccountError(
                    f"{clash!r} is invited already: take another name, or revoke that token first "
                    f"(`arena host revoke LADDER.toml {clash}`)"
                )
            # The spelling stays: it is the name under which the guest's games are stored.
            name = _same(name, accounts) or name
            accounts[name] = Account(name=name, sha256=_sha256(token), invited_s=int(now_s), expires_s=expires_s)
        return token

    def revoke(self, name: str, now_s: float) -> None:
        """Make the token of a guest invalid from now on. Raises AccountError and OSError."""
        with self._changing() as accounts:
            if name not in accounts:
                known = ", ".join(each.name for each in accounts.values() if each.valid(now_s)) or "nobody"
                raise AccountError(f"no guest is called {name[:100]!r}: {self.path} has {known}")
            if accounts[name].revoked_s is not None:
                raise AccountError(f"the token of {name!r} was revoked before; nothing changes")
            accounts[name] = accounts[name].model_copy(update={"revoked_s": int(now_s)})

    @contextlib.contextmanager
    def _changing(self) -> Iterator[dict[str, Account]]:
        """The guests by name, to be changed while nobody else does; they are written at the end of the block.

        Each change makes a new file, so its folder is locked.
        """
        folder = os.open(self.path.absolute().parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
            accounts = {each.name: each for each in self.all()}
            yield accounts
            text = _File(guests=tuple(accounts.values())).model_dump_json(indent=1)
            write_whole(self.path, f"{text}\n", private=True)
        except BlockingIOError:
            raise AccountError(f"{self.path}: another process is changing it: give the command again") from None
        finally:
            os.close(folder)


def _same(name: str, names: Collection[str]) -> str | None:
    """The one of these names that differs from `name` by case at most; None if there is none."""
    return next((each for each in names if each.casefold() == name.casefold()), None)


def _sha256(token: str) -> str:
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


@lru_cache(maxsize=4)
def _accounts(content: bytes) -> tuple[Account, ...]:
    """The accounts of a file's content. Cached: a hub looks at each guest's each second. Raises ValidationError."""
    return _File.model_validate_json(content if len(content) <= _LONGEST_FILE else b"").guests
