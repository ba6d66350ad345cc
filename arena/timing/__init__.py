"""When is a side late? Time controls, the clock of a side, the margin, and the free reading of positions."""
