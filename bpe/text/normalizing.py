"""How a text is changed before it is split: Unicode's forms, lower-casing, and where each character came from."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import partial
from itertools import groupby, takewhile
from types import MappingProxyType
from typing import Literal, cast

from bpe.checkpoints import with_checkpoints
from bpe.remake import Reduced, Remake, reduced
from bpe.symbols import BPEError

# Where a change is one of Hugging Face's, it is aligned as there (tokenizers, tokenizer/normalizer.rs): a character
# that is put in comes from its neighbour, and what several characters become comes from the first of them.
Span = tuple[int, int]  # (start, end) in characters
Aligned = tuple[str, list[Span]]  # a changed text, and where each of its characters comes from
_Form = Literal["NFC", "NFD", "NFKC", "NFKD"]

# What Unicode's forms may change, with a character in front that it may be joined to
_BEYOND_ASCII = re.compile(r"[\x00-\x7f]?[^\x00-\x7f]+")

Normalization = _Form | Literal["lower"]

# The most that a text may grow: several normalizers in a row could fill the memory.
_MOST_TIMES = 20
_SPARE = 10_000

# (text, how many of its first characters come from the first one of the document) -> the changed text. There are none
# after a special token, and where what stood in front has been removed.
Change = Callable[[str, int], str]


@dataclass(frozen=True, slots=True)
class Normalised:
    """A text as a tokenizer changes it before splitting. It is no `str`: not every change may be made twice."""

    text: str  # of a file with added tokens it knows its parts: `added_tokens.PartedText`

    def __len__(self) -> int:
        return len(self.text)

    def __getitem__(self, part: slice) -> "Normalised":
        return Normalised(self.text[part])


@dataclass(frozen=True, slots=True)
class Normalizer:
    """One change of a text, or several in a row, with a name that people can read."""

    about: str  # such as "NFC, lower-casing"
    apply: Change
    # The same, and where each character of the changed text comes from; None: from what stays the same.
    align: Callable[[str, int], Aligned] | None = field(default=None, compare=False, repr=False)
    adds_space: bool = False  # or ▁, in front of a text: decoding removes it
    asks_beginning: bool = False  # `apply` depends on whether the text begins the document
    # the slug of the normalization that it is; None: it is no row of NORMALIZATIONS
    row: Normalization | None = None
    remake: Remake | None = field(default=None, compare=False, repr=False)

    def __reduce__(self) -> Reduced:
        return reduced(self, self.remake)

    def aligned(self, text: str, begins: int) -> Aligned:
        """Return the changed text, and where each of its characters comes from."""
        if self.align is not None:
            return self.align(text, begins)
        changed = self.apply(text, begins)
        return (text, same(text)) if changed == text else _unknown(text, changed)


@dataclass(frozen=True, slots=True)
class NormalizationRow:
    """One change of a text. Applying it twice changes nothing more, so words may be counted before or after it."""

    slug: Normalization
    title: str
    name: str  # within a sentence
    about: str  # one sentence
    apply: Callable[[str], str]
    align: Callable[[str], Aligned]  # the same, and where each character comes from
    hugging_face: str  # its type in a tokenizer.json
    code: str  # `apply` to `text` as Python, for a script (`bpe.training.script`)


def same(text: str) -> list[Span]:
    """Return the alignment of a text that is not changed."""
    return [(at, at + 1) for at in range(len(text))]


def composed(first: list[Span], then: list[Span]) -> list[Span]:
    """Return the alignment of two changes, one after the other."""
    return [through(first, span) for span in then]


def through(origins: Sequence[Span], span: Span) -> Span:
    """Return where a span of a changed text comes from."""
    start, end = span
    if start < end:
        return origins[start][0], origins[end - 1][1]
    at = origins[start][0] if start < len(origins) else origins[-1][1] if origins else 0
    return at, at


def each(text: str, change: Callable[[str], str]) -> Aligned:
    """Return the text with each character changed by itself.

    >>> each("aßb", str.upper)
    ('ASSB', [(0, 1), (1, 2), (1, 2), (2, 3)])
    """
    parts = list(map(change, text))
    return "".join(parts), [(at, at + 1) for at, part in enumerate(parts) for _ in part]


def replaced(text: str, matches: Iterable[Span], content: str) -> Aligned:
    """Return the text with a content in the place of each match: it comes from the last character there.

    >>> replaced("a--b", [(1, 3)], "~~~")
    ('a~~~b', [(0, 1), (2, 3), (2, 3), (2, 3), (3, 4)])
    """
    changed: list[str] = []
    origins: list[Span] = []
    end = 0
    for start, next_end in matches:
        changed += [text[end:start], content]
        origins += [(at, at + 1) for at in range(end, start)]
        origins += [(max(next_end - 1, 0), next_end)] * len(content)
        end = next_end
    origins += [(at, at + 1) for at in range(end, len(text))]
    return "".join([*changed, text[end:]]), origins


def in_front(text: str, added: str) -> Aligned:
    """Return the text with another one in front, which comes from the first character."""
    return added + text, [(0, 1)] * len(added) + same(text)


def _unknown(text: str, changed: str) -> Aligned:
    """Return the alignment of a change that nothing more is known of: characters that stay are found again."""
    if len(text) == len(changed):
        return changed, same(text)
    origins: list[Span] = []
    for kind, start, end, new_start, new_end in SequenceMatcher(None, text, changed, False).get_opcodes():
        if kind == "equal":
            origins += [(at, at + 1) for at in range(start, end)]
        elif new_end > new_start:
            origins += [(start, end) if end > start else (max(start - 1, 0), start)] * (new_end - new_start)
    return changed, origins


def normalized(text: str, normalization: Normalization | None) -> str:
    """Return the text after a normalization; unchanged for None."""
    return NORMALIZATIONS[normalization].apply(text) if normalization else text


def in_a_row(normalizers: Sequence[Normalizer]) -> Normalizer | None:
    """Return the normalizer that applies one after the other; None if there are none.

    >>> upper = Normalizer("upper case", lambda text, begins: text.upper())
    >>> dotted = Normalizer("a dot", lambda text, begins: text + ".")
    >>> both = in_a_row([upper, dotted])
    >>> both.about, both.apply("a", True)
    ('upper case, a dot', 'A.')
    """
    if len(normalizers) < 2:
        return normalizers[0] if normalizers else None

    def apply(text: str, begins: int) -> str:
        typed, most = text, _MOST_TIMES * len(text) + _SPARE
        for number, normalizer in enumerate(normalizers):
            if normalizer.asks_beginning and begins:
                begins = first_characters(normalizers[:number], typed, text)
            text = normalizer.apply(text, begins)
            if len(text) > most:
                raise BPEError(f"The normalizers would make this text more than {_MOST_TIMES} times as long.")
        return text

    def align(text: str, begins: int) -> Aligned:
        origins = same(text)
        for normalizer in normalizers:
            text, then = normalizer.aligned(text, begins and begun_by_first(origins))
            origins = composed(origins, then)
        return text, origins

    about = ", ".join(normalizer.about for normalizer in normalizers)
    return Normalizer(
        about,
        apply,
        align,
        any(normalizer.adds_space for normalizer in normalizers),
        any(normalizer.asks_beginning for normalizer in normalizers),
    )


def begun_by_first(origins: Iterable[Span]) -> int:
    """Return how many of the first characters of a changed text come from the first one of the text before.

    >>> begun_by_first(_aligned_form("½ a", "NFKC")[1])
    3
    """
    return sum(1 for _ in takewhile(lambda span: not span[0], origins))


def first_characters(normalizers: Sequence[Normalizer], text: str, changed: str) -> int:
    """Return how many of the first characters of a changed text come from the first one of the text before.

    Aligns a beginning that is normalized as it is in the whole text.

    >>> stripped = Normalizer("stripped", lambda text, begins: text.strip())
    >>> first_characters([stripped], "a b", "a b"), first_characters([stripped], "  a b", "a b")
    (1, 0)
    """
    size = 1 << 8  # characters that are aligned at first, to see what the first ones come from
    while True:
        part, origins = text[:size], same(text[:size])
        for normalizer in normalizers:
            part, then = normalizer.aligned(part, begun_by_first(origins))
            origins = composed(origins, then)
        begun = begun_by_first(origins)
        is_safe = begun < len(part) // 2 and changed.startswith(part[: len(part) // 2 + 1])
        if is_safe or size >= len(text):
            return begun
        size *= 4


def _aligned_form(text: str, form: _Form) -> Aligned:
    r"""Return the text in a form of Unicode, which may join characters to one, split one, and change their order.

    >>> _aligned_form("e\u0301a", "NFC")
    ('éa', [(0, 1), (2, 3)])
    >>> _aligned_form("ﬁ.", "NFKC")
    ('fi.', [(0, 1), (0, 1), (1, 2)])
    """
    changed: list[str] = []
    origins: list[Span] = []
    end = 0
    for part in _BEYOND_ASCII.finditer(text):
        at = part.start()
        changed.append(text[end:at])
        origins += [(kept, kept + 1) for kept in range(end, at)]
        end = part.end()
        if unicodedata.is_normalized(form, part.group()):
            changed.append(part.group())
            origins += [(kept, kept + 1) for kept in range(at, end)]
            continue
        for character, begun in _in_form(part.group(), form):
            changed.append(character)
            origins.append((at, at + 1) if begun else (max(at - 1, 0), at))
            at += begun
    origins += [(kept, kept + 1) for kept in range(end, len(text))]
    return "".join([*changed, text[end:]]), origins


def _in_form(text: str, form: _Form) -> Iterator[tuple[str, int]]:
    """Yield the characters of the text in a form, each with how many characters of the text begin in it."""
    decomposed = cast(_Form, form[:-1] + "D")
    parts = [
        (part, int(number == 0))
        for character in with_checkpoints(text)
        for number, part in enumerate(unicodedata.normalize(decomposed, character))
    ]
    ordered: list[tuple[str, int]] = []
    for _, marks in groupby(parts, key=lambda part: unicodedata.combining(part[0]) > 0):
        ordered += sorted(marks, key=lambda part: unicodedata.combining(part[0]))  # others are alike
    if form == decomposed:
        yield from ordered
        return
    starter, begun = "", 0  # what the next characters may join
    behind: list[tuple[str, int]] = []  # marks that did not
    for part, begins in ordered:
        order = unicodedata.combining(part)
        is_blocked = not starter or (behind and unicodedata.combining(behind[-1][0]) >= order)
        joined = "" if is_blocked else unicodedata.normalize("NFC", starter + part)
        if len(joined) == 1:
            starter, begun = joined, begun + begins
        elif order:
            behind.append((part, begins))
        else:
            yield from ((starter, begun), *behind) if starter else behind
            starter, begun, behind = part, begins, []
    yield from ((starter, begun), *behind) if starter else behind


def _lower_case(text: str) -> str:
    """Return the text in lower case, each letter by itself.

    `str.lower()` knows that a sigma ends a word, and Hugging Face's Lowercase does not.

    >>> _lower_case("ΟΔΟΣ, Main STREET")
    'οδοσ, main street'
    """
    return "".join(map(str.lower, text))


def _form(form: _Form, about: str) -> NormalizationRow:
    change = partial(unicodedata.normalize, form)
    code = f'unicodedata.normalize("{form}", text)'
    return NormalizationRow(form, form, form, about, change, partial(_aligned_form, form=form), form, code)


_ROWS = (
    _form("NFC", "Composes: e and a combining accent become one code point, é."),
    _form("NFD", "Decomposes: é becomes e and a combining accent."),
    _form("NFKC", "Composes, and replaces look-alikes by plain characters: the ligature ﬁ becomes f and i."),
    _form("NFKD", "Decomposes, and replaces look-alikes by plain characters."),
    NormalizationRow(
        slug="lower",
        title="Lower case",
        name="lower-casing",
        about="Writes everything in lower case, so The and the are one word. Decoding gives lower case only.",
        apply=_lower_case,
        align=partial(each, change=str.lower),
        hugging_face="Lowercase",
        code='"".join(map(str.lower, text))',
    ),
)
NORMALIZATIONS: Mapping[str, NormalizationRow] = MappingProxyType({row.slug: row for row in _ROWS})
