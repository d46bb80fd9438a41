"""vocab.json: {token: id}, as Hugging Face writes it beside merges.txt."""

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from bpe.checks import check_text
from bpe.encoding.tokenizer import Source, Tokenizer
from bpe.formats.merges_txt import HUGGING_FACE, list_merges
from bpe.formats.opened import in_id_order, read_json, short_json
from bpe.formats.spelling import (
    SHORT,
    Spelling,
    checked_length,
    refuse_superwords,
    spell_vocabulary,
    spelling_of,
)
from bpe.symbols import BPEError, Symbol
from bpe.text.added_tokens import TokenFinder
from bpe.text.normalizing import Normalization, Normalizer
from bpe.text.variants import Variant

FILE = "vocab.json"


def check_vocabulary(variant: Variant) -> None:
    """Raise BPEError for a variant whose tokens the file cannot hold."""
    refuse_superwords(variant, FILE)


def write_vocabulary(tokenizer: Tokenizer) -> str:
    """Return the vocabulary as JSON. Raises BPEError if two tokens would read alike."""
    check_vocabulary(tokenizer.variant)
    numbers = {token: number for number, token in enumerate(spell_vocabulary(tokenizer, FILE)) if token}
    return json.dumps(numbers, ensure_ascii=False, indent=0) + "\n"


def read_vocabulary(
    content: str,
    variant: Variant,
    merges: str = "",
    special_tokens: Sequence[str] = (),
    unknown_token: str | None = None,
) -> Tokenizer:
    """Return the tokenizer of a vocab.json and of the merges.txt beside it; without merges if there is none.

    The file does not say which tokens are special: name them. Raises BPEError, with the token, for one that the variant
    cannot spell.
    """
    tokens = in_id_order(token_ids(content), FILE, "the vocabulary")
    pairs = list_merges(merges, variant, HUGGING_FACE).merges
    return assemble(FILE, variant, tokens, pairs, special_tokens, unknown_token, one_by_one=True)


def token_ids(content: str) -> dict[str, Any]:
    """Return {token: id} of a vocab.json. Some programs write {id: token} instead. Raises BPEError for no such object.

    >>> token_ids('{"0": "a", "1": "b"}')
    {'a': 0, 'b': 1}
    """
    whole = read_json(content, FILE)
    if not is_by_id(whole):
        return whole
    id_of: dict[str, Any] = {}
    for number, token in whole.items():
        if id_of.setdefault(token, int(number)) != int(number):
            raise BPEError(
                f"{short_json(token)} has the ids {id_of[token]} and {number}.", FILE, "the vocabulary"
            )
    return id_of


def is_by_id(whole: Mapping[str, object]) -> bool:
    """Return whether an object maps ids to tokens."""
    return bool(whole) and all(
        isinstance(token, str) and number.isascii() and number.isdigit() and len(number) < 10
        for number, token in whole.items()
    )


def assemble(
    file: str,
    variant: Variant,
    tokens: Sequence[str | None],
    merges: Sequence[tuple[Symbol, Symbol]],
    special_tokens: Sequence[str],
    unknown_token: str | None,
    normalization: Normalization | None = None,
    *,
    spelling: Spelling | None = None,
    normalizer: Normalizer | None = None,
    one_by_one: bool = False,
    whole_words: bool = False,
    own: Collection[str] = (),
    finder: TokenFinder | None = None,
    source: Source | None = None,
) -> Tokenizer:
    """Return the tokenizer of tokens in id order, as the file spells them. Raises BPEError for any misfit.

    A token is None for an id that no token has. `spelling` is the variant's, unless the file has its own. The tokens in
    `own` are their own texts, as special tokens are.
    """
    spelling = spelling or spelling_of(variant)
    special = set(special_tokens)
    for token in special:
        check_text(token, f" of a special token in {file}")
    gaps = frozenset(number for number, token in enumerate(tokens) if token is None)
    vocabulary = [
        b""
        if token is None
        else token.encode()
        if token in special or token in own
        else read_token(token, number, spelling, file)
        for number, token in enumerate(tokens)
    ]
    id_of = {token: number for number, token in enumerate(tokens) if token is not None}
    for token in (*special_tokens, *([unknown_token] if unknown_token is not None else ())):
        if token not in id_of:
            raise BPEError(
                f"the vocabulary must contain the special token {short_json(token)}, but it does not.", file
            )
    in_order = sorted(special, key=id_of.__getitem__)
    try:
        return Tokenizer(
            variant=variant,
            vocabulary=tuple(vocabulary),
            merges=tuple(merges),
            special_tokens=tuple(in_order),
            special_ids=tuple(map(id_of.__getitem__, in_order)),
            unknown=None if unknown_token is None else id_of[unknown_token],
            normalization=normalization,
            normalizer=normalizer,
            gaps=gaps,
            one_by_one=one_by_one,
            whole_words=whole_words,
            finder=finder,
            source=source,
        )
    except BPEError as error:
        raise BPEError(str(error), file) from None


def read_token(token: str, number: int, spelling: Spelling, file: str) -> Symbol:
    """Return the symbol that a token of the vocabulary spells. Raises BPEError with its number."""
    if len(token) > SHORT:
        checked_length(token, (file, f"token {number}"))
    try:
        return spelling.read(token)
    except BPEError as error:
        raise BPEError(str(error), file, f"token {number}") from None
