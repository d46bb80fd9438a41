"""The verdict in sentences, for the page Compare, the command line and reports.

`names` are the names of the lanes, as they are written in the middle of a sentence. The sentences are plain text: the
caller must escape the names and the words.
"""

from collections.abc import Iterable, Sequence

from bpe.analysis.bootstrap import Estimate
from bpe.analysis.evidence import Evidence, PairEvidence
from bpe.analysis.held_out import FEWEST
from bpe.analysis.text_overlap import WORDS
from bpe.analysis.verdict import KNOWN, SAME, TOKENS
from bpe.text.display import counted

LONGEST_EXAMPLE = 24  # characters of an example word
LONGEST_HEADLINED = 10  # the same in the headline, which is one line in the presenter view
EXAMPLES = 3
SINGULAR = {
    "paragraphs": ("paragraph",),
    "lines": ("line",),
    "blocks of words": ("block of words", "blocks of words"),
}


def headline(evidence: Evidence, names: Sequence[str]) -> str:
    """Return the answer in one line."""
    answer = evidence.verdict.answer
    if answer == "nothing to merge":
        return "It does not matter: there is nothing to merge."
    if answer == "no":
        everyone = "both lanes" if len(names) == 2 else f"all {len(names)} lanes"
        return f"It does not matter: {everyone} make the same {counted(evidence.merges, 'merge')} in the same order."
    if answer == "too little text":
        return f"Too little held-out text to tell. {_words_here(evidence)}"
    if answer == "not held out" and evidence.overlap:
        part = "all" if evidence.overlap.share == 1 else percent(evidence.overlap.share)
        return (
            f"The text is not held out: {part} of its sequences of {WORDS} words occur in the training text."
        )
    if answer == "unlike text":
        return (
            f"The held-out text is too different: {_known(evidence)} of its words occur in the training text."
        )
    same = f"{percent(evidence.same_splits.value)} of the held-out words are split the same way"
    if answer == "hardly":
        return f"It hardly matters: {same}."
    if answer == "perhaps":
        return f"It may matter: {same}."
    interval = evidence.same_splits.interval
    if interval and interval[1] < SAME:
        differing = percent(1 - evidence.same_splits.value)
        return f"It matters: {differing} of the held-out words are split differently."
    more = percent(_positive(evidence.pairs[evidence.verdict.widest].more_tokens).value)
    return f"It matters: one lane needs {more} more tokens than another."


def sentences(evidence: Evidence, names: Sequence[str]) -> list[str]:
    """Return the evidence behind the answer, the most important first."""
    if evidence.verdict.answer in ("nothing to merge", "no"):
        return []
    return [
        sentence
        for sentence in (
            words_sentence(evidence),
            tokens_sentence(evidence, names),
            white_space_sentence(evidence, names),
            luck_sentence(evidence),
            vocabulary_sentence(evidence),
            held_out_sentence(evidence),
            overlap_sentence(evidence),
        )
        if sentence
    ]


def words_sentence(evidence: Evidence) -> str:
    """Return how many held-out words are split differently, with the most frequent ones."""
    total = counted(evidence.compared_words, "held-out word")
    if not evidence.differing:
        return _all_the_same(total) if evidence.compared_words else ""
    verb = "is" if evidence.differing_words == 1 else "are"
    sentence = (
        f"{evidence.differing_words:,} of {total}{_interval_of_the_rest(evidence.same_splits)} {verb} split differently"
        f"{_examples(evidence)}."
    )
    if evidence.verdict.answer == "perhaps":
        return f"{sentence} The held-out text is too short for a clear answer."
    return sentence


def tokens_sentence(evidence: Evidence, names: Sequence[str]) -> str:
    """Return under which lane the held-out text needs more tokens, if the interval shows that."""
    claimed = [evidence.pairs[pair] for pair in evidence.verdict.more]
    if claimed:
        widest = max(claimed, key=lambda pair: abs(pair.more_tokens.value))
        return f"The held-out text needs {_more_tokens(widest, names)}{_interval(_positive(widest.more_tokens))}."
    tokens = {lane.tokens for lane in evidence.lanes}
    if len(tokens) == 1:
        return f"The held-out text needs {counted(tokens.pop(), 'token')} in every lane."
    least, most = min(tokens), max(tokens)
    needed = f"The held-out text needs {least:,} to {most:,} tokens"
    if not evidence.held_out.has_enough:
        return f"{needed}."
    return f"{needed}. A difference this small can be chance."


