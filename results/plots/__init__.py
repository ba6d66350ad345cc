"""Pictures of ratings: for a terminal, as SVG and as HTML."""
