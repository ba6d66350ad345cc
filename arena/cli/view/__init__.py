"""What commands print of games and tables."""
