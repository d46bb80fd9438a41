"""The second stage of a training: its words, segmented by the merges of the first.

This works as SuperBPE does (Liu et al., arXiv 2503.13423; trainer.rs of alisawuffles/tokenizers-superbpe): the merges
of the first stage apply to the longer words in order of their ranks, as they do when the tokenizer encodes new text. So
a merge of the first stage can also join two of its own words, as `t` + `h` in GPT-2's `'t|he`. SuperBPE's trainer has
two more limits. At most four words in a token is the setting `second_words=4`; no token with a colon before a space is
left out.
"""

from collections.abc import Sequence

from bpe.checkpoints import with_checkpoints
from bpe.encoding.algorithms.by_merges import encode_by_rank
from bpe.encoding.algorithms.merge_table import merge_table
from bpe.settings.request import TrainingRequest
from bpe.symbols import Symbol
from bpe.trace.merge_log import MergeLog


def second_words(
    pre_tokens: Sequence[str], request: TrainingRequest, symbols: Sequence[Symbol], log: MergeLog
) -> list[list[Symbol]]:
    """Return the pre-tokens of the second stage as tokens of the first. `symbols` has all so far, by internal id."""
    assert request.second is not None
    spell = request.second.spell
    table = merge_table(
        [(symbols[left], symbols[right]) for left, right in zip(log.lefts, log.rights, strict=True)]
    )
    words = map(spell, with_checkpoints(pre_tokens))
    return [encode_by_rank(table, word) for word in words]
