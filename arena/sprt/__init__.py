"""A match that stops when a sequential test has decided."""
