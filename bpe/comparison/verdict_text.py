"""The verdict in sentences, for the page Compare, the command line and reports.

`headline` is the answer in one line. `first_sentences` continue it and repeat nothing of it: they may begin with "That
is" or "Only 3 of 809 words", so they must be read right after it. `sentences` adds the other evidence.
`_headlined_figure` is the number in the answer, which a page draws as a bar. `names` are those of the lanes, as they
are written in the middle of a sentence. The sentences are plain text: the caller must escape the names and the words.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import ceil, floor

from bpe.comparison.evidence import Evidence, PairEvidence
from bpe.comparison.evidence_text import (
    all_the_same,
    bound,
    examples,
    held_out_sentence,
    in_some_pair,
    interval_of_the_rest,
    known_words,
    lines_sentence,
    listed_examples,
    luck_sentence,
    overlap_sentence,
    percent,
    percent_range,
    positive,
    share_of_draws,
    tokens_sentence,
    unequal_merges,
    unequal_sentence,
    unknown_tokens_sentence,
    unknown_training_sentence,
    unused_merges_sentence,
    vocabulary_sentence,
    white_space_sentence,
    words_sentence,
)
from bpe.comparison.held_out import KNOWN, WORDS
from bpe.comparison.intervals import Estimate
from bpe.comparison.verdict import CHANCE, SAME, TOKENS, WHOLE, most_by_luck
from bpe.text.display import counted, listed

__all__ = ["COMPRESSION", "first_sentences", "headline", "sentences", "thresholds"]

# Characters of an example word in the headline, which is one line in the presenter view.
LONGEST_HEADLINED = 10
# Share of the pairs of random draws: if more differ as much, luck does more than the choice of lanes.
MOSTLY = 0.5
_TOO_SHORT = "the text is too short to be sure"
UNDECIDED = ("not held out", "unlike text")
COMPRESSION = (
    "Characters per token: the characters of the held-out text, white space included, divided by its tokens. Tokens "
    "per word: its tokens divided by its words, which white space separates. A marker such as </w>, or a byte of a "
    "longer character, can be a token of its own, so a lane can have less than one character per token."
)


def headline(evidence: Evidence, names: Sequence[str]) -> str:
    """Return the answer in one line."""
    return _HEADLINES[evidence.verdict.answer](evidence, names)


def first_sentences(evidence: Evidence, names: Sequence[str]) -> list[str]:
    """Return the evidence that matters most. It must be read right after the headline."""
    if evidence.verdict.answer in ("nothing to merge", "no"):
        return []
    # If a text cannot show how the lanes differ, it cannot show what luck does either.
    luck = "" if evidence.verdict.answer in UNDECIDED else luck_sentence(evidence, names)
    others = (unequal_sentence(evidence), unknown_tokens_sentence(evidence, names), luck)
    return [*_continued(evidence, names), *filter(None, others)]


def sentences(evidence: Evidence, names: Sequence[str]) -> list[str]:
    """Return the evidence behind the answer, the most important first."""
    answer = evidence.verdict.answer
    if answer in ("nothing to merge", "no"):
        return []
    undecided = answer in UNDECIDED
    others = (
        words_sentence(evidence) if undecided else "",
        tokens_sentence(evidence, names) if undecided else "",
        unused_merges_sentence(evidence, names),
        unknown_training_sentence(evidence, names),
        lines_sentence(evidence, names),
        white_space_sentence(evidence, names),
        vocabulary_sentence(evidence),
        held_out_sentence(evidence),
        overlap_sentence(evidence) if not undecided else "",
    )
    return [*first_sentences(evidence, names), *filter(None, others)]


@dataclass(frozen=True, slots=True)
class HeadlinedFigure:
    """A share of the held-out words or tokens that decides the answer."""

    is_of_words: (
        bool  # share of the words that are split differently; if not, of the tokens that one lane needs more
    )
    value: float
    interval: tuple[float, float] | None
    limit: float  # from here on, it matters
    chance: tuple[float, float] | None  # from where to where random tie-breaks would explain it
    is_beyond_chance: bool


def answered_figure(evidence: Evidence) -> HeadlinedFigure | None:
    """Return the figure that decides the answer, if it has an interval: what a picture of the answer shows."""
    if evidence.verdict.answer not in ("yes", "perhaps", "hardly"):
        return None
    figure = _headlined_figure(evidence)
    return figure if figure.interval else None


def lanes_of(evidence: Evidence, figure: HeadlinedFigure) -> str:
    """Return which lanes the figure is of."""
    if figure.is_of_words and len(evidence.pairs) > 1:
        return "The two lanes that differ most"
    return "These two lanes" if len(evidence.pairs) == 1 else "These lanes"


def _continued(evidence: Evidence, names: Sequence[str]) -> list[str]:
    """Return the sentences that continue the headline."""
    answer = evidence.verdict.answer
    if answer in ("nothing to merge", "no"):
        why = []
    elif answer == "not held out":
        why = [
            _lines_in_corpus(evidence),
            "A text that was trained on cannot tell how new text is split. To get an answer, hold out another one.",
        ]
    elif answer == "unlike text":
        why = ["To get an answer, hold out a text that is more like the training text."]
    elif answer == "too little text":
        why = [_which_words(evidence), _whole_words(evidence), tokens_sentence(evidence, names)]
    elif answer == "hardly":
        why = [_whole_words(evidence), _few_words(evidence, "Only "), tokens_sentence(evidence, names)]
    elif not _is_about_words(evidence):
        why = [_compared_lanes(evidence, names), words_sentence(evidence)]
    elif answer == "yes":
        words = [_counted_words(evidence)]
        if len(evidence.pairs) > 1:
            words = [_most_different_lanes(evidence, names), words_sentence(evidence)]
        why = [*words, tokens_sentence(evidence, names)]
    else:
        why = [_few_words(evidence, ""), tokens_sentence(evidence, names)]
    return [sentence for sentence in why if sentence]


def thresholds() -> str:
    """Return what the answers mean."""
    return (
        f"Lanes are compared two by two. “It hardly matters”: any two split at least {percent(SAME)} of the held-out "
        "words the same way, and no lane "
        f"needs over {TOKENS * 100:g}% more tokens than another, for every value in the intervals. “It matters”: one "
        "of the two is false for every value in its interval. “It may matter”: anything between. There is an answer "
        f"only if at least {percent(KNOWN)} of the held-out "
        f"words occur in the training text, but fewer than half of the sequences of {WORDS} words do. “Almost every "
        f"held-out word” means at least {percent(WHOLE)}. “More than random tie-breaks would explain”: fewer than "
        f"{CHANCE * 100:g} in 100 pairs of random draws differ as much, with a correction for words and tokens, for "
        "all pairs of lanes, and for the number of draws."
    )


def _nothing_to_merge(evidence: Evidence, names: Sequence[str]) -> str:
    return "It does not matter: there is nothing to merge."


def _no(evidence: Evidence, names: Sequence[str]) -> str:
    everyone = "both lanes" if len(names) == 2 else f"all {len(names)} lanes"
    merges = "merge" if evidence.merges == 1 else f"{evidence.merges:,} merges in the same order"
    return f"It does not matter: {everyone} make the same {merges}."


def _hardly(evidence: Evidence, names: Sequence[str]) -> str:
    if evidence.whole_words == 1:
        return "It hardly matters here: in every lane, every held-out word is a single token."
    if evidence.verdict.is_trivial:
        return "It hardly matters here: in every lane, almost every held-out word is a single token."
    return f"It hardly matters: {_same_words(evidence)}{_words_at_equal(evidence)}."


def _perhaps(evidence: Evidence, names: Sequence[str]) -> str:
    if _is_about_words(evidence):
        short = _words_at_equal(evidence) or f", but {_TOO_SHORT}"
        return f"It may matter: {_same_words(evidence)}{short}."
    interval = _widest_pair(evidence).more_tokens.interval
    at_equal = _tokens_at_equal(evidence) or f", and {_TOO_SHORT}"
    if interval and interval[0] <= 0 <= interval[1]:
        most = bound(_most_more(interval), ceil)
        return f"It may matter: one lane may need up to {most} more tokens than another{at_equal}."
    more = _more_tokens(evidence)
    return f"It may matter: one lane seems to need {more} more tokens than another{at_equal}."


def _yes(evidence: Evidence, names: Sequence[str]) -> str:
    # A difference that other numbers of merges explain says nothing about the rules: it does not say that it matters.
    matters, one = ("", "One") if unequal_merges(evidence) else ("It matters: ", "one")
    if _is_about_words(evidence):
        differing = percent(_headlined_figure(evidence).value)
        by_two = " by two of the lanes" if len(evidence.pairs) > 1 else ""
        return (
            f"{matters}{differing} of the held-out words are split differently{by_two}{_words_at_equal(evidence)}"
            f"{_beside_chance(evidence)}."
        )
    more = _more_tokens(evidence)
    return (
        f"{matters}{one} lane needs {more} more tokens than another{_tokens_at_equal(evidence)}"
        f"{_beside_chance(evidence)}."
    )


def _too_little(evidence: Evidence, names: Sequence[str]) -> str:
    return f"Not enough held-out text to say whether it matters: {_words_here(evidence)}"


def _unlike(evidence: Evidence, names: Sequence[str]) -> str:
    return f"The held-out text is too different: {known_words(evidence)} of its words occur in the training text."


def _not_held_out(evidence: Evidence, names: Sequence[str]) -> str:
    assert evidence.overlap
    part = "all" if evidence.overlap.share == 1 else percent(evidence.overlap.share)
    return f"The text is not held out: {part} of its sequences of {WORDS} words occur in the training text."


_HEADLINES: dict[str, Callable[[Evidence, Sequence[str]], str]] = {
    "nothing to merge": _nothing_to_merge,
    "no": _no,
    "hardly": _hardly,
    "perhaps": _perhaps,
    "yes": _yes,
    "too little text": _too_little,
    "unlike text": _unlike,
    "not held out": _not_held_out,
}


def _headlined_figure(evidence: Evidence) -> HeadlinedFigure:
    """Return the figure that decides the answer, or leaves it open."""
    if _is_about_words(evidence):
        same = evidence.splits_of_pairs[_most_different_pair(evidence)]
        interval = None if same.interval is None else (1 - same.interval[1], 1 - same.interval[0])
        chance = _chance(evidence, _most_different_pair(evidence), of_words=True)
        return HeadlinedFigure(True, 1 - same.value, interval, 1 - SAME, *chance)
    more = positive(_widest_pair(evidence).more_tokens)
    chance = _chance(evidence, evidence.pairs.index(_widest_pair(evidence)), of_words=False)
    return HeadlinedFigure(False, more.value, more.interval, TOKENS, *chance)


def _is_about_words(evidence: Evidence) -> bool:
    """Return whether the words decide the answer, or leave it open; if not, the numbers of tokens do."""
    interval = evidence.splits_of_pairs[_most_different_pair(evidence)].interval
    answer = evidence.verdict.answer
    if interval is None or answer not in ("yes", "perhaps"):
        return True
    return interval[1] < SAME if answer == "yes" else interval[0] < SAME


def _most_different_pair(evidence: Evidence) -> int:
    """Return the number of the pair of lanes that the headline compares by their words."""
    end = 1 if evidence.verdict.answer == "yes" else 0

    def least(pair: int) -> tuple[float, float]:
        same = evidence.splits_of_pairs[pair]
        return (same.interval[end] if same.interval else same.value), same.value

    return min(range(len(evidence.splits_of_pairs)), key=least)


def _widest_pair(evidence: Evidence) -> PairEvidence:
    """Return the pair of lanes that the headline compares by their tokens."""
    if evidence.verdict.answer == "perhaps":
        return max(evidence.pairs, key=lambda pair: _most_more(pair.more_tokens.interval or (0, 0)))
    pairs = [evidence.pairs[pair] for pair in evidence.verdict.more or (evidence.verdict.widest,)]
    return max(pairs, key=lambda pair: abs(pair.more_tokens.value))


def _most_more(interval: tuple[float, float]) -> float:
    """Return how many more tokens one of two lanes needs at most, as a share of the other's."""
    return max(positive(Estimate(end)).value for end in interval)


