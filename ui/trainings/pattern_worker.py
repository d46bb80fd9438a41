"""The process that searches with a visitor's pattern. Run: python pattern_worker.py BYTES.

The system gives it no more than so many bytes of memory, so no pattern can take more, and it can be ended at any time.
It is started by its path and imports `regex` alone, so that it answers 0.1 s after its start. POSIX only.

A request is a HEAD with the pattern and the text, an answer one of the letters below, with the spans after MATCHES.
"""

import resource
import struct
import sys
from array import array

import regex

HEAD = struct.Struct("<QQd")  # bytes of the pattern, bytes of the text, seconds that the search may take
SIZE = struct.Struct("<Q")  # bytes of the spans
MATCHES, TIME, MEMORY = b"S", b"T", b"M"
ENCODING = "utf-8", "surrogatepass"


def main() -> None:
    """Answer requests until there are no more."""
    most = int(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    while head := requests.read(HEAD.size):
        pattern_bytes, text_bytes, seconds = HEAD.unpack(head)
        pattern = requests.read(pattern_bytes)
        try:
            spans = _search(pattern, requests.read(text_bytes), seconds)
            answers.write(MATCHES)
            answers.write(SIZE.pack(spans.itemsize * len(spans)))
            answers.write(memoryview(spans))
        except TimeoutError:
            answers.write(TIME)
        except (MemoryError, RecursionError):
            answers.write(MEMORY)
        answers.flush()


def _search(pattern: bytes, text: bytes, seconds: float) -> "array[int]":
    """Return start, end and number of the last group of every match, one after the other."""
    spans = array("I")
    compiled = regex.compile(pattern.decode(*ENCODING))
    for match in compiled.finditer(text.decode(*ENCODING), timeout=seconds):
        spans.extend((*match.span(), match.lastindex or 0))
    return spans


if __name__ == "__main__":
    main()
