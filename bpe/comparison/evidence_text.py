"""The evidence in sentences. Each holds for itself; `verdict_text` has those that continue the answer."""

from collections.abc import Callable, Iterable, Sequence
from math import floor

from bpe.comparison.evidence import Evidence, PairEvidence
from bpe.comparison.held_out import KNOWN, WORDS
from bpe.comparison.intervals import Estimate
from bpe.comparison.verdict import BesideLuck, most_by_luck
from bpe.text.display import counted, listed

LONGEST_EXAMPLE = 24  # characters of an example word
EXAMPLES = 3
SINGULAR = {
    "paragraphs": ("paragraph",),
    "lines": ("line",),
    "blocks of words": ("block of words", "blocks of words"),
}


def percent(share: float) -> str:
    """Return a share in percent, with one decimal below 10% and above 90%.

    >>> percent(0.914), percent(0.0031), percent(0.00004), percent(0.9997), percent(1), percent(-0.002)
    ('91.4%', '0.3%', 'less than 0.1%', 'more than 99.9%', '100%', '-0.2%')
    """
    if 0 < share < 0.001:
        return "less than 0.1%"
    if 0.999 < share < 1:
        return "more than 99.9%"
    rounded = f"{share:.1%}" if abs(share) < 0.1 or share > 0.9 else f"{share:.0%}"
    return rounded.replace(".0%", "%")


def bound(share: float, to: Callable[[float], int]) -> str:
    """Return a share in percent, rounded with `floor` for “at least” and with `ceil` for “at most”.

    >>> from math import ceil, floor
    >>> (
    ...     bound(0.14605, floor),
    ...     bound(0.14605, ceil),
    ...     bound(0.9996, floor),
    ...     bound(0.0004, ceil),
    ...     bound(0.29, floor),
    ... )
    ('14%', '15%', '99.9%', '0.1%', '29%')
    """
    scale = 1000 if share < 0.1 or share > 0.9 else 100  # the decimals of `percent`
    return percent(to(round(share * scale, 6)) / scale)


def percent_range(low: float, high: float) -> str:
    """Return two shares in percent, with one decimal.

    >>> percent_range(0.0021, 0.0044), percent_range(0, 0)
    ('0.2 to 0.4%', '0%')
    """
    texts = [f"{share * 100:.1f}".replace("-0.0", "0.0") for share in (low, high)]
    texts = ["0" if text == "0.0" else text for text in texts]
    return f"{texts[0]}%" if texts[0] == texts[1] else f"{texts[0]} to {texts[1]}%"


def words_sentence(evidence: Evidence) -> str:
    """Return how many held-out words are split differently, with the most frequent ones."""
    total = counted(evidence.compared_words, "held-out word")
    if not evidence.differing:
        return all_the_same(total) if evidence.compared_words else ""
    verb = "is" if evidence.differing_words == 1 else "are"
    return (
        f"{evidence.differing_words:,} of {total}{_share_of_the_rest(evidence.same_splits)} {verb} split differently"
        f"{in_some_pair(len(evidence.lanes))}{listed_examples(evidence)}."
    )


def in_some_pair(lanes: int) -> str:
    """Return how a share over all lanes is meant, to continue a sentence; "" for two lanes.

    >>> in_some_pair(6)
    ' in at least one of the 15 pairs of lanes'
    """
    return f" in at least one of the {lanes * (lanes - 1) // 2:,} pairs of lanes" if lanes > 2 else ""


def tokens_sentence(evidence: Evidence, names: Sequence[str]) -> str:
    """Return under which lane the held-out text needs more tokens, if the interval shows that."""
    claimed = [evidence.pairs[pair] for pair in evidence.verdict.more]
    if claimed:
        widest = max(claimed, key=lambda pair: abs(pair.more_tokens.value))
        return (
            f"The held-out text needs {_more_tokens(widest, names)}{_interval(positive(widest.more_tokens))}."
        )
    tokens = {lane.tokens for lane in evidence.lanes}
    if len(tokens) == 1:
        return f"The held-out text needs {counted(tokens.pop(), 'token')} in every lane."
    least, most = min(tokens), max(tokens)
    needed = f"The held-out text needs {least:,} to {most:,} tokens, depending on the lane"
    return (
        f"{needed}, and another text could turn that around."
        if evidence.held_out.has_enough
        else f"{needed}."
    )


