"""From what was asked for to games: plans, their schedules, introductions, resume."""
