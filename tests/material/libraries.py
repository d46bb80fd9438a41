"""The real libraries under one interface: train on a text, return merges, encodings and decodings in our symbols."""

import io
import json
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import rustbpe
import sentencepiece
import tiktoken
from subword_nmt.apply_bpe import BPE
from subword_nmt.learn_bpe import learn_bpe
from tiktoken import _educational
from tokenizers import ByteLevelBPETokenizer, CharBPETokenizer, SentencePieceBPETokenizer

from bpe import END_OF_WORD, VARIANTS, Symbol
from bpe.settings.alphabets import REMAPPED
from bpe.text.patterns import GPT2_PATTERN


@dataclass(frozen=True)
class Learned:
    """The result of a library's training. `merged_symbols` are by rank; `pairs`, where the library shows them."""

    merged_symbols: list[Symbol]
    tokens: Callable[[str], list[Symbol]]  # of a new text
    ids: Callable[[str], list[int]] | None = None
    decode: Callable[[list[int]], str] | None = None
    pairs: list[tuple[Symbol, Symbol]] | None = None
    alphabet: list[Symbol] | None = None  # the initial symbols in id order


UNMAPPED = {character: bytes([byte]) for byte, character in REMAPPED.items()}


def unmapped(token: str) -> Symbol:
    """Return the bytes of a token written in GPT-2's remapped characters."""
    return b"".join(UNMAPPED[character] for character in token)


def _hugging_face(tokenizer: Any, read: Callable[[str], Symbol], specials: int = 0) -> Learned:
    state = json.loads(tokenizer.to_str())["model"]
    pairs = [(read(left), read(right)) for left, right in state["merges"]]
    by_id = sorted(state["vocab"], key=state["vocab"].__getitem__)
    return Learned(
        merged_symbols=[left + right for left, right in pairs],
        pairs=pairs,
        alphabet=[read(token) for token in by_id[specials : len(by_id) - len(pairs)]],
        tokens=lambda text: [read(token) for token in tokenizer.encode(text).tokens],
        ids=lambda text: tokenizer.encode(text).ids,
        decode=lambda ids: tokenizer.decode(ids, skip_special_tokens=False),
    )


def hf_bytelevel(text: str, merges: int) -> Learned:
    tokenizer = ByteLevelBPETokenizer()
    tokenizer.train_from_iterator([text], vocab_size=256 + merges, min_frequency=2, show_progress=False)
    return _hugging_face(tokenizer, unmapped)


def hf_metaspace(text: str, merges: int) -> Learned:
    """Train Hugging Face's metaspace tokenizer. Without `limit_alphabet` it would keep 1,000 characters only."""
    variant = VARIANTS["char-metaspace"]
    vocab_size = 1 + len(set(variant.symbols(unicodedata.normalize("NFKC", text)))) + merges
    tokenizer = SentencePieceBPETokenizer()
    tokenizer.train_from_iterator(
        [text], vocab_size=vocab_size, min_frequency=2, limit_alphabet=100_000, show_progress=False
    )
    return _hugging_face(tokenizer, variant.unspelled, specials=1)


def hf_char(text: str, merges: int) -> Learned:
    """Train on characters. Two runs differ, since characters that end words are numbered by a random hash."""
    variant = VARIANTS["char-eow-attached"]
    words = text.split()
    vocab_size = 1 + len(set("".join(words))) + len({word[-1] for word in words}) + merges
    tokenizer = CharBPETokenizer(bert_normalizer=False, split_on_whitespace_only=True)
    tokenizer.train_from_iterator(
        [text], vocab_size=vocab_size, min_frequency=2, limit_alphabet=100_000, show_progress=False
    )
    return _hugging_face(tokenizer, variant.unspelled, specials=1)


def sentence_piece(text: str, merges: int) -> Learned:
    """Train with lines as sentences, as in the library's files. Pieces of count 0 may follow the merges."""
    model = io.BytesIO()
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    characters = set(VARIANTS["char-metaspace"].symbols("".join(lines)))
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines),
        model_writer=model,
        model_type="bpe",
        vocab_size=3 + len(characters) + merges,
        hard_vocab_limit=False,
        character_coverage=1.0,
        normalization_rule_name="identity",
        max_sentence_length=10**6,
        minloglevel=2,
    )
    processor = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
    pieces = [processor.id_to_piece(number) for number in range(3, processor.vocab_size())]
    unspelled = VARIANTS["char-metaspace"].unspelled
    return Learned(
        merged_symbols=[unspelled(piece) for piece in pieces if len(piece) > 1],
        tokens=lambda text: [unspelled(piece) for piece in processor.encode(text, out_type=str)],
        ids=processor.encode,
        decode=processor.decode,
    )


def subword_nmt(text: str, merges: int) -> Learned:
    codes = io.StringIO()
    file = io.StringIO(text, newline=None)  # as its command opens a file: every kind of line end is one
    learn_bpe(file, codes, merges, min_frequency=2)
    lines = codes.getvalue().splitlines()[1:]
    unspelled = VARIANTS["char-eow-lines"].unspelled
    pairs = [(unspelled(left), unspelled(right)) for left, right in (line.split(" ") for line in lines)]
    return Learned(
        merged_symbols=[left + right for left, right in pairs],
        pairs=pairs,
        tokens=lambda text: _subword_nmt_tokens(BPE(io.StringIO(codes.getvalue())), text),
    )


def _subword_nmt_tokens(applied: BPE, text: str) -> list[Symbol]:
    """Return the tokens of the library's output: `lo@@ wer` is `lo` inside a word and `wer` at its end."""
    pieces = (
        piece
        for line in io.StringIO(text, newline=None)
        for piece in applied.segment(line.strip("\r\n ")).split(" ")
        if piece
    )
    return [
        piece.removesuffix("@@").encode() if piece.endswith("@@") else piece.encode() + END_OF_WORD
        for piece in pieces
    ]


def tiktoken_educational(text: str, merges: int) -> Learned:
    ranks = _educational.bpe_train(text, 256 + merges, GPT2_PATTERN, visualise=None)
    encoding = tiktoken.Encoding("learned", pat_str=GPT2_PATTERN, mergeable_ranks=ranks, special_tokens={})
    return Learned(
        merged_symbols=list(ranks)[256:],
        tokens=lambda text: encoding.decode_tokens_bytes(encoding.encode_ordinary(text)),
        ids=encoding.encode_ordinary,
        decode=encoding.decode,
    )


def rust_bpe(text: str, merges: int) -> Learned:
    tokenizer = rustbpe.Tokenizer()
    tokenizer.train_from_iterator([text], 256 + merges)
    by_id = [bytes(token) for token, _ in sorted(tokenizer.get_mergeable_ranks(), key=lambda entry: entry[1])]
    return Learned(
        merged_symbols=by_id[256:],
        tokens=lambda text: [by_id[number] for number in tokenizer.encode(text)],
        ids=tokenizer.encode,
        decode=tokenizer.decode,
    )
