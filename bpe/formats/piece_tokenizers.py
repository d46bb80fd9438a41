"""Tokenizers without merges: WordPiece and Unigram files. They can be measured and compared, but no merge is played."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from operator import add

from bpe.checks import check_text
from bpe.encoding import word_piece
from bpe.encoding.tokenizer import UNKNOWN_ID, Tokenizer
from bpe.encoding.word_piece import Add, add_single, best_pieces
from bpe.formats.hugging_face.normalizers import bert_normalizers, bert_words, read_normalizers
from bpe.formats.hugging_face.parts import FILE, Part, model_type, option
from bpe.formats.hugging_face.pre_tokenizers import read_pre_tokenizer
from bpe.formats.opened import MOST_TOKENS, check_others, expect, in_id_order, short_json
from bpe.formats.sentencepiece.model import BYTE, NORMAL, UNKNOWN, USER_DEFINED, ModelFile
from bpe.formats.sentencepiece.opening import normalizer_of
from bpe.remake import Reduced, Remake, reduced
from bpe.symbols import FIRST_OF_WORD, BPEError, Symbol, Word
from bpe.text.display import counted
from bpe.text.normalizing import Normalizer, in_a_row
from bpe.text.variant import Variant

VOCABULARY = "vocab.txt"
WORD_PIECE, UNIGRAM = "WordPiece", "Unigram"
MOST_CHARACTERS = 100  # of a word of WordPiece; a longer one is unknown
MOST_CACHED = 1 << 16  # words
LONG_WORD, MOST_LONG = 200, 4  # characters, from which on a word rarely recurs; so many of them are cached
MOST_SCORE = 1e30  # of a piece; a whole number in JSON can be too large for a float


@dataclass(frozen=True, slots=True)
class PieceTokenizer:
    """A tokenizer that only encodes. Unknown characters are tokens of their own, as in `Tokenizer.tokens`."""

    ids: Mapping[Symbol, int]
    unknown: int | None
    cut: Callable[[str], Sequence[str]]  # normalised text -> words
    pieces: Callable[[str], Sequence[Symbol]]  # word -> tokens
    kind: str  # "WordPiece" or "Unigram"
    tokens_in_file: int
    normalizer: Normalizer | None = None
    in_bytes: bool = False  # what has no piece is spelled in bytes
    notes: tuple[str, ...] = ()
    remake: Remake | None = field(default=None, compare=False, repr=False)

    def __reduce__(self) -> Reduced:
        return reduced(self, self.remake)

    @property
    def about(self) -> str:
        """What the file is, and how many tokens it has."""
        return f"{self.kind}; {counted(self.tokens_in_file, 'token')}"

    def split(self, text: str) -> Sequence[str]:
        """Return the words of a text, normalised."""
        return self.cut(self.normalizer.apply(text, True) if self.normalizer else text)

    def tokens(self, text: str) -> list[Symbol]:
        """Return the text's tokens. Raises BPEError for a lone surrogate."""
        check_text(text)
        tokens_of: dict[str, Sequence[Symbol]] = {}
        tokens: list[Symbol] = []
        for word in self.split(text):
            known = tokens_of.get(word)
            if known is None:
                known = self.pieces(word)
                if len(tokens_of) < MOST_CACHED:
                    tokens_of[word] = known
            tokens += known
        return tokens

    def encode(self, text: str) -> list[int]:
        """Return the ids of the text's tokens; -1 for an unknown one if there is no unknown token."""
        unknown = UNKNOWN_ID if self.unknown is None else self.unknown
        return [self.ids.get(token, unknown) for token in self.tokens(text)]


