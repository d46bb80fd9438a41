"""Comparison: the tokens that several trainings on one corpus learned, and the merges at which they differ.

Tokens are compared as bytes. If the variants use different markers, they are compared by their spelled text (`</w>`,
`▁`): see `same_markers`. "Shared" and "learned" count tokens that merges made; initial symbols are not counted.
`vocabulary_agreement` says how much two vocabularies have in common, by rank and by frequency in the corpus.
"""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, zip_longest

from bpe.checkpoints import with_checkpoints
from bpe.symbols import Pair, Symbol
from bpe.text.variants import VARIANTS
from bpe.trace.merge_log import Step
from bpe.trace.trace import Trace

METASPACE = "▁".encode()
Choices = tuple[Step | None, ...]  # one step for each trace; None for a training that has ended


@dataclass(frozen=True, slots=True)
class LearnedBy:
    """One token, and which traces learned it."""

    token: bytes  # its comparison key
    ranks: tuple[int | None, ...]  # for each trace the rank of the merge that made it, or None

    @property
    def everywhere(self) -> bool:
        """Whether every trace learned it."""
        return None not in self.ranks

    @property
    def only(self) -> int | None:
        """Index of the trace that learned it, if it is the only one."""
        traces = [trace for trace, rank in enumerate(self.ranks) if rank is not None]
        return traces[0] if len(traces) == 1 else None


def learned_by(traces: Sequence[Trace], k: int | None = None) -> list[LearnedBy]:
    r"""Return every token that a trace learned in its first `k` merges: the first trace's tokens, then the next one's.

    >>> import bpe
    >>> traces = [bpe.train("abc abc", "char-eow", rule, merges=1) for rule in ("first", "pair-max")]
    >>> [(learned.token, learned.ranks) for learned in learned_by(traces)]
    [(b'ab', (0, None)), (b'c\xff', (None, 0))]
    """
    rank_of = [{token: rank for rank, token in enumerate(tokens[:k])} for tokens in _learned_tokens(traces)]
    tokens = dict.fromkeys(token for ranks in rank_of for token in ranks)
    return [LearnedBy(token, tuple(ranks.get(token) for ranks in rank_of)) for token in tokens]


def same_markers(traces: Sequence[Trace]) -> bool:
    """Return whether symbols can be compared as bytes: every variant marks words with the same byte, or none does."""
    return len({trace.variant.marker for trace in traces}) == 1


def same_words(traces: Sequence[Trace]) -> bool:
    """Return whether all traces change, split and spell text in the same way, so that pre-tokens can be compared."""
    return _same_spelling(traces) and len({trace.request.normalization for trace in traces}) == 1


def comparison_keys(traces: Sequence[Trace]) -> list[Callable[[Symbol], bytes]]:
    """Return for each trace the function from a symbol to the bytes by which it is compared."""
    if same_markers(traces):
        return [bytes for _ in traces]
    return [trace.variant.spelled for trace in traces]


def moved(first: Trace, second: Trace) -> tuple[bytes, ...]:
    """Return the smallest set of shared tokens without which both traces learned the rest in the same order."""
    both = [token for token in learned_by((first, second)) if token.everywhere]
    in_order = _longest_increasing([rank for token in both if (rank := token.ranks[1]) is not None])
    return tuple(token.token for at, token in enumerate(both) if at not in in_order)


def steps_side_by_side(traces: Sequence[Trace]) -> list[Choices]:
    """Return the steps of all traces at merge 0, 1, 2, …, up to the longest trace's last merge."""
    most = max((len(trace.steps) for trace in traces), default=0)
    columns = [[*trace.steps[:], *[None] * (most - len(trace.steps))] for trace in traces]
    return list(zip(*columns, strict=True))


