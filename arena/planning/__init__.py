"""From files and options to games: plans, schedules, introductions, resume."""
