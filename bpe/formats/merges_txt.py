"""merges.txt: one merge per line, its left and right symbol with a space between, in training order.

subword-nmt writes such files as codes, Hugging Face as merges.txt. A first line `#version: 0.2` says that </w> is
attached to the last character. Without it subword-nmt reads version 0.1, where </w> is a symbol of its own.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from bpe.checkpoints import with_checkpoints
from bpe.checks import shortened_repr
from bpe.encoding.merging import merge_table
from bpe.encoding.tokenizer import Tokenizer
from bpe.formats.id_pairs import is_id_pairs
from bpe.formats.opened import File, Opened, guess, shortened
from bpe.formats.spelling import (
    alphabet_of,
    checked_length,
    read_symbol,
    refuse_superwords,
    spell_symbols,
    spelling_of,
)
from bpe.settings.alphabets import REMAPPED, order_alphabet
from bpe.symbols import END_OF_WORD, BPEError, Pair, Symbol
from bpe.text.display import counted, merge_name
from bpe.text.variants import VARIANTS, Variant
from bpe.trace.trace import Trace

FILE = "merges.txt"
_CODES = "codes.txt"
SUFFIX = "</w>"
_LINES = 1 << 12  # between two checkpoints
_FIRST_LINES = 20  # which tell a list of merges from another text
REMAPPED_CHARACTERS = frozenset(REMAPPED.values())
VERSION_MARK = "#version"
_VERSION = f"{VERSION_MARK}: 0.2"
_VERSION_LINE = re.compile(
    rf"{VERSION_MARK}: [0-9.]+\s*"
)  # also of a file that follows another one in the same file
_OTHER_FORMAT = re.compile(r"[A-Za-z]\S{1,20} v[0-9.]{1,9}\s*")  # "bpe v2": a name and a version

# XLM, FlauBERT, PhoBERT and BERTweet have such files.
# When no pair is left, fastBPE goes on with pairs of the count 0, which are merges again that it has made already.
# Source: glample/fastBPE, fastBPE/fastBPE.hpp, and its issue 5.
_FASTBPE_LINE = re.compile(r"[^ \n]+ [^ \n]+ [0-9]{1,18}\r?")

# subword-nmt's apply-bpe reads it beside the codes: with --vocabulary-threshold it undoes the rarer tokens, as the
# encoder `trimmed` does. A token that does not end its word is written with @@ behind it.
VOCABULARY_FILE = "vocabulary.txt"
_CONTINUES = "@@"
_COUNT = re.compile("[0-9]{1,18}")


def read_merges(content: str, variant: Variant) -> Tokenizer:
    """Return the tokenizer of a file of merges. Ids: first the alphabet in the variant's order, then the merged tokens.

    Raises BPEError, with the line, for a line that is not a merge.
    """
    return _tokenizer(_listed_alone(content, variant).merges, variant)


def write_merges(tokenizer: Tokenizer) -> str:
    """Return the merges, one per line. Raises BPEError for a token that the file cannot hold."""
    check_merges(tokenizer.variant)
    if tokenizer.equal_ranks:
        raise BPEError(
            f"{FILE} holds one merge after the other, but some of this tokenizer have equal ranks; tokenizer.model can "
            "hold them."
        )
    if tokenizer.whole_words:
        raise BPEError(f"{FILE} contains merges only, but this tokenizer also keeps some words whole.")
    spelled = spell_symbols(chain.from_iterable(tokenizer.merges), tokenizer.variant, FILE, " \n\r")
    header = [] if _ends_words_alone(tokenizer.variant) else [_VERSION]
    lines = [f"{spelled[left]} {spelled[right]}" for left, right in tokenizer.merges]
    if not header and lines and lines[0].startswith(VERSION_MARK):
        raise BPEError(
            f"{FILE} cannot begin with the merge {shortened_repr(lines[0])}: it would be read as the version."
        )
    return "".join(line + "\n" for line in (*header, *lines))


def check_merges(variant: Variant) -> None:
    """Raise BPEError for a variant whose merges the file cannot hold."""
    refuse_superwords(variant, FILE)


def check_codes(variant: Variant) -> None:
    """Raise BPEError for a variant whose merges the file of codes cannot hold."""
    if variant.marker != END_OF_WORD or variant.marker_text != SUFFIX or variant.unit != "characters":
        raise BPEError(f"{_CODES} ends words with {SUFFIX}, and the variant “{variant.title}” does not.")
    refuse_superwords(variant, _CODES)


def write_codes(tokenizer: Tokenizer) -> str:
    """Return the merges as subword-nmt loads them. Raises BPEError for a tokenizer that it would not repeat.

    subword-nmt splits the lines of a text at spaces. A variant that splits at other white space too fits if the text
    it is applied to has none.
    """
    check_codes(tokenizer.variant)
    if tokenizer.whole_words:
        raise BPEError(f"{_CODES} contains merges only, but this tokenizer also keeps some words whole.")
    if tokenizer.one_by_one and not merge_table(tokenizer.merges).ordered:
        raise BPEError(
            f"{_CODES} cannot hold these merges: one of them comes before a merge that makes its parts."
        )
    return write_merges(tokenizer)


def read_codes(content: str, variant: Variant) -> Tokenizer:
    """Return the tokenizer of a file of codes. Raises BPEError, with the line, for a line that is not a merge."""
    if variant.marker != END_OF_WORD or variant.marker_text != SUFFIX:
        raise BPEError(
            f"{_CODES} ends words with {SUFFIX}: choose a variant that does, got “{variant.title}”."
        )
    return read_merges(content, variant)


@dataclass(frozen=True, slots=True)
class _Reader:
    """How a library reads a list of merges."""

    library: str
    columns: Callable[[str], list[str]]  # line -> the symbols that it spells
    copy: str  # of a repeated merge: which one counts
    distinct: Callable[
        [Iterable[Pair]], list[Pair]
    ]  # merges -> the same without the copies that do not count


def _first_copies(merges: Iterable[Pair]) -> list[Pair]:
    """Return each merge once, where it is listed first.

    >>> _first_copies([(b"e", b"n"), (b"n", b"d"), (b"e", b"n")])
    [(b'e', b'n'), (b'n', b'd')]
    """
    return list(dict.fromkeys(merges))


def _last_copies(merges: Iterable[Pair]) -> list[Pair]:
    """Return each merge once, where it is listed last.

    >>> _last_copies([(b"e", b"n"), (b"n", b"d"), (b"e", b"n")])
    [(b'n', b'd'), (b'e', b'n')]
    """
    return list(dict.fromkeys(reversed(list(merges))))[::-1]


@dataclass(frozen=True, slots=True)
class _Listed:
    """The merges of a file, each once, and notes on its other lines."""

    merges: list[Pair]
    notes: tuple[str, ...]


def list_merges(content: str, variant: Variant, reader: _Reader) -> _Listed:
    """Return the merges of a file. Raises BPEError, with the line, for a line that is not a merge."""
    spelling = spelling_of(variant)
    lines = content.removeprefix("\ufeff").split("\n")
    first = 0
    if "\r" in lines[0].removesuffix("\r"):
        raise BPEError(
            "expected a line feed at the end of the line, got a carriage return alone.", FILE, "line 1"
        )
    if lines[0].startswith(VERSION_MARK):
        first = 1
        if _ends_words_alone(variant):
            raise BPEError(
                f"with a version line, {variant.marker_text} is attached to the last character; "
                f"the variant “{variant.title}” has it as a symbol of its own. Choose another variant.",
                FILE,
                "line 1",
            )
    while lines and not lines[-1].strip("\r"):
        lines.pop()
    pairs: list[Pair] = []
    versions = 0
    for number, line in enumerate(with_checkpoints(lines[first:], _LINES), start=first + 1):
        if _VERSION_LINE.fullmatch(line):
            versions += 1
            continue
        place = (FILE, f"line {number}")
        parts = reader.columns(line)
        if len(parts) != 2 or not all(parts):
            spaces = ", with more than one space" if len(list(filter(None, parts))) == 2 else ""
            raise BPEError(f"expected two symbols, got {len(list(filter(None, parts))):,}{spaces}.", *place)
        left, right = (read_symbol(checked_length(part, place), spelling, place) for part in parts)
        pairs.append((left, right))
    merges = reader.distinct(pairs)
    notes = repeated_merges(len(pairs), len(merges), reader)
    if versions:
        which = "A second line" if versions == 1 else f"{versions:,} more lines"
        notes += (f"{which} with a version: the file seems to be several, one after the other.",)
    return _Listed(merges, notes)


def repeated_merges(listed: int, distinct: int, reader: _Reader) -> tuple[str, ...]:
    """Return the note on merges that are listed more than once, if there are any."""
    copies = listed - distinct
    if not copies:
        return ()
    repeat = "repeats" if copies == 1 else "repeat"
    return (
        f"{copies:,} of {listed:,} merges {repeat} another one: as in {reader.library}, "
        f"the {reader.copy} copy counts.",
    )


def open_merges(file: File, variant: Variant | None) -> Opened:
    """Return the tokenizer of a list of merges. Without a variant, one is guessed from the merges.

    Raises BPEError, with the line, for a line that is not a merge, and for a text that is no list of merges.
    """
    text = file.text
    if not text.strip():
        raise BPEError("expected the file of a tokenizer, got an empty file.")
    _check_lines(text)
    row = variant or variant_of_merges(merge_lines(text), text.startswith(VERSION_MARK))
    kind = "subword-nmt codes" if row.marker_text == SUFFIX else FILE
    return _opened(_listed_alone(text, row), row, variant, kind)


def is_fastbpe(file: File) -> bool:
    """Return whether the first lines of a file are merges with their counts."""
    lines = file.text.rstrip("\r\n").split("\n", _FIRST_LINES)[:_FIRST_LINES]
    return all(map(_FASTBPE_LINE.fullmatch, lines)) and not is_id_pairs(file)


def open_fastbpe(file: File, variant: Variant | None) -> Opened:
    """Return the tokenizer of fastBPE's codes. Raises BPEError, with the line, for a line that is not a merge."""
    lines = file.text.rstrip("\r\n").split("\n")
    for number, line in enumerate(lines, start=1):
        if not _FASTBPE_LINE.fullmatch(line):
            raise BPEError(
                f"expected two symbols and a count, got {shortened(line)!r}.", _CODES, f"line {number}"
            )
    counted_lines = [line for line in lines if int(line.rsplit(" ", 1)[1])]
    row = variant or VARIANTS["char-eow-lines"]
    listed = list_merges("\n".join(counted_lines), row, _FASTBPE)
    opened = _opened(listed, row, variant, "fastBPE codes")
    dropped = len(lines) - len(counted_lines)
    if not dropped:
        return opened
    note = "1 line has the count 0: it repeats an earlier merge and is left out."
    if dropped > 1:
        note = f"{dropped:,} lines have the count 0: they repeat earlier merges and are left out."
    return replace(opened, ignored=(*opened.ignored, note))


