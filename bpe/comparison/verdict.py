"""The verdict in words: one headline, one line of evidence, and notes on what to know beside them.

`names` are those of the lanes, as they are written in the middle of a sentence. The sentences are plain text: the
caller must escape the names.
"""

from collections.abc import Iterator, Mapping, Sequence

from bpe.comparison.evidence import RARE, Answer, Evidence
from bpe.comparison.held_out import KNOWN
from bpe.comparison.random_draws import FEWEST_DRAWS
from bpe.text.display import counted, listed

_HEADLINES: Mapping[Answer, str] = {
    "nothing to merge": "It does not matter: there is nothing to merge.",
    "no": "It does not matter: {everyone} make the same {merges}.",
    "no words": "{text} has no words.",
    "same": "It does not matter here: {same} the same way.",
    "luck": "It matters no more than luck: {differing}, and random tie-breaks do as much.",
    "yes": "It matters: {differing}, more than random tie-breaks would explain.",
    "open": "{differing}.",
}
ANSWERS = (
    "Do the lanes split more words of the held-out text differently than random tie-breaks would explain? "
    "To find out, we train many times and break every tie at random. We compare these trainings in groups, as many in "
    f"a group as there are lanes. “It matters”: at most {RARE * 1000:g} in 1,000 groups differ as much as the lanes. "
    "“It matters no more than luck”: more of them do."
)
_IN_WORDS = ("", "", "pairs", "groups of three", "groups of four", "groups of five", "groups of six")


def headline(evidence: Evidence, names: Sequence[str], text: str = "the held-out text") -> str:
    """Return the answer in one line. `text` names what the lanes are tested on."""
    lanes, number = len(names), evidence.differing_words
    longest = max(lane.merges for lane in evidence.lanes)
    of_words = f"{number:,} of {counted(evidence.compared_words, 'word')} in {text}"
    how = "split differently" if lanes == 2 else f"not split the same way by all {lanes} lanes"
    words = counted(evidence.compared_words, "word")
    return _HEADLINES[evidence.answer].format(
        everyone="both lanes" if lanes == 2 else f"all {lanes} lanes",
        merges="merge" if longest == 1 else f"{longest:,} merges in the same order",
        differing=f"{of_words} {'is' if number == 1 else 'are'} {how}",
        same=f"the only word in {text} is split"
        if evidence.compared_words == 1
        else f"all {words} in {text} are split",
        text=f"{text[:1].upper()}{text[1:]}",
    )


def evidence_line(evidence: Evidence) -> str:
    """Return how many groups of random draws differ as much as the lanes; "" without such words, or draws."""
    luck, as_far = evidence.luck, evidence.draws_as_far_apart
    if luck is None or not evidence.differing:
        return ""
    if as_far is None:
        return f"There are too few random draws to say more: {luck.draws:,}, and {FEWEST_DRAWS} are needed."
    lanes = len(evidence.lanes)
    groups = _IN_WORDS[lanes] if lanes < len(_IN_WORDS) else f"groups of {lanes}"
    differ = "differs" if as_far == 1 else "differ"
    return (
        f"Of {len(luck.apart):,} {groups} of trainings that break ties at random, {as_far or 'none'} "
        f"{differ if as_far else 'differs'} in at least as many words ({percent(evidence.apart)}). The {groups} differ "
        f"in {percent_range(min(luck.apart), max(luck.apart))} of the words."
    )


def notes(evidence: Evidence, names: Sequence[str]) -> Iterator[str]:
    """Yield what to know beside the answer, a sentence each."""
    if evidence.answer in ("nothing to merge", "no"):
        return
    lanes = list(zip(evidence.lanes, names, strict=True))

    def named(those: Sequence[str]) -> str:
        return listed([f"“{name}”" for name in those])

    least, most = sorted(evidence.lanes, key=lambda lane: lane.tokens)[:: len(lanes) - 1]
    yield f"The held-out text needs {least.tokens:,} to {most.tokens:,} tokens, depending on the lane."
    merges = [lane.listed for lane in evidence.lanes]
    if max(merges) > min(merges):
        yield f"The lanes have different numbers of merges: {min(merges):,} to {max(merges):,}."
    if unused := [
        f"{lane.merges:,} of {lane.listed:,} (“{name}”)" for lane, name in lanes if lane.merges < lane.listed
    ]:
        yield f"Not all merges apply to the training text: {listed(unused)}."
    if files := [name for lane, name in lanes if lane.replayed]:
        were = "was" if len(files) == 1 else "were"
        yield f"We do not know what text {named(files)} {were} trained on; the held-out text may be a part of it."
    if unknown := [
        f"{counted(lane.unknown, 'token')} under “{name}”" for lane, name in lanes if lane.unknown
    ]:
        yield f"The vocabulary lacks characters of the text: {listed(unknown)} stand for them."
    if readers := [name for lane, name in lanes if lane.reads_lines]:
        read = "reads" if len(readers) == 1 else "read"
        yield f"Every lane is measured line by line, without line breaks, as {named(readers)} {read} text."
    bare = [name for lane, name in lanes if not lane.holds_white_space]
    if 0 < len(bare) < len(lanes):
        yield f"Under {named(bare)}, no token holds white space, so less text is encoded than under the others."
    if evidence.known_words is not None and evidence.known_words < KNOWN:
        yield f"Only {percent(evidence.known_words)} of the held-out words occur in the training text."


def trained_merges_sentence(merges: int, name: str) -> str:
    """Return a sentence on trainings that may learn as many merges as a tokenizer from a file has."""
    return f"Each training may learn {counted(merges, 'merge')}, as many as “{name}” has."


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


def percent_range(low: float, high: float) -> str:
    """Return two shares in percent, with one decimal.

    >>> percent_range(0.0021, 0.0044), percent_range(0, 0)
    ('0.2 to 0.4%', '0%')
    """
    texts = [f"{share * 100:.1f}" for share in (low, high)]
    texts = ["0" if text == "0.0" else text for text in texts]
    return f"{texts[0]}%" if texts[0] == texts[1] else f"{texts[0]} to {texts[1]}%"
