"""Normalizers of a tokenizer.json: what Hugging Face's tokenizers does to a text before it splits it.

Characters that Unicode assigned or recased lately may differ: every library has its own tables.
"""

import binascii
import unicodedata
from collections.abc import Callable, Mapping
from functools import partial

import regex

from bpe.formats.charsmap import by_graphemes
from bpe.formats.hugging_face.parts import FILE, Part, option, parts_of, pattern_of, type_of, unsupported
from bpe.formats.opened import expect
from bpe.formats.regexes import shared_matches
from bpe.symbols import BPEError
from bpe.text.normalizing import (
    NORMALIZATIONS,
    Aligned,
    Change,
    NormalizationRow,
    Normalizer,
    each,
    in_front,
    replaced,
    same,
)

# GPT-1 and Herbert have them too. Source: huggingface/tokenizers, normalizers/bert.rs and pre_tokenizers/bert.rs.
# What Rust's is_ascii_punctuation and the category P hold
PUNCTUATION = r"[!-/:-@\[-`{-~\p{P}]"
_CHINESE = (
    r"[\u4E00-\u9FFF\u3400-\u4DBF\U00020000-\U0002A6DF\U0002A700-\U0002B73F\U0002B740-\U0002B81F\U0002B920-\U0002CEAF"
    r"\uF900-\uFAFF\U0002F800-\U0002FA1F]"
)
_BERT_WORDS = partial(regex.findall, rf"{PUNCTUATION}|(?:(?!{PUNCTUATION})\P{{White_Space}})+")
WHITE_SPACE = r"\p{White_Space}"  # Rust's char::is_whitespace; str.strip() takes U+001C to U+001F too
_STRIPPED = {
    (True, True): rf"^{WHITE_SPACE}+|{WHITE_SPACE}+\Z",
    (True, False): rf"^{WHITE_SPACE}+",
    (False, True): rf"{WHITE_SPACE}+\Z",
}
METASPACE = "▁"
_MOST_ADDED = 100  # characters that a file may put in front of a text, or in the place of a match
_MOST_TIMES = 10  # as long as before, and _MOST_ADDED more: no text grows more than that by replacing
TYPED_METASPACE = Normalizer("▁ read as a space", lambda text, begins: text.replace(METASPACE, " "))
SPACE_IN_FRONT = Normalizer(  # ByteLevel's add_prefix_space
    "a space in front",
    lambda text, begins: text if not text or text.startswith(" ") else " " + text,
    lambda text, begins: in_front(text, "" if not text or text.startswith(" ") else " "),
    adds_space=True,
)


def read_normalizers(part: object, field: str = "normalizer") -> list[Normalizer]:
    """Return the normalizers of a part of the file. Raises BPEError, with the field, if one is not supported."""
    if part is None:
        return []
    kind = type_of(part, field)
    if kind not in _NORMALIZERS:
        raise unsupported(field, kind, _NORMALIZERS)
    assert isinstance(part, dict)
    return _NORMALIZERS[kind](part, field)


def _bert_normalizers(part: Part, field: str) -> list[Normalizer]:
    """Return what a BertNormalizer does, in its order. Raises BPEError, with the field, for a wrong option."""
    lowers = option(part, "lowercase", bool, True, field)
    steps = (
        ("clean_text", True, _by_character("control characters removed", _cleaned)),
        ("handle_chinese_chars", True, _by_character("spaces around Chinese characters", _around_chinese)),
        ("strip_accents", lowers, _by_character("without accents", _without_accents)),
        ("lowercase", True, _by_character("lower case", _lowered)),
    )
    return [step for name, default, step in steps if option(part, name, bool, default, field)]


def bert_words(text: str) -> list[str]:
    """Return the words between white space, with each punctuation mark on its own.

    >>> bert_words("don't go, now")
    ['don', "'", 't', 'go', ',', 'now']
    """
    words: list[str] = _BERT_WORDS(text)
    return words


def metaspaces(scheme: str) -> Normalizer:
    """Return the normalizer of Metaspace: ▁ for every space, and in front "always", "never" or "first" of all."""

    def apply(text: str, begins: int) -> str:
        text = text.replace(" ", METASPACE)
        prepended = scheme == "always" or (scheme == "first" and begins)
        return METASPACE + text if text and prepended and not text.startswith(METASPACE) else text

    def align(text: str, begins: int) -> Aligned:
        changed = apply(text, begins)
        return in_front(changed[1:], METASPACE) if len(changed) > len(text) else (changed, same(changed))

    adds_space = scheme != "never"
    return Normalizer(
        "▁ for every space" + (" and in front" if adds_space else ""),
        apply,
        align,
        adds_space=adds_space,
        asks_beginning=scheme == "first",
    )