def merge_lines(text: str) -> list[tuple[str, str]]:
    """Return the spelled merges of all lines that are merges. `read_merges` reports wrong lines."""
    listed = text.removeprefix("\ufeff").split("\n")
    lines = (line.removesuffix("\r").split(" ", 2) for line in listed[text.startswith(VERSION_MARK) :])
    return [(parts[0], parts[1]) for parts in lines if len(parts) == 2 and all(parts)]


def variant_of_merges(merges: list[tuple[str, str]], has_version: bool) -> Variant:
    """Return the variant that spells such merges. Raises BPEError if none does."""
    if any(right.endswith("</w>") for _, right in merges):
        return VARIANTS["char-eow-lines" if has_version else "char-eow"]
    if all(character in REMAPPED_CHARACTERS for pair in merges for part in pair for character in part):
        return VARIANTS["bytes-gpt2"]
    if any("▁" in part for pair in merges for part in pair):
        return VARIANTS["char-metaspace"]
    raise BPEError("the merges look like those of no known tokenizer; choose how text is split.")


def check_subword_vocabulary(variant: Variant) -> None:
    """Raise BPEError for a variant that does not attach </w> to the last character."""
    if variant.marker != END_OF_WORD or variant.marker_is_symbol or variant.unit != "characters":
        raise BPEError(
            f"{VOCABULARY_FILE} is for variants that attach </w> to the last character, such as the preset subword-nmt."
        )


