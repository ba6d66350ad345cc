"""The certificate of a checked engine: what was checked, on which machine, with which result, as JSON, HTML and JUnit.

Beside it, it may import: no room.
"""
