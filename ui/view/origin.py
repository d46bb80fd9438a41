"""What pages say of merges, whether they were learned from the text or come from a tokenizer: in one place."""

from dataclasses import dataclass

from bpe.trace.origin import Origin


@dataclass(frozen=True, slots=True)
class OriginWords:
    """The words for what the page shows."""

    work: str  # what made the merges
    this_work: str  # the same, as the subject of a sentence
    merges: str  # whose they are
    grows: str  # how the vocabulary grows with them
    slider: str  # what a choice of some of them means
    exported: tuple[
        str, str
    ]  # the choice to export all, or those up to a step; each "" for a number of merges


_LEARNED = OriginWords(
    "training",
    "This training",
    "The merges learned with the settings above",
    "Every merge adds one token to the vocabulary.",
    "Use only the first merges of the training. Starts with all of them.",
    ("", ""),
)
_REPLAYED = OriginWords(
    "replay",
    "The replay",
    "Your tokenizer",
    "The vocabulary is the tokenizer's: each step adds the tokens of its merges up to this one.",
    "Counts the merges that apply to your text. At the end of the slider all merges of the tokenizer are used.",
    ("The whole file", "The merges up to this step"),
)
_CONTINUED = OriginWords(
    "replay",
    "The replay",
    "Your tokenizer, and what was learned on top",
    f"{_REPLAYED.grows} A merge learned from this text adds one token.",
    _REPLAYED.slider,
    _REPLAYED.exported,
)


def words_of(origin: Origin) -> OriginWords:
    """Return how a page speaks of merges from there."""
    if not origin.replays:
        return _LEARNED
    return _CONTINUED if origin.learned else _REPLAYED
