"""One SQLite file of games: its schema, its writer, its readers."""
