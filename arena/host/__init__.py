"""The host's side of an open ladder: who is invited, and the lines of guests whose engines are at home.

`hub` holds the connections, in the process of the pages. `relay` stands for an engine in one game: the referee starts
it as it starts any command. `presence` tells the ladder who is there. The referee and the session know of none of them.

Beside it, it may import: config, conformance, connect, ladder, openings, planning, play, run, timing, web.
"""
