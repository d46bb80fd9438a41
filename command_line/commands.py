"""The commands. To add one, write a module with a `COMMAND` and add it to `_COMMANDS`.

    python -m bpe count corpus/*.txt -o counts.json --workers 4
    python -m bpe train counts.json -o merges.txt --merges 10000
    python -m bpe continue --tokenizer tokenizer.json novel.txt -o longer.tiktoken --merges 500
    python -m bpe film novel.txt -o film.html --preset hf-bytelevel --merges 500
    python -m bpe script novel.txt -o script.py --tie-break pair-max --merges 50
    python -m bpe ties novel.txt --merges 1000
    python -m bpe compare novel.txt --lanes first,hf-bytelevel --held-out letters.txt --merges 1000 -o tables.csv
    python -m bpe measure -t gpt-4o -t qwen -t mistral en.txt hi.txt
    python -m bpe export --tokenizer tokenizer.json -o ranks.tiktoken
    python -m bpe encode --tokenizer ranks.tiktoken corpus.txt
    echo 1 2 3 | python -m bpe decode --tokenizer tokenizer.json

Messages and progress go to standard error. Exit code 2 for a request that cannot be met, 130 after Ctrl-C.
"""

import argparse
import sys
from collections.abc import Sequence

import bpe
from bpe.symbols import BPEError
from command_line import compare, encode, export, film, measure, script, ties, train
from command_line.ctrl_c import INTERRUPTED, NOTHING_WRITTEN
from command_line.terminal import PROGRAM, Command, check_folder

_COMMANDS: tuple[Command, ...] = (
    train.COUNT,
    train.TRAIN,
    train.CONTINUE,
    export.COMMAND,
    encode.ENCODE,
    encode.DECODE,
    film.COMMAND,
    script.COMMAND,
    ties.COMMAND,
    compare.COMMAND,
    measure.COMMAND,
)

# {a command of an earlier version, or one of its options: a sentence that says what does its work now}
_GONE = {
    (
        "languages",
    ): "The command measure replaces languages: save a training with train, then measure texts under it "
    "with measure -t FILE, or see its figures after every merge on the page Tokenizers of the app.",
    (
        "audit",
    ): "There is no command audit any more: version 0.2.0 had it last. The page Vocabulary of the app shows "
    "which tokens a text uses.",
    ("compare", "--workers"): "compare needs no --workers any more: leave it out.",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command that the arguments name and return its exit code."""
    arguments = sys.argv[1:] if arguments is None else arguments
    try:
        given = {argument.partition("=")[0] for argument in arguments[1:]}  # --workers=2 is --workers
        for (command, *its_options), sentence in _GONE.items():
            if [*arguments[:1]] == [command] and given.issuperset(its_options):
                raise BPEError(sentence)
        if not arguments:
            _parser().print_help(sys.stderr)
            return 2
        options = _parser().parse_args(arguments)
        if output := getattr(options, "output", None):
            check_folder(output)
        return int(options.run(options))
    except BPEError as error:
        print(f"{PROGRAM}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(NOTHING_WRITTEN, file=sys.stderr)
        return INTERRUPTED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=PROGRAM, description="Byte pair encoding from the command line.")
    parser.add_argument("--version", action="version", version=f"bpe {bpe.__version__}")
    subparsers = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for command in _COMMANDS:
        subparser = subparsers.add_parser(
            command.name,
            help=command.help,
            description=command.description,
            epilog=command.examples,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.add_options(subparser)
        subparser.set_defaults(run=command.run)
    return parser
