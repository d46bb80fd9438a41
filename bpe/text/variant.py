"""Variant: the row type of the registry in `variants`: one way to turn text into words of symbols and back."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from bpe.remake import Reduced, Remake, reduced
from bpe.symbols import END_OF_WORD, START_OF_WORD, UNSPELLED, Symbol, Word
from bpe.text.display import visible_text

Unit = Literal["bytes", "characters"]


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to split and spell text. `lossless`: decode(symbols(x)) == x for every x without lone surrogates."""

    slug: str
    title: str
    about: str  # some short sentences for whoever chooses
    unit: Unit  # what an initial symbol is made of
    split: Callable[[str], list[str]]  # text -> pre-tokens
    spell: Callable[[str], Word]  # pre-token -> initial symbols
    decode: Callable[[Iterable[Symbol]], str]  # symbols -> text; broken UTF-8 becomes U+FFFD
    lossless: bool
    # `decode` gets special tokens, too: what they are in a text is up to the file
    decodes_special: bool = False
    loses: str = ""  # what decode cannot restore, in words
    # `spell`, faster, where every initial symbol is one byte.
    spell_bytes: Callable[[str], bytes] | None = None
    # Pre-token -> its bytes, for a file whose splits can lie inside a character. Bytes that are no whole character
    # stand in the pre-token as other characters.
    partial_bytes: Callable[[str], bytes] | None = None
    words_between_spaces: bool = False  # white space alone separates words, so a Chinese sentence is one word
    marker: Symbol | None = None  # the byte that marks a word's end or start
    marker_text: str = ""  # how the marker is spelled
    marker_is_symbol: bool = False  # False: the marker is attached to a character
    lone_bytes: bool = False  # a character that the vocabulary lacks is spelled in bytes
    byte_symbols: frozenset[Symbol] = frozenset()  # those bytes, which no new merge may join
    joins_unknown: bool = False  # neighbouring characters that the vocabulary lacks are one initial symbol
    drops_unknown: bool = False  # an initial symbol that the vocabulary lacks is left out
    safe_cut: re.Pattern[str] | None = None  # where cutting a text changes no pre-token; None: nowhere
    cut_before_spaces: bool = False  # a space before another character is a safe cut too, quick to find
    pattern: str = ""  # of the custom variant
    split_pattern: str = ""  # the pattern whose matches are the pre-tokens; "" for any other way to split
    configure: Callable[[str, Unit], "Variant"] | None = None  # (pattern, unit) -> the variant with these
    brief: str = ""  # `about` in one short line
    # `split` and `spell` as Python, for a script (`bpe.training.script`): expressions in which `text` is a text, `word`
    # a pre-token, `PATTERN` is `split_pattern`, and `MARK` the character that stands for the marker. "": no script.
    split_code: str = ""
    spell_code: str = ""
    # In the second stage of a training (bpe/text/superwords.py): the variant of the first, and the looser pattern.
    first: "Variant | None" = None
    second_pattern: str = ""
    # For a file with ordinary added tokens (added_tokens.py): a normalised text -> its parts, and whether each is an
    # added token; and the tokens as symbols. Each is a pre-token and an initial symbol.
    parts: Callable[[str], Sequence[tuple[str, bool]]] | None = None
    own_symbols: frozenset[Symbol] = frozenset()
    remake: Remake | None = field(default=None, compare=False, repr=False)

    def __reduce__(self) -> Reduced:
        return reduced(self, self.remake)

    def label(self, symbol: Symbol) -> str:
        r"""Return the symbol as shown: the marker spelled, white space visible, bytes of no whole character as <0xE2>.

        >>> from bpe import VARIANTS
        >>> VARIANTS["bytes"].label(b" \xe2\x82")
        '·<0xE2><0x82>'
        """
        if self.marker is None or symbol.startswith(UNSPELLED):
            return visible_text(symbol.removeprefix(UNSPELLED))
        parts = (visible_text(part) for part in symbol.split(self.marker))
        return self.marker_text.join(parts)

    def spelled(self, symbol: Symbol) -> bytes:
        """Return the symbol with its marker written out, as files hold it and as some tie-breaking rules compare it.

        >>> from bpe import VARIANTS, END_OF_WORD
        >>> VARIANTS["char-eow"].spelled(b"t" + END_OF_WORD)
        b't</w>'
        """
        return symbol if self.marker is None else symbol.replace(self.marker, self.marker_text.encode())

    def unspelled(self, text: str) -> Symbol:
        r"""Return the symbol that a text spells, marker included: the inverse of `spelled` for one symbol.

        >>> from bpe import VARIANTS
        >>> VARIANTS["char-eow"].unspelled("t</w>")
        b't\xff'
        """
        if self.marker == END_OF_WORD and text.endswith(self.marker_text):
            return text.removesuffix(self.marker_text).encode() + END_OF_WORD
        if self.marker == START_OF_WORD and text.startswith(self.marker_text):
            return START_OF_WORD + text.removeprefix(self.marker_text).encode()
        return text.encode()

    def length(self, symbol: Symbol) -> int:
        """Return the symbol's length in bytes, or in characters with the marker counting as one: see `unit`.

        >>> from bpe import VARIANTS, END_OF_WORD
        >>> VARIANTS["char-eow"].length("né".encode() + END_OF_WORD)
        3
        """
        if self.unit == "bytes":
            return len(symbol)
        return sum((byte & 0xC0) != 0x80 for byte in symbol)

    def bytes_of(self, pre_token: str) -> bytes:
        """Return the bytes of a pre-token's text, without markers."""
        return (self.partial_bytes or str.encode)(pre_token)

    def text_of(self, pre_token: str) -> str:
        """Return a pre-token as text to be shown; U+FFFD for a part of a character."""
        return self.partial_bytes(pre_token).decode("utf-8", "replace") if self.partial_bytes else pre_token

    def symbols(self, text: str) -> list[Symbol]:
        """Return the text's initial symbols, one pre-token after the other."""
        return [symbol for pre_token in self.split(text) for symbol in self.spell(pre_token)]

    def normalise(self, text: str) -> str:
        """Return the text as this variant preserves it: decoding any of its segmentations gives this text."""
        return self.decode(self.symbols(text))
