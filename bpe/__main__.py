"""Run the command line: `python -m bpe --help`."""

import sys

from bpe.cli.commands import main

if __name__ == "__main__":
    sys.exit(main())
