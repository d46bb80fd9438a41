"""Opening: the tokenizer of one file, or of two that belong together, whatever format they have."""

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from traceback import format_tb

from bpe.checkpoints import from_checkpoint
from bpe.encoding.word_piece import UNKNOWN
from bpe.formats import BY_MARK, FORMATS
from bpe.formats.hugging_face.parts import FILE
from bpe.formats.merges_txt import REMAPPED_CHARACTERS, VERSION_MARK, merge_lines, variant_of_merges
from bpe.formats.opened import MOST_BYTES, File, Opened, guess, in_id_order, read_json, short_json, text_of
from bpe.formats.piece_tokenizers import PieceTokenizer, piece_json, unigram_model, word_piece_list
from bpe.formats.sentencepiece.model import UNIGRAM, is_model, read_model
from bpe.formats.vocab_json import FILE as VOCABULARY
from bpe.formats.vocab_json import read_vocabulary
from bpe.symbols import BPEError
from bpe.text.variants import VARIANTS, Variant

LOG = logging.getLogger(__name__)


def open_tokenizer(files: Mapping[str, bytes], variant: Variant | None = None) -> Opened:
    """Return the tokenizer of a file, or of a vocab.json and its merges.txt. `files` maps a name to its bytes.

    tokenizer.json says how text is split, and so do tekken.json, SentencePiece's models and OpenAI's .tiktoken files.
    For other files `variant` does; by default it is guessed from the tokens. Raises BPEError, with the file and the
    line or field, for what cannot be read.
    """
    if len(files) == 1:
        ((name, content),) = files.items()
        with named(name):
            return _open_one(File(name, content), variant)
    texts = {name: text_of(name, content) for name, content in files.items()}
    if len(texts) == 2:
        with _foreseen(" and ".join(sorted(texts))):
            return _open_two(texts, variant)
    raise BPEError(f"Expected one file, or vocab.json and merges.txt; got {len(texts)} files.")


def _open_one(file: File, variant: Variant | None) -> Opened:
    """Return the tokenizer of a file, which is a list of merges unless another format finds its mark in it."""
    row = next((row for row in BY_MARK if row.sniff(file)), FORMATS["merges-txt"])
    assert row.opener
    return row.opener(file, variant)


@contextmanager
def named(name: str) -> Iterator[None]:
    """Read a file in the `with`. Whatever is raised for the file becomes a BPEError whose sentence has its name."""
    try:
        with _foreseen(name):
            yield
    except BPEError as error:
        raise error.in_file(name) from None


@contextmanager
def _foreseen(name: str) -> Iterator[None]:
    """Raise BPEError, with a file's name, for an error in the `with` that no reader foresaw, and log it.

    The log has its type and where it was raised, and nothing of what the file holds. What a checkpoint raises, and
    MemoryError, pass.
    """
    try:
        yield
    except (BPEError, MemoryError):
        raise
    except Exception as error:
        if from_checkpoint(error):
            raise
        frames = "".join(format_tb(error.__traceback__))
        LOG.error("A file cannot be read: %s\n%s", type(error).__name__, frames)
        raise BPEError(
            f"expected the file of a tokenizer, but a part of it cannot be read ({type(error).__name__}).",
            name,
        ) from None


def _open_two(texts: Mapping[str, str], variant: Variant | None) -> Opened:
    objects = [name for name, text in texts.items() if text.lstrip().startswith("{")]
    listed = " and ".join(sorted(texts))
    if len(objects) != 1:
        which = "Both are" if objects else "Neither is"
        raise BPEError(f"Expected vocab.json and merges.txt, got {listed}. {which} a JSON object.")
    (vocabulary,) = objects
    (merges,) = texts.keys() - {vocabulary}
    if not texts[merges].strip():
        raise BPEError("expected a list of merges, got an empty file.", merges)
    try:
        return _open_pair(texts[vocabulary], texts[merges], variant)
    except BPEError as error:
        raise error.in_file(vocabulary if error.file == VOCABULARY else merges) from None


def _open_pair(vocabulary: str, merges: str, variant: Variant | None) -> Opened:
    tokens = [
        token
        for token in in_id_order(read_json(vocabulary, VOCABULARY), VOCABULARY, "the vocabulary")
        if token
    ]
    parts = merge_lines(merges)
    row = variant or _variant_of_pair(tokens, parts, merges.startswith(VERSION_MARK))
    merged = {left + right for left, right in parts} | {part for pair in parts for part in pair}
    special = [token for token in tokens if token not in merged and not _is_initial(token, row)]
    unknown = next((token for token in ("<unk>", "[UNK]") if token in special), None)
    tokenizer = read_vocabulary(vocabulary, row, merges, special, unknown)
    notes = [*guess(row, variant)]
    if special:
        listed = ", ".join(map(short_json, special[:3])) + (
            f" and {len(special) - 3:,} more" if len(special) > 3 else ""
        )
        notes.append(
            f"vocab.json does not say which tokens are special. No merge makes these, so they are: {listed}."
        )
    return Opened(tokenizer, tuple(notes), "vocab.json and merges.txt", says_split=False)


def _is_initial(token: str, variant: Variant) -> bool:
    bare = token.removesuffix(variant.marker_text) if variant.marker_text else token
    return len(bare) <= 1 and (variant.unit != "bytes" or bare in REMAPPED_CHARACTERS)


def _variant_of_pair(tokens: list[str], merges: list[tuple[str, str]], has_version: bool) -> Variant:
    row = variant_of_merges(merges, has_version)
    if row.marker_text == "</w>":
        if set(tokens) >= REMAPPED_CHARACTERS:
            raise BPEError(
                "vocab.json spells bytes and ends words with </w>, as CLIP does: open its tokenizer.json."
            )
        return VARIANTS["char-eow-attached"]
    return row


# Opening any tokenizer: one with merges, or one that only encodes.


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
