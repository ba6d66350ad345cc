"""Games judged again: records replayed, imports read, conformance checks told the rules."""
