"""The games' rules. A leaf: everything in here imports the standard library only."""
