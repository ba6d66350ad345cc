"""Who meets whom, format by format: pure functions of numbers and results. Know no engine, no process, no store."""
