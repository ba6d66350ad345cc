"""The run on pages: what they show, their templates, and the report that writes them as files."""
