"""Opening a SentencePiece model: pieces and scores become merges, which encode as the library does.

The library merges whatever joins to a piece, the highest score first. Of all pairs that join to one piece, only one
ever gets that far: the last one when the piece itself is encoded. What happens inside a piece happens in every text in
which the piece comes about, since nothing outside of it takes part. So each piece becomes one merge.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from bpe.checkpoints import with_checkpoints
from bpe.encoding.tokenizer import Tokenizer
from bpe.formats.json_fields import short_json
from bpe.formats.opened import Opened
from bpe.formats.sentencepiece.as_tokenizer_json import as_template
from bpe.formats.sentencepiece.model_file import (
    BPE,
    BYTE,
    CONTROL,
    FILE,
    MODEL_TYPES,
    NORMAL,
    UNKNOWN,
    UNUSED,
    USER_DEFINED,
    ModelFile,
    Piece,
    read_model,
)
from bpe.formats.sentencepiece.normalizing import normalizer_of
from bpe.formats.sentencepiece.pieces_variant import BYTES, Vocabulary, pieces_variant
from bpe.formats.sentencepiece.runs import runs_of_one
from bpe.symbols import BPEError, Pair, Symbol
from bpe.text.display import counted

MOST_WORK = 1 << 26  # sum of the squared lengths of the pieces, which bounds the time for their merges
PIECES = 1 << 8  # between two checkpoints


def open_model(content: bytes) -> Opened:
    """Return the tokenizer of a `.model` file. Raises BPEError, with the field, for what is not supported."""
    model = read_model(content)
    if model.model_type != BPE:
        kind = MODEL_TYPES.get(model.model_type, str(model.model_type))
        raise BPEError(f"expected BPE, got {kind}.", FILE, "trainer_spec.model_type")
    vocabulary = _vocabulary(model)
    merges = _merges(model.pieces, vocabulary)
    rules = model.normalizing
    special = {
        number: piece.text for number, piece in enumerate(model.pieces) if piece.kind in (CONTROL, UNKNOWN)
    }
    tokenizer = Tokenizer(
        variant=pieces_variant(model, vocabulary),
        vocabulary=_symbols(model, vocabulary),
        merges=merges,
        special_tokens=tuple(special.values()),
        special_ids=tuple(special),
        unknown=next(number for number, text in special.items() if text == vocabulary.unknown),
        normalizer=normalizer_of(rules, model.space_behind, vocabulary.user_defined),
        one_by_one=True,
        source=as_template(model, vocabulary),
    )
    return Opened(tokenizer, tuple(_notes(model, merges)), "SentencePiece model")


def _vocabulary(model: ModelFile) -> Vocabulary:
    """Return the pieces by what they do. Raises BPEError for a vocabulary that we cannot encode with."""
    of_kind: dict[int, list[str]] = {
        kind: [] for kind in (NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE)
    }
    for piece in model.pieces:
        of_kind[piece.kind].append(piece.text)
    if len(of_kind[UNKNOWN]) != 1:
        raise BPEError(f"expected one piece for unknown characters, got {len(of_kind[UNKNOWN])}.", FILE)
    if of_kind[UNUSED]:
        raise BPEError(f"unused pieces are not supported, got {short_json(of_kind[UNUSED][0])}.", FILE)
    if model.byte_fallback and set(of_kind[BYTE]) != BYTES.keys():
        raise BPEError("expected 256 pieces from <0x00> to <0xFF>.", FILE, "trainer_spec.byte_fallback")
    learned = of_kind[NORMAL]
    if sum(len(text) ** 2 for text in learned) > MOST_WORK:
        raise BPEError("the pieces are too long; SentencePiece's default limit is 16 characters.", FILE)
    single = {text for text in learned if len(text) == 1} | {
        text for text in of_kind[USER_DEFINED] if len(text) == 1
    }
    lone = next((character for text in learned for character in text if character not in single), None)
    if lone is not None:
        raise BPEError(
            f"expected a piece for every character of a piece, but {short_json(lone)} has none.", FILE
        )
    return Vocabulary(
        learned,
        {text.encode() for text in single},
        of_kind[USER_DEFINED],
        of_kind[UNKNOWN][0],
        of_kind[CONTROL],
    )


def _symbols(model: ModelFile, vocabulary: Vocabulary) -> list[Symbol]:
    """Return the pieces in id order. The piece of a byte that is a character with a piece of its own is never used."""
    byte_of = {text: byte for text, byte in BYTES.items() if byte not in vocabulary.known}
    return [
        byte_of.get(piece.text, piece.text.encode()) if piece.kind == BYTE else piece.text.encode()
        for piece in model.pieces
    ]


def _merges(pieces: Sequence[Piece], vocabulary: Vocabulary) -> list[Pair]:
    """Return the merges, the highest score first."""
    score_of = {piece.text: piece.score for piece in pieces if piece.kind == NORMAL}
    ranked = sorted((text for text in score_of if len(text) > 1), key=lambda text: -score_of[text])
    frozen = frozenset(vocabulary.user_defined)
    pairs: list[tuple[str, str]] = []
    for _, group in groupby(with_checkpoints(ranked, PIECES), key=score_of.__getitem__):
        texts = list(group)
        pairs += runs_of_one(texts, ranked) or filter(
            None, (_last_pair(text, score_of, frozen) for text in texts)
        )
    return [(left.encode(), right.encode()) for left, right in pairs]


def _last_pair(text: str, score_of: dict[str, float], frozen: frozenset[str]) -> tuple[str, str] | None:
    """Return the pair that makes a piece last when it is encoded; None if its encoding is not the piece."""
    symbols = list(text)
    if not frozen.isdisjoint(symbols):
        return None
    while len(symbols) > 2:
        scores = [score_of.get(left + right) for left, right in pairwise(symbols)]
        best = max((score for score in scores if score is not None), default=None)
        if best is None:
            return None
        at = scores.index(best)
        symbols[at : at + 2] = [symbols[at] + symbols[at + 1]]
    return symbols[0], symbols[1]


def _notes(model: ModelFile, merges: Sequence[Pair]) -> Iterator[str]:
    """Yield a sentence for each part of the file that is not used, and where the library may decide otherwise."""
    score_of = {
        piece.text: piece.score for piece in model.pieces if piece.kind == NORMAL and len(piece.text) > 1
    }
    if len(score_of) > len(merges):
        unused = counted(len(score_of) - len(merges), "piece")
        yield f"No text is ever joined to {unused}: pairs with higher scores always come first."
    ranked = sorted(score_of, key=score_of.__getitem__)
    groups = [list(group) for _, group in groupby(ranked, key=score_of.__getitem__)]
    tied = [group for group in groups if len(group) > 1 and not runs_of_one(group, ranked)]
    if tied:
        yield (
            f"Some pieces have equal scores, {short_json(tied[0][0])} among them. The library joins the leftmost of "
            "them first; here they have an order, so that a text which contains several may be split in another way."
        )
    if model.denormalizes:
        yield "denormalizer_spec is ignored: decoded text is not changed again."
