"""Run the command line."""

import sys

from command_line.commands import main

if __name__ == "__main__":
    sys.exit(main())
