"""The command `count`: the words of files, counted, as JSON."""

import argparse
import json

from bpe.settings.request import read_request
from command_line.command import Command
from command_line.shared.reading import add_reading_options, count_files, settings_of
from command_line.shared.terminal import kind_to_write, write_whole


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_reading_options(parser)
    parser.add_argument("files", nargs="+", metavar="FILE", help="UTF-8 text; each file is a document")
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="the file to write, as JSON")


def _run(options: argparse.Namespace) -> int:
    kind_to_write(options.output, ["JSON"])
    counts = count_files(options, read_request(**settings_of(options)))
    write_whole(options.output, json.dumps(counts, ensure_ascii=False, indent=0) + "\n")
    return 0


COMMAND = Command(
    name="count",
    help="count the words of files",
    description="Count the words of files and write them as JSON: {word: frequency}.",
    add_options=_add_options,
    run=_run,
)
