"""A rating ladder: a run without end, whose engines come and go with a file."""
