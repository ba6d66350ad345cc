"""Pictures of ratings: for a terminal, as SVG and HTML."""
