"""Variants of files: ways in which a tokenizer.json splits and spells text that are not rows of `VARIANTS`."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from types import MappingProxyType

from bpe.formats.hugging_face.normalizers import METASPACE
from bpe.formats.hugging_face.parts import Part
from bpe.formats.spelling import Spelling
from bpe.settings.alphabets import REMAPPED
from bpe.symbols import END_OF_WORD, FIRST_OF_WORD, Symbol, Word
from bpe.text.added_tokens import TokenFinder, ordinary_tokens
from bpe.text.patterns import GPT4_PATTERN
from bpe.text.variants import Variant, each_byte, initial_symbols, join, together

_Split = Callable[[str], list[str]]
SLUG = "file"
_VALUES = {letter: value for value, letter in REMAPPED.items()}

# Bytes that are no whole character stand in a pre-token as these characters, and so does each byte of a typed one of
# them. They are private, and UTF-8 can encode them: unlike lone surrogates they can be stored, sent and drawn.
_FIRST_PARTIAL = 0x10FF00
_BEGIN_PARTIAL = chr(_FIRST_PARTIAL).encode()[:2]
BYTE_LEVEL: Part = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
_GPT2: Part = {**BYTE_LEVEL, "use_regex": True}
_WHITE_SPACE: Part = {"type": "WhitespaceSplit"}
_METASPACE: Part = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
_SUFFIX = "</w>"


def byte_variant(
    split: _Split, suffix: str, bytes_of: Callable[[str], bytes] = str.encode, *, keeps_text: bool = False
) -> Variant:
    """Return the variant that spells pre-tokens in bytes. The last byte carries the suffix, if there is one.

    `bytes_of`: pre-token -> its bytes, those of text unless a split can lie inside a character. `keeps_text`: the split
    leaves no text out.
    """

    def spell(pre_token: str) -> Word:
        return each_byte(bytes_of(pre_token))

    lossless = keeps_text and not suffix
    return Variant(
        slug=SLUG,
        title="From a file",
        about="Text is split and spelled as the file of the tokenizer says.",
        split=split,
        unit="bytes",
        spell=partial(_last_byte_marked, bytes_of) if suffix else spell,
        spell_bytes=None if suffix else bytes_of,
        decode=_join_marked if suffix else join,
        lossless=lossless,
        loses="" if lossless else "whatever the file's normalizer and pre-tokenizer change or leave out",
        marker=END_OF_WORD if suffix else None,
        marker_text=suffix,
        partial_bytes=None if bytes_of is str.encode else bytes_of,
    )


@dataclass(frozen=True, slots=True)
class Unknowns:
    """What a file does with characters that its vocabulary lacks."""

    known: Collection[Symbol]  # the initial symbols of the vocabulary
    in_bytes: bool  # spells them in bytes (byte_fallback)
    together: bool  # takes neighbouring ones as one unknown token (fuse_unk)


def character_variant(split: _Split, suffix: str, unknowns: Unknowns, space_added: bool) -> Variant:
    """Return the variant that spells pre-tokens in characters, ▁ among them.

    `space_added`: decoding removes the first space, since the file adds one in front.
    """

    def spell(pre_token: str) -> Word:
        symbols = [character.encode() for character in pre_token]
        if suffix and symbols:
            symbols[-1] += END_OF_WORD
        if unknowns.in_bytes:
            return tuple(chain.from_iterable(_in_bytes(symbols, unknowns.known)))
        return tuple(together(symbols, unknowns.known) if unknowns.together else symbols)

    def decode(symbols: Iterable[Symbol]) -> str:
        text = b"".join(symbols)
        if suffix:
            text = text.replace(END_OF_WORD, b" ").removesuffix(b" ")
        spaced = text.decode("utf-8", "replace").replace(METASPACE, " ")
        return spaced.removeprefix(" ") if space_added else spaced

    return replace(
        byte_variant(split, suffix),
        unit="characters",
        spell=spell,
        spell_bytes=None,
        decode=decode,
        lone_bytes=unknowns.in_bytes,
        joins_unknown=unknowns.together and not unknowns.in_bytes,
        byte_symbols=frozenset(_lone_bytes(unknowns.known)) if unknowns.in_bytes else frozenset(),
    )


def without_unknown(variant: Variant, known: Collection[Symbol]) -> Variant:
    """Return the variant that leaves out initial symbols that the vocabulary lacks, as a file without an unknown
    token says.
    """
    split = variant.split

    def spell(pre_token: str) -> Word:
        return tuple(symbol for symbol in variant.spell(pre_token) if symbol in known)

    return replace(
        variant,
        split=lambda text: list(filter(spell, split(text))),  # no pre-token is empty
        spell=spell,
        spell_bytes=None,
        drops_unknown=True,
        lossless=False,
        loses=variant.loses or "whatever the vocabulary cannot spell",
    )


def with_added_tokens(variant: Variant, finder: TokenFinder) -> Variant:
    """Return the variant that keeps the ordinary added tokens of a file whole: each is a pre-token of one symbol."""
    own = {token.text: (token.text.encode(),) for token in ordinary_tokens(finder.tokens)}
    split, spell = variant.split, variant.spell

    def pre_tokens(text: str) -> Iterator[str]:
        for part, is_added in finder.parts(text):
            if is_added:
                yield part
            else:
                yield from (_NotAdded(piece) if piece in own else piece for piece in split(part))

    return replace(
        variant,
        split=lambda text: list(pre_tokens(text)),
        spell=lambda pre_token: own.get(pre_token) or spell(pre_token),
        spell_bytes=None,
        cut_before_spaces=False,  # an added token may hold spaces
        parts=finder.parts,
        own_symbols=frozenset(symbol for (symbol,) in own.values()),
    )


def single_symbols(tokens: Iterable[Symbol], variant: Variant) -> set[Symbol]:
    """Return the tokens that are initial symbols."""
    return {token for token in tokens if initial_symbols(token, variant) == (token,)}


def prefixed_variant(variant: Variant, unknowns: Unknowns) -> Variant:
    """Return the variant of a file with `continuing_subword_prefix`: the first character of a word is marked.

    The file writes ## before the others instead, and a merge leaves out the ## of its right token. So a merge of our
    symbols is a merge of the file's.
    """

    def spell(pre_token: str) -> Word:
        symbols = [character.encode() for character in pre_token]
        if symbols:
            symbols[0] = FIRST_OF_WORD + symbols[0]
        return tuple(together(symbols, unknowns.known) if unknowns.together else symbols)

    def decode(symbols: Iterable[Symbol]) -> str:
        return b"".join(symbols).replace(FIRST_OF_WORD, b" ").removeprefix(b" ").decode("utf-8", "replace")

    return replace(variant, spell=spell, decode=decode, marker=FIRST_OF_WORD, marker_text="▁")


def prefixed_spelling(plain: Spelling, prefix: str) -> Spelling:
    """Return how such a file spells symbols, given how it spells the characters in them."""

    def write(symbol: Symbol) -> str:
        first = symbol.startswith(FIRST_OF_WORD)
        return ("" if first else prefix) + plain.write(symbol.removeprefix(FIRST_OF_WORD))

    def read(text: str) -> Symbol:
        if text.startswith(prefix) and text != prefix:
            return plain.read(text.removeprefix(prefix))
        return FIRST_OF_WORD + plain.read(text)

    return Spelling(write, read)


def remapped(text: str) -> str:
    """Return the text with each byte as GPT-2's files write it.

    >>> remapped("é a")
    'Ã©Ġa'
    """
    return "".join(map(REMAPPED.__getitem__, text.encode()))


def unmapped(letters: str) -> str:
    r"""Return the text whose bytes are written so. Other bytes than those of whole characters are private characters.

    >>> unmapped("Ã©Ġa"), unmapped("©a")
    ('é a', '\U0010ffa9a')
    """
    text = bytes(map(_VALUES.__getitem__, letters)).decode("utf-8", "surrogateescape")
    if text.isascii() or not any(map(_is_partial, text)):
        return text
    return "".join(
        "".join(chr(_FIRST_PARTIAL + value) for value in character.encode("utf-8", "surrogateescape"))
        if _is_partial(character)
        else character
        for character in text
    )


def partial_bytes(pre_token: str) -> bytes:
    r"""Return the bytes of a pre-token that `unmapped` gave.

    >>> partial_bytes("\U0010ffa9a")
    b'\xa9a'
    """
    encoded = pre_token.encode()
    if _BEGIN_PARTIAL not in encoded:
        return encoded
    return b"".join(
        bytes([ord(character) - _FIRST_PARTIAL]) if ord(character) >= _FIRST_PARTIAL else character.encode()
        for character in pre_token
    )


def split_at(pattern: str) -> Part:
    """Return the pre-tokenizer that isolates the matches of a pattern."""
    return {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}


def sequence_of(*parts: Part) -> Part:
    """Return the pre-tokenizer that applies some in a row."""
    return {"type": "Sequence", "pretokenizers": list(parts)}


# Variant -> (pre-tokenizer, decoder, end-of-word suffix). The library does not support the other variants.
PARTS: Mapping[str, tuple[Part, Part, str | None]] = MappingProxyType(
    {
        "bytes": (BYTE_LEVEL, BYTE_LEVEL, None),
        "bytes-gpt2": (_GPT2, _GPT2, None),
        "bytes-gpt4": (sequence_of(split_at(GPT4_PATTERN), BYTE_LEVEL), BYTE_LEVEL, None),
        "bytes-whitespace": (sequence_of(_WHITE_SPACE, BYTE_LEVEL), BYTE_LEVEL, None),
        "char-metaspace": (_METASPACE, _METASPACE, None),
        "char-eow-attached": (_WHITE_SPACE, {"type": "BPEDecoder", "suffix": _SUFFIX}, _SUFFIX),
    }
)


class _NotAdded(str):
    """A pre-token that reads like an added token and is none, as in a word if the token is a `single_word`.

    It equals no added token, so that whoever remembers words by their text keeps the two apart.
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _NotAdded) and str.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return ~str.__hash__(self)


def _last_byte_marked(bytes_of: Callable[[str], bytes], pre_token: str) -> Word:
    symbols = each_byte(bytes_of(pre_token))
    return (*symbols[:-1], symbols[-1] + END_OF_WORD) if symbols else ()


def _join_marked(symbols: Iterable[Symbol]) -> str:
    # A symbol of more than one byte carries the marker at its end; the byte 0xFF alone is a byte.
    parts = (
        symbol[:-1] + b" " if len(symbol) > 1 and symbol.endswith(END_OF_WORD) else symbol
        for symbol in symbols
    )
    return join(parts).removesuffix(" ")


def _lone_bytes(known: Collection[Symbol]) -> Iterator[Symbol]:
    """Yield the bytes that are no characters of the vocabulary."""
    for value in range(256):
        if value >= 0x80 or bytes([value]) not in known:
            yield bytes([value])


def _in_bytes(symbols: Iterable[Symbol], known: Collection[Symbol]) -> Iterator[Word]:
    for symbol in symbols:
        yield (symbol,) if symbol in known else tuple(bytes([value]) for value in symbol)


def _is_partial(character: str) -> bool:
    return "\udc80" <= character <= "\udcff" or ord(character) >= _FIRST_PARTIAL
