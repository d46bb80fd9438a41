"""Measures: what one segmentation costs, and what several trainings on one corpus have in common.

Traces are compared token by token. Where their variants use different markers, tokens are compared by their spelled
text (`</w>`, `▁`), and words by where their letters are cut: `same_markers` and `same_words` say which it is.
"Shared" and "learned" count the tokens that merges made; initial symbols are not among them.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from bpe.symbols import Pair, Symbol, Word
from bpe.trace.steps import Step
from bpe.trace.trace import Trace

Choices = tuple[Step | None, ...]  # one for each trace; None for a training that has ended


# One text under one tokenizer


def same_markers(traces: Sequence[Trace]) -> bool:
    """Whether symbols can be compared as they are: every variant marks words by the same byte, or none does."""
    return len({trace.variant.marker for trace in traces}) == 1


def same_words(traces: Sequence[Trace]) -> bool:
    """Whether all variants cut and spell a text alike, so that words can be compared as they are."""
    return len({(trace.variant.slug, trace.variant.pattern, trace.variant.unit) for trace in traces}) == 1


def comparison_keys(traces: Sequence[Trace]) -> list[Callable[[Symbol], bytes]]:
    """For each trace: symbol -> the name it goes by in a comparison."""
    if same_markers(traces):
        return [bytes for _ in traces]
    return [trace.variant.spelled for trace in traces]


@dataclass(frozen=True, slots=True)
class LearnedBy:
    """What became of one token."""

    token: bytes  # the name it goes by in this comparison
    ranks: tuple[int | None, ...]  # of the merge that made it, in each trace

    @property
    def everywhere(self) -> bool:
        """Every trace learned it."""
        return None not in self.ranks

    @property
    def only(self) -> int | None:
        """The number of the one trace that learned it, if it is one."""
        lanes = [lane for lane, rank in enumerate(self.ranks) if rank is not None]
        return lanes[0] if len(lanes) == 1 else None


def learned_by(traces: Sequence[Trace], k: int | None = None) -> list[LearnedBy]:
    r"""Every token that some trace learned in its first `k` merges, in the order of the first trace, then the next.

    >>> import bpe
    >>> rules = [bpe.train("abc abc", "char-eow", rule, merges=1) for rule in ("first", "pair-max")]
    >>> [(fate.token, fate.ranks) for fate in learned_by(rules)]
    [(b'ab', (0, None)), (b'c\xff', (None, 0))]
    """
    learned = [{token: rank for rank, token in enumerate(tokens[:k])} for tokens in _made(traces)]
    tokens = dict.fromkeys(token for ranks in learned for token in ranks)
    return [LearnedBy(token, tuple(ranks.get(token) for ranks in learned)) for token in tokens]


@dataclass(frozen=True, slots=True)
class Agreement:
    """The tokens of two traces. `moved`: the fewest of `both` that would have to change places to be in one order."""

    only_first: tuple[bytes, ...]
    both: tuple[bytes, ...]
    only_second: tuple[bytes, ...]
    moved: tuple[bytes, ...]

    @property
    def share(self) -> float:
        """Tokens in both, of those the longer trace learned; 1 where neither learned any."""
        most = len(self.both) + max(len(self.only_first), len(self.only_second))
        return len(self.both) / most if most else 1.0


def agreement(first: Trace, second: Trace, k: int | None = None) -> Agreement:
    """Which tokens of the first `k` merges are in one trace only, in both, and in both but in another order."""
    all_fates = learned_by((first, second), k)
    both = [(fate.token, fate.ranks[1]) for fate in all_fates if fate.everywhere]
    ordered = _longest_rising([rank for _, rank in both if rank is not None])
    return Agreement(
        only_first=tuple(fate.token for fate in all_fates if fate.only == 0),
        both=tuple(token for token, _ in both),
        only_second=tuple(fate.token for fate in all_fates if fate.only == 1),
        moved=tuple(token for place, (token, _) in enumerate(both) if place not in ordered),
    )


def _longest_rising(numbers: Sequence[int]) -> set[int]:
    """The places of a longest rising subsequence (patience sorting)."""
    least: list[int] = []  # the smallest number a rising run of each length ends in
    ends: list[int] = []  # where it stands
    before: list[int] = []  # the place before each in its run
    for place, number in enumerate(numbers):
        length = bisect_left(least, number)
        before.append(ends[length - 1] if length else -1)
        least[length : length + 1] = [number]
        ends[length : length + 1] = [place]
    places: set[int] = set()
    place = ends[-1] if ends else -1
    while place >= 0:
        places.add(place)
        place = before[place]
    return places


def shared_by_step(first: Trace, second: Trace) -> list[int]:
    """How many tokens both have learned after 0, 1, 2, … merges of each, up to the longer one's last."""
    shared = [0]
    mine: set[bytes] = set()
    theirs: set[bytes] = set()
    for one, other in zip_longest(*_made((first, second))):
        if one is not None:
            mine.add(one)
        if other is not None:
            theirs.add(other)
        new = {token for token in (one, other) if token is not None and token in mine and token in theirs}
        shared.append(shared[-1] + len(new))
    return shared


