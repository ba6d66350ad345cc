"""The command line run in this process, as its own tests have it."""

from tests.arena.cli.conftest import arena as arena
