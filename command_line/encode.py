"""The command `encode`: text -> ids, or tokens."""

import argparse
import re

from bpe.encoding.encoders import DEFAULT_ENCODER, ENCODERS, Encoder, EncoderSetting
from bpe.encoding.tokenizer import Tokenizer
from bpe.symbols import BPEError
from command_line.reading import add_field_option, read_documents
from command_line.terminal import PROGRAM, STANDARD, Command, kind_to_write, read_text, write_output
from command_line.tokenizer_files import add_tokenizer_options, read_tokenizer_files

_SEPARATORS = re.compile(r"[\s,\[\]]+")
_NUMBER = re.compile(r"-?[0-9]{1,18}")


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_tokenizer_options(parser)
    parser.add_argument(
        "file", nargs="?", default="-", metavar="FILE", help="UTF-8 text; by default standard input"
    )
    parser.add_argument("-o", "--output", default="-", metavar="FILE", help="by default standard output")
    add_field_option(parser)
    parser.add_argument(
        "--encoder",
        choices=list(ENCODERS),
        default=DEFAULT_ENCODER,
        help="how words are split into tokens (rank)",
    )
    for row in ENCODERS.values():
        for setting in row.settings:
            parser.add_argument(
                _option(row, setting),
                type=type(setting.step),
                metavar=setting.name.upper(),
                help=f"with --encoder {row.slug}: {setting.title.lower()} ({setting.default:g})",
            )
    parser.add_argument("--tokens", action="store_true", help="write the tokens instead of their ids")
    parser.add_argument("--lines", action="store_true", help="encode line by line, without the line ends")
    parser.add_argument("--allow-special", action="store_true", help="recognise special tokens in the text")


def _option(row: Encoder, setting: EncoderSetting) -> str:
    return f"--{row.slug}-{setting.name}"


def _encoder(options: argparse.Namespace) -> Encoder:
    """Return the chosen encoder with its settings. Raises BPEError for the setting of another one."""
    values: dict[str, float] = {}
    for row in ENCODERS.values():
        for setting in row.settings:
            value = getattr(options, f"{row.slug}_{setting.name}")
            if value is None:
                continue
            if row.slug != options.encoder:
                raise BPEError(f"{_option(row, setting)} needs --encoder {row.slug}.")
            values[setting.name] = value
    return ENCODERS[options.encoder].using(**values)


def _run(options: argparse.Namespace) -> int:
    kind_to_write(options.output, ["text"])
    encoder = _encoder(options)
    tokenizer = read_tokenizer_files(options)
    if encoder.needs_counts and not tokenizer.frequencies:
        raise BPEError(
            f"The encoder {encoder.slug} needs the counts of the tokens in a corpus, and these files have none."
        )
    texts = read_documents([options.file], options.field)
    if options.lines:
        texts = [line for text in texts for line in text.removesuffix("\n").split("\n")]

    def encoded(line: str) -> str:
        if options.tokens:
            tokens = tokenizer.tokens(line, encoder, options.allow_special)
            return " ".join(map(tokenizer.variant.label, tokens))
        return " ".join(map(str, tokenizer.encode(line, encoder, options.allow_special)))

    write_output(options.output, "".join(encoded(line) + "\n" for line in texts))
    return 0


ENCODE = Command(
    name="encode",
    help="encode text",
    description="Write the ids of a text's tokens, separated by spaces; -1 is a character outside the vocabulary.",
    add_options=_add_options,
    run=_run,
    examples=f"""examples:
  {PROGRAM} encode -t tokenizer.json corpus.txt -o ids.txt
  echo hello world | {PROGRAM} encode -t ranks.tiktoken --variant bytes-gpt4 --tokens --lines
  {PROGRAM} encode -t merges.txt corpus.txt --encoder dropout --dropout-p 0.1 --dropout-seed 7""",
)


def _add_decode_options(parser: argparse.ArgumentParser) -> None:
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


def _decode(options: argparse.Namespace) -> int:
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


DECODE = Command(
    name="decode",
    help="decode ids",
    description="Write the text of ids, without an added line end; U+FFFD replaces bytes that form no character.",
    add_options=_add_decode_options,
    run=_decode,
    examples=f"""examples:
  {PROGRAM} decode -t tokenizer.json ids.txt -o text.txt
  echo '[31373, 995]' | {PROGRAM} decode -t vocab.json -t merges.txt""",
)
