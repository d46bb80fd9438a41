"""Corpora: a sample, pasted text, files or a word list, in the form that `bpe.train` takes."""

import hashlib
import io
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain, count, islice
from pathlib import Path
from typing import Any

from bpe import BPEError
from bpe.analysis.alignment import graphemes
from bpe.text.records import is_records, is_table, text_fields, texts_of
from ui.trainings import limits
from ui.trainings.encodings import Doubt, doubt_of, read_bytes
from ui.view.text import SURROGATES, shortened

_SAMPLES_FILE = Path(__file__).parents[2] / "sample_corpora" / "samples.toml"
# Characters, some MB; far larger messages would break the browser's connection.
MOST_PASTED = 1_000_000
MOST_TYPED = 5_000_000  # characters that a field takes: the browser drops a longer paste and says nothing
MOST_IN_BYTES = 20_000  # characters that the page Bytes looks into
MOST_UPLOADED = limits.UPLOAD.value() * 10**6  # bytes, all files together
_MOST_FREQUENCY = 10**12
_NO_TEXT = "No text yet. Type or paste some."
NO_FILE = "No file yet. Choose one or more text files. Each becomes a document of its own."
_NO_WORDS = "No words yet. Write one per line with its count, such as “low 5”."
REQUESTS = frozenset({_NO_TEXT, NO_FILE, _NO_WORDS})  # errors that only ask for a text
OWN_TEXT, OWN_WORDS = "Your text", "Your word list"  # titles of what is typed
_MOST_NAMING = 40  # characters of a text that name it elsewhere
_NEAR = 100  # characters before its end in which the beginning of a text ends with a word
_MOST_FIELDS = 50  # of records, that can be chosen

_LINE_END = re.compile(r"\r\n|\r|\n")
_WORD_LINE = re.compile(r"(?P<word>\S+)(?:\s+(?P<frequency>\S+))?")


@dataclass(frozen=True, slots=True)
class Sample:
    """One text that comes with the app, and the recipe that shows it best."""

    slug: str
    title: str
    about: str  # one sentence: what it shows
    file: str
    kind: str  # "text" | "words"
    languages: tuple[str, ...]
    preset: str
    merges: int
    shows: str  # what to look for, shown in the list of samples
    encode: str  # a text for Encode that shows something with it
    first: bool = False  # whether it is for somebody without an idea
    lines: tuple[str, ...] = ()  # names of its lines, if each is a document of its own
    source: str = ""  # author of the example, if it is not ours
    caution: str = ""  # a sentence to read before its figures are taken for those of other texts


@dataclass(frozen=True, slots=True)
class Corpus:
    """A text to train on: documents (no pair crosses two), or words with their frequencies."""

    title: str
    documents: tuple[str, ...] = ()
    frequencies: Mapping[str, int] | None = None
    notes: tuple[str, ...] = ()  # sentences for the user, for example on the text's encoding
    named: Mapping[str, str] = field(default_factory=dict)  # {name: text} of files, or of a sample's lines
    digest: str = field(init=False)  # hash of the content; no text can be recovered from it

    def __post_init__(self) -> None:
        parts: Iterable[str] = self.documents
        if self.frequencies is not None:
            parts = (f"{word} {frequency}" for word, frequency in self.frequencies.items())
        object.__setattr__(
            self, "digest", _digest("documents" if self.frequencies is None else "words", parts)
        )

    @property
    def training_text(self) -> str | tuple[str, ...] | Mapping[str, int]:
        """The corpus as `bpe.train` takes it."""
        if self.frequencies is not None:
            return self.frequencies
        return self.documents[0] if len(self.documents) == 1 else self.documents

    @property
    def reading_text(self) -> str:
        """The text as a reader sees it: the documents one below the other, or the words one after the other."""
        return " ".join(self.frequencies) if self.frequencies is not None else "\n".join(self.documents)

    @property
    def name_elsewhere(self) -> str:
        """The title in a file that others may open: the first words of a typed text, since “Your text” means theirs.

        >>> from_text("low lower").name_elsewhere, from_text("low", "A sample").name_elsewhere
        ('“low lower”', 'A sample')
        """
        return f"“{first_words(self.reading_text, _MOST_NAMING)}”" if self.is_typed else self.title

    @property
    def is_typed(self) -> bool:
        """Whether the viewer has typed or pasted it."""
        return self.title in (OWN_TEXT, OWN_WORDS)

    @property
    def characters(self) -> int:
        """Number of characters in all documents, or in the word list with each word as often as it occurs."""
        if self.frequencies is not None:
            return sum(len(word) * frequency for word, frequency in self.frequencies.items())
        return sum(map(len, self.documents))


