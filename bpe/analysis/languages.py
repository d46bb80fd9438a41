"""Languages: what each of several named documents costs in tokens, after every merge.

A boundary between two symbols closes at one step at most, so one pass over the text gives the whole curve. The counts
of a document's tokens change at a step only by the pairs that are merged there. `language_metrics` computes figures
from these curves.
"""

import math
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from bpe.analysis.compression import Measure, measure
from bpe.checkpoints import checkpoint, with_checkpoints
from bpe.pair_ids import compact
from bpe.symbols import Symbol
from bpe.trace.trace import Trace

# Order of the Rényi entropy. Zouhar et al. 2023 report the strongest correlation with BLEU for it.
ALPHA = 2.5
UNKNOWN = b""  # stands for every symbol that the vocabulary lacks: they share one id, and no merge joins them


@dataclass(frozen=True, slots=True)
class DocumentCurves:
    """One named document over the steps of a training. Index k of an array is the state after k merges."""

    name: str
    characters: int
    bytes: int
    words: int  # separated by white space
    tokens: "array[int]"
    different: "array[int]"  # different tokens in the document
    powers: "array[float]"  # sum of the tokens' counts, each to the power ALPHA

    def measure(self, k: int) -> Measure:
        """Return the size of the document after `k` merges."""
        return Measure(self.tokens[k], self.characters, self.bytes, self.words)

    def renyi_efficiency(self, k: int) -> float | None:
        """Return the Rényi entropy of the tokens' shares, divided by that of equal shares; None for fewer than two.

        Vilém Zouhar et al., Tokenization and the Noiseless Channel, ACL 2023. As in their package, the vocabulary is
        what occurs in the document.
        """
        if self.different[k] < 2:
            return None
        entropy = (math.log2(self.powers[k]) - ALPHA * math.log2(self.tokens[k])) / (1 - ALPHA)
        return entropy / math.log2(self.different[k])


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
        name, size.characters, size.bytes, size.words, compact(array("q", tokens)), compact(different), powers
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