def refuse_counts(file: File) -> None:
    """Raise BPEError for a vocabulary with counts, the most frequent token first: it holds no merges.

    subword-nmt's get-vocab writes such files, and fairseq has them as dict.txt.
    """
    lines = file.text.rstrip("\r\n").split("\n", _FIRST_LINES)[:_FIRST_LINES]
    parts = [line.rstrip("\r").split(" ") for line in lines]
    if (
        len(lines) < 2
        or is_id_pairs(file)
        or not all(len(one) == 2 and _COUNT.fullmatch(one[1]) for one in parts)
    ):
        return
    counts = [int(one[1]) for one in parts]
    if counts == sorted(counts, reverse=True) and len(set(counts)) > 1:
        raise BPEError(
            f"expected the file of a tokenizer, got a vocabulary with counts ({counted(counts[0], 'time')} "
            f"{shortened(parts[0][0])!r}), as subword-nmt and fairseq have: open the codes that belong to it."
        )


def is_subword_vocabulary(text: str) -> bool:
    r"""Return whether the first lines of a text are tokens with their counts, as subword-nmt's get-vocab writes them.

    >>> is_subword_vocabulary("low 5\nlo@@ 2\n"), is_subword_vocabulary("l o\nlo w</w>\n")
    (True, False)
    """
    lines = text.removeprefix("\ufeff").rstrip("\r\n").split("\n", _FIRST_LINES)[:_FIRST_LINES]
    parts = [line.rstrip("\r ").split(" ") for line in lines]
    return all(len(one) == 2 and _COUNT.fullmatch(one[1]) for one in parts) and not all(
        _COUNT.fullmatch(left) for left, _ in parts
    )


