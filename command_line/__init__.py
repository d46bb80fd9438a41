"""The command line: `python -m bpe`, or `bpe` when installed. `commands` lists the commands."""
