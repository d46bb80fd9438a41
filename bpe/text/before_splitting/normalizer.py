"""Normalizer: how a tokenizer changes a text before the text is split into pre-tokens."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from bpe.remake import Reduced, Remake, reduced
from bpe.symbols import BPEError
from bpe.text.before_splitting.alignment import Aligned, composed, same, unknown

# The most that a text may grow: several normalizers in a row could fill the memory.
MOST_TIMES = 20
SPARE = 10_000
# (text, whether it begins the document) -> the changed text. It is False after a special token.
Change = Callable[[str, bool], str]


@dataclass(frozen=True, slots=True)
class Normalizer:
    """One change of a text, or several in a row, with a name that people can read."""

    about: str  # such as "NFC, lower-casing"
    apply: Change
    # The same, and where each character of the changed text comes from; None: from what stays the same.
    align: Callable[[str, bool], Aligned] | None = field(default=None, compare=False, repr=False)
    remake: Remake | None = field(default=None, compare=False, repr=False)

    def __reduce__(self) -> Reduced:
        return reduced(self, self.remake)

    def aligned(self, text: str, begins: bool) -> Aligned:
        """Return the changed text, and where each of its characters comes from."""
        if self.align is not None:
            return self.align(text, begins)
        changed = self.apply(text, begins)
        return (text, same(text)) if changed == text else unknown(text, changed)


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

    def apply(text: str, begins: bool) -> str:
        most = MOST_TIMES * len(text) + SPARE
        for normalizer in normalizers:
            text = normalizer.apply(text, begins)
            if len(text) > most:
                raise BPEError(f"The normalizers would make this text more than {MOST_TIMES} times as long.")
        return text

    def align(text: str, begins: bool) -> Aligned:
        origins = same(text)
        for normalizer in normalizers:
            text, then = normalizer.aligned(text, begins)
            origins = composed(origins, then)
        return text, origins

    return Normalizer(", ".join(normalizer.about for normalizer in normalizers), apply, align)
