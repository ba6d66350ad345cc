"""Commands that read a database: tables, games, pages, files."""
