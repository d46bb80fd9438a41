"""Replay: apply the merges of a given tokenizer to a text, as if they were learned from it."""

from dataclasses import replace

from bpe.encoding.tokenizer import Tokenizer
from bpe.settings.read_request import read_request
from bpe.settings.request import Text
from bpe.symbols import BPEError
from bpe.trace.trace import Trace
from bpe.training.merge_list import merge_list
from bpe.training.trainer import Training


def replay(text: Text, tokenizer: Tokenizer) -> Trace:
    """Return a trace that applies the tokenizer's merges to a text in the order of their ranks.

    `text` is what `train` takes. Merges that never apply to it are no steps; `Step.list_rank` is a merge's rank in the
    tokenizer's list. `Step.count` is the pair's count in this text. `Step.tied` is the number of pairs that shared the
    highest count, or 0 if this pair's count was lower: the counts of this text would have chosen another pair.
    Vocabulary, ids and special tokens are the tokenizer's. The words after the last step are the tokenizer's tokens.

    Raises BPEError for a text with a lone surrogate, and for a merge list that no order of steps can show.

    >>> from bpe import VARIANTS
    >>> symbols = [b"o", b"n", b"e", b"ne", b"on", b"en"]
    >>> tokenizer = Tokenizer(VARIANTS["bytes-gpt2"], symbols, [(b"n", b"e"), (b"e", b"n"), (b"o", b"n")])
    >>> [(step.pair, step.list_rank, step.count, step.tied) for step in replay("one on on", tokenizer).steps]
    [((b'n', b'e'), 0, 1, 0), ((b'o', b'n'), 2, 2, 2)]
    """
    return replay_steps(text, tokenizer).finish().trace()


def replay_steps(text: Text, tokenizer: Tokenizer) -> Training:
    """Replay one step at a time: return an iterator that yields each Step, as `train_steps` does."""
    if not isinstance(tokenizer, Tokenizer):
        raise BPEError(f"The tokenizer must be a bpe.Tokenizer, got {type(tokenizer).__name__}.")
    unknown = tokenizer.unknown
    specials = dict(zip(tokenizer.special_ids, tokenizer.special_tokens, strict=True))
    request = read_request(
        tokenizer.variant,
        special_tokens=tokenizer.special_tokens,
        unknown_token=None if unknown is None else specials.get(unknown),
        normalization=tokenizer.normalization,
    )
    request = replace(request, normalizer=tokenizer.normalizer)
    frequencies = request.count(text)
    return Training(request, frequencies, merge_list=merge_list(tokenizer, tuple(frequencies)))