def _sequence(part: Part, field: str) -> list[Normalizer]:
    inner = parts_of(part, "normalizers", field)
    return [
        normalizer
        for number, one in enumerate(inner)
        for normalizer in read_normalizers(one, f"{field}.normalizers[{number}]")
    ]


def _row(row: NormalizationRow, part: Part, field: str) -> list[Normalizer]:
    return [
        Normalizer(
            row.name, lambda text, begins: row.apply(text), lambda text, begins: row.align(text), row=row.slug
        )
    ]


def _strip_accents(part: Part, field: str) -> list[Normalizer]:
    def apply(text: str, begins: int) -> str:
        return "".join(letter for letter in text if not unicodedata.category(letter).startswith("M"))

    return [
        Normalizer("without accents", apply, lambda text, begins: each(text, lambda one: apply(one, True)))
    ]


def _strip(part: Part, field: str) -> list[Normalizer]:
    sides = option(part, "strip_left", bool, True, field), option(part, "strip_right", bool, True, field)
    if sides not in _STRIPPED:
        return []
    pattern = regex.compile(_STRIPPED[sides])

    def align(text: str, begins: int) -> Aligned:
        return replaced(text, (match.span() for match in pattern.finditer(text)), "")

    return [Normalizer("without white space around it", lambda text, begins: pattern.sub("", text), align)]


def _replace(part: Part, field: str) -> list[Normalizer]:
    pattern = pattern_of(part, field)
    content = _added_text(part, "content", field)

    def apply(text: str, begins: int) -> str:
        rest: list[str] = []
        end = 0
        for start, next_start in shared_matches(pattern, text):
            rest.append(text[end:start])
            end = next_start
        rest.append(text[end:])
        if sum(map(len, rest)) + len(content) * (len(rest) - 1) > _MOST_TIMES * len(text) + _MOST_ADDED:
            raise BPEError(f"The normalizer would make this text more than {_MOST_TIMES} times as long.")
        return content.join(rest)

    def align(text: str, begins: int) -> Aligned:
        return replaced(text, shared_matches(pattern, text), content)

    return [Normalizer(f"{pattern.pattern} replaced by {content!r}", apply, align)]


def _prepend(part: Part, field: str) -> list[Normalizer]:
    start = _added_text(part, "prepend", field)
    return [
        Normalizer(
            f"{start!r} in front",
            lambda text, begins: start + text if text else text,
            lambda text, begins: in_front(text, start if text else ""),
            adds_space=start in (" ", METASPACE),
        )
    ]


def _precompiled(part: Part, field: str) -> list[Normalizer]:
    name = f"{field}.precompiled_charsmap"
    try:
        charsmap = binascii.a2b_base64(
            expect(part.get("precompiled_charsmap"), str, FILE, name), strict_mode=True
        )
    except ValueError:
        raise BPEError("expected base64.", FILE, name) from None
    return [by_graphemes(charsmap, (FILE, name))]


_NORMALIZERS: Mapping[str, Callable[[Part, str], list[Normalizer]]] = {
    **{row.hugging_face: partial(_row, row) for row in NORMALIZATIONS.values()},
    "StripAccents": _strip_accents,
    "Strip": _strip,
    "Replace": _replace,
    "Prepend": _prepend,
    "BertNormalizer": _bert_normalizers,
    "Precompiled": _precompiled,
    "Sequence": _sequence,
}


def _cleaned(text: str, begins: int) -> str:
    """Return the text without control characters; white space becomes spaces."""
    bare = regex.sub(r"(?![\t\n\r])[\0\uFFFD\p{Cc}\p{Cf}\p{Co}]", "", text)
    return regex.sub(r"\p{White_Space}", " ", bare)


def _around_chinese(text: str, begins: int) -> str:
    """Return the text with spaces around each Chinese character."""
    return regex.sub(_CHINESE, r" \g<0> ", text)


def _without_accents(text: str, begins: int) -> str:
    """Return the text decomposed, without its marks that take no room."""
    decomposed = unicodedata.normalize("NFD", text)
    return "".join(letter for letter in decomposed if unicodedata.category(letter) != "Mn")


def _lowered(text: str, begins: int) -> str:
    return "".join(map(str.lower, text))  # a final Σ becomes σ, as every other one


def _by_character(about: str, change: Change) -> Normalizer:
    """Return the normalizer of a change that looks at one character at a time."""
    return Normalizer(about, change, lambda text, begins: each(text, lambda one: change(one, begins)))


def _added_text(part: Part, name: str, field: str) -> str:
    """Return a text that the file adds to others. Raises BPEError for a long one, which could fill the memory."""
    added = expect(part.get(name), str, FILE, f"{field}.{name}")
    if len(added) > _MOST_ADDED:
        raise BPEError(
            f"expected at most {_MOST_ADDED} characters, got {len(added):,}.", FILE, f"{field}.{name}"
        )
    return added
