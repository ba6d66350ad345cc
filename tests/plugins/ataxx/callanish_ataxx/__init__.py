"""Ataxx for the arena, by the package `ataxx`."""
