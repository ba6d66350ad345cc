"""Openings from a file, and which game gets which."""
