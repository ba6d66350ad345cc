"""The command line: the only place that prints, and the only place that reads configuration."""