def word_piece_list(text: str) -> PieceTokenizer:
    """Return the tokenizer of a vocab.txt, one token a line. Whether it lowers the case is told from its tokens."""
    tokens = text.removesuffix("\n").split("\n")
    if len(tokens) > MOST_TOKENS:
        raise BPEError(f"expected at most {MOST_TOKENS:,} tokens, got {len(tokens):,}.", VOCABULARY)
    lowers = not any(token != token.lower() for token in tokens if not token.startswith("["))
    normalizer = in_a_row(bert_normalizers({"lowercase": lowers}, "normalizer"))
    how = "in lower case" if lowers else "with the case as it is"
    note = f"The file does not say how text is split, so it is split as BERT does, {how}."
    numbers = {token.removesuffix("\r"): number for number, token in enumerate(tokens)}
    tokenizer = _word_piece(numbers, word_piece.UNKNOWN, normalizer, bert_words)
    return replace(tokenizer, notes=(note,), remake=lambda: (word_piece_list, (text,)))


def piece_json(whole: Part) -> PieceTokenizer:
    """Return the tokenizer of a tokenizer.json of the types WordPiece and Unigram. Raises BPEError as for BPE."""
    model = expect(whole.get("model"), dict, FILE, "model")
    check_others({**whole, "model": {**model, "vocab": None}}, FILE)
    return replace(_piece_json(whole), remake=lambda: (piece_json, (whole,)))


def unigram_model(model: ModelFile) -> PieceTokenizer:
    """Return the tokenizer of a SentencePiece model of the type Unigram."""
    scores = {piece.text: piece.score for piece in model.pieces if piece.kind == NORMAL}
    unknown = [number for number, piece in enumerate(model.pieces) if piece.kind == UNKNOWN]
    if not scores or len(unknown) != 1:
        raise BPEError("tokenizer.model: expected pieces with scores, and one for unknown characters.")
    lowest, highest = min(scores.values()), max(scores.values())
    own = [piece.text for piece in model.pieces if piece.kind == USER_DEFINED]
    # The library's highest score is never below the least positive number: unigram_model.cc begins with FLT_MIN.
    scores |= {text: len(text.encode()) * max(highest, 0.0) - 0.1 for text in own}
    normalizer = normalizer_of(model.normalizing, model.space_behind, own)
    usable = (NORMAL, USER_DEFINED, BYTE)
    numbers = {piece.text: number for number, piece in enumerate(model.pieces) if piece.kind in usable}
    tokenizer = _unigram(
        numbers,
        scores,
        unknown[0],
        lambda text: [text] if text else [],  # the whole text is one word, as in the library
        normalizer,
        in_bytes=model.byte_fallback,
        lowest=lowest,
        plus=add_single,
    )
    return replace(tokenizer, remake=lambda: (unigram_model, (model,)))


def without_merges(pieces: PieceTokenizer) -> Tokenizer:
    """Return the tokenizer whose initial symbols are the pieces. Its ids are those of the file.

    The first piece of a word of WordPiece is marked, as in a tokenizer.json with `continuing_subword_prefix`.
    """
    symbol_of = _word_piece_symbol if pieces.kind == WORD_PIECE else _unigram_symbol(pieces)
    last = max([*pieces.ids.values(), -1 if pieces.unknown is None else pieces.unknown])
    vocabulary: list[Symbol] = [b""] * (last + 1)
    for token, number in pieces.ids.items():
        vocabulary[number] = symbol_of(token)
    unknown: tuple[str, ...] = ()
    if pieces.unknown is not None:
        unknown = ("[UNK]" if pieces.kind == WORD_PIECE else "<unk>",)
        vocabulary[pieces.unknown] = unknown[0].encode()
    return Tokenizer(
        _variant_of(pieces),
        vocabulary,
        special_tokens=unknown,
        special_ids=() if pieces.unknown is None else (pieces.unknown,),
        unknown=pieces.unknown,
        normalizer=_normalizer_of_pieces(pieces),
        gaps=frozenset(number for number, symbol in enumerate(vocabulary) if not symbol),
    )


