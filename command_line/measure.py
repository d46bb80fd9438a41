"""The command `measure`: what finished tokenizers make of texts, without a training."""

import argparse

from bpe.analysis.languages import measured, metric_csv, metric_json, metric_lines
from bpe.symbols import BPEError
from bpe.text.variants import VARIANTS
from command_line.reading import add_field_option, read_documents
from command_line.terminal import (
    PROGRAM,
    STANDARD,
    Command,
    kind_to_write,
    progress_reports,
    write_output,
)
from command_line.tokenizer_files import TOGETHER, open_named
from published.rows import PUBLISHED


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-t",
        "--tokenizer",
        required=True,
        action="append",
        metavar="NAME",
        help=f"give it once for each tokenizer: a published one ({', '.join(PUBLISHED)}) or a file: tokenizer.json, "
        f"tokenizer.model, tekken.json, .tiktoken, merges.txt or vocab.json{TOGETHER}merges.txt",
    )
    parser.add_argument(
        "--variant", choices=list(VARIANTS), help="how text is split and spelled, if a file does not say"
    )
    parser.add_argument("files", nargs="+", metavar="TEXT", help="UTF-8 text; each file is a text of its own")
    add_field_option(parser)
    parser.add_argument(
        "--base",
        metavar="TEXT",
        help="the text that the premium compares each text with; by default the first",
    )
    parser.add_argument(
        "--allow-special",
        action="store_true",
        help="recognise special tokens in the texts, each as one token",
    )
    parser.add_argument(
        "--explain", action="store_true", help="say what each figure does not predict, and who measured that"
    )
    written = parser.add_mutually_exclusive_group()
    written.add_argument(
        "--csv", action="store_true", help="write CSV, as for an output whose name ends in .csv"
    )
    written.add_argument(
        "--json", action="store_true", help="write JSON, with the hashes of the texts; as for .json"
    )
    parser.add_argument("-o", "--output", default=STANDARD, metavar="FILE", help="by default standard output")


def _run(options: argparse.Namespace) -> int:
    asked = "CSV" if options.csv else "JSON" if options.json else None
    kind = kind_to_write(options.output, ["text", "CSV", "JSON"], asked)
    texts = {file: "\n".join(read_documents([file], options.field)) for file in options.files}
    if len(texts) < len(options.files) or len(set(options.tokenizer)) < len(options.tokenizer):
        raise BPEError("Each text and each tokenizer must be named once.")
    base = options.files[0] if options.base is None else options.base
    if base not in texts:
        raise BPEError(f"--base must be one of the texts, got {base}.")
    variant = VARIANTS[options.variant] if options.variant else None
    by_tokenizer, sources = {}, {}
    with progress_reports() as report:
        for name in options.tokenizer:
            report(f"opening {name}")
            opened = open_named(name, variant=variant).opened
            sources[name] = opened.about
            report(f"encoding with {name}")
            by_tokenizer[name] = [
                measured(opened.tokenizer, name, text_name, text, options.allow_special)
                for text_name, text in texts.items()
            ]
    table = [by_tokenizer[name][number] for number in range(len(texts)) for name in by_tokenizer]
    if kind == "CSV":
        content: str | bytes = metric_csv(table, base)
    elif kind == "JSON":
        content = metric_json(table, base, texts, sources)
    else:
        content = "".join(f"{line}\n" for line in metric_lines(table, base, explain=options.explain))
    write_output(options.output, content)
    return 0


COMMAND = Command(
    name="measure",
    help="measure finished tokenizers on texts",
    description=(
        "Encode texts with any number of finished tokenizers, published ones among them, and write what each text "
        "costs. Nothing is trained."
    ),
    add_options=_add_options,
    run=_run,
    examples=f"""examples:
  {PROGRAM} measure -t gpt-4o -t qwen -t mistral en.txt hi.txt
  {PROGRAM} measure -t gpt-2 -t tokenizer.json corpus/*.txt --json -o measures.json
  {PROGRAM} measure -t vocab.json+merges.txt -t deepseek novel.txt --explain""",
)