def white_space_sentence(evidence: Evidence, names: Sequence[str]) -> str:
    """Return which lanes encode no white space, if others do."""
    without = [name for name, lane in zip(names, evidence.lanes, strict=True) if not lane.holds_white_space]
    others = len(names) - len(without)
    if not without or not others:
        return ""
    rest = "the other lane" + "s" * (others > 1)
    return f"Under {' and '.join(without)}, no token holds white space, so less text is encoded than under {rest}."


def luck_sentence(evidence: Evidence) -> str:
    """Return how much trainings that break ties at random differ, and whether these lanes differ by more."""
    luck, beyond = evidence.luck, evidence.verdict.beyond_luck
    if luck is None or beyond is None:
        return ""
    words = percent_range(1 - max(luck.same_splits), 1 - min(luck.same_splits))
    tokens = percent_range(min(luck.more_tokens), max(luck.more_tokens))
    pairs = len(evidence.pairs)
    differ = "differs" if len(beyond) == 1 else "differ"
    if not beyond:
        than_luck = "The lanes differ by no more than luck"
    elif len(beyond) == pairs:
        than_luck = "The lanes differ by more than luck"
    else:
        than_luck = f"{len(beyond):,} of {pairs:,} pairs of lanes {differ} by more than luck"
    return (
        f"{than_luck}: any two of {luck.draws} random trainings split {words} of the words differently and are "
        f"{tokens} apart in tokens."
    )


def vocabulary_sentence(evidence: Evidence) -> str:
    """Return how many tokens the vocabularies share, the lowest figure of all pairs."""
    if not any(pair.vocabulary.learned != (0, 0) for pair in evidence.pairs):
        return ""
    overlap = min(pair.vocabulary.overlap for pair in evidence.pairs)
    occurrences = min(pair.vocabulary.occurrences for pair in evidence.pairs)
    share = percent if len(evidence.pairs) == 1 else _at_least
    whose = "The two vocabularies" if len(evidence.lanes) == 2 else "Any two vocabularies"
    return (
        f"{whose} share {share(overlap)} of the learned tokens. Tokens that both have make up {share(occurrences)} of "
        "the training text."
    )


def held_out_sentence(evidence: Evidence) -> str:
    """Return what the held-out text is, and over which units its figures are resampled."""
    text = evidence.held_out
    size = f"{counted(text.documents, 'document')}, {counted(evidence.characters, 'character')}"
    units = (
        "" if text.kind == "documents" else f", split into {counted(len(text.units), *SINGULAR[text.kind])}"
    )
    if text.has_enough:
        return (
            f"Held-out text: {size}{units}. The ranges are 95 % intervals from {evidence.resamples:,} bootstrap "
            "resamples."
        )
    return (
        f"Held-out text: {size}{units}. An interval needs at least {FEWEST} {text.kind}, so these figures say nothing "
        "about other texts."
    )


def overlap_sentence(evidence: Evidence) -> str:
    """Return how much of the held-out text also occurs in the training text."""
    overlap = evidence.overlap
    share = _known(evidence)
    known = f"{share[:1].upper()}{share[1:]} of the held-out words occur in the training text"
    if overlap is None or not evidence.known_words:
        return f"{known}."
    if overlap.share == 1:
        return f"{known}, and so do all sequences of {WORDS} words, so none of the text is held out."
    if overlap.lines and overlap.lines_in_corpus:
        lines = f"{overlap.lines_in_corpus:,} of {counted(overlap.lines, 'line')} of {WORDS} or more words"
        occur = "occurs" if overlap.lines_in_corpus == 1 else "occur"
        held = "not all of the text" if overlap.lines_in_corpus < overlap.lines else "none of these lines"
        return f"{known}, and {lines} {occur} there word for word, so {held} is really held out."
    if overlap.sequences_in_corpus:
        return f"{known}, and so do {percent(overlap.share)} of the sequences of {WORDS} words."
    return f"{known}, but no sequence of {WORDS} words does." if overlap.sequences else f"{known}."


def thresholds() -> str:
    """Return what the answers mean."""
    return (
        f"“It hardly matters” means two things: all lanes split at least {percent(SAME)} of the held-out words the "
        f"same way, and no lane needs over {TOKENS * 100:g} % more tokens than another. Both must be true of every "
        "value in the intervals. “It matters” means that one of the two is false for every value in its interval. "
        f"Anything between is “It may matter”. There is an answer only if at least {percent(KNOWN)} of the held-out "
        f"words occur in the training text, but less than half of the sequences of {WORDS} words do."
    )