def open_with_vocabulary(codes: str, vocabulary: str, variant: Variant | None) -> Opened:
    """Return the tokenizer of subword-nmt's codes and of the vocabulary beside them, with the counts of its tokens.

    Raises BPEError, with file and line, for a line that is no merge, or no token with its count.
    """
    opened = open_merges(File(_CODES, codes.encode()), variant)
    row = opened.tokenizer.variant
    check_subword_vocabulary(row)
    counts: dict[Symbol, int] = {}
    lines = vocabulary.removeprefix("\ufeff").rstrip("\r\n").split("\n")
    for number, line in enumerate(with_checkpoints(lines, _LINES), start=1):
        parts = line.rstrip("\r ").split(" ")
        if len(parts) != 2 or not parts[0] or not _COUNT.fullmatch(parts[1]):
            where = (VOCABULARY_FILE, f"line {number}")
            raise BPEError(f"expected a token and its count, got {shortened(line)!r}.", *where)
        token = parts[0]
        inside = len(token) > len(_CONTINUES) and token.endswith(_CONTINUES)
        symbol = row.unspelled(token.removesuffix(_CONTINUES) if inside else token + row.marker_text)
        counts[symbol] = int(parts[1])
    known = {symbol: count for symbol, count in counts.items() if symbol in opened.tokenizer.ids}
    if not known:
        raise BPEError(
            "expected the vocabulary of these codes, but they make none of its tokens.", VOCABULARY_FILE
        )
    kind = "subword-nmt codes and vocabulary"
    return replace(opened, tokenizer=replace(opened.tokenizer, frequencies=known), kind=kind)


