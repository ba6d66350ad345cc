"""Ratings, predictions and tests from results of games. Start at `results.ratings.fit`."""
