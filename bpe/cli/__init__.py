"""The command line, `python -m bpe`: one module per command."""
