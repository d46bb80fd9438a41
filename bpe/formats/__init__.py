"""Formats: read and write the files in which libraries keep tokenizers. To add one, add a row."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from bpe.encoding.tokenizer import Tokenizer
from bpe.formats.merges_txt import read_merges, write_merges
from bpe.formats.read_tokenizer_json import read_tokenizer
from bpe.formats.tiktoken_ranks import read_ranks, write_ranks
from bpe.formats.tokenizer_json import write_tokenizer
from bpe.formats.vocab_json import read_vocabulary, write_vocabulary
from bpe.text.variants import Variant


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


_ROWS = (
    Format(
        slug="tokenizer-json",
        title="tokenizer.json",
        about="Everything in one file: vocabulary, merges and how text is split; for Hugging Face tokenizers.",
        file_name="tokenizer.json",
        write=write_tokenizer,
        read=lambda content, variant: read_tokenizer(content),
    ),
    Format(
        slug="merges-txt",
        title="merges.txt",
        about="The merges, one a line; subword-nmt calls it codes, Hugging Face wants vocab.json beside it.",
        file_name="merges.txt",
        write=write_merges,
        read=read_merges,
    ),
    Format(
        slug="vocab-json",
        title="vocab.json",
        about="Every token with its id; Hugging Face's companion to merges.txt.",
        file_name="vocab.json",
        write=write_vocabulary,
        read=read_vocabulary,
    ),
    Format(
        slug="tiktoken",
        title=".tiktoken",
        about="Every token's bytes in base64 with its rank; for tiktoken, bytes only.",
        file_name="ranks.tiktoken",
        write=write_ranks,
        read=read_ranks,
    ),
)

FORMATS: Mapping[str, Format] = MappingProxyType({row.slug: row for row in _ROWS})
