"""The command `encode`: text -> ids, or tokens."""

import argparse

from bpe.cli.command import Command
from bpe.cli.terminal import read_text, write_output
from bpe.cli.tokenizer_files import add_tokenizer_options, read_tokenizer_files
from bpe.encoding.encoders import DEFAULT_ENCODER, ENCODERS


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_tokenizer_options(parser)
    parser.add_argument(
        "file", nargs="?", default="-", metavar="FILE", help="UTF-8 text; by default standard input"
    )
    parser.add_argument("-o", "--output", default="-", metavar="FILE", help="by default standard output")
    parser.add_argument(
        "--encoder",
        choices=list(ENCODERS),
        default=DEFAULT_ENCODER,
        help="how words are split into tokens (rank)",
    )
    parser.add_argument("--tokens", action="store_true", help="write the tokens instead of their ids")
    parser.add_argument("--lines", action="store_true", help="encode line by line, without the line ends")
    parser.add_argument("--allow-special", action="store_true", help="recognise special tokens in the text")


def _run(options: argparse.Namespace) -> int:
    tokenizer = read_tokenizer_files(options)
    text = read_text(options.file)
    lines = text.removesuffix("\n").split("\n") if options.lines else [text]

    def encoded(line: str) -> str:
        if options.tokens:
            tokens = tokenizer.tokens(line, options.encoder, options.allow_special)
            return " ".join(map(tokenizer.variant.label, tokens))
        return " ".join(map(str, tokenizer.encode(line, options.encoder, options.allow_special)))

    write_output(options.output, "".join(encoded(line) + "\n" for line in lines))
    return 0


COMMAND = Command(
    name="encode",
    help="encode text",
    description="Write the ids of a text's tokens, separated by spaces; -1 is a character outside the vocabulary.",
    add_options=_add_options,
    run=_run,
    examples="""examples:
  python -m bpe encode -t tokenizer.json corpus.txt -o ids.txt
  echo hello world | python -m bpe encode -t ranks.tiktoken --variant bytes-gpt4 --tokens --lines""",
)