def _chance(evidence: Evidence, pair: int, *, of_words: bool) -> tuple[tuple[float, float] | None, bool]:
    """Return from where to where random tie-breaks explain the figure of a pair of lanes, and whether it is beyond.

    The range is None without draws, and for lanes with different numbers of merges, which differ for another reason.
    """
    luck, beside = evidence.luck, evidence.verdict.beside_luck
    if beside is None or evidence.equal is not None:
        return None, False
    is_beyond = beside[pair].words_beyond if of_words else beside[pair].tokens_beyond
    if luck is None:
        return None, is_beyond
    figures = [1 - same for same in luck.same_splits] if of_words else list(luck.more_tokens)
    figures.sort(reverse=True)
    most = max(0, most_by_luck(luck.pairs, len(beside)))
    return (figures[-1], figures[most]), is_beyond


def _same_words(evidence: Evidence) -> str:
    if not evidence.differing:
        return f"all {counted(evidence.compared_words, 'held-out word')} are split the same way"
    if len(evidence.pairs) > 1:
        least = bound(min(pair.same_splits.value for pair in evidence.pairs), floor)
        return f"any two lanes split at least {least} of the held-out words the same way"
    return f"{percent(evidence.same_splits.value)} of the held-out words are split the same way"


def _words_at_equal(evidence: Evidence) -> str:
    """Return which share of the words is, or is not, split differently after equal numbers of merges."""
    equal = evidence.equal
    if equal is None:
        return ""
    pair = _most_different_pair(evidence)
    now, then = evidence.splits_of_pairs[pair].value, equal.splits_of_pairs[pair].value
    shown: Callable[[float], str] = percent
    if evidence.verdict.answer != "yes" and len(evidence.pairs) > 1:
        now = min(one.value for one in evidence.splits_of_pairs)
        then = min(one.value for one in equal.splits_of_pairs)
        shown = partial(bound, to=floor)  # the sentence says "at least"
    elif evidence.verdict.answer == "yes":
        now, then = 1 - now, 1 - then
    share = "as many" if shown(now) == shown(then) else shown(then) if then else "none"
    return f"; after {counted(equal.merges, 'merge')} each, {share} are"


