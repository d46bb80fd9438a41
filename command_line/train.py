"""The command `train`: learn merges from files or from words already counted."""

import argparse
import json
import re
import sys
from collections.abc import Iterator

from bpe.encoding.tokenizer import Tokenizer
from bpe.formats import FORMATS
from bpe.settings.request import read_request
from bpe.symbols import BPEError, Symbol
from bpe.text.display import ENDINGS, counted
from bpe.text.superwords import superword_variant
from bpe.text.variants import VARIANTS
from bpe.trace.trace import Trace
from bpe.training.replay import continue_training_steps, train_like_steps
from bpe.training.trainer import train_steps
from command_line.ctrl_c import INTERRUPTED
from command_line.reading import (
    COUNTED_FILES,
    MERGE_SETTINGS,
    TRAINING_SETTINGS,
    add_field_option,
    add_merge_options,
    add_reading_options,
    add_training_options,
    count_files,
    is_counted,
    read_documents,
    read_words,
    settings_of,
)
from command_line.terminal import (
    PROGRAM,
    STANDARD,
    Command,
    finish,
    is_standard_output,
    kind_to_write,
    write_output,
)
from command_line.tokenizer_files import (
    FORMAT_HELP,
    add_tokenizer_options,
    format_of,
    open_named,
    read_tokenizer_files,
    write_trained,
)


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_reading_options(parser)
    parser.add_argument("files", nargs="+", metavar="FILE", help=COUNTED_FILES)
    parser.add_argument(
        "-o", "--output", required=True, metavar="FILE", help="the file to write, - for standard output"
    )
    parser.add_argument("-f", "--format", choices=[*FORMATS, "trace"], help=FORMAT_HELP)
    parser.add_argument(
        "--like",
        metavar="TOKENIZER",
        help="learn new merges and keep everything else of this tokenizer: a tokenizer.json's normalizer, splits, "
        "added tokens, post-processor and decoder. A file, two files with + between them, or a published tokenizer",
    )
    add_training_options(parser)


def _run(options: argparse.Namespace) -> int:
    if options.like is not None:
        return _run_like(options)
    settings = settings_of(options, TRAINING_SETTINGS)
    slug = format_of(options.output, "trace-json" if options.format == "trace" else options.format)
    request = read_request(**settings)
    FORMATS[slug].check(request.second or request.variant)
    training = train_steps(read_words(options, request), **settings)
    trace, interrupted = finish(training)
    print(f"{counted(len(trace.steps), 'merge')} learned: {ENDINGS[trace.stopped]}.", file=sys.stderr)
    write_trained(options.output, FORMATS[slug], trace)
    return INTERRUPTED if interrupted else 0


def _run_like(options: argparse.Namespace) -> int:
    """Learn new merges and keep everything else of a tokenizer."""
    own = [name for name in TRAINING_SETTINGS if name not in (*MERGE_SETTINGS, "variant", "lines")]
    for name in ("preset", *own):
        if getattr(options, name) is not None:
            option = "special-token" if name == "special_tokens" else name.replace("_", "-")
            raise BPEError(f"The tokenizer of --like brings its own settings: leave --{option} out.")
    if is_counted(options.files):
        raise BPEError(f"--like needs texts, got the counted words of {options.files[0]}.")
    row = FORMATS[format_of(options.output, "trace-json" if options.format == "trace" else options.format)]
    given = {name: value for name in MERGE_SETTINGS if (value := getattr(options, name)) is not None}
    variant = VARIANTS[options.variant] if options.variant else None
    like = open_named(options.like, variant=variant).opened.tokenizer
    documents = read_documents(options.files, options.field)
    if options.lines:
        documents = [line for text in documents for line in re.findall(r"[^\n]*\n|[^\n]+", text)]
    trace, interrupted = finish(train_like_steps(documents, like, **given))
    print(f"{counted(len(trace.steps), 'merge')} learned: {ENDINGS[trace.stopped]}.", file=sys.stderr)
    write_trained(options.output, row, trace)
    return INTERRUPTED if interrupted else 0


TRAIN = Command(
    name="train",
    help="learn merges",
    description=(
        "Learn merges from files or counted words; write the tokenizer or the whole trace. With --like, learn new "
        "merges and keep everything else of a tokenizer; ids begin anew: added tokens, initial symbols, merges."
    ),
    add_options=_add_options,
    run=_run,
    examples=f"""examples:
  {PROGRAM} train novel.txt --preset hf-bytelevel --vocab-size 5000 -o tokenizer.json
  {PROGRAM} train domain.txt --like tokenizer.json --merges 5000 -o new.json
  {PROGRAM} train domain.txt --like tokenizer.json --tie-break ids-min --merges 5000 -o new.json
The last one breaks ties as train_new_from_iterator of Hugging Face's transformers does.""",
)


