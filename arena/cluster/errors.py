"""What can go wrong with a cluster. Each text is for the user: it names the place and the remedy. Imports nothing."""


class ClusterError(ValueError):
    """A cluster that cannot be used as it was asked for."""

    exit_code = 2


class ClusterLost(RuntimeError):
    """The meeting point of the machines has gone during a run. The games that ended are kept."""

    exit_code = 1


LACKING = "several machines need Dask and cryptography: pip install 'callanish-arena[cluster]'"
"""Says what to install where the extra is missing."""


def require_extra() -> None:
    """Raise ClusterError where the extra `cluster` is not installed."""
    from importlib.util import find_spec

    if find_spec("distributed") is None or find_spec("cryptography") is None:
        raise ClusterError(LACKING)