def _tokens_at_equal(evidence: Evidence) -> str:
    """Return how many more tokens the longer of the headline's two lanes needs after equal numbers of merges."""
    equal = evidence.equal
    if equal is None:
        return ""
    more = equal.more_tokens[evidence.pairs.index(_widest_pair(evidence))]
    is_more = more.value * _widest_pair(evidence).more_tokens.value > 0
    number = percent(positive(more).value) if more.value else "no"
    if is_more and number == _more_tokens(evidence):
        number = "as many"
    fewer = "" if is_more or not more.value else ", and then it is the other lane"
    return f"; after {counted(equal.merges, 'merge')} each, {number} more{fewer}"


def _beside_chance(evidence: Evidence) -> str:
    """Return how the figure of the headline compares with that of random tie-breaks, to continue the sentence."""
    luck, beside = evidence.luck, evidence.verdict.beside_luck
    if beside is None or evidence.equal is not None:
        return ""
    figure = _headlined_figure(evidence)
    if figure.is_beyond_chance:
        return ", more than random tie-breaks would explain"
    if len(beside) > 1:  # the most different one of several pairs is no pair of random draws
        return ""
    if luck and most_by_luck(luck.pairs, len(beside)) < 0:
        return ", but there are too few random draws to say whether luck explains that"
    share = beside[0].words if figure.is_of_words else beside[0].tokens
    if share > MOSTLY:
        draws = "every pair of random draws differs" if share == 1 else "most pairs of random draws differ"
        return f", but {draws} at least as much"
    return f", but {share_of_draws(share)} pairs of random draws differ at least as much"


