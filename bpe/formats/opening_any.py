"""Opening any tokenizer: one with merges, or one that only encodes."""

from collections.abc import Mapping

from bpe.encoding.word_piece import UNKNOWN
from bpe.formats.hugging_face.parts import FILE
from bpe.formats.json_fields import read_json
from bpe.formats.opened import MOST_BYTES, Opened, text_of
from bpe.formats.opening import named, open_tokenizer
from bpe.formats.piece_tokenizers import PieceTokenizer, piece_json, unigram_model, word_piece_list
from bpe.formats.sentencepiece.model_file import UNIGRAM, is_model, read_model
from bpe.text.variants import Variant


def open_any(files: Mapping[str, bytes], variant: Variant | None = None) -> Opened | PieceTokenizer:
    """Return what `open_tokenizer` does, or the encoder of a WordPiece or Unigram file. Raises BPEError likewise."""
    if len(files) == 1:
        ((name, content),) = files.items()
        pieces = open_pieces(name, content)
        if pieces is not None:
            return pieces
    return open_tokenizer(files, variant)


def open_pieces(name: str, content: bytes) -> PieceTokenizer | None:
    """Return the encoder of a file without merges; None for another file. Raises BPEError for a broken one."""
    with named(name):
        return _pieces(name, content)


def _pieces(name: str, content: bytes) -> PieceTokenizer | None:
    if len(content) > MOST_BYTES:
        return None
    if is_model(content):
        model = read_model(content)
        return unigram_model(model) if model.model_type == UNIGRAM else None
    lines = content[: 1 << 16].split(b"\n")
    if UNKNOWN.encode() in [line.rstrip(b"\r") for line in lines] and not content.lstrip().startswith(b"{"):
        return word_piece_list(text_of(name, content))
    if content.lstrip().startswith(b"{") and (b'"WordPiece"' in content or b'"Unigram"' in content):
        whole = read_json(text_of(name, content), FILE)
        model_part = whole.get("model")
        if isinstance(model_part, dict) and model_part.get("type") in ("WordPiece", "Unigram"):
            return piece_json(whole)
    return None