def first_words(text: str, most: int) -> str:
    r"""Return the first words of a text as one line, in at most so many characters and an ellipsis.

    >>> first_words("low lower", 12), first_words(" " * 500 + "low lower\nnewest", 12)
    ('low lower', 'low lower …')
    """
    text, end = text.lstrip(), 10 * most
    words = text[:end].split()
    short = words[:1]
    for word in words[1:]:
        if len(" ".join([*short, word])) > most:
            break
        short.append(word)
    line = " ".join(short)
    is_whole = len(short) == len(words) and len(line) <= most and not text[end:].strip()
    return line if is_whole else f"{line[:most]} …"


def beginning(text: str, most: int) -> str:
    """Return the text, or its beginning of at most so many characters, which ends with a word or a character.

    >>> beginning("low lower", 9), beginning("low lower", 8), beginning("e\u0301" * 3, 3) == "e\u0301"
    ('low lower', 'low', True)
    """
    if len(text) <= most:
        return text
    near = max(0, most - _NEAR)
    part = text[near : most + 1]
    words = part.rsplit(maxsplit=1)[0] if len(part.split()) > 1 else ""
    if words:
        return text[: near + len(words)]
    *whole, _ = graphemes(part)
    return text[:near] + "".join(whole)


def from_text(text: str, title: str = OWN_TEXT, most: int = MOST_PASTED) -> Corpus:
    """Return the text as one document. Raises BPEError if it is empty, too long, or holds half a character."""
    if not text.strip():
        raise BPEError(_NO_TEXT)
    refuse_too_long(text, "Upload it as a file.", most)
    _refuse_surrogates(text, title)
    return Corpus(title, (text,))


def refuse_too_long(text: str, advice: str, most: int = MOST_PASTED) -> None:
    """Raise BPEError, with an advice, for a typed text of more than so many characters."""
    if len(text) > most:
        raise BPEError(
            f"You can paste at most {most:,} characters, and this text has {len(text):,}. {advice}"
        )


def from_documents(documents: Sequence[str], title: str) -> Corpus:
    """Return the texts, each as a document of its own. Raises BPEError as `from_text` does."""
    size = sum(map(len, documents))
    if size > MOST_UPLOADED:
        raise BPEError(f"{title}: at most {MOST_UPLOADED:,} characters are allowed, got {size:,}.")
    if not any(document.strip() for document in documents):
        raise BPEError(f"{title} contains nothing but white space.")
    for document in documents:
        _refuse_surrogates(document, title)
    return Corpus(title, tuple(documents))


def with_names(names: Sequence[str], corpus: Corpus) -> Corpus:
    """Return the corpus with a name for each of its documents. A name that comes again gets a number.

    >>> list(with_names(["a.txt", "a.txt"], from_documents(["low", "lower"], "2 files")).named)
    ['a.txt', 'a.txt (2)']
    """
    named: dict[str, str] = {}
    numbered: dict[str, Iterator[str]] = {}  # of a name that comes again: its next names
    for name, document in zip(names, corpus.documents, strict=True):
        others = numbered.setdefault(name, _numbered(name))
        named[next(one for one in chain([name], others) if one not in named)] = document
    return replace(corpus, named=named)


def _numbered(name: str) -> Iterator[str]:
    return (f"{name} ({number})" for number in count(2))


