"""Questions put to many games: which openings are even, what a side is worth."""
