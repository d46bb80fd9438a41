"""Formats: read and write the files in which libraries keep tokenizers. To add one, add a row.

This module is the registry. Each format has a module: `merges_txt`, `vocab_json`, `subword_vocabulary`,
`tiktoken_ranks` (with `published`, the encodings known by their hash), `tokenizer_json` to write and
`read_tokenizer_json` to read, and `trace_json`. `sentencepiece` and `tekken` are formats that are only read. `opening`
reads a file of any format, and `opened` is what it returns. `piece_tokenizers` reads WordPiece and Unigram, which only
encode, and `opening_any` opens these too. `by_name` tells the format from a file's name.

`hf_reading` says how a tokenizer.json treats text. It uses `hf_normalizers`, `hf_pre_tokenizers`, `hf_bert`,
`hf_decoders` and `added_tokens`, which read their fields with `hf_parts`. `hf_rows` describes rows of `VARIANTS`, and
`file_source` holds the other parts of a file, so that it can be written again. `file_variants` makes a variant from
that, and `shared_regex` translates regular expressions, with `shared_sets` for their sets; `shared_syntax` lists what
is the same in both libraries, what is translated and what is refused. `spelling` and `json_fields` are used by all
formats.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from bpe.encoding.tokenizer import Tokenizer
from bpe.formats.merges_txt import (
    check_codes,
    check_merges,
    read_codes,
    read_merges,
    write_codes,
    write_merges,
)
from bpe.formats.read_tokenizer_json import read_tokenizer
from bpe.formats.subword_vocabulary import FILE as SUBWORD_VOCABULARY
from bpe.formats.subword_vocabulary import check_subword_vocabulary, write_subword_vocabulary
from bpe.formats.tiktoken_ranks import check_ranks, read_ranks, write_ranks
from bpe.formats.tokenizer_json import check_described, write_tokenizer
from bpe.formats.trace_json import write_trace
from bpe.formats.vocab_json import check_vocabulary, read_vocabulary, write_vocabulary
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

    def export(self, trace: Trace, k: int) -> str:
        """Return the file of a trace after `k` merges. Raises BPEError for what the file cannot hold."""
        return self.write_trace(trace, k) if self.write_trace else self.write(trace.tokenizer(k))

    def refusal(self, trace: Trace, k: int) -> str | None:
        """Return why the format cannot hold the trace after `k` merges, in one sentence; None if it can."""
        try:
            self.export(trace, k)
        except BPEError as error:
            return str(error)
        return None


def _only_traces(*_: object) -> Any:
    raise BPEError("Such a file needs the counts of a text, and a tokenizer alone has none.")


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
