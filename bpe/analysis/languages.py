"""Languages: what texts cost in tokens, under a finished tokenizer, or after every merge of a training.

`measured` counts one text under one tokenizer, and `document_curves` each of several texts after every merge. A
boundary between two symbols closes at one step at most, so one pass over a text gives its whole curve. The counts of
its tokens change at a step only by the pairs that are merged there. `language_metrics` makes figures of both.
"""

import math
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

import regex

from bpe.analysis.compression import Measure, measure
from bpe.analysis.text_rows.typed_text import written_bytes
from bpe.checkpoints import checkpoint, with_checkpoints
from bpe.checks import check_text
from bpe.encoding.tokenizer import Tokenizer
from bpe.formats.piece_tokenizers import PieceTokenizer
from bpe.pair_ids import compact
from bpe.symbols import Symbol
from bpe.trace.trace import Trace

# Order of the Rényi entropy. Zouhar et al. 2023 report the strongest correlation with BLEU for it.
ALPHA = 2.5
UNKNOWN = b""  # stands for every symbol that the vocabulary lacks: they share one id, and no merge joins them


_DIGIT = regex.compile(rb"[0-9]")
_WORD = regex.compile(r"[\p{L}\p{M}]+")


@dataclass(frozen=True, slots=True)
class Measured:
    """One text under one tokenizer."""

    tokenizer: str  # its name
    text: str  # its name
    size: Measure
    different: int  # different tokens; unknown ones are one
    powers: float  # sum of the tokens' counts, each to the power ALPHA
    unknown: int  # tokens for characters that the vocabulary lacks
    # None if nobody counted them, or if the tokens do not spell the text, as after lower-casing.
    digits: int | None = None
    digit_tokens: int | None = None  # tokens with at least one digit
    word_ends: int | None = None  # ends of runs of letters, but for the end of the text
    word_ends_inside: int | None = None  # those that are inside a token

    @property
    def renyi_efficiency(self) -> float | None:
        """Rényi entropy of the tokens' shares, divided by that of equal shares; None for fewer than two tokens.

        Vilém Zouhar et al., Tokenization and the Noiseless Channel, ACL 2023. As in their package, the vocabulary is
        what occurs in the text.
        """
        if self.different < 2:
            return None
        entropy = (math.log2(self.powers) - ALPHA * math.log2(self.size.tokens)) / (1 - ALPHA)
        return entropy / math.log2(self.different)


def measured(
    tokenizer: Tokenizer | PieceTokenizer, tokenizer_name: str, text_name: str, text: str
) -> Measured:
    """Return the counts of a text. Raises BPEError for a text with a lone surrogate.

    >>> from bpe import train
    >>> one = measured(train("low low", "bytes", merges=2).tokenizer(), "mine", "a text", "low 42")
    >>> one.size.tokens, one.digits, one.digit_tokens, one.word_ends, one.word_ends_inside
    (4, 2, 2, 1, 0)
    """
    check_text(text)
    symbols = tokenizer.tokens(text)
    known = tokenizer.ids
    counts = Counter(symbol if symbol in known else None for symbol in symbols)  # unknown ones share an id
    size = Measure(len(symbols), len(text), len(text.encode()), len(text.split()))
    powers = math.fsum(count**ALPHA for count in counts.values())
    unknown = counts[None]
    written = written_bytes(text, symbols)
    if written is None:
        return Measured(tokenizer_name, text_name, size, len(counts), powers, unknown)
    in_tokens = [len(_DIGIT.findall(part)) for part in with_checkpoints(written)]
    ends = set(accumulate(map(len, written)))
    byte_at = list(accumulate((len(character.encode()) for character in text), initial=0))
    words = [byte_at[match.end()] for match in _WORD.finditer(text) if match.end() < len(text)]
    return Measured(
        tokenizer_name,
        text_name,
        size,
        len(counts),
        powers,
        unknown,
        digits=sum(in_tokens),
        digit_tokens=sum(map(bool, in_tokens)),
        word_ends=len(words),
        word_ends_inside=sum(end not in ends for end in words),
    )


@dataclass(frozen=True, slots=True)
class DocumentCurves:
    """One named document over the steps of a training. Index k of an array is the state after k merges."""

    name: str
    characters: int
    bytes: int
    words: int  # separated by white space
    unknown: int  # symbols that the vocabulary lacks, which no merge takes
    tokens: "array[int]"
    different: "array[int]"  # different tokens in the document
    powers: "array[float]"  # sum of the tokens' counts, each to the power ALPHA

    def after(self, k: int) -> Measured:
        """Return what the document costs after `k` merges, without its digits and words."""
        size = Measure(self.tokens[k], self.characters, self.bytes, self.words)
        return Measured("", self.name, size, self.different[k], self.powers[k], self.unknown)


