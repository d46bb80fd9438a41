"""Replay: apply the merges of a given tokenizer to a text, as if they were learned from it; and go on from there.

Or learn new merges and keep everything else of the tokenizer: `train_like`.
"""

import pkgutil
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from bpe.encoding.tokenizer import Tokenizer
from bpe.settings.request import Text, read_second_words, read_settings
from bpe.symbols import BPEError
from bpe.text.superwords import superword_variant
from bpe.trace.trace import Trace
from bpe.training.merge_list import merge_list
from bpe.training.trainer import Training

# By name: formats read traces, so trainings cannot import formats.
_FORMATS = f"{__name__.removesuffix('training.replay')}formats"

# Settings of a training that a tokenizer brings along.
_OWN_SETTINGS = frozenset(
    {
        "variant",
        "special_tokens",
        "unknown_token",
        "cut_special_tokens",
        "alphabet",
        "limit_alphabet",
        "character_coverage",
        "normalization",
        "pattern",
        "unit",
    }
)


def replay(text: Text, tokenizer: Tokenizer) -> Trace:
    """Return a trace that applies the tokenizer's merges to a text in the order of their ranks.

    `text` is what `train` takes. Merges that never apply to it are no steps; `Step.list_rank` is a merge's rank in the
    tokenizer's list. In a list that was converted from a vocabulary, a merge may come before those that make its parts.
    It is then made after them, where the tokenizer makes it; `Trace.replayed.reordered` is the number of such steps.
    `Step.count` is the pair's count in this text. `Step.tied` is the number of pairs that shared the highest count, or
    0 if this pair's count was lower: the counts of this text would have chosen another pair.
    Vocabulary, ids and special tokens are the tokenizer's. The words after the last step are the tokenizer's tokens.

    Raises BPEError for a text with a lone surrogate, and for a merge list that makes one token of the text in two ways.

    >>> from bpe import VARIANTS
    >>> symbols = [b"o", b"n", b"e", b"ne", b"on", b"en"]
    >>> tokenizer = Tokenizer(VARIANTS["bytes-gpt2"], symbols, [(b"n", b"e"), (b"e", b"n"), (b"o", b"n")])
    >>> [(step.pair, step.list_rank, step.count, step.tied) for step in replay("one on on", tokenizer).steps]
    [((b'n', b'e'), 0, 1, 0), ((b'o', b'n'), 2, 2, 2)]
    """
    return replay_steps(text, tokenizer).finish().trace()


def replay_steps(text: Text, tokenizer: Tokenizer) -> Training:
    """Replay one step at a time: return an iterator that yields each Step, as `train_steps` does."""
    return _training(text, tokenizer, {}, goes_on=False)


def continue_training(text: Text, tokenizer: Tokenizer, **settings: Any) -> Trace:
    """Replay a tokenizer over a text, then go on learning: its tokens are the symbols that further merges join.

    The tokenizer keeps its ids and merges. New merges rank after them, and their tokens take the next ids. `settings`
    are those of `train`, except those that the tokenizer brings (_OWN_SETTINGS): `merges` is the number of further
    merges, `vocab_size` the size of the whole vocabulary, and the ranks of `picks` count all steps. `Step.list_rank` is
    None for a merge that was learned.

    A new merge never makes a token that there is already, and never joins a character that the tokenizer does not know.

    >>> from bpe import train
    >>> tokenizer = train("low low lower", merges=2).tokenizer()
    >>> trace = continue_training("lower lower low", tokenizer, merges=2)
    >>> [(step.pair, step.list_rank) for step in trace.steps]
    [((b'l', b'o'), 0), ((b'lo', b'w'), 1), ((b'low', b'e'), None), ((b'lowe', b'r'), None)]

    Raises BPEError for an invalid setting, and for what `replay` refuses.
    """
    return continue_training_steps(text, tokenizer, **settings).finish().trace()


def continue_training_steps(text: Text, tokenizer: Tokenizer, **settings: Any) -> Training:
    """Return an iterator that continues a training one step at a time: each Step, the replayed ones first."""
    if "second_after" in settings:
        raise BPEError("The tokenizer's merges are the first stage: leave second_after out.")
    own = min(_OWN_SETTINGS & settings.keys(), default=None)
    if own is not None:
        raise BPEError(f"The tokenizer has its own {own}: leave this setting out.")
    return _training(text, tokenizer, settings, goes_on=True)


def train_like(text: Text, tokenizer: Tokenizer, **settings: Any) -> Trace:
    """Learn new merges from a text that is read as another tokenizer reads it; everything but its merges is kept.

    That is its normalizer, splits, added tokens, post-processor and decoder, so the trace's tokenizer can be saved as a
    tokenizer.json. Ids begin anew: added tokens, initial symbols, merges. This is `train_new_from_iterator` of Hugging
    Face's transformers, whose trainer breaks ties by `tie_break="ids-min"`. `settings` are those of `train`, except
    those that the tokenizer brings (_OWN_SETTINGS). No merge makes a token with the text of an added token.

    >>> from bpe import train
    >>> tokenizer = train("low low lower", "bytes-gpt2", merges=2).tokenizer()
    >>> train_like("new newer", tokenizer, merges=2).tokenizer().merges
    [(b'n', b'e'), (b'ne', b'w')]

    Raises BPEError for an invalid setting, and for a tokenizer that no tokenizer.json describes.
    """
    return train_like_steps(text, tokenizer, **settings).finish().trace()


def train_like_steps(text: Text, tokenizer: Tokenizer, **settings: Any) -> Training:
    """Train like another tokenizer one step at a time: return an iterator that yields each Step."""
    if isinstance(text, bytes | bytearray | memoryview) or not isinstance(text, Iterable):
        raise BPEError(f"The text must be a str, documents or counted words, got {type(text).__name__}.")
    documents = [text] if isinstance(text, str) else list(text)
    without_merges: Any = pkgutil.resolve_name(f"{_FORMATS}.hugging_face.retraining:without_merges")
    emptied = without_merges(tokenizer, documents)
    return continue_training_steps(text if isinstance(text, Mapping) else documents, emptied, **settings)


def _training(text: Text, tokenizer: Tokenizer, settings: Mapping[str, Any], *, goes_on: bool) -> Training:
    if not isinstance(tokenizer, Tokenizer):
        raise BPEError(f"The tokenizer must be a bpe.Tokenizer, got {type(tokenizer).__name__}.")
    second_pattern = settings.get("second_pattern")
    second_words = settings.get("second_words")
    limit = read_second_words(tokenizer.variant, second_pattern, second_words)
    second = {
        name: value
        for name, value in (("second_pattern", second_pattern), ("second_words", second_words))
        if value is not None
    }
    settings = {
        name: value for name, value in settings.items() if name not in ("second_pattern", "second_words")
    }
    if second_pattern is not None:
        tokenizer = replace(tokenizer, variant=superword_variant(tokenizer.variant, second_pattern))
    unknown = tokenizer.unknown
    specials = dict(zip(tokenizer.special_ids, tokenizer.special_tokens, strict=True))
    request = read_settings(
        {
            **settings,
            "variant": tokenizer.variant,
            "special_tokens": tokenizer.special_tokens,
            "unknown_token": None if unknown is None else specials.get(unknown),
            "normalization": tokenizer.normalization,
        }
    )
    request = replace(request, normalizer=tokenizer.normalizer)
    request = replace(request, second_limit=limit, given={**request.given, **second})
    frequencies = request.count(text)
    listed = merge_list(tokenizer, tuple(frequencies))
    return Training(request, frequencies, merge_list=listed, goes_on=goes_on)
