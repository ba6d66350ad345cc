"""The rules as they are told to a player, in English and Japanese. Start at `arena.rulebook.page`."""