def document_curves(trace: Trace, documents: Mapping[str, str]) -> list[DocumentCurves]:
    """Return the curves of each document, by name. They may be new texts.

    >>> import bpe
    >>> trace = bpe.train("low low lower", merges=3)
    >>> [list(curves.tokens) for curves in document_curves(trace, {"one": "low low", "two": "lows"})]
    [[8, 6, 4, 2], [5, 4, 3, 3]]
    """
    return [_curves(trace, name, text) for name, text in documents.items()]


# A token after the last merge: its initial symbols, and the ranks that close the boundaries between them.
Token = tuple[tuple[Symbol, ...], tuple[int, ...]]


def _curves(trace: Trace, name: str, text: str) -> DocumentCurves:
    checkpoint()
    initial: Counter[Symbol] = Counter()
    known = trace.tokenizer().ids
    closed = [0] * len(trace.steps)
    merged: defaultdict[int, Counter[tuple[Symbol, Symbol]]] = defaultdict(Counter)
    for (symbols, ranks), count in with_checkpoints(Counter(_tokens(trace, text)).items(), 1 << 10):
        for symbol in symbols:
            initial[symbol if symbol in known else UNKNOWN] += count
        for rank, left, right in _merges(symbols, ranks):
            closed[rank] += count
            merged[rank][left, right] += count
    tokens = accumulate((-number for number in closed), initial=initial.total())
    size = measure(text, 0)
    different, powers = _histogram(initial, [merged.get(rank, Counter()) for rank in range(len(trace.steps))])
    return DocumentCurves(
        name,
        size.characters,
        size.bytes,
        size.words,
        initial[UNKNOWN],
        compact(array("q", tokens)),
        compact(different),
        powers,
    )


def _tokens(trace: Trace, text: str) -> Iterator[Token]:
    """Yield the tokens of the text after the last merge."""
    symbols = trace.segment(text, 0)
    ranks = [*trace.boundaries(text), -1]
    start = 0
    for end, rank in enumerate(with_checkpoints(ranks), start=1):
        if rank < 0 and symbols:
            yield tuple(symbols[start:end]), tuple(ranks[start : end - 1])
            start = end


def _merges(symbols: Sequence[Symbol], ranks: Sequence[int]) -> Iterator[tuple[int, Symbol, Symbol]]:
    """Yield (rank, left part, right part) of every merge that makes a token, in the order of the ranks.

    >>> list(_merges((b"l", b"o", b"w"), (4, 0)))
    [(0, b'o', b'w'), (4, b'l', b'ow')]
    """
    starting = list(symbols)  # the part that starts at a symbol; out of date inside a part
    ends = list(range(1, len(symbols) + 1))  # where the part that starts at a symbol ends
    starts = list(range(len(symbols)))  # where the part that ends with a symbol starts
    for rank, last in sorted((rank, number) for number, rank in enumerate(ranks)):
        start, end = starts[last], ends[last + 1]
        left, right = starting[start], starting[last + 1]
        yield rank, left, right
        starting[start] = left + right
        ends[start], starts[end - 1] = end, start


def _histogram(
    initial: Mapping[Symbol, int], merged: Sequence[Mapping[tuple[Symbol, Symbol], int]]
) -> tuple["array[int]", "array[float]"]:
    """Return how many different tokens there are after every step, and the sums of their counts' powers."""
    counts = Counter(initial)
    number = len(counts)
    # Sums of floats that grow and shrink: exact to some 12 digits, as a test with naive sums shows.
    power = math.fsum(count**ALPHA for count in counts.values())
    different, powers = array("q", [number]), array("d", [power])
    for pairs in with_checkpoints(merged, 1 << 10):
        for (left, right), times in pairs.items():
            for symbol, change in ((left, -times), (right, -times), (left + right, times)):
                before = counts[symbol]
                after = counts[symbol] = before + change
                number += (after > 0) - (before > 0)
                power += after**ALPHA - before**ALPHA
        different.append(number)
        powers.append(power)
    return different, powers


def gini(costs: Sequence[float]) -> float:
    """Return the Gini coefficient of some costs: 0 if all are equal, near 1 if one text pays nearly everything.

    It is the sum of the differences of all ordered pairs of costs, a cost with itself among them, divided by twice the
    squared number of costs and by their mean.

    >>> gini([5, 5, 5]), gini([0, 0, 0, 8])
    (0.0, 0.75)
    """
    total = sum(costs)
    if not total:
        return 0.0
    number = len(costs)
    ranked = sum((2 * rank - number - 1) * cost for rank, cost in enumerate(sorted(costs), start=1))
    return ranked / (number * total)
