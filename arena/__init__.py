"""The referee: rules, clocks, games, schedules and the command line. Importing this package loads nothing else.

Packages that it may import: engines.native.build, protocol, results.
"""
