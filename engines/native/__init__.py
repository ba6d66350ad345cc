"""The searches in C of stornoway and buckquoy, and how Python talks to them.

Beside it, it may import: no room.
"""
