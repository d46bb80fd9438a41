"""A SentencePiece model, written: for tokenizers of characters with a start-of-word marker.

The library joins neighbours whose text is a piece, the piece with the highest score first. So the score of a merged
piece is its rank with a minus sign. What the file says is read again before it is returned, to see that no piece comes
about in another way. A tokenizer that was opened from such a file is written with all its other parts untouched.
"""

from collections.abc import Iterator, Sequence
from math import frexp

from bpe.encoding.tokenizer import Tokenizer, token_texts
from bpe.formats.hugging_face.reading import Template
from bpe.formats.hugging_face.variants import SLUG
from bpe.formats.sentencepiece.model import (
    BPE,
    CONTROL,
    FILE,
    NORMAL,
    UNKNOWN,
    decimal_field,
    message_field,
    number_field,
    read_model,
)
from bpe.formats.sentencepiece.opening import open_model
from bpe.formats.spelling import spell_vocabulary
from bpe.symbols import START_OF_WORD, BPEError
from bpe.text.display import merge_name
from bpe.text.normalizing import NORMALIZATIONS
from bpe.text.variants import Variant


def check_model(variant: Variant) -> None:
    """Raise BPEError for a variant that a model cannot hold. Whether that of a file fits depends on the file."""
    if variant.slug == SLUG and not variant.first:
        return
    if variant.marker != START_OF_WORD or variant.unit == "bytes" or variant.first:
        raise BPEError(
            f"{FILE} holds characters with ▁ for spaces, as SentencePiece trains them, and no “{variant.title}”; "
            "tokenizer.json can hold bytes."
        )


def write_model(tokenizer: Tokenizer) -> bytes:
    """Return the model. Raises BPEError for what it cannot hold."""
    check_model(tokenizer.variant)
    if isinstance(tokenizer.source, Template):
        return _again(tokenizer, tokenizer.source)
    if tokenizer.variant.slug == SLUG:
        raise BPEError(f"{FILE} can be written only for a tokenizer that was opened from one.")
    if tokenizer.normalization:
        name = NORMALIZATIONS[tokenizer.normalization].name
        raise BPEError(f"{FILE} cannot say here that {name} comes first; tokenizer.json can.")
    if tokenizer.unknown is None or tokenizer.unknown not in tokenizer.special_ids:
        raise BPEError(
            f"{FILE} needs a token for unknown characters, such as <unk>, and this tokenizer has none."
        )
    _check_ids(tokenizer)
    spelled = spell_vocabulary(tokenizer, FILE)
    trainer = number_field(3, BPE) + number_field(4, len(spelled)) + number_field(40, tokenizer.unknown)
    # The rules that SentencePiece has by default, without a table of characters
    normalizer = message_field(1, b"identity") + b"".join(number_field(rule, 1) for rule in (3, 4, 5))
    content = b"".join(
        [*_pieces(tokenizer, spelled), message_field(2, trainer), message_field(3, normalizer)]
    )
    _check_merges(tokenizer, content)
    return content


def _again(tokenizer: Tokenizer, source: Template) -> bytes:
    """Return the bytes of the file that the tokenizer was opened from, and behind them the pieces learned since."""
    _check_ids(tokenizer)
    texts = token_texts(source, tokenizer.vocabulary, tokenizer.merges)[len(source.texts) :]
    lowest = min((piece.score for piece in read_model(source.content).pieces), default=0.0)
    # What numbers of 32 bits tell apart, below a score such as -1e9.
    step = max(1.0, 2.0 ** (frexp(lowest)[1] - 22))
    pieces = (
        message_field(1, text.encode()) + decimal_field(2, lowest - step * (1 + rank))
        for rank, text in enumerate(texts)
    )
    content = b"".join([source.content, *(message_field(1, piece) for piece in pieces)])
    _check_merges(tokenizer, content)
    return content


def _check_ids(tokenizer: Tokenizer) -> None:
    if tokenizer.gaps:
        raise BPEError(f"{FILE} numbers its pieces one after the other, and this tokenizer leaves ids out.")


def _pieces(tokenizer: Tokenizer, spelled: Sequence[str]) -> Iterator[bytes]:
    rank_of = {left + right: rank for rank, (left, right) in enumerate(tokenizer.merges)}
    special = set(tokenizer.special_ids)
    for number, (symbol, text) in enumerate(zip(tokenizer.vocabulary, spelled, strict=True)):
        kind = UNKNOWN if number == tokenizer.unknown else CONTROL if number in special else NORMAL
        score = 0.0 if kind != NORMAL else -float(rank_of.get(symbol, len(rank_of)))
        piece = message_field(1, text.encode()) + decimal_field(2, score)
        yield message_field(1, piece if kind == NORMAL else piece + number_field(3, kind))


def _check_merges(tokenizer: Tokenizer, content: bytes) -> None:
    spelled, label = tokenizer.variant.spelled, tokenizer.variant.label
    back = open_model(content).tokenizer.merges
    for rank, ((left, right), other) in enumerate(zip(tokenizer.merges, back, strict=False)):
        if (spelled(left), spelled(right)) != other:
            raise BPEError(
                f"{FILE} joins whatever makes a piece, so {merge_name(rank)} would become {label(other[0])} + "
                f"{label(other[1])}; tokenizer.json can hold these merges."
            )
    if len(back) != len(tokenizer.merges):
        raise BPEError(f"{FILE} cannot hold these merges: some never apply; tokenizer.json can hold them.")