def differing(traces: Sequence[Trace]) -> list[bool]:
    """Return for each merge whether traces made different tokens, or whether one had ended."""
    return [len(set(tokens)) > 1 for tokens in zip_longest(*_learned_tokens(traces))]


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first merge at which traces differ."""

    rank: int
    choices: Choices
    tied: tuple[tuple[Pair, ...], ...]  # for each trace the pairs it chose from, in order of first occurrence

    @property
    def one_tie(self) -> bool:
        """Whether all traces chose from the same tied pairs, so that only the rule made the difference."""
        return len(self.tied[0]) > 1 and len({frozenset(pairs) for pairs in self.tied}) == 1


def first_difference(traces: Sequence[Trace]) -> int | None:
    """Return the rank of the first merge at which the traces made different tokens; None if there is none.

    `first_divergence` also returns what each could choose from, which takes much longer.
    """
    differs = differing(traces)
    return differs.index(True) if True in differs else None


def first_divergence(traces: Sequence[Trace]) -> Divergence | None:
    """Return the first merge at which the traces differ; None if they learned the same tokens in the same order."""
    rank = first_difference(traces)
    if rank is None:
        return None
    steps = tuple(trace.steps[rank] if rank < len(trace.steps) else None for trace in traces)
    return Divergence(rank, steps, tuple(trace.tied_pairs(min(rank, len(trace.steps))) for trace in traces))


@dataclass(frozen=True, slots=True)
class VocabularyAgreement:
    """What two vocabularies have in common.

    "Learned" tokens were created by merges. Tokens are compared as they are; if lanes have different markers or split
    text differently, by their text without marker and leading space (see `_bare_text`).
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
        list(map(key, trace.symbols)) for trace, key in zip(traces, _agreement_keys(traces), strict=True)
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
        tau=_kendall_tau(ranks) if len(ranks) > 1 else None,
        occurrences=_shared_occurrences(traces, compared),
    )


def _same_spelling(traces: Sequence[Trace]) -> bool:
    """Return whether all traces split and spell a normalized text in the same way, so that tokens can be compared."""
    return len(set(map(_splitting, traces))) == 1


def _splitting(trace: Trace) -> tuple[object, ...]:
    """Return what names the way in which a trace splits text. Variants of files share a slug, but not a function."""
    variant, normalizer = trace.variant, trace.request.normalizer
    own = None if variant.slug in VARIANTS else variant.split
    return variant.slug, variant.pattern, variant.unit, own, normalizer


def _longest_increasing(numbers: Sequence[int]) -> set[int]:
    """Return the indices of a longest increasing subsequence (patience sorting)."""
    least: list[int] = []  # least[n]: the smallest last number of an increasing subsequence of n + 1 numbers
    ends: list[int] = []  # ends[n]: the index of that number
    previous: list[int] = []  # for each number the index before it in its subsequence, or -1
    for index, number in enumerate(numbers):
        length = bisect_left(least, number)
        previous.append(ends[length - 1] if length else -1)
        least[length : length + 1] = [number]
        ends[length : length + 1] = [index]
    indices: set[int] = set()
    index = ends[-1] if ends else -1
    while index >= 0:
        indices.add(index)
        index = previous[index]
    return indices


def _newly_shared(first: Sequence[bytes], second: Sequence[bytes]) -> Iterator[int]:
    """Yield how many more tokens both lists share after 1, 2, … tokens of each."""
    in_first: set[bytes] = set()
    in_second: set[bytes] = set()
    for one, other in zip_longest(first, second):
        if one is not None:
            in_first.add(one)
        if other is not None:
            in_second.add(other)
        yield len({token for token in (one, other) if token in in_first and token in in_second})


def _learned_tokens(traces: Sequence[Trace]) -> list[list[bytes]]:
    """Return for each trace the comparison keys of the tokens that it made, by rank."""
    return [
        list(map(key, trace.symbols[len(trace.alphabet) :]))
        for trace, key in zip(traces, comparison_keys(traces), strict=True)
    ]


def _agreement_keys(traces: Sequence[Trace]) -> list[Callable[[Symbol], bytes]]:
    """Return for each trace the function from a symbol to the bytes by which its vocabulary is compared."""
    if same_markers(traces) and _same_spelling(traces):
        return comparison_keys(traces)
    return [partial(_bare_text, marker=trace.variant.marker) for trace in traces]


def _bare_text(symbol: Symbol, marker: bytes | None) -> bytes:
    r"""Return a token without its marker and without white space in front.

    >>> _bare_text(b" low", None), _bare_text(b"low\xff", b"\xff")
    (b'low', b'low')
    """
    bare = symbol.replace(marker, b"") if marker else symbol
    return bare.removeprefix(METASPACE).lstrip(b" ") or bare


def _average_overlap(first: Sequence[bytes], second: Sequence[bytes]) -> float:
    longest = max(len(first), len(second))
    shared = accumulate(_newly_shared(first, second))
    return sum(number / depth for depth, number in enumerate(shared, start=1)) / longest if longest else 1.0


def _kendall_tau(ranks: Sequence[int]) -> float:
    """Return Kendall's tau of different numbers against their order in the sequence.

    >>> _kendall_tau([0, 1, 2]), _kendall_tau([2, 1, 0]), _kendall_tau([0, 2, 1])
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
