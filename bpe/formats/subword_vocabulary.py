"""The vocabulary file of subword-nmt: every token of the encoded corpus with its count, the most frequent first.

subword-nmt's apply-bpe reads it beside the codes: with --vocabulary-threshold it undoes the rarer tokens, as the
encoder `trimmed` does. A token that does not end its word is written with @@ behind it.
"""

from bpe.formats.spelling import spell_symbols
from bpe.symbols import END_OF_WORD, BPEError
from bpe.text.variants import Variant
from bpe.trace.trace import Trace

FILE = "vocabulary.txt"
CONTINUES = "@@"


def check_subword_vocabulary(variant: Variant) -> None:
    """Raise BPEError for a variant that does not attach </w> to the last character."""
    if variant.marker != END_OF_WORD or variant.marker_is_symbol or variant.unit != "characters":
        raise BPEError(
            f"{FILE} is for variants that attach </w> to the last character, such as the preset subword-nmt."
        )


def write_subword_vocabulary(trace: Trace, k: int) -> str:
    """Return the tokens of the corpus after `k` merges with their counts, one per line.

    Raises BPEError for a variant that does not attach </w> to the last character, and for a token with a space.
    """
    variant = trace.variant
    check_subword_vocabulary(variant)
    counts = trace.token_counts(k)
    spelled = spell_symbols(counts, variant, FILE, " \n\r")
    suffix = variant.marker_text
    lines = {
        text.removesuffix(suffix) if text.endswith(suffix) else text + CONTINUES: counts[symbol]
        for symbol, text in spelled.items()
    }
    if len(lines) < len(counts):
        raise BPEError(
            f"{FILE} cannot hold a token that ends with {CONTINUES}, its mark for the inside of a word."
        )
    return "".join(f"{text} {count}\n" for text, count in sorted(lines.items(), key=lambda item: -item[1]))