def white_space_sentence(evidence: Evidence, names: Sequence[str]) -> str:
    """Return which lanes encode no white space, if others do."""
    without = [name for name, lane in zip(names, evidence.lanes, strict=True) if not lane.holds_white_space]
    others = len(names) - len(without)
    if not without or not others:
        return ""
    rest = "the other lane" + "s" * (others > 1)
    quoted = " and ".join(f"“{name}”" for name in without)
    return f"Under {quoted}, no token holds white space, so less text is encoded than under {rest}."


def lines_sentence(evidence: Evidence, names: Sequence[str]) -> str:
    """Return under which lanes text is read line by line, and what that does to the others; "" if there is none."""
    lanes = [f"“{name}”" for name, lane in zip(names, evidence.lanes, strict=True) if lane.reads_lines]
    if not lanes:
        return ""
    named = listed(lanes)
    read = "reads" if len(lanes) == 1 else "read"
    return f"{named} {read} text line by line, so every lane is measured on lines, without their line breaks."


def unknown_tokens_sentence(evidence: Evidence, names: Sequence[str]) -> str:
    """Return how many tokens stand for characters that the vocabulary of their lane lacks; "" if none do."""
    clauses = [
        f"{lane.unknown:,} of the {counted(lane.tokens, 'token')} under “{name}”"
        for name, lane in zip(names, evidence.lanes, strict=True)
        if lane.unknown
    ]
    if not clauses:
        return ""
    named = listed(clauses)
    stand = "stands" if named.startswith("1 of") and len(clauses) == 1 else "stand"
    return f"Unknown characters: {named} {stand} for text outside the vocabulary."


def luck_sentence(evidence: Evidence, names: Sequence[str]) -> str:
    """Return how often two trainings that break ties at random differ as much as the lanes, and what that tells.

    It also says whether random draws tell it or every way to break the ties. Lanes of unequal merges differ for another
    reason, so "" for them.
    """
    luck, ways, beside = evidence.luck, evidence.ways, evidence.verdict.beside_luck
    if beside is None or unequal_merges(evidence):
        return ""
    if ways is not None:
        numbers = [f"{number:,}" if number else "none" for number in ways.alike]
        clauses = [f"{number} as “{name}” does" for number, name in zip(numbers, names, strict=True)]
        split = "splits" if numbers[0] in ("1", "none") else "split"
        clauses[0] = clauses[0].replace(" as ", f" {split} the held-out words as ", 1)
        of_ways = f"Of {ways.number:,} ways to break the ties, {listed(clauses)}"
        if len(beside) > 1:
            return f"{of_ways}. {some_beyond_luck(evidence)}"
        return f"{of_ways}. {_explained(beside[0], 'Of the pairs of random draws, computed from all these ways')}"
    assert luck
    draws = f"the {counted(luck.pairs, 'pair')} of {luck.draws:,} trainings that break ties at random"
    if most_by_luck(luck.pairs, len(beside)) < 0:
        return f"There are too few random draws to tell what luck explains: {draws}."
    if len(beside) > 1:
        return f"{some_beyond_luck(evidence).removesuffix('.')}, according to {draws}."
    return _explained(beside[0], f"Of {draws}")


def share_of_draws(share: float) -> str:
    """Return a share of the pairs of random draws.

    >>> [share_of_draws(number / 1_770) for number in (0, 1, 3, 106, 1_769, 1_770)]
    ['none', 'fewer than 1 in 1,000', '2 in 1,000', '6 in 100', 'more than 99 in 100', 'all']
    """
    if share in (0, 1):
        return "all" if share else "none"
    if share > 0.99:
        return "more than 99 in 100"
    if share >= 0.0095:
        return f"{share * 100:.0f} in 100"
    return f"{share * 1000:.0f} in 1,000" if share >= 0.001 else "fewer than 1 in 1,000"


def some_beyond_luck(evidence: Evidence) -> str:
    """Return how many pairs of three lanes or more differ by more than luck, which the headline does not say."""
    beyond = evidence.verdict.beyond_luck
    if beyond is None or len(evidence.pairs) == 1 or unequal_merges(evidence):
        return ""
    differ = "differs" if len(beyond) == 1 else "differ"
    number = f"{len(beyond):,}" if beyond else "none"
    return (
        f"Of the {len(evidence.pairs):,} comparisons between two lanes, {number} {differ} by more than random "
        "tie-breaks would explain."
    )


