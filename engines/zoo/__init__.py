"""The zoo: a correct engine that can be told to do exactly one thing wrong. Run it as `python -m engines.zoo`."""
