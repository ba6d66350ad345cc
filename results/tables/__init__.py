"""Standings, crosstables and statistics, for eyes and for JSON."""
