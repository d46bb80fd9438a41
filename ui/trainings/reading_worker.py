"""The process that reads a visitor's file. Run: python -m ui.trainings.reading_worker BYTES. POSIX only.

The system gives it no more than so many bytes of memory, so no file can take more, and it can be ended at any time. It
reads one call from its input, which `file_reading` has pickled, writes one of the letters below, and an answer.
"""

import pickle
import resource
import struct
import sys

from bpe.symbols import BPEError

SIZE = struct.Struct("<Q")  # bytes of the answer
_RESULT, SENTENCE, MEMORY = b"R", b"S", b"M"


def main() -> None:
    """Answer the call."""
    most = int(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        kind, answer = _answer()
    except MemoryError:
        kind, answer = MEMORY, b""
    sys.stdout.buffer.write(kind + SIZE.pack(len(answer)))
    sys.stdout.buffer.write(answer)
    sys.stdout.buffer.flush()


def _answer() -> tuple[bytes, bytes]:
    """Return what kind of answer it is, and its content."""
    read, arguments = pickle.load(sys.stdin.buffer)  # noqa: S301  # this very call has pickled it
    try:
        return _RESULT, pickle.dumps(read(*arguments), pickle.HIGHEST_PROTOCOL)
    except BPEError as error:
        return SENTENCE, str(error).encode("utf-8", "replace")


if __name__ == "__main__":
    main()