def _normalizer_of_pieces(pieces: PieceTokenizer) -> Normalizer | None:
    """Return how such a file changes a text before it is split."""
    if pieces.normalizer is None or pieces.remake is None:
        return pieces.normalizer
    return replace(pieces.normalizer, remake=lambda: (_normalizer_of_pieces, (pieces,)))


def _variant_of(pieces: PieceTokenizer) -> Variant:
    """Return how such a file splits a text into words, and words into pieces."""
    is_word_piece = pieces.kind == WORD_PIECE
    symbol_of = _word_piece_symbol if is_word_piece else _unigram_symbol(pieces)

    def spell(word: str) -> Word:
        tokens = pieces.pieces(word)
        cannot_be_spelled = len(tokens) == 1 and tokens[0] not in pieces.ids
        if is_word_piece and cannot_be_spelled:
            return (FIRST_OF_WORD + word.encode(),)
        return tuple(map(symbol_of, tokens))

    short, long = lru_cache(MOST_CACHED)(spell), lru_cache(MOST_LONG)(spell)

    def decode(symbols: Iterable[Symbol]) -> str:
        text = b"".join(symbols).replace(FIRST_OF_WORD, b" ").decode("utf-8", "replace")
        return text.replace("▁", " ").removeprefix(" ")

    return Variant(
        slug="file",
        title="From a file",
        about="Text is split and spelled as the file of the tokenizer says.",
        unit="characters",
        split=lambda text: list(pieces.cut(text)),
        spell=lambda word: short(word) if len(word) < LONG_WORD else long(word),
        decode=decode,
        lossless=False,
        loses="whatever the file's normalizer and pre-tokenizer change or leave out",
        marker=FIRST_OF_WORD if is_word_piece else None,
        marker_text="▁" if is_word_piece else "",
        pieces=pieces.kind,
        remake=None if pieces.remake is None else lambda: (_variant_of, (pieces,)),
    )


def _word_piece(
    numbers: Mapping[str, int],
    unknown: str,
    normalizer: Normalizer | None,
    cut: Callable[[str], Sequence[str]],
    longest: int = MOST_CHARACTERS,
) -> PieceTokenizer:
    vocabulary: Collection[str] = numbers.keys()

    def pieces(word: str) -> list[Symbol]:
        parts = word_piece.encode(word, vocabulary) if len(word) <= longest else [word_piece.UNKNOWN]
        return [unknown.encode()] if parts == [word_piece.UNKNOWN] else [part.encode() for part in parts]

    if unknown not in numbers:
        raise BPEError(f"expected the unknown token {short_json(unknown)} in the vocabulary of WordPiece.")
    for token in numbers:
        check_text(token, " of a token")
    ids = {token.encode(): number for token, number in numbers.items() if token != unknown}
    return PieceTokenizer(ids, numbers[unknown], cut, pieces, WORD_PIECE, len(numbers), normalizer)


def _piece_json(whole: Part) -> PieceTokenizer:
    model = expect(whole.get("model"), dict, FILE, "model")
    normalizers = read_normalizers(whole.get("normalizer"))
    pre_tokenizer = read_pre_tokenizer(whole.get("pre_tokenizer"))
    normalizer = in_a_row([*normalizers, *pre_tokenizer.normalizers])
    for number, entry in enumerate(expect(whole.get("added_tokens") or [], list, FILE, "added_tokens")):
        if not option(
            expect(entry, dict, FILE, f"added_tokens[{number}]"), "special", bool, True, "added_tokens"
        ):
            raise BPEError(
                "only special ones are supported for such a model.", FILE, f"added_tokens[{number}]"
            )
    if model_type(model) == UNIGRAM:
        return _unigram_json(model, normalizer, pre_tokenizer.split)
    prefix = option(model, "continuing_subword_prefix", str, "##", "model")
    if prefix != word_piece.CONTINUATION:
        raise BPEError(f"expected ##, got {short_json(prefix)}.", FILE, "model.continuing_subword_prefix")
    tokens = in_id_order(expect(model.get("vocab"), dict, FILE, "model.vocab"), FILE, "model.vocab")
    numbers = {token: number for number, token in enumerate(tokens) if token is not None}
    unknown = option(model, "unk_token", str, word_piece.UNKNOWN, "model")
    longest = option(model, "max_input_chars_per_word", int, MOST_CHARACTERS, "model")
    return _word_piece(numbers, unknown, normalizer, pre_tokenizer.split, longest)


