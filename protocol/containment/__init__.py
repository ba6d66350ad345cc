"""Sandboxes for untrusted engines: what they may read, write, connect to and use up. Linux only; `none` runs anywhere.

`policy` says what is wanted, `box` starts one engine, `group` is its control group, `trial` finds out by trying what
this machine can do.

Beside it, it may import: no room.
"""