def vocabulary_sentence(evidence: Evidence) -> str:
    """Return how many tokens the vocabularies share, the lowest figure of all pairs."""
    measured = [pair.vocabulary for pair in evidence.pairs]
    if all(one.learned == (0, 0) for one in measured):
        return ""
    overlap = min(one.overlap for one in measured)
    occurrences = min(one.occurrences for one in measured)
    share = percent if len(evidence.pairs) == 1 else _at_least
    if not overlap:
        return f"{'The two' if len(evidence.lanes) == 2 else 'Some'} vocabularies share none of the learned tokens."
    whose = "The two vocabularies" if len(evidence.lanes) == 2 else "Any two vocabularies"
    return (
        f"{whose} share {share(overlap)} of the learned tokens. Tokens in both make up {share(occurrences)} of the "
        "training text."
    )


def unequal_sentence(evidence: Evidence) -> str:
    """Return what different numbers of merges do to the comparison; "" if all lanes have about as many."""
    equal = evidence.equal
    if equal is None:
        return ""
    unequal = f"The lanes have different numbers of merges ({unequal_merges(evidence)}), so the comparison is unequal."
    if evidence.verdict.answer in ("not held out", "unlike text"):
        return unequal
    lanes = [f"{tokens:,}" for tokens in equal.tokens]
    needed = listed(lanes)
    at_equal = f"After equal numbers of merges, the held-out text needs {needed} tokens."
    return f"{unequal} {at_equal}"


def unequal_merges(evidence: Evidence) -> str:
    """Return the lowest and highest number of merges; "" if all lanes have about as many."""
    merges = [lane.listed for lane in evidence.lanes]
    return f"{min(merges):,} to {max(merges):,}" if evidence.equal else ""


def unknown_training_sentence(evidence: Evidence, names: Sequence[str]) -> str:
    """Return that nobody knows what the tokenizers of files were trained on; "" without one."""
    files = [f"“{name}”" for name, lane in zip(names, evidence.lanes, strict=True) if lane.replayed]
    if not files:
        return ""
    named = listed(files)
    was, it = ("were", "They") if len(files) > 1 else ("was", "It")
    return f"We do not know which text {named} {was} trained on. {it} may have been trained on the held-out text too."


def trained_merges_sentence(merges: int, name: str) -> str:
    """Return a sentence on trainings that may learn as many merges as a tokenizer from a file has."""
    return f"Each training may learn {counted(merges, 'merge')}, as many as “{name}” has."


def unused_merges_sentence(evidence: Evidence, names: Sequence[str]) -> str:
    """Return how many merges of tokenizers from files apply to the training text, if some do not."""
    clauses = [
        f"{lane.merges:,} of the {counted(lane.listed, 'merge')} of “{name}”"
        for name, lane in zip(names, evidence.lanes, strict=True)
        if lane.merges < lane.listed
    ]
    if not clauses:
        return ""
    named = listed(clauses)
    apply = "applies" if named.startswith("1 of") and len(clauses) == 1 else "apply"
    return f"Only {named} {apply} to the training text."


def held_out_sentence(evidence: Evidence) -> str:
    """Return what the held-out text is, and over which units its figures are resampled."""
    text = evidence.held_out
    size = f"{counted(text.documents, 'document')}, {counted(evidence.characters, 'character')}"
    units = (
        "" if text.kind == "documents" else f", split into {counted(len(text.units), *SINGULAR[text.kind])}"
    )
    if text.has_enough:
        return (
            f"Held-out text: {size}{units}. The ranges are 95% intervals from {evidence.resamples:,} bootstrap "
            "resamples, and where few words differ, exact binomial ones. They say how the figures would vary with "
            "other held-out texts, not with another training text."
        )
    different = text.different_units
    if different < len(text.units):
        units += f", only {different:,} of them different"
    return (
        f"Held-out text: {size}{units}. That is too little for intervals, so these figures say nothing about other "
        "texts."
    )


def overlap_sentence(evidence: Evidence) -> str:
    """Return how much of the held-out text also occurs in the training text; "" if no lane has learned from one."""
    overlap = evidence.overlap
    if evidence.known_words is None:
        return ""
    known = _known_words_sentence(evidence).removesuffix(".")
    if overlap is None or not evidence.known_words:
        return f"{known}."
    if overlap.share == 1:
        return f"{known}, and so do all sequences of {WORDS} words, so none of the text is held out."
    if overlap.lines and overlap.lines_in_corpus:
        lines = f"{overlap.lines_in_corpus:,} of {counted(overlap.lines, 'line')} of {WORDS} or more words"
        occur = "occurs" if overlap.lines_in_corpus == 1 else "occur"
        held = "only part of the text" if overlap.lines_in_corpus < overlap.lines else "none of these lines"
        return f"{known}, and {lines} {occur} there word for word, so {held} is really held out."
    if overlap.sequences_in_corpus:
        return f"{known}, and so do {percent(overlap.share)} of the sequences of {WORDS} words."
    return f"{known}, but no sequence of {WORDS} words does." if overlap.sequences else f"{known}."