def _unigram_json(
    model: Part, normalizer: Normalizer | None, cut: Callable[[str], Sequence[str]]
) -> PieceTokenizer:
    in_bytes = option(model, "byte_fallback", bool, False, "model")
    scores: dict[str, float] = {}
    for number, entry in enumerate(expect(model.get("vocab"), list, FILE, "model.vocab")):
        match entry:
            case [str(text), (int() | float()) as score] if text not in scores and abs(score) <= MOST_SCORE:
                scores[text] = float(score)
            case _:
                raise BPEError("expected a new piece and its score.", FILE, f"model.vocab[{number}]")
    missing = next((value for value in range(256) if f"<0x{value:02X}>" not in scores), None)
    if in_bytes and missing is not None:
        raise BPEError(
            f"expected a token for every byte, but <0x{missing:02X}> is missing.", FILE, "model.byte_fallback"
        )
    unknown = model.get("unk_id")
    if unknown is not None and not (type(unknown) is int and 0 <= unknown < len(scores)):
        raise BPEError(f"expected the number of a piece, got {short_json(unknown)}.", FILE, "model.unk_id")
    numbers = {text: number for number, text in enumerate(scores)}
    if not scores:
        raise BPEError("expected at least one piece, got none.", FILE, "model.vocab")
    lowest = min(scores.values())
    return _unigram(numbers, scores, unknown, cut, normalizer, in_bytes=in_bytes, lowest=lowest)


def _unigram(
    numbers: Mapping[str, int],
    scores: Mapping[str, float],
    unknown: int | None,
    cut: Callable[[str], Sequence[str]],
    normalizer: Normalizer | None,
    *,
    in_bytes: bool,
    lowest: float,
    plus: Add = add,
) -> PieceTokenizer:
    longest = max(map(len, scores), default=1)

    def pieces(word: str) -> list[Symbol]:
        tokens: list[Symbol] = []
        after_unknown = False
        for piece in best_pieces(word, scores, longest, lowest, plus):
            is_unknown = piece not in scores
            if is_unknown and in_bytes:
                tokens += [f"<0x{byte:02X}>".encode() for byte in piece.encode()]
            elif is_unknown and after_unknown:
                tokens[-1] += piece.encode()
            else:
                tokens.append(piece.encode())
            after_unknown = is_unknown
        return tokens

    for text in numbers:
        check_text(text, " of a piece")
    ids = {text.encode(): number for text, number in numbers.items() if number != unknown}
    return PieceTokenizer(ids, unknown, cut, pieces, UNIGRAM, len(numbers), normalizer, in_bytes)


def _word_piece_symbol(token: Symbol) -> Symbol:
    prefix = word_piece.CONTINUATION.encode()
    return (
        token.removeprefix(prefix) if token.startswith(prefix) and token != prefix else FIRST_OF_WORD + token
    )


def _unigram_symbol(pieces: PieceTokenizer) -> Callable[[Symbol], Symbol]:
    """Return the function from a piece to its symbol. A piece such as <0xE2> stands for a byte that no piece is."""
    if not pieces.in_bytes:
        return bytes
    ids = pieces.ids
    byte_of = {f"<0x{value:02X}>".encode(): bytes([value]) for value in range(256)}
    byte_of = {token: byte for token, byte in byte_of.items() if token in ids and byte not in ids}
    return lambda token: byte_of.get(token, token)
