"""Run the command line."""

import io
import signal
import sys
from collections.abc import Sequence

from command_line.ctrl_c import end_at_once, raise_as_usual

end_at_once()

from bpe.symbols import BPEError  # noqa: E402  Ctrl-C is answered while these load
from command_line.commands import main  # noqa: E402  the same
from command_line.terminal import PROGRAM, STANDARD, write_output  # noqa: E402  the same


def start(arguments: Sequence[str] | None = None) -> int:
    """Run the command of this process and return its exit code, also where its messages or its output find no place."""
    if (
        sys.stderr is None
    ):  # closed by whoever started the command; `print` would write messages to standard output
        sys.stderr = io.StringIO()
    raise_as_usual()
    try:
        try:
            code = main(arguments)
        except SystemExit as ended:  # of argparse
            code = int(ended.code or 0)
        if sys.stdout is not None:
            write_output(STANDARD, b"")  # what --help has printed, too
    except BPEError as error:
        print(f"{PROGRAM}: {error}", file=sys.stderr)
        return 2
    except OSError:  # standard error cannot be written, so nobody can be told
        return 2
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # all is done
    return code


if __name__ == "__main__":
    sys.exit(start())
