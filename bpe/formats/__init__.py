"""Formats: read and write the files in which libraries keep tokenizers. To add one, add a row."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from bpe.checks import shortened_repr
from bpe.encoding.tokenizer import Tokenizer
from bpe.formats.hugging_face.reading import open_json_file, read_tokenizer
from bpe.formats.hugging_face.writing import check_described, write_tokenizer
from bpe.formats.id_pairs import MINBPE, PAIRS, is_id_pairs, is_minbpe, open_id_pairs, open_minbpe
from bpe.formats.merges_txt import VOCABULARY_FILE as SUBWORD_VOCABULARY
from bpe.formats.merges_txt import (
    check_codes,
    check_merges,
    check_subword_vocabulary,
    is_fastbpe,
    open_fastbpe,
    open_merges,
    read_codes,
    read_merges,
    write_codes,
    write_merges,
    write_subword_vocabulary,
)
from bpe.formats.opened import MOST_BYTES, File, Opened, text_of
from bpe.formats.sentencepiece.model import is_model
from bpe.formats.sentencepiece.opening import open_model
from bpe.formats.sentencepiece.writing import check_model, write_model
from bpe.formats.tekken import is_tekken, open_tekken
from bpe.formats.tiktoken_ranks import check_ranks, is_js_ranks, is_ranks, open_ranks, read_ranks, write_ranks
from bpe.formats.trace_json import write_trace
from bpe.formats.vocab_json import check_vocabulary, read_vocabulary, write_vocabulary
from bpe.symbols import BPEError
from bpe.text.variants import Variant
from bpe.trace.trace import Trace

Written = Callable[[Tokenizer], str] | Callable[[Tokenizer], bytes]


@dataclass(frozen=True, slots=True)
class Format:
    """One file format: how its files are known, opened, read and written."""

    slug: str
    title: str
    about: str  # one sentence: what the file holds, and who loads it
    file_name: str
    endings: tuple[str, ...] = ()  # of other names that tell the format too
    is_text: bool = True
    # Returns the text of a tokenizer's file, or its bytes, and raises BPEError for what it cannot hold.
    writer: Written | None = None  # None: a tokenizer alone is not enough
    write_trace: Callable[[Trace, int], str] | None = None  # of a format that holds more than a tokenizer
    # Returns the tokenizer of a text, or of bytes. The variant says how text is split, if the file does not.
    reader: Callable[[Any, Variant], Tokenizer] | None = None
    # Whether a file of unknown format has the mark of this one.
    sniff: Callable[[File], bool] = lambda file: False
    # reads such a file; None: guess the variant
    opener: Callable[[File, Variant | None], Opened] | None = None
    # Raises BPEError for a variant whose tokenizers the file cannot hold, so that a training need not end to tell.
    check: Callable[[Variant], None] = lambda variant: None
    says_normalization: bool = False  # whether the file says how a text is changed before it is split

    def read(self, content: str | bytes, variant: Variant) -> Tokenizer:
        """Return the tokenizer of a file. The variant says how text is split; it is ignored if the file says that.

        Raises BPEError for a wrong line or field, and if no tokenizer can be read from such a file alone.
        """
        if self.reader is None:
            raise BPEError(f"{self.file_name} holds no tokenizer that can be read.")
        if self.is_text:
            return self.reader(
                content if isinstance(content, str) else text_of(self.file_name, content), variant
            )
        return self.reader(content.encode() if isinstance(content, str) else content, variant)

    def write(self, tokenizer: Tokenizer) -> str:
        """Return the text of a tokenizer's file. Raises BPEError for what it cannot hold, and if it is no text."""
        content = self.content(tokenizer)
        if not self.is_text:
            raise BPEError(f"{self.file_name} is not text: write its bytes.")
        return content.decode()

    def content(self, tokenizer: Tokenizer) -> bytes:
        """Return the bytes of a tokenizer's file. Raises BPEError for what the file cannot hold."""
        if self.writer is None:
            raise BPEError(f"{self.file_name} needs the counts of a text, and a tokenizer alone has none.")
        written = self.writer(tokenizer)
        return written if isinstance(written, bytes) else written.encode()

    def trace_content(self, trace: Trace, k: int) -> bytes:
        """Return the bytes of a trace's file after `k` merges. Raises BPEError for what the file cannot hold."""
        return self.write_trace(trace, k).encode() if self.write_trace else self.content(trace.tokenizer(k))

    def refusal(self, trace: Trace, k: int) -> str | None:
        """Return why the format cannot hold the trace after `k` merges, in one sentence; None if it can."""
        try:
            self.trace_content(trace, k)
        except BPEError as error:
            return str(error)
        return None


