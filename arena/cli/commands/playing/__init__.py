"""Commands that play games, and what they need first: engines and tournament files."""
