"""The command `decode`: ids -> text."""

import argparse
import re

from bpe.encoding.tokenizer import Tokenizer
from bpe.symbols import BPEError
from command_line.command import Command
from command_line.shared.terminal import STANDARD, read_text, write_output
from command_line.shared.tokenizer_files import add_tokenizer_options, read_tokenizer_files

_SEPARATORS = re.compile(r"[\s,\[\]]+")
_NUMBER = re.compile(r"-?[0-9]{1,18}")


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_tokenizer_options(parser)
    parser.add_argument(
        "file",
        nargs="?",
        default="-",
        metavar="FILE",
        help="ids, separated by spaces, commas or line ends; by default standard input",
    )
    parser.add_argument("-o", "--output", default="-", metavar="FILE", help="by default standard output")
    parser.add_argument("--lines", action="store_true", help="decode line by line")


def _run(options: argparse.Namespace) -> int:
    tokenizer = read_tokenizer_files(options)
    content = read_text(options.file)
    name = "standard input" if options.file == STANDARD else options.file
    lines = content.removesuffix("\n").split("\n")
    numbers = [_numbers(line, f"{name}, line {number}") for number, line in enumerate(lines, start=1)]
    if options.lines:
        text = "".join(
            _decoded(tokenizer, line, f"{name}, line {i}") + "\n" for i, line in enumerate(numbers, 1)
        )
    else:
        text = _decoded(tokenizer, [number for line in numbers for number in line], name)
    write_output(options.output, text)
    return 0


def _numbers(line: str, where: str) -> list[int]:
    words = [word for word in _SEPARATORS.split(line) if word]
    for word in words:
        if not _NUMBER.fullmatch(word):
            raise BPEError(f"{where}: expected an id, got {word[:40]!r}.")
    return list(map(int, words))


def _decoded(tokenizer: Tokenizer, ids: list[int], where: str) -> str:
    try:
        return tokenizer.decode(ids)
    except BPEError as error:
        raise BPEError(f"{where}: {error}") from None


COMMAND = Command(
    name="decode",
    help="decode ids",
    description="Write the text of ids, without an added line end; U+FFFD replaces bytes that form no character.",
    add_options=_add_options,
    run=_run,
    examples="""examples:
  python -m bpe decode -t tokenizer.json ids.txt -o text.txt
  echo '[31373, 995]' | python -m bpe decode -t vocab.json -t merges.txt""",
)
