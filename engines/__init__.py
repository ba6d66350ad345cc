"""Engines as independent executables: each speaks the protocol on its own stdin and stdout."""
