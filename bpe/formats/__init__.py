"""Formats: read and write the files in which libraries keep tokenizers. To write one more, add a row.

This module is the registry. `merges_txt`, `vocab_json`, `subword_vocabulary` and `trace_json` are formats of one module
each. The others are folders: `hugging_face` (tokenizer.json), `tiktoken` (files of ranks) and `sentencepiece` (its
models). `charsmap` is SentencePiece's table of characters, which a tokenizer.json may hold too.

`opening` reads a file of any format, and `opened` is what it returns. `piece_tokenizers` reads WordPiece and Unigram,
which only encode, and `opening_any` opens these too. `by_name` tells the format from a file's name.

All formats use `spelling` and `json_fields`, and those whose files hold regular expressions use `shared_patterns`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partialmethod
from types import MappingProxyType
from typing import Any

from bpe.encoding.tokenizer import Tokenizer
from bpe.formats.hugging_face.read_tokenizer_json import read_tokenizer
from bpe.formats.hugging_face.tokenizer_json import check_described, write_tokenizer
from bpe.formats.merges_txt import (
    check_codes,
    check_merges,
    read_codes,
    read_merges,
    write_codes,
    write_merges,
)
from bpe.formats.sentencepiece.writing_model import check_model, write_model
from bpe.formats.subword_vocabulary import FILE as SUBWORD_VOCABULARY
from bpe.formats.subword_vocabulary import check_subword_vocabulary, write_subword_vocabulary
from bpe.formats.tiktoken.tiktoken_ranks import check_ranks, read_ranks, write_ranks
from bpe.formats.trace_json import write_trace
from bpe.formats.vocab_json import check_vocabulary, read_vocabulary, write_vocabulary
from bpe.remake import by_slug
from bpe.symbols import BPEError
from bpe.text.variants import Variant
from bpe.trace.trace import Trace


@dataclass(frozen=True, slots=True)
class Format:
    """One file format. `write` raises BPEError for what the file cannot hold, `read` for a wrong line or field."""

    slug: str
    title: str
    about: str  # one sentence: what the file holds, and who loads it
    file_name: str
    write: Callable[[Tokenizer], str]
    # The variant says how text is split; it is ignored if the file says that itself.
    read: Callable[[str, Variant], Tokenizer]
    write_trace: Callable[[Trace, int], str] | None = None  # of a format that holds more than a tokenizer
    # Raises BPEError for a variant whose tokenizers the file cannot hold, so that a training need not end to tell.
    check: Callable[[Variant], None] = lambda variant: None
    says_normalization: bool = False  # whether the file says how a text is changed before it is split
    write_binary: Callable[[Tokenizer], bytes] | None = (
        None  # of a format that is no text, instead of `write`
    )

    __reduce__ = partialmethod(by_slug, __name__, "FORMATS")

    def content(self, tokenizer: Tokenizer) -> bytes:
        """Return the bytes of a tokenizer's file. Raises BPEError for what the file cannot hold."""
        return self.write_binary(tokenizer) if self.write_binary else self.write(tokenizer).encode()

    def export(self, trace: Trace, k: int) -> str:
        """Return the text of a trace's file after `k` merges. Raises BPEError for what the file cannot hold."""
        return self.write_trace(trace, k) if self.write_trace else self.write(trace.tokenizer(k))

    def exported(self, trace: Trace, k: int) -> bytes:
        """Return the bytes of a trace's file after `k` merges. Raises BPEError for what the file cannot hold."""
        return self.write_trace(trace, k).encode() if self.write_trace else self.content(trace.tokenizer(k))

    def refusal(self, trace: Trace, k: int) -> str | None:
        """Return why the format cannot hold the trace after `k` merges, in one sentence; None if it can."""
        return _refusal(lambda: self.exported(trace, k))

    def refusal_of(self, tokenizer: Tokenizer) -> str | None:
        """Return why the format cannot hold a tokenizer, in one sentence; None if it can."""
        return _refusal(lambda: self.content(tokenizer))


def _refusal(write: Callable[[], bytes]) -> str | None:
    try:
        write()
    except BPEError as error:
        return str(error)
    return None


def _only_traces(*_: object) -> Any:
    raise BPEError("Such a file needs the counts of a text, and a tokenizer alone has none.")


def _no_text(*_: object) -> Any:
    raise BPEError("A SentencePiece model is no text: read and write its bytes.")


_ROWS = (
    Format(
        slug="tokenizer-json",
        title="tokenizer.json",
        about="One file with everything: vocabulary, merges and how text is split. For Hugging Face tokenizers.",
        file_name="tokenizer.json",
        write=write_tokenizer,
        read=lambda content, variant: read_tokenizer(content),
        check=check_described,
        says_normalization=True,
    ),
    Format(
        slug="merges-txt",
        title="merges.txt",
        about="The merges, one per line. Hugging Face needs vocab.json as well.",
        file_name="merges.txt",
        write=write_merges,
        read=read_merges,
        check=check_merges,
    ),
    Format(
        slug="subword-nmt",
        title="subword-nmt codes",
        about="The merges, one per line, with </w> at the ends of words. For subword-nmt.",
        file_name="codes.txt",
        write=write_codes,
        read=read_codes,
        check=check_codes,
    ),
    Format(
        slug="subword-nmt-vocabulary",
        title="subword-nmt vocabulary",
        about="Every token of the text with its count. subword-nmt needs it, besides the codes, to undo rare tokens.",
        file_name=SUBWORD_VOCABULARY,
        write=_only_traces,
        read=_only_traces,
        write_trace=write_subword_vocabulary,
        check=check_subword_vocabulary,
    ),
    Format(
        slug="vocab-json",
        title="vocab.json",
        about="Every token with its id. Hugging Face needs merges.txt as well.",
        file_name="vocab.json",
        write=write_vocabulary,
        read=read_vocabulary,
        check=check_vocabulary,
    ),
    Format(
        slug="tiktoken",
        title=".tiktoken",
        about="Every token's bytes in base64, with its rank. For tiktoken, and for byte-level tokenizers only.",
        file_name="ranks.tiktoken",
        write=write_ranks,
        read=read_ranks,
        check=check_ranks,
    ),
    Format(
        slug="sentencepiece",
        title="SentencePiece model",
        about="Pieces with scores, as SentencePiece trains them. It drops extra spaces when it encodes.",
        file_name="tokenizer.model",
        write=_no_text,
        read=_no_text,
        write_binary=write_model,
        check=check_model,
    ),
    Format(
        slug="trace-json",
        title="trace.json",
        about="Every merge with its counts, and the words of the text, as JSON. For programs.",
        file_name="trace.json",
        write=_only_traces,
        read=_only_traces,
        write_trace=write_trace,
        says_normalization=True,
    ),
)

FORMATS: Mapping[str, Format] = MappingProxyType({row.slug: row for row in _ROWS})
