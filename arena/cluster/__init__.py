"""Games on several machines: keys, the meeting point of the machines, slots there, and engines that travel to them.

It needs the extra `cluster` (Dask's `distributed`, and `cryptography`), which is imported only when it is used.

Beside it, it may import: config, conformance, games, play, run.
"""
