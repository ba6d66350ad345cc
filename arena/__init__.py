"""The referee: rules, clocks, games, schedules and the command line. Importing this package loads nothing else.

Packages that it may import: protocol, results.
"""