def write_subword_vocabulary(trace: Trace, k: int) -> str:
    """Return the tokens of the corpus after `k` merges with their counts, one per line.

    Raises BPEError for a variant that does not attach </w> to the last character, and for a token with a space.
    """
    variant = trace.variant
    check_subword_vocabulary(variant)
    counts = trace.token_counts(k)
    spelled = spell_symbols(counts, variant, VOCABULARY_FILE, " \n\r")
    suffix = variant.marker_text
    lines = {
        text.removesuffix(suffix) if text.endswith(suffix) else text + _CONTINUES: counts[symbol]
        for symbol, text in spelled.items()
    }
    if len(lines) < len(counts):
        raise BPEError(
            f"{VOCABULARY_FILE} cannot hold a token that ends with {_CONTINUES}, its mark for the inside of a word."
        )
    return "".join(f"{text} {count}\n" for text, count in sorted(lines.items(), key=lambda item: -item[1]))


# Sources: rsennrich/subword-nmt, the class BPE of apply-bpe; huggingface/tokenizers, its model BPE.
_SUBWORD_NMT = _Reader("subword-nmt", lambda line: line.strip("\r ").split(" "), "first", _first_copies)
HUGGING_FACE = _Reader(
    "Hugging Face's tokenizers", lambda line: line.removesuffix("\r").split(" "), "last", _last_copies
)
_FASTBPE = _Reader("fastBPE", lambda line: line.removesuffix("\r").split(" ")[:2], "first", _first_copies)


def _ends_words_alone(variant: Variant) -> bool:
    """Return whether the variant ends words with a symbol of its own."""
    return variant.marker == END_OF_WORD and variant.marker_is_symbol


def _tokenizer(merges: Sequence[Pair], variant: Variant) -> Tokenizer:
    initial = alphabet_of([symbol for pair in merges for symbol in pair], variant)
    alphabet = order_alphabet(initial, variant, "gpt2-bytes" if variant.unit == "bytes" else None)
    symbols = dict.fromkeys(alphabet)
    for left, right in merges:
        symbols.update(dict.fromkeys((left, right, left + right)))
    # subword-nmt applies a merge at all its positions at once, the libraries that have no </w> at one.
    return Tokenizer(variant, tuple(symbols), tuple(merges), one_by_one=variant.marker_text != SUFFIX)


def _listed_alone(content: str, variant: Variant) -> _Listed:
    """Return the merges of a list without a vocab.json, as the library reads them that writes such lists."""
    return list_merges(content, variant, _SUBWORD_NMT if variant.marker_text == SUFFIX else HUGGING_FACE)


def _opened(listed: _Listed, row: Variant, variant: Variant | None, kind: str) -> Opened:
    tokenizer = _tokenizer(listed.merges, row)
    _check_parts(tokenizer)
    return Opened(tokenizer, (*guess(row, variant), *listed.notes), kind, says_split=False)


def _check_lines(text: str) -> None:
    """Raise BPEError, with the beginning of the text, if most of its first lines are no merges."""
    lines = [line for line in text.split("\n", _FIRST_LINES)[:_FIRST_LINES] if line.strip()]
    if _OTHER_FORMAT.fullmatch(lines[0]):
        raise BPEError(
            f"expected the file of a tokenizer, got one of the format {lines[0].strip()!r}, which is not known here."
        )
    wrong = [line for line in lines if len(line.split(" ")) != 2]
    if 2 * len(wrong) > len(lines) and not text.startswith(VERSION_MARK):
        raise BPEError(
            "expected tokenizer.json, a list of merges or a .tiktoken file, "
            f"got a text that begins with {shortened(lines[0])!r}."
        )


def _check_parts(tokenizer: Tokenizer) -> None:
    """Raise BPEError for a list without merges, or with a merge whose parts nothing makes: it is no list of merges."""
    merges, variant = tokenizer.merges, tokenizer.variant
    if not merges:
        raise BPEError("expected at least one merge, got none.")
    parts = [part for pair in merges for part in pair]
    known = {left + right for left, right in merges} | set(alphabet_of(parts, variant))
    for rank, part in enumerate(parts):
        if part not in known:
            raise BPEError(
                f"{merge_name(rank // 2).capitalize()} needs {shortened(variant.label(part))!r}, which no merge makes."
            )