def _made(traces: Sequence[Trace]) -> list[list[bytes]]:
    """For each trace, the names of the tokens it made, by merge."""
    return [
        list(map(name, trace.symbols[len(trace.alphabet) :]))
        for trace, name in zip(traces, comparison_keys(traces), strict=True)
    ]


# Several traces: which decisions


def steps_side_by_side(traces: Sequence[Trace]) -> list[Choices]:
    """What each trace took at merge 0, 1, 2, …, up to the longest one's last."""
    most = max((len(trace.steps) for trace in traces), default=0)
    columns = [[*trace.steps[:], *[None] * (most - len(trace.steps))] for trace in traces]
    return list(zip(*columns, strict=True))


def differing(traces: Sequence[Trace]) -> list[bool]:
    """For each merge, whether some traces made different tokens, or one had ended."""
    return [len(set(tokens)) > 1 for tokens in zip_longest(*_made(traces))]


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first merge at which traces part."""

    rank: int
    choices: Choices
    tied: tuple[
        tuple[Pair, ...], ...
    ]  # for each trace, the pairs it chose from, in order of first occurrence

    @property
    def one_tie(self) -> bool:
        """All chose from the same tied pairs: only the rule made the difference."""
        return len(self.tied[0]) > 1 and len({frozenset(pairs) for pairs in self.tied}) == 1


def first_divergence(traces: Sequence[Trace]) -> Divergence | None:
    """Where the traces part, or None where they learned the same tokens in the same order."""
    differs = differing(traces)
    if True not in differs:
        return None
    rank = differs.index(True)
    steps = tuple(trace.steps[rank] if rank < len(trace.steps) else None for trace in traces)
    return Divergence(rank, steps, tuple(trace.tied_pairs(min(rank, len(trace.steps))) for trace in traces))


# Several traces: how words are cut


@dataclass(frozen=True, slots=True)
class WordUnderTraces:
    """One word under every trace."""

    word: str
    frequency: int
    tokens: tuple[Word, ...]  # for each trace
    differs: bool


def words_of(traces: Sequence[Trace], texts: Iterable[str]) -> dict[str, int]:
    """The words to compare, with their frequency: pre-tokens where all cut alike, else what white space separates."""
    if not same_words(traces):
        return dict(Counter(word for text in texts for word in text.split()))
    return dict(
        Counter(
            word
            for text in texts
            for part in traces[0].request.documents(text)
            for word in traces[0].variant.split(part)
        )
    )


def cut_words(
    traces: Sequence[Trace], words: Mapping[str, int], k: int | None = None
) -> list[WordUnderTraces]:
    """Each of the `words_of` a text as the traces cut it after `k` merges (all of them by default).

    Where variants differ, each word is cut as it stands after a space, and its letters alone are compared: markers and
    the space are left out of its tokens.
    """
    alike = same_words(traces)
    ways = [(_whole_words if alike else _letters)(trace, k) for trace in traces]
    found: list[WordUnderTraces] = []
    for word, frequency in words.items():
        tokens = tuple(cut(word) for cut in ways)
        found.append(WordUnderTraces(word, frequency, tokens, len(set(tokens)) > 1))
    return found


def _whole_words(trace: Trace, k: int | None) -> Callable[[str], Word]:
    k = len(trace.steps) if k is None else min(k, len(trace.steps))
    words = (word for word, _ in trace.words_at(k))
    known = dict(zip(trace.pre_tokens, words, strict=True))
    tokenizer = trace.tokenizer(k)

    def cut(word: str) -> Word:
        return known.get(word) or tuple(tokenizer.word_tokens(word))

    return cut


def _letters(trace: Trace, k: int | None) -> Callable[[str], Word]:
    tokenizer = trace.tokenizer(None if k is None else min(k, len(trace.steps)))
    marker = trace.variant.marker

    def cut(word: str) -> Word:
        tokens = tokenizer.tokens(" " + word)
        if marker is not None:
            tokens = [token.replace(marker, b"") for token in tokens]
        tokens[:1] = [token.removeprefix(b" ") for token in tokens[:1]]
        return tuple(filter(None, tokens))

    return cut