def from_words(text: str, title: str = OWN_WORDS) -> Corpus:
    r"""Return the corpus of a word list: a word and its frequency on each line.

    A word without a number counts once; the frequencies of equal words add up. Raises BPEError naming a wrong line.

    >>> dict(from_words("low 5\nlower 2").frequencies)
    {'low': 5, 'lower': 2}
    """
    frequencies: dict[str, int] = {}
    for number, line in enumerate(_LINE_END.split(text), start=1):
        line = line.strip()
        if not line:
            continue
        _refuse_surrogates(line, f"{title}, line {number}")
        match = _WORD_LINE.fullmatch(line)
        if match is None:
            raise BPEError(
                f"{title}, line {number}: expected a word and its count, got {len(line.split())} parts."
            )
        frequencies[match["word"]] = frequencies.get(match["word"], 0) + _frequency(
            match["frequency"], f"{title}, line {number}: the count"
        )
    if not frequencies:
        raise BPEError(_NO_WORDS)
    return Corpus(title, frequencies=frequencies)


def from_frequencies(words: Mapping[str, object], title: str) -> Corpus:
    """Return the corpus of words with their frequencies. Raises BPEError naming the first wrong word.

    >>> from_frequencies({"low": 5}, "Word list").frequencies
    {'low': 5}
    """
    frequencies = {}
    for word, frequency in words.items():
        if not re.fullmatch(r"\S+", word):
            raise BPEError(
                f"{title}: a word must not be empty or contain white space, got “{shortened(word, 40)}”."
            )
        _refuse_surrogates(word, title)
        if type(frequency) is not int or not 1 <= frequency <= _MOST_FREQUENCY:
            raise BPEError(
                f"{title}: the count of “{shortened(word, 40)}” must be a whole number from 1 to {_MOST_FREQUENCY:,}."
            )
        frequencies[word] = frequency
    if not frequencies:
        raise BPEError(f"{title} contains no words.")
    return Corpus(title, frequencies=frequencies)


def _frequency(text: str | None, what: str) -> int:
    if text is None:
        return 1
    if not re.fullmatch(r"[0-9]{1,13}", text) or not 1 <= int(text) <= _MOST_FREQUENCY:
        raise BPEError(f"{what} must be a whole number from 1 to {_MOST_FREQUENCY:,}, got “{text[:40]}”.")
    return int(text)


def from_files(files: Sequence[tuple[str, bytes]], encoding: str = "", field: str | None = None) -> Corpus:
    """Return a corpus in which each (name, content) is a document. Its notes name encodings other than UTF-8.

    `encoding` is that of the files that are not UTF-8; by default it is guessed. `field` is the one that is read of
    JSON Lines or of a table, where each record is a document; "" reads the file as it is. By default it is that of the
    longest text in JSON Lines, whose keys are no text, and a table is read as it is.
    """
    return read_files(files, encoding, field)[0]


def read_files(
    files: Sequence[tuple[str, bytes]], encoding: str = "", field: str | None = None
) -> tuple[Corpus, Doubt | None]:
    """Return the corpus as `from_files` does, and the doubt about its encoding or its field, if there is one."""
    if not files:
        raise BPEError(NO_FILE)
    refuse_too_large(sum(len(content) for _, content in files))
    try:
        return _corpus_and_doubt(files, encoding, field)
    except MemoryError:
        raise BPEError(
            "These files do not fit into the memory that the app may use: upload less text at a time."
        ) from None


def refuse_too_large(size: int) -> None:
    """Raise BPEError if the files of one upload have too many bytes."""
    if size > MOST_UPLOADED:
        raise BPEError(
            f"You can upload at most {MOST_UPLOADED // 10**6} MB at a time. This upload is {size / 10**6:.1f} MB."
        )


def _corpus_and_doubt(
    files: Sequence[tuple[str, bytes]], encoding: str, field: str | None
) -> tuple[Corpus, Doubt | None]:
    names = [name for name, _ in files]
    readings = [read_bytes(content, name, encoding) for name, content in files]
    notes = [f"{name}: {one.note}" for name, one in zip(names, readings, strict=True) if one.note]
    texts = [one.text for one in readings]
    fields = _fields(list(zip(names, texts, strict=True)))
    chosen = field or ""
    if field is None and any(map(is_records, names)):  # the field with the longest first text
        chosen = max(filter(None, fields), key=lambda name: len(fields[name]), default="")
    title = f"{_title(files)} · {shortened(chosen, _MOST_NAMING)}" if chosen else _title(files)
    documents = _documents_if_there if field is None else _documents
    by_file = [documents(name, text, chosen) for name, text in zip(names, texts, strict=True)]
    corpus = from_documents(list(chain.from_iterable(by_file)), title)
    named = with_names(names, Corpus(title, tuple(map("\n".join, by_file)))).named
    doubt = doubt_of(files, readings)
    if fields:
        doubt = Doubt(tuple(files), doubt.previews if doubt else {}, fields, chosen)
    return replace(corpus, notes=tuple(notes), named=named), doubt