def _known_words_sentence(evidence: Evidence) -> str:
    """Return how many of the held-out words occur in the training text."""
    share = known_words(evidence)
    return f"{share[:1].upper()}{share[1:]} of the held-out words occur in the training text."


def known_words(evidence: Evidence) -> str:
    """Return which share of the held-out words occurs in the training text."""
    share = evidence.known_words
    assert share is not None
    if share in (0, 1):
        return "all" if share else "none"
    return f"only {percent(share)}" if share < KNOWN else percent(share)


def all_the_same(total: str) -> str:
    """Return that all of so many words, such as "12 held-out words", are split the same way."""
    if total.startswith("1 "):
        return f"The only {total.removeprefix('1 ')} is split the same way."
    return f"All {total} are split the same way."


def examples(evidence: Evidence) -> list[str]:
    """Return the first words that are split differently, the most frequent ones; long words are shortened."""
    return list(dict.fromkeys(_readable(word.word for word in evidence.differing)))[:EXAMPLES]


def listed_examples(evidence: Evidence) -> str:
    """Return the words that are split differently, or the most frequent of them, for the end of a sentence."""
    words = ", ".join(f"“{word}”" for word in examples(evidence))
    if not words:
        return ""
    return f", most often {words}" if evidence.distinct_differing_words > 1 else f": {words}"


def interval_of_the_rest(evidence: Evidence) -> str:
    """Return the interval of the share of words that are split differently, in parentheses."""
    interval = evidence.same_splits.interval
    return f" (interval {percent_range(1 - interval[1], 1 - interval[0])})" if interval else ""


def positive(more: Estimate) -> Estimate:
    """Return how many more tokens the longer lane needs, as a share of the shorter's."""
    if more.value >= 0:
        return more
    interval = None if more.interval is None else (_inverse(more.interval[1]), _inverse(more.interval[0]))
    return Estimate(_inverse(more.value), interval)


def _explained(two: BesideLuck, of_draws: str) -> str:
    words, tokens = share_of_draws(two.words), share_of_draws(two.tokens)
    split = "splits" if words == "none" else "split"
    have = "has" if tokens == "none" else "have"
    explained = {
        (False, False): "So random tie-breaks could explain both",
        (True, False): "So random tie-breaks could explain the token counts, but not the words",
        (False, True): "So random tie-breaks could explain the words, but not the token counts",
        (True, True): "So random tie-breaks would explain neither",
    }[two.words_beyond, two.tokens_beyond]
    return (
        f"{of_draws}, {words} {split} as many words differently, and {tokens} {have} token counts as far apart. "
        f"{explained}."
    )


def _at_least(share: float) -> str:
    """Return the lowest of several shares in percent."""
    return percent(share) if share > 0.999 else f"at least {bound(share, floor)}"


def _more_tokens(pair: PairEvidence, names: Sequence[str]) -> str:
    """Return how many more tokens are needed under one lane of a pair than under the other."""
    more, fewer = (pair.second, pair.first) if pair.more_tokens.value > 0 else (pair.first, pair.second)
    share = percent(positive(pair.more_tokens).value)
    return f"{share} more tokens under “{names[more]}” than under “{names[fewer]}”"


def _inverse(more: float) -> float:
    return -more / (1 + more)


def _interval(estimate: Estimate) -> str:
    return "" if estimate.interval is None else f" ({percent_range(*estimate.interval)})"


def _share_of_the_rest(estimate: Estimate) -> str:
    if estimate.interval is None:
        return ""
    low, high = estimate.interval
    return f" ({percent(1 - estimate.value)}, interval {percent_range(1 - high, 1 - low)})"


def _readable(words: Iterable[str]) -> Iterable[str]:
    for word in words:
        text = word.strip()
        if text.isprintable() and text:
            yield text if len(text) <= LONGEST_EXAMPLE else f"{text[: LONGEST_EXAMPLE - 1]}…"
