"""What was played: records, their store, ratings and reports. Imports nothing of ours."""