def _fields(files: Sequence[tuple[str, str]]) -> Mapping[str, str]:
    """Return the fields of the first file of JSON Lines, or else of the first table, each with its first text.

    "" stands for the file as it is. Raises BPEError for JSON Lines that hold none.
    """
    for name, text in files:
        if is_records(name):
            if not (fields := text_fields(io.StringIO(text, newline=""), name)):
                raise BPEError(
                    f"{name}: expected JSON Lines, one object on each line, with a field that holds text."
                )
            return {**dict(islice(fields.items(), _MOST_FIELDS)), "": text}
    for name, text in files:
        if is_table(name):
            with suppress(BPEError):
                columns = text_fields(io.StringIO(text, newline=""), name)
                return {"": text, **dict(islice(columns.items(), _MOST_FIELDS))} if len(columns) > 1 else {}
    return {}


def _documents(name: str, text: str, field: str) -> list[str]:
    """Return the documents of a file: the texts of a field of its records, or the whole text.

    Raises BPEError for records and tables without the field.
    """
    if field and (is_records(name) or is_table(name)):
        return list(texts_of(io.StringIO(text, newline=""), field, name))
    return [text]


def _documents_if_there(name: str, text: str, field: str) -> list[str]:
    """Return the documents of a file. A table without the field, which nobody has chosen, is read as it is."""
    is_there = not is_table(name) or field in _fields([(name, text)])
    return _documents(name, text, field if is_there else "")


def _title(files: Sequence[tuple[str, bytes]]) -> str:
    return files[0][0] if len(files) == 1 else f"{len(files)} files"


def _refuse_surrogates(text: str, title: str) -> None:
    match = SURROGATES.search(text)
    if match:
        raise BPEError(
            f"{title}: character {match.start()} is a lone surrogate (U+{ord(match[0]):04X}), half a character; "
            "remove it."
        )


def _digest(kind: str, parts: Iterable[str]) -> str:
    digest = hashlib.sha256(kind.encode())
    for part in parts:
        content = part.encode("utf-8", "surrogatepass")
        digest.update(len(content).to_bytes(8, "big"))
        digest.update(content)
    return digest.hexdigest()


@cache
def samples() -> Mapping[str, Sample]:
    """Return the texts that come with the app, by slug, in menu order."""
    rows = tomllib.loads(_SAMPLES_FILE.read_text("utf-8"))["samples"]
    return {row["slug"]: _sample(row) for row in rows}


def _sample(row: Mapping[str, Any]) -> Sample:
    lists = {key: tuple(row.get(key, ())) for key in ("languages", "lines")}
    return Sample(**{**row, **lists})


def sample_of(corpus: Corpus) -> Sample | None:
    """Return the sample that has this text; None without one, and for a text that the viewer has typed."""
    return None if corpus.is_typed else _samples_by_digest().get(corpus.digest)


@cache
def _samples_by_digest() -> Mapping[str, Sample]:
    return {from_sample(slug).digest: sample for slug, sample in samples().items()}


@cache
def from_sample(slug: str) -> Corpus:
    """Return the sample's text, or its word list."""
    sample = samples()[slug]
    # Read bytes, since reading text would turn CRLF into LF.
    text = (_SAMPLES_FILE.parent / sample.file).read_bytes().decode()
    if sample.kind == "words":
        return from_words(text, sample.title)
    corpus = from_text(text, sample.title)
    if not sample.lines:
        return corpus
    return replace(corpus, named=dict(zip(sample.lines, text.splitlines(), strict=True)))
