"""Carries out a plan from the command line, shows how it goes, prints what came out.

Beside it, it may import: view.
"""
