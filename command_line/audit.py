"""The command `audit`: tokens that texts never use or cannot use; and the tokenizer without them."""

import argparse
import json
from collections import Counter

from bpe.analysis.audit import KINDS, NONE, Finding, audit, remove_tokens
from bpe.encoding.tokenizer import Tokenizer
from bpe.symbols import BPEError
from bpe.text.display import counted
from command_line.terminal import PROGRAM, STANDARD, Command, kind_to_write, read_text, write_output
from command_line.tokenizer_files import FORMAT_HELP, add_tokenizer_options, format_of, read_tokenizer_files

EXAMPLES = 5
REMOVABLE = [slug for slug, kind in KINDS.items() if kind.may_remove]


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_tokenizer_options(parser)
    parser.add_argument(
        "files", nargs="+", metavar="TEXT", help="UTF-8 text that shows which tokens are used"
    )
    parser.add_argument("--list", choices=list(KINDS), help="list all tokens of one kind, one per line")
    parser.add_argument("--json", action="store_true", help="write all findings as JSON")
    parser.add_argument(
        "--remove",
        metavar="KIND,KIND",
        help=f"remove the tokens of these kinds ({', '.join(REMOVABLE)}) and write the tokenizer to --output. What "
        "other tokens are made of stays; all other ids stay the same",
    )
    parser.add_argument("-o", "--output", default=STANDARD, metavar="FILE", help="by default standard output")
    parser.add_argument("-f", "--format", help=f"with --remove: the format of the file; {FORMAT_HELP}")


def _run(options: argparse.Namespace) -> int:
    kinds = _kinds(options.remove)
    row = format_of(options.output, options.format) if kinds else None
    asked = "JSON" if options.json else None
    as_json = not kinds and kind_to_write(options.output, ["text", "JSON"], asked) == "JSON"
    tokenizer = read_tokenizer_files(options)
    findings = audit(tokenizer, [read_text(file) for file in options.files])
    if row:
        ids = {finding.id for slug in kinds for finding in findings[slug]}
        removal = remove_tokens(tokenizer, ids, {finding.symbol for finding in findings["unreachable"]})
        removal.tokenizer.save(options.output, row)
        print(
            f"Removed: {counted(len(removal.removed), 'token')}. Needed by others, so still there: "
            f"{counted(len(removal.needed), 'token')}."
        )
        return 0
    write_output(options.output, _written(tokenizer, findings, options, as_json=as_json))
    return 0


def _kinds(given: str | None) -> list[str]:
    """Return the kinds to remove. Raises BPEError for one whose removal would change how the texts are encoded."""
    kinds = given.split(",") if given else []
    for slug in kinds:
        if slug not in REMOVABLE:
            raise BPEError(f"--remove needs kinds among {', '.join(REMOVABLE)}; got {slug!r}.")
    return kinds


def _written(
    tokenizer: Tokenizer, findings: dict[str, list[Finding]], options: argparse.Namespace, *, as_json: bool
) -> str:
    label = tokenizer.variant.label
    if as_json:
        content = {
            slug: {
                "title": KINDS[slug].title,
                "about": KINDS[slug].about,
                "tokens": [
                    {"id": one.id, "token": label(one.symbol), "why": one.reason(label)}
                    | ({"because": one.because} if one.because else {})
                    for one in listed
                ],
            }
            for slug, listed in findings.items()
        }
        return json.dumps(content, ensure_ascii=False, indent=1) + "\n"
    if options.list:
        return "".join(
            "\t".join(
                [str(one.id), label(one.symbol), one.reason(label), *([one.because] if one.because else [])]
            )
            + "\n"
            for one in findings[options.list]
        )
    return "".join(_lines(tokenizer, slug, listed) for slug, listed in findings.items())


def _lines(tokenizer: Tokenizer, slug: str, listed: list[Finding]) -> str:
    kind, label = KINDS[slug], tokenizer.variant.label
    head = f"{kind.title}: {counted(len(listed), 'token')} ({slug})\n"
    if not listed:
        return head if kind.none == NONE else f"{head}  {kind.none}\n"
    reasons = "".join(
        f"  {why}: {counted(times, 'token')}\n"
        for why, times in Counter(one.because for one in listed if one.because).most_common()
    )
    examples = ", ".join(f"{label(one.symbol)} ({one.id})" for one in listed[:EXAMPLES])
    return f"{head}  {kind.about}\n{reasons}  {examples}{', …' if len(listed) > EXAMPLES else ''}\n"


COMMAND = Command(
    name="audit",
    help="find tokens that texts never use, and remove them",
    description=(
        "List the tokens of a tokenizer that no text seems to give, that the given texts never use, that only occur "
        "inside longer ones, that are parts of characters, or that differ only by case or a space; and candidates for "
        "glitch tokens. With --remove, write the tokenizer without some of them."
    ),
    add_options=_add_options,
    run=_run,
    examples=f"""examples:
  {PROGRAM} audit -t tokenizer.json corpus.txt
  {PROGRAM} audit -t tokenizer.json corpus.txt --list glitch
  {PROGRAM} audit -t tokenizer.json corpus.txt --remove unreachable,never -o smaller-tokenizer.json""",
)
