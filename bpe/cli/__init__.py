"""The command line, `python -m bpe`."""
