"""Sandboxes for untrusted engines: what they may read, write, connect to and use up. Linux only; `none` runs anywhere.

`policy` says what is wanted, `sandbox` contains one engine, `watchdog` checks all sandboxes of one process, `probe`
finds out by trying what this machine can do. Independent of the protocol and of games.

Beside it, it may import: no room.
"""
