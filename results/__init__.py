"""What was played: records, their store, ratings and reports.

Packages that it may import: none of ours.
"""
