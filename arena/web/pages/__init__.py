"""What each page shows, as a frozen value that is read from the store. Nothing here knows HTML or addresses.

Beside it, it may import: no room.
"""