_ROWS = (
    Format(
        slug="tokenizer-json",
        title="tokenizer.json",
        about="One file with everything: vocabulary, merges and how text is split. For Hugging Face tokenizers.",
        file_name="tokenizer.json",
        endings=(".json",),
        writer=write_tokenizer,
        reader=lambda content, variant: read_tokenizer(content),
        sniff=lambda file: file.json is not None and not is_tekken(file) and not is_js_ranks(file),
        opener=lambda file, variant: open_json_file(file.json or {}),
        check=check_described,
        says_normalization=True,
    ),
    Format(
        slug="merges-txt",
        title="merges.txt",
        about="The merges, one per line. Hugging Face needs vocab.json as well.",
        file_name="merges.txt",
        endings=(".txt",),
        writer=write_merges,
        reader=read_merges,
        opener=open_merges,  # of every file that no format has its mark in
        check=check_merges,
    ),
    Format(
        slug="subword-nmt",
        title="subword-nmt codes",
        about="The merges, one per line, with </w> at the ends of words. For subword-nmt.",
        file_name="codes.txt",
        writer=write_codes,
        reader=read_codes,
        check=check_codes,
    ),
    Format(
        slug="subword-nmt-vocabulary",
        title="subword-nmt vocabulary",
        about="Every token of the text with its count. subword-nmt needs it, besides the codes, to undo rare tokens.",
        file_name=SUBWORD_VOCABULARY,
        write_trace=write_subword_vocabulary,
        check=check_subword_vocabulary,
    ),
    Format(
        slug="vocab-json",
        title="vocab.json",
        about="Every token with its id. Hugging Face needs merges.txt as well.",
        file_name="vocab.json",
        writer=write_vocabulary,
        reader=read_vocabulary,
        check=check_vocabulary,
    ),
    Format(
        slug="tiktoken",
        title=".tiktoken",
        about="Every token's bytes in base64, with its rank. For tiktoken, and for byte-level tokenizers only.",
        file_name="ranks.tiktoken",
        endings=(".tiktoken",),
        writer=write_ranks,
        reader=read_ranks,
        sniff=is_ranks,
        opener=open_ranks,
        check=check_ranks,
    ),
    Format(
        slug="sentencepiece",
        title="SentencePiece model",
        about="Pieces with scores, as SentencePiece trains them. It drops extra spaces when it encodes.",
        file_name="tokenizer.model",
        endings=(".model",),
        is_text=False,
        writer=write_model,
        reader=lambda content, variant: open_model(content).tokenizer,
        sniff=lambda file: len(file.content) <= MOST_BYTES and is_model(file.content),
        opener=lambda file, variant: open_model(file.content),
        check=check_model,
    ),
    Format(
        slug="trace-json",
        title="trace.json",
        about="Every merge with its counts, and the words of the text, as JSON. For programs.",
        file_name="trace.json",
        write_trace=write_trace,
        says_normalization=True,
    ),
    Format(
        slug="tekken",
        title="tekken.json",
        about="Ranks, a pattern and special tokens as JSON. Mistral publishes such files.",
        file_name="tekken.json",
        sniff=is_tekken,
        opener=lambda file, variant: open_tekken(file.json or {}),
    ),
    Format(
        slug="fastbpe",
        title="fastBPE codes",
        about="The merges with their counts, one per line, with </w> at the ends of words. XLM has such files.",
        file_name="codes",
        sniff=is_fastbpe,
        opener=open_fastbpe,
    ),
    Format(
        slug="minbpe",
        title="minbpe's .model",
        about="A pattern, special tokens, and a pair of ids for each merge, as minbpe saves them.",
        file_name=MINBPE,
        sniff=is_minbpe,
        opener=lambda file, variant: open_minbpe(file),
    ),
    Format(
        slug="id-pairs",
        title=PAIRS,
        about="A pair of ids for each merge. Programs that follow the minbpe lecture write such lists.",
        file_name="id-pairs.txt",
        sniff=is_id_pairs,
        opener=open_id_pairs,
    ),
)

# Those that can be written, by slug.
FORMATS: Mapping[str, Format] = MappingProxyType(
    {row.slug: row for row in _ROWS if row.writer or row.write_trace}
)
# Those whose files are asked for a mark. Bytes that are no text come first: nobody may ask for their text.
BY_MARK = sorted((row for row in _ROWS if row.opener), key=lambda row: row.is_text)


def format_named(name: str, asked: str | None = None) -> Format:
    """Return the requested format, or the one that the name of a file tells. Raises BPEError if it tells none.

    >>> format_named("my-vocab.json").slug, format_named("words.json").slug
    ('vocab-json', 'tokenizer-json')
    """
    if asked is not None:
        if asked not in FORMATS:
            raise BPEError(f"format must be one of {', '.join(FORMATS)}; got {shortened_repr(asked)}.")
        return FORMATS[asked]
    file = Path(name).name
    for row in FORMATS.values():
        if file == row.file_name or file.endswith(tuple(sign + row.file_name for sign in "-_.")):
            return row
    ending = Path(name).suffix
    row_of = {ending: row for row in FORMATS.values() for ending in row.endings}
    if ending not in row_of:
        raise BPEError(f"{name}: the name does not tell the format; choose one of {', '.join(FORMATS)}.")
    return row_of[ending]
