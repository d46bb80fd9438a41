"""Vocabulary agreement: how much two vocabularies have in common, by rank and by frequency in the corpus."""

from bisect import bisect_right, insort
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest

from bpe.analysis.comparing.comparison import METASPACE, comparison_keys, same_markers, same_spelling
from bpe.checkpoints import with_checkpoints
from bpe.symbols import Symbol
from bpe.trace.trace import Trace


@dataclass(frozen=True, slots=True)
class VocabularyAgreement:
    """What two vocabularies have in common.

    "Learned" tokens were created by merges. Tokens are compared as they are; if lanes have different markers or split
    text differently, by their text without marker and leading space (see `bare_text`).
    """

    learned: tuple[int, int]  # number of different tokens that each learned
    shared: int  # number of tokens that both learned
    overlap: float  # shared tokens as a share of the larger vocabulary
    average_overlap: float  # mean of the overlap after 1, 2, 3, … tokens: early tokens weigh most
    # Kendall's tau: 1 if the shared tokens have the same order, -1 if the opposite; None below 2.
    tau: float | None
    # Share of the corpus' token occurrences, of both lanes, whose token is in both vocabularies.
    occurrences: float


def vocabulary_agreement(first: Trace, second: Trace) -> VocabularyAgreement:
    """Return the agreement of two vocabularies after the last merge of each.

    average_overlap: Fagin, Kumar and Sivakumar 2003, Comparing top k lists.

    >>> import bpe
    >>> traces = [bpe.train("abc abc abd", "char-eow", rule, merges=2) for rule in ("first", "pair-max")]
    >>> vocabulary_agreement(*traces).shared
    1
    """
    traces = (first, second)
    compared = [
        list(map(key, trace.symbols)) for trace, key in zip(traces, agreement_keys(traces), strict=True)
    ]
    tokens = [
        list(dict.fromkeys(names[len(trace.alphabet) :]))
        for trace, names in zip(traces, compared, strict=True)
    ]
    rank_of = {token: rank for rank, token in enumerate(tokens[1])}
    ranks = [rank_of[token] for token in tokens[0] if token in rank_of]
    longest = max(map(len, tokens))
    return VocabularyAgreement(
        learned=(len(tokens[0]), len(tokens[1])),
        shared=len(ranks),
        overlap=len(ranks) / longest if longest else 1.0,
        average_overlap=_average_overlap(*tokens),
        tau=kendall_tau(ranks) if len(ranks) > 1 else None,
        occurrences=_shared_occurrences(traces, compared),
    )


def agreement_keys(traces: Sequence[Trace]) -> list[Callable[[Symbol], bytes]]:
    """Return for each trace the function from a symbol to the bytes by which its vocabulary is compared."""
    if same_markers(traces) and same_spelling(traces):
        return comparison_keys(traces)
    return [partial(bare_text, marker=trace.variant.marker) for trace in traces]


def bare_text(symbol: Symbol, marker: bytes | None) -> bytes:
    r"""Return a token without its marker and without white space in front.

    >>> bare_text(b" low", None), bare_text(b"low\xff", b"\xff")
    (b'low', b'low')
    """
    bare = symbol.replace(marker, b"") if marker else symbol
    return bare.removeprefix(METASPACE).lstrip(b" ") or bare


def _average_overlap(first: Sequence[bytes], second: Sequence[bytes]) -> float:
    in_first: set[bytes] = set()
    in_second: set[bytes] = set()
    shared, total = 0, 0.0
    longest = max(len(first), len(second))
    for depth, (one, other) in enumerate(zip_longest(first, second), start=1):
        if one is not None:
            in_first.add(one)
        if other is not None:
            in_second.add(other)
        shared += len({one for one in (one, other) if one in in_first and one in in_second})
        total += shared / depth
    return total / longest if longest else 1.0


def kendall_tau(ranks: Sequence[int]) -> float:
    """Return Kendall's tau of different numbers against their order in the sequence.

    >>> kendall_tau([0, 1, 2]), kendall_tau([2, 1, 0]), kendall_tau([0, 2, 1])
    (1.0, -1.0, 0.3333333333333333)
    """
    before: list[int] = []
    in_order = 0
    for rank in with_checkpoints(ranks):
        in_order += bisect_right(before, rank)
        insort(before, rank)
    pairs = len(ranks) * (len(ranks) - 1) // 2
    return (2 * in_order - pairs) / pairs


def _shared_occurrences(traces: Sequence[Trace], compared: Sequence[Sequence[bytes]]) -> float:
    """Return the share of the corpus' tokens that both vocabularies hold. `compared` are the names of the symbols."""
    shared = set.intersection(*map(set, compared))
    total = both = 0
    for trace, names in zip(traces, compared, strict=True):
        name_of = dict(zip(trace.symbols, names, strict=True))
        for token, count in trace.token_counts(len(trace.steps)).items():
            total += count
            both += count * (name_of[token] in shared)
    return both / total if total else 1.0
