"""The options of every command that trains."""

import argparse

from bpe.settings.request import OVERLAPS
from bpe.settings.tie_breaking import TIE_BREAKS
from bpe.text.superwords import SECOND_PATTERNS
from command_line.shared.reading import READING_SETTINGS

MERGE_SETTINGS = (
    "tie_break",
    "merges",
    "vocab_size",
    "min_count",
    "seed",
    "overlaps",
    "max_token_length",
    "second_pattern",
    "second_words",
)
ALPHABET_SETTINGS = ("limit_alphabet", "character_coverage")
TRAINING_SETTINGS = (*READING_SETTINGS, *MERGE_SETTINGS, *ALPHABET_SETTINGS, "second_after", "special_tokens")


def add_training_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for breaking ties, for ending a training and for special tokens."""
    add_merge_options(parser)
    parser.add_argument(
        "--second-after", type=int, metavar="N", help="learn superwords after this many merges"
    )
    parser.add_argument(
        "--limit-alphabet",
        type=int,
        metavar="N",
        help="the most characters to use; rarer ones are taken out of the words, as Hugging Face's trainer does (all)",
    )
    parser.add_argument(
        "--character-coverage",
        type=float,
        metavar="SHARE",
        help="the share of the text that characters must cover; rarer ones split words, as in SentencePiece (1)",
    )
    parser.add_argument(
        "--special-token",
        action="append",
        dest="special_tokens",
        metavar="TEXT",
        help="a special token for the vocabulary; may be repeated",
    )


def add_merge_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for breaking ties and for ending a training."""
    parser.add_argument(
        "--tie-break", choices=list(TIE_BREAKS), help="which of the tied pairs is merged (first)"
    )
    parser.add_argument("--merges", type=int, metavar="N", help="stop after this many merges")
    parser.add_argument("--vocab-size", type=int, metavar="N", help="stop at this vocabulary size")
    parser.add_argument("--min-count", type=int, metavar="N", help="stop when no pair occurs this often (1)")
    parser.add_argument(
        "--second-pattern",
        metavar="PATTERN",
        help=f"learn superwords between the matches of this looser pattern: {', '.join(SECOND_PATTERNS)}, or your own",
    )
    parser.add_argument(
        "--second-words",
        type=int,
        metavar="N",
        help="the most words a superword may have, 4 in SuperBPE (no limit)",
    )
    parser.add_argument(
        "--overlaps",
        choices=list(OVERLAPS),
        help="whether occurrences of a pair that overlap count: aaaa holds a + a three times, or twice (count)",
    )
    parser.add_argument(
        "--max-token-length",
        type=int,
        metavar="N",
        help="tokens must be shorter than this, in initial symbols, as in Hugging Face's trainer (any length)",
    )
    parser.add_argument("--seed", type=int, metavar="N", help="seed of the rule 'random' (0)")
