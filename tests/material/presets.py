"""Traces of every preset on one text, for tests that apply to each row of the registry."""

from functools import cache

import bpe
from bpe import Trace
from ui.trainings.corpus import from_sample

# The first and the last row, and one whose ids begin with special tokens and whose alphabet comes last. Whole pages
# are tested with these, the functions behind the pages with all.
PAGE_PRESETS = tuple(dict.fromkeys((next(iter(bpe.PRESETS)), "sentencepiece", list(bpe.PRESETS)[-1])))


@cache
def preset_trace(slug: str, sample: str = "languages", merges: int = 20) -> Trace:
    """Return the trace of a sample corpus under a preset."""
    return bpe.train(from_sample(sample).training_text, merges=merges, **bpe.PRESETS[slug].settings)