def _words_here(evidence: Evidence) -> str:
    """Return how many words of a short held-out text are split differently."""
    total, differing = evidence.compared_words, evidence.differing_words
    if not differing:
        return _all_the_same(counted(total, "word")) if total else "It has no words."
    verb = "is" if differing == 1 else "are"
    words = list(_readable(word.word for word in evidence.differing))
    example = f": “{words[0]}”" if len(words) == 1 and len(words[0]) <= LONGEST_HEADLINED else ""
    return f"{differing:,} of {counted(total, 'word')} {verb} split differently{example}."


def _all_the_same(total: str) -> str:
    """Return that all of so many words, such as "12 held-out words", are split the same way."""
    if total.startswith("1 "):
        return f"The only {total.removeprefix('1 ')} is split the same way."
    return f"All {total} are split the same way."


def _at_least(share: float) -> str:
    """Return the lowest of several shares in percent."""
    if share < 0.001:
        return "at least 0 %"
    return percent(share) if share > 0.999 else f"at least {percent(share)}"


def _known(evidence: Evidence) -> str:
    """Return which share of the held-out words occurs in the corpus."""
    share = evidence.known_words
    return f"only {percent(share)}" if 0 < share < KNOWN else percent(share) if share else "none"


def _more_tokens(pair: PairEvidence, names: Sequence[str]) -> str:
    """Return how many more tokens are needed under one lane of a pair than under the other."""
    more, fewer = (pair.second, pair.first) if pair.more_tokens.value > 0 else (pair.first, pair.second)
    return f"{percent(_positive(pair.more_tokens).value)} more tokens under {names[more]} than under {names[fewer]}"


def _positive(more: Estimate) -> Estimate:
    """Return how many more tokens the longer lane needs, as a share of the shorter's."""
    if more.value >= 0:
        return more
    interval = None if more.interval is None else (_inverse(more.interval[1]), _inverse(more.interval[0]))
    return Estimate(_inverse(more.value), interval)


def _inverse(more: float) -> float:
    return -more / (1 + more)


def _interval(estimate: Estimate) -> str:
    return "" if estimate.interval is None else f" ({percent_range(*estimate.interval)})"


def _interval_of_the_rest(estimate: Estimate) -> str:
    if estimate.interval is None:
        return ""
    low, high = estimate.interval
    return f" ({percent(1 - estimate.value)}, interval {percent_range(1 - high, 1 - low)})"


def _examples(evidence: Evidence) -> str:
    words = list(dict.fromkeys(_readable(word.word for word in evidence.differing)))[:EXAMPLES]
    if not words:
        return ""
    listed = ", ".join(f"“{word}”" for word in words)
    return f", most often {listed}" if len(evidence.differing) > 1 else f": {listed}"


def _readable(words: Iterable[str]) -> Iterable[str]:
    for word in words:
        text = word.strip()
        if text.isprintable() and text:
            yield text if len(text) <= LONGEST_EXAMPLE else f"{text[: LONGEST_EXAMPLE - 1]}…"


def percent(share: float) -> str:
    """Return a share in percent, with one decimal below 10 % and above 90 %.

    >>> percent(0.914), percent(0.0031), percent(0.00004), percent(0.9997), percent(1), percent(-0.002)
    ('91.4 %', '0.3 %', 'less than 0.1 %', 'more than 99.9 %', '100 %', '-0.2 %')
    """
    if 0 < share < 0.001:
        return "less than 0.1 %"
    if 0.999 < share < 1:
        return "more than 99.9 %"
    rounded = f"{share:.1%}" if abs(share) < 0.1 or share > 0.9 else f"{share:.0%}"
    return rounded.replace(".0%", "%").replace("%", " %")


def percent_range(low: float, high: float) -> str:
    """Return two shares in percent, with one decimal.

    >>> percent_range(0.0021, 0.0044), percent_range(0, 0)
    ('0.2 to 0.4 %', '0 %')
    """
    texts = [f"{share * 100:.1f}".replace("-0.0", "0.0") for share in (low, high)]
    texts = ["0" if text == "0.0" else text for text in texts]
    return f"{texts[0]} %" if texts[0] == texts[1] else f"{texts[0]} to {texts[1]} %"
