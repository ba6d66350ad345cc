"""How a cluster is reached: addresses, who may come in, and where its programs listen.

Whoever reaches the meeting point, or a machine, can run any program on every machine. So an address that others reach
needs keys. `access` and `Access.machine_host` are the only places that know this rule.
"""

import contextlib
import logging
import re
import ssl
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.cluster import keys as cluster_keys
from arena.cluster.errors import ClusterError, require_extra
from arena.loopback import is_loopback

_ADDRESS = re.compile(r"(?:(tls|tcp)://)?(\[[0-9A-Fa-f:.%\w]+\]|[^\s/:\[\]]+)(?::([0-9]{1,5}))?/?")
PORT = 8786
CONNECT_S = 10.0


@dataclass(frozen=True, slots=True)
class Access:
    """An address and the keys for it. Without keys everything goes in the open."""

    host: str
    port: int
    keys: Path | None

    @property
    def address(self) -> str:
        return f"{'tcp' if self.keys is None else 'tls'}://{self.host}:{self.port}"

    @property
    def machine_host(self) -> str:
        """Where a machine that joins listens: with keys on the network, for arenas come from elsewhere."""
        return "" if self.keys is not None else self.host if self.host.startswith("[") else "127.0.0.1"

    def security(self) -> Any:
        """Dask's settings. Each part has the same certificate, which is its own authority."""
        from distributed.security import Security

        if self.keys is None:
            return Security(require_encryption=False)
        certificate, key = str(self.keys / cluster_keys.CERTIFICATE), str(self.keys / cluster_keys.KEY)
        parts = {f"tls_{part}_{what}": path for part in PARTS for what, path in (("cert", certificate), ("key", key))}
        return Security(require_encryption=True, tls_ca_file=certificate, **parts)


PARTS = ("scheduler", "worker", "client")
"""What Dask calls those who may speak to each other."""


def scheduler_address(host: str | None, port: int, keys: Path | None) -> str:
    """Where a scheduler listens: at the address that is named, else with keys at all, without keys at the loopback."""
    if keys is None:
        return f"tcp://{host or '127.0.0.1'}:{port}"
    return f"tls://{host or '0.0.0.0'}:{port}"


def access(address: str, keys: Path | None) -> Access:
    """The access to `address`, such as `tls://host:8786`. Raises ClusterError.

    Without keys the address must be one of this machine alone.
    """
    require_extra()
    parts = _ADDRESS.fullmatch(address)
    port = int(parts[3] or PORT) if parts else 0
    if parts is None or port > 65_535:
        raise ClusterError(f"address {address!r} cannot be read: write tls://HOST:{PORT}")
    kind, host = parts[1], parts[2]
    if kind == "tls" and keys is None:
        raise ClusterError(f"{address}: needs --keys DIR, the folder that `arena cluster keys` made")
    if kind == "tcp" and keys is not None:
        raise ClusterError(f"{address}: keys go with tls://; write tls:// or leave out --keys")
    if keys is None and not is_loopback(host):
        raise ClusterError(
            f"{address}: without --keys anyone who reaches it can run any program on every machine; "
            "give --keys DIR, the folder that `arena cluster keys` makes"
        )
    if keys is not None:
        cluster_keys.check(keys)
    return Access(host, port, keys and keys.absolute())


async def connection(access: Access, address: str) -> Any:
    """A connection of Dask to an address of the cluster. Raises OSError."""
    from distributed.comm import connect

    return await connect(address, timeout=CONNECT_S, **access.security().get_connection_args("client"))


@contextlib.asynccontextmanager
async def meeting_point(access: Access) -> AsyncIterator[Any]:
    """What answers calls to the meeting point, until the block ends. Raises ClusterError if nobody answers."""
    from distributed.core import rpc

    try:
        (await connection(access, access.address)).abort()
    except Exception as wrong:
        raise ClusterError(cannot_reach(access, wrong)) from None
    arguments = access.security().get_connection_args("client")
    scheduler: Any = rpc(access.address, timeout=CONNECT_S, connection_args=arguments)
    try:
        yield scheduler
    finally:
        await scheduler.close_rpc()


def keys_do_not_fit(wrong: BaseException | None) -> bool:
    """Whether one end refused the certificate of the other. A connection that ends in between says nothing.

    The type tells it: Dask's texts name TLS also where nobody answers.
    """
    from distributed.comm.core import FatalCommClosedError

    while wrong is not None:
        if isinstance(wrong, FatalCommClosedError | ssl.SSLError) and not isinstance(wrong, ssl.SSLEOFError):
            return True
        wrong = wrong.__cause__ or wrong.__context__
    return False


def cannot_reach(access: Access, wrong: Exception) -> str:
    """The sentence for a meeting point that cannot be reached."""
    if keys_do_not_fit(wrong):
        return f"{access.address}: the keys do not fit: use those that its scheduler was started with"
    return f"{access.address}: nobody answers there; start it with `arena cluster scheduler`, or check the address"


def quiet() -> None:
    """Let Dask say nothing of its own: what users should know we say in sentences."""
    import dask
    import distributed  # now: it gives its loggers their levels when it is imported

    assert distributed
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("distributed", "tornado", "asyncio"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    dask.config.set(SETTINGS)


SETTINGS = {
    "distributed.admin.tick.limit": "1h",
    "distributed.scheduler.worker-ttl": "60s",
    "distributed.worker.profile.enabled": False,
    "distributed.comm.timeouts.connect": "10s",
}
"""Dask's settings. A profile would take CPU from engines."""
