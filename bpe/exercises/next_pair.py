"""Which pair is merged next? Every pair with the highest count is right, unless the question is about the rule."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from bpe.analysis.ties import why_won
from bpe.exercises.verdict import Piece, Verdict, listed, pair_pieces, times
from bpe.settings.request import Text
from bpe.settings.tie_breaking import TieBreak
from bpe.symbols import BPEError, Pair, Symbol, count_pairs
from bpe.text.display import counted
from bpe.trace.trace import Trace

_MOST_CHARACTERS = 100_000  # of a text that is read; a mistake in counting by hand is about a short one
_MOST_OPTIONS = 6
_MOST_RIGHT = 3  # options that are right
_MOST_WORDS = 3  # that an answer names


@dataclass(frozen=True)
class NextPair:
    """The question which pair the next merge joins, after `step` merges of a training on `text`."""

    trace: Trace
    step: int
    text: Text
    by_rule: bool = False  # whether only the pair that the tie-breaking rule picks is right

    def __post_init__(self) -> None:
        if not 0 <= self.step < len(self.trace.steps):
            raise BPEError(f"There must be a merge after step {self.step}, of {len(self.trace.steps)}.")

    @property
    def winner(self) -> Pair:
        """The pair that is merged."""
        return self.trace.steps[self.step].pair

    @cached_property
    def tied(self) -> tuple[Pair, ...]:
        """The pairs with the highest count, in order of first occurrence."""
        return self.trace.tied_pairs(self.step)

    @property
    def right(self) -> tuple[Pair, ...]:
        """The right answers."""
        return (self.winner,) if self.by_rule else self.tied

    @cached_property
    def counts(self) -> Mapping[Pair, int]:
        """The count of every pair."""
        return self.trace.pair_counts(self.step)

    @property
    def highest(self) -> int:
        """The highest count."""
        return self.trace.steps[self.step].count

    @cached_property
    def misconceptions(self) -> Mapping[str, frozenset[Pair]]:
        """The pairs that each misconception gives, without the right ones."""
        gives = {name: frozenset(pairs(self)) for name, pairs in _MISCONCEPTIONS.items()}
        return {name: pairs - set(self.right) for name, pairs in gives.items()}

    def options(self) -> list[Pair]:
        """Return pairs to choose from, right ones and those of misconceptions, in dictionary order."""
        right = list(dict.fromkeys((self.winner, *self.tied)))[:_MOST_RIGHT]
        wrong = [min(pairs) for pairs in self.misconceptions.values() if pairs]
        frequent = sorted(self.counts, key=lambda pair: (-self.counts[pair], pair))
        spelled = self.trace.variant.spelled
        options = dict.fromkeys([*right, *wrong, *frequent[: 2 * _MOST_OPTIONS]])
        return sorted(list(options)[:_MOST_OPTIONS], key=lambda pair: (spelled(pair[0]), spelled(pair[1])))

    def judge(self, pair: Pair) -> Verdict:
        """Return the verdict on a pair."""
        if pair in self.right:
            return Verdict(True, self._praise(pair))
        mistakes = tuple(name for name, pairs in self.misconceptions.items() if pair in pairs)
        why = _REASONS[mistakes[0]](self, pair) if mistakes else ()
        crosses = "across_words" in mistakes and pair not in self.counts
        comparison = () if crosses else self._comparison(pair)
        return Verdict(False, (*why, *comparison), mistakes)

    def solution(self) -> tuple[Piece, ...]:
        """Return the answer as a sentence."""
        often = f" occurs {times(self.highest)}, more often than any other pair."
        if len(self.tied) < 2:
            return (*pair_pieces(self.winner), often)
        rule, why = f"The rule “{self.trace.tie_break.title}” picks ", self._reason()
        if len(self.tied) > _MOST_OPTIONS:
            tie: tuple[Piece, ...] = (f"{len(self.tied):,} pairs tie at {self.highest:,}. ",)
        else:
            tie = (*listed(self.tied), f" tie at {self.highest:,}. ")
        return (*tie, rule, *pair_pieces(self.winner), f"{why}.")

    def _reason(self) -> str:
        """Return why the rule picks its pair, after a colon; "" if nothing tells."""
        why = why_won(self.trace, self.step)
        return f": {why}" if why else ""

    def _praise(self, pair: Pair) -> tuple[Piece, ...]:
        right: tuple[Piece, ...] = ("Right! ", *pair_pieces(pair), f" occurs {times(self.highest)}.")
        if len(self.tied) < 2:
            return right
        others = counted(len(self.tied) - 1, "other pair")
        all_right = "both are right" if len(self.tied) == 2 else "each of them is right"
        rule = f" It ties with {others}: {all_right}. The rule “{self.trace.tie_break.title}” picks "
        if self.by_rule:
            rule = f" It ties with {others}, and the rule “{self.trace.tie_break.title}” picks "
        return (*right, rule, *pair_pieces(self.winner), ".")

    def _comparison(self, pair: Pair) -> tuple[Piece, ...]:
        count = self.counts.get(pair, 0)
        if pair in self.tied:
            return ()
        if count == 0:
            return ("No word has ", pair[0], " followed by ", pair[1], " now.")
        if count > self.highest:
            return ("The settings of this training never merge ", *pair_pieces(pair), ".")
        more = f" occurs {times(count)}{self._where(pair)}. Another pair occurs more often. Try again."
        return (*pair_pieces(pair), more)

    def _where(self, pair: Pair) -> str:
        """Return how often each word contributes to the count of a pair, in brackets; "" for one word, or for many."""
        variant, overlaps = self.trace.variant, self.trace.request.overlaps
        holders: list[str] = []
        for word, frequency in self.trace.words_at(self.step):
            if count := count_pairs([(word, frequency)], overlaps=overlaps).get(pair):
                spelled = "".join(map(variant.label, word)).removesuffix(variant.marker_text or "")
                holders.append(f"{count:,} in {spelled}")
            if len(holders) > _MOST_WORDS:
                return ""
        return f" ({', '.join(holders)})" if len(holders) > 1 else ""


def _pairs_across_words(trace: Trace, text: Text, step: int) -> dict[Pair, int]:
    """Return how often each pair lies across the gap between two pre-tokens after `step` merges.

    Empty for counted words, which have no neighbours, and for a long text.

    >>> import bpe
    >>> _pairs_across_words(bpe.train("ab ab a", "custom", merges=0, pattern="[a-z]+"), "ab ab a", 0)
    {(b'b', b'a'): 2}
    """
    if isinstance(text, Mapping):
        return {}
    documents = [text] if isinstance(text, str) else list(text)
    if sum(map(len, documents)) > _MOST_CHARACTERS:
        return {}
    segmentations = zip(trace.pre_tokens, trace.words_at(step), strict=True)
    ends: dict[str, tuple[Symbol, Symbol]] = {
        pre_token: (word[0], word[-1]) for pre_token, (word, _) in segmentations
    }
    counts: dict[Pair, int] = {}
    for document in trace.request.documents(documents):
        pre_tokens = (piece for piece in trace.variant.split(document) if piece in ends)
        for before, after in pairwise(pre_tokens):
            pair = (ends[before][1], ends[after][0])
            counts[pair] = counts.get(pair, 0) + 1
    return counts


def _across_words(question: NextPair) -> set[Pair]:
    """Return the best pairs if the gaps between words are ignored, and the pairs that occur only across gaps."""
    across = _pairs_across_words(question.trace, question.text, question.step)
    # Before a second stage begins, the trace's words are already the longer ones.
    longer = count_pairs(question.trace.words_at(question.step), overlaps=question.trace.request.overlaps)
    across |= {pair: count for pair, count in longer.items() if pair not in question.counts}
    together = {
        pair: across.get(pair, 0) + question.counts.get(pair, 0) for pair in (*across, *question.counts)
    }
    return _best_of(together) | (across.keys() - question.counts.keys())


def _before_the_last_merge(question: NextPair) -> set[Pair]:
    """Return the best pairs if the counts before the last merge are used again."""
    if question.step == 0:
        return set()
    last = question.trace.steps[question.step - 1].pair
    return _best_of(question.trace.pair_counts(question.step - 1), without=[last])


def _without_frequencies(question: NextPair) -> set[Pair]:
    """Return the best pairs if every different word is counted once, unless they are in one word only."""
    best = _best_of(_word_counts(question))
    return best if max(map(_word_counts(question).__getitem__, best), default=0) > 1 else set()


def _without_overlaps(question: NextPair) -> set[Pair]:
    """Return the best pairs if only occurrences that can be merged are counted."""
    if not question.trace.request.overlaps:
        return set()
    counts = count_pairs(question.trace.words_at(question.step), overlaps=False)
    return _best_of(_inside(question, counts))


def _with_overlaps(question: NextPair) -> set[Pair]:
    """Return the best pairs if overlapping occurrences count."""
    if question.trace.request.overlaps:
        return set()
    return _best_of(_inside(question, count_pairs(question.trace.words_at(question.step))))


def _single_tokens(question: NextPair) -> set[Pair]:
    """Return the pairs of two different tokens that are the most frequent, each on its own."""
    alone = question.trace.token_counts(question.step)
    different = [pair for pair in question.counts if pair[0] != pair[1]]
    return _best_of({pair: alone.get(pair[0], 0) + alone.get(pair[1], 0) for pair in different})


def _longest_token(question: NextPair) -> set[Pair]:
    """Return the pairs that make the longest token, if it is longer than the one that is right."""
    length = question.trace.variant.length
    longest = _best_of({pair: length(pair[0] + pair[1]) for pair in question.counts})
    lengths = {length(left + right) for left, right in (*question.tied, *longest)}
    return longest if len(lengths) > 1 else set()


def _other_rules(question: NextPair) -> set[Pair]:
    """Return the tied pairs that another rule would pick."""
    return set(question.tied) if question.by_rule else set()


# {misconception: the pairs that it gives}, the most telling ones first
_MISCONCEPTIONS: Mapping[str, Callable[[NextPair], set[Pair]]] = {
    "other_rules": _other_rules,
    "across_words": _across_words,
    "before_the_last_merge": _before_the_last_merge,
    "without_frequencies": _without_frequencies,
    "without_overlaps": _without_overlaps,
    "with_overlaps": _with_overlaps,
    "single_tokens": _single_tokens,
    "longest_token": _longest_token,
}


def _best_of(counts: Mapping[Pair, int], without: Iterable[Pair] = ()) -> set[Pair]:
    """Return the pairs with the highest count, of those that are not left out."""
    left = {pair: count for pair, count in counts.items() if pair not in set(without)}
    highest = max(left.values(), default=0)
    return {pair for pair, count in left.items() if count == highest and count}


def _word_counts(question: NextPair) -> Mapping[Pair, int]:
    """Return in how many different words each pair is, counted as often as it is in the word."""
    words = ((word, 1) for word, _ in question.trace.words_at(question.step))
    return _inside(question, count_pairs(words, overlaps=question.trace.request.overlaps))


def _inside(question: NextPair, counts: Mapping[Pair, int]) -> Mapping[Pair, int]:
    """Return the counts without pairs that occur only across the gaps between words."""
    return {pair: count for pair, count in counts.items() if pair in question.counts}


def _about_rule(rule: TieBreak) -> str:
    """Return which rule it is and what it does, as sentences."""
    does = rule.about if rule.by_hand else f"It {rule.about[0].lower()}{rule.about[1:]}"
    return f"Here the rule is “{rule.title}”. {does}"


_REASONS: Mapping[str, Callable[[NextPair, Pair], tuple[Piece, ...]]] = {
    "other_rules": lambda question, pair: (
        *pair_pieces(pair),
        " ties with the right pair, but another rule would pick it. ",
        _about_rule(question.trace.tie_break),
    ),
    "across_words": lambda question, pair: (
        *pair_pieces(pair),
        " crosses from one word into the next. Such neighbours are not counted: no merge may join two words here. ",
    ),
    "before_the_last_merge": lambda question, pair: (
        "That was so before the last merge, which made ",
        b"".join(question.trace.steps[question.step - 1].pair),
        ". Count again. ",
    ),
    "without_frequencies": lambda question, pair: (
        "If each different word were counted once, no pair would be ahead of ",
        *pair_pieces(pair),
        f", with {_word_counts(question)[pair]:,}. But each word adds its own frequency to the count of each of its "
        "pairs. ",
    ),
    "without_overlaps": lambda question, pair: (
        "That would be so if overlapping occurrences were counted once. But each of them counts, even if only one can "
        "be merged. ",
    ),
    "with_overlaps": lambda question, pair: (
        "Some of its occurrences overlap. Here only those that can be merged count. ",
    ),
    "single_tokens": lambda question, pair: (
        pair[0],
        " and ",
        pair[1],
        " are each frequent on their own. Count how often they are neighbours, in this order. ",
    ),
    "longest_token": lambda question, pair: (
        "It would make the longest token, but the count decides, not the length. ",
    ),
}