def _words_here(evidence: Evidence) -> str:
    """Return how many words of a short held-out text are split differently."""
    total, differing = evidence.compared_words, evidence.differing_words
    if not differing:
        same = all_the_same(counted(total, "word"))
        return f"{same[:1].lower()}{same[1:]}" if total else "it has no words."
    verb = "is" if differing == 1 else "are"
    word = _headlined_word(evidence)
    equal = evidence.equal
    at_equal = f"; after {counted(equal.merges, 'merge')} each, {equal.differing_words:,}" if equal else ""
    return (
        f"{differing:,} of {counted(total, 'word')} {verb} split differently{in_some_pair(len(evidence.lanes))}"
        f"{f', “{word}”' if word and not at_equal else at_equal}."
    )


def _headlined_word(evidence: Evidence) -> str:
    """Return the only word that is split differently if it is short; "" otherwise."""
    words = examples(evidence)
    only = words[0] if len(words) == evidence.distinct_differing_words == 1 else ""
    return only if len(only) <= LONGEST_HEADLINED else ""


def _which_words(evidence: Evidence) -> str:
    """Return the words that the headline counts, unless it names them."""
    words = [f"“{word}”" for word in examples(evidence)]
    if not words or _headlined_word(evidence):
        return ""
    named = listed(words)
    if evidence.distinct_differing_words > len(words):
        return f"The most frequent of them: {named}." if len(words) > 1 else f"One of them is {named}."
    return f"These words are {named}." if len(words) > 1 else f"This word is {named}."


