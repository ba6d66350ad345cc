"""Two variants of a user's own, as their files have them."""

LOCHS_FILE = '''\
base = "callanish"
name = "Two lochs"
board = """
.........
.........
..**.....
..**.....
.........
.....**..
.....**..
.........
.........
"""
'''
HALL_FILE = '''\
base = "sea-battle-9"
name = "King's hall"
board = """
..aa.aa..
....a....
a...d...a
a..ddd..a
.a.dkd.a.
a..ddd..a
a...d...a
....a....
..aa.aa..
"""

[rules]
escape = "corner"
corner_stop = "king"
king_armed = "yes"
king_steps = 2
'''
