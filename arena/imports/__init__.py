"""Games checked by the rules: records are replayed, imports are read, and conformance checks get a rules oracle."""
