"""The rules of the games. All modules in this package import only each other and the standard library.

Beside it, it may import: no room.
"""