def _add_continue_options(parser: argparse.ArgumentParser) -> None:
    add_tokenizer_options(parser)
    parser.add_argument("files", nargs="+", metavar="FILE", help="UTF-8 text; each file is a document")
    add_field_option(parser)
    add_merge_options(parser)
    parser.add_argument(
        "-o", "--output", required=True, metavar="FILE", help="the file to write, - for standard output"
    )
    parser.add_argument("-f", "--format", choices=list(FORMATS), help=FORMAT_HELP)
    parser.add_argument(
        "--pieces",
        action="store_true",
        help="write a line for each new token to standard output: its id, its text, the old ids it is made of and the "
        "count of its pair, separated by tabs. Its row of embeddings can begin as the mean of those of the old ids.",
    )


def _continue(options: argparse.Namespace) -> int:
    if options.pieces and is_standard_output(options.output):
        raise BPEError("--pieces writes to standard output: name another file with -o.")
    row = FORMATS[format_of(options.output, options.format)]
    given = {name: value for name in MERGE_SETTINGS if (value := getattr(options, name)) is not None}
    tokenizer = read_tokenizer_files(options)
    pattern = given.get("second_pattern")
    row.check(superword_variant(tokenizer.variant, pattern) if pattern else tokenizer.variant)
    documents = read_documents(options.files, options.field)
    trace, interrupted = finish(continue_training_steps(documents, tokenizer, **given))
    print(f"{counted(trace.origin.learned, 'new merge')} learned", file=sys.stderr)
    write_trained(options.output, row, trace)
    if options.pieces:
        rows = [("id", "text", "old ids", "count"), *_pieces(trace, tokenizer)]
        write_output(STANDARD, "".join("\t".join(cells) + "\n" for cells in rows))
    return INTERRUPTED if interrupted else 0


def _pieces(trace: Trace, old: Tokenizer) -> Iterator[tuple[str, str, str, str]]:
    """Yield a row for each token that was learned. Its old ids are those of its parts, down to tokens of before."""
    ids, label = trace.tokenizer().ids, trace.variant.label
    old_ids: dict[Symbol, tuple[int, ...]] = {symbol: (number,) for symbol, number in old.ids.items()}
    for step in trace.steps:
        if step.list_rank is None:
            left, right = step.pair
            symbol = left + right
            old_ids[symbol] = pieces = old_ids[left] + old_ids[right]
            yield str(ids[symbol]), label(symbol), " ".join(map(str, pieces)), str(step.count)


CONTINUE = Command(
    name="continue",
    help="learn further merges on top of a tokenizer",
    description=(
        "Learn further merges from files, on top of a tokenizer. It keeps its ids and merges; the new ones rank after "
        "them. --merges is the number of new merges, --vocab-size the size of the whole vocabulary. With "
        "--second-pattern the new merges may join whole words. --pieces says which old tokens each new one is made of."
    ),
    add_options=_add_continue_options,
    run=_continue,
    examples=f"""examples:
  {PROGRAM} continue -t tokenizer.json novel.txt --merges 500 -o longer.json
  {PROGRAM} continue -t tokenizer.json novel.txt --merges 500 -o longer.json --pieces > pieces.tsv
  {PROGRAM} continue -t ranks.tiktoken novel.txt --vocab-size 60000 -o longer.tiktoken
  {PROGRAM} continue -t tokenizer.json novel.txt --merges 500 --second-pattern lines -o superwords.json""",
)


def _add_count_options(parser: argparse.ArgumentParser) -> None:
    add_reading_options(parser)
    parser.add_argument("files", nargs="+", metavar="FILE", help="UTF-8 text; each file is a document")
    parser.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="FILE",
        help="the file to write, as JSON; - for standard output",
    )


def _count(options: argparse.Namespace) -> int:
    kind_to_write(options.output, ["JSON"])
    counts = count_files(options, read_request(**settings_of(options)))
    write_output(options.output, json.dumps(counts, ensure_ascii=False, indent=0) + "\n")
    return 0


COUNT = Command(
    name="count",
    help="count the words of files",
    description="Count the words of files and write them as JSON: {word: frequency}.",
    add_options=_add_count_options,
    run=_count,
)
