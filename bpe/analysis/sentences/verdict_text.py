"""The verdict in sentences, for the page Compare, the command line and reports.

`headline` has the answer. `first_sentences` continue it and repeat nothing of it. `sentences` adds the other evidence.
`names` are the names of the lanes, as they are written in the middle of a sentence. The sentences are plain text: the
caller must escape the names and the words.
"""

from collections.abc import Sequence

from bpe.analysis.sentences.evidence_text import (
    held_out_sentence,
    lines_sentence,
    luck_sentence,
    overlap_sentence,
    tokens_sentence,
    unequal_sentence,
    unknown_tokens_sentence,
    unknown_training_sentence,
    unused_merges_sentence,
    vocabulary_sentence,
    white_space_sentence,
    words_sentence,
)
from bpe.analysis.sentences.headline import continued, headline
from bpe.analysis.sentences.percentages import percent
from bpe.analysis.significance.evidence import Evidence
from bpe.analysis.significance.text_overlap import WORDS
from bpe.analysis.significance.verdict import KNOWN, SAME, TOKENS, WHOLE

UNDECIDED = ("not held out", "unlike text")
COMPRESSION = (
    "Characters per token: the characters of the held-out text, white space included, divided by its tokens. Tokens "
    "per word: its tokens divided by its words, which white space separates. A marker such as </w>, or a byte of a "
    "longer character, can be a token of its own, so a lane can have less than one character per token."
)

__all__ = ["COMPRESSION", "first_sentences", "headline", "sentences", "thresholds"]


def first_sentences(evidence: Evidence, names: Sequence[str]) -> list[str]:
    """Return the evidence that matters most. It must be read right after the headline."""
    if evidence.verdict.answer in ("nothing to merge", "no"):
        return []
    # If a text cannot show how the lanes differ, it cannot show what luck does either.
    luck = "" if evidence.verdict.answer in UNDECIDED else luck_sentence(evidence)
    others = (unequal_sentence(evidence), unknown_tokens_sentence(evidence, names), luck)
    return [*continued(evidence, names), *filter(None, others)]


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


def thresholds() -> str:
    """Return what the answers mean."""
    return (
        f"Lanes are compared two by two. “It hardly matters”: any two split at least {percent(SAME)} of the held-out "
        "words the same way, and no lane "
        f"needs over {TOKENS * 100:g}% more tokens than another, for every value in the intervals. “It matters”: one "
        "of the two is false for every value in its interval. “It may matter”: anything between. There is an answer "
        f"only if at least {percent(KNOWN)} of the held-out "
        f"words occur in the training text, but less than half of the sequences of {WORDS} words do. “Almost every "
        f"held-out word” means at least {percent(WHOLE)}."
    )
