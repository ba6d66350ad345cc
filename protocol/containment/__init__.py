"""Engines of strangers in a box: what they may read, write, reach and use up. Linux only; `none` runs anywhere.

`box` says what is wanted, `cell` is one contained start, `warden` watches all cells of one process, `probe` finds out
what this machine can do by trying it. Nothing here knows the protocol or a game.
"""
