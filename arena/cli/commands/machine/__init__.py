"""Commands about this machine and its documents, and about other machines."""
