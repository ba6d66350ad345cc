"""Checks that an engine keeps to SPEC.md."""
