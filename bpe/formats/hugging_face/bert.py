"""BERT's parts of a tokenizer.json: how it cleans a text, and how it splits it at white space and punctuation.

GPT-1 and Herbert have them too. Source: huggingface/tokenizers, normalizers/bert.rs and pre_tokenizers/bert.rs.
"""

import unicodedata
from functools import partial

import regex

from bpe.formats.hugging_face.parts import Part, option
from bpe.text.normalizing import Change, Normalizer, each

# What Rust's is_ascii_punctuation and the category P hold
PUNCTUATION = r"[!-/:-@\[-`{-~\p{P}]"
_CHINESE = (
    r"[\u4E00-\u9FFF\u3400-\u4DBF\U00020000-\U0002A6DF\U0002A700-\U0002B73F\U0002B740-\U0002B81F\U0002B920-\U0002CEAF"
    r"\uF900-\uFAFF\U0002F800-\U0002FA1F]"
)


def _cleaned(text: str, begins: bool) -> str:
    """Return the text without control characters; white space becomes spaces."""
    bare = regex.sub(r"(?![\t\n\r])[\0\uFFFD\p{Cc}\p{Cf}\p{Co}]", "", text)
    return regex.sub(r"\p{White_Space}", " ", bare)


def _around_chinese(text: str, begins: bool) -> str:
    """Return the text with spaces around each Chinese character."""
    return regex.sub(_CHINESE, r" \g<0> ", text)


def _without_accents(text: str, begins: bool) -> str:
    """Return the text decomposed, without its marks that take no room."""
    decomposed = unicodedata.normalize("NFD", text)
    return "".join(letter for letter in decomposed if unicodedata.category(letter) != "Mn")


def _lowered(text: str, begins: bool) -> str:
    return "".join(map(str.lower, text))  # a final Σ becomes σ, as every other one


def _by_character(about: str, change: Change) -> Normalizer:
    """Return the normalizer of a change that looks at one character at a time."""
    return Normalizer(about, change, lambda text, begins: each(text, lambda one: change(one, begins)))


def bert_normalizers(part: Part, field: str) -> list[Normalizer]:
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


_BERT_WORDS = partial(regex.findall, rf"{PUNCTUATION}|(?:(?!{PUNCTUATION})\P{{White_Space}})+")