def _counted_words(evidence: Evidence) -> str:
    """Return how many words the share in the headline is."""
    total = counted(evidence.compared_words, "word")
    words = f"{evidence.differing_words:,} of {total}{interval_of_the_rest(evidence)}"
    return f"That is {words}{listed_examples(evidence)}."


def _most_different_lanes(evidence: Evidence, names: Sequence[str]) -> str:
    """Return which two of many lanes the headline is about."""
    pair = evidence.pairs[_most_different_pair(evidence)]
    first, second, interval = names[pair.first], names[pair.second], pair.same_splits.interval
    ends = f" (interval {percent_range(1 - interval[1], 1 - interval[0])})" if interval else ""
    return f"These two are “{first}” and “{second}”{ends}."


def _few_words(evidence: Evidence, only: str) -> str:
    """Return how many words are not among those that the headline counts."""
    if not evidence.differing:
        return ""
    verb = "is" if evidence.differing_words == 1 else "are"
    interval = interval_of_the_rest(evidence)
    number = f"{only}{evidence.differing_words:,} of {counted(evidence.compared_words, 'word')}"
    pairs = in_some_pair(len(evidence.lanes))
    return f"{number}{interval} {verb} split differently{pairs}{listed_examples(evidence)}."


def _whole_words(evidence: Evidence) -> str:
    """Return what to do if (almost) every held-out word is one token, and how many are; "" if fewer are."""
    share = evidence.whole_words
    if share < WHOLE:
        return ""
    is_headlined = evidence.verdict.answer == "hardly"
    subject = "Single tokens"
    if share < 1 or not is_headlined:
        part = "All" if share == 1 else percent(share)
        subject = f"{part} of the words are single tokens{'' if is_headlined else ' in every lane'}. They"
    return f"{subject} cannot be split differently, so use fewer merges or more training text to see a difference."


def _more_tokens(evidence: Evidence) -> str:
    return percent(positive(_widest_pair(evidence).more_tokens).value)


def _compared_lanes(evidence: Evidence, names: Sequence[str]) -> str:
    """Return which two lanes the headline compares by their tokens."""
    pair = _widest_pair(evidence)
    more, fewer = (pair.second, pair.first) if pair.more_tokens.value > 0 else (pair.first, pair.second)
    interval = positive(pair.more_tokens).interval
    if interval and interval[0] <= 0:
        return f"These lanes are “{names[pair.first]}” and “{names[pair.second]}”. Either may need more."
    ends = f" (interval {percent_range(*interval)})" if interval else ""
    return f"The lane “{names[more]}” needs more tokens than “{names[fewer]}”{ends}."


def _lines_in_corpus(evidence: Evidence) -> str:
    overlap = evidence.overlap
    if overlap is None or not overlap.lines_in_corpus or overlap.lines == 1 or overlap.share == 1:
        return ""
    lines = f"{overlap.lines_in_corpus:,} of {counted(overlap.lines, 'line')} of {WORDS} or more words"
    return f"{lines} {'occurs' if overlap.lines_in_corpus == 1 else 'occur'} there word for word."
