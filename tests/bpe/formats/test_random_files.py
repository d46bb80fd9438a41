"""Random files of each library, built of the parts that it allows, encode and decode here as in the library."""

import json
import random
from collections.abc import Callable
from typing import Any

import pytest
import tokenizers
from tokenizers import AddedToken, decoders, models, normalizers, pre_tokenizers

from bpe import VARIANTS, BPEError
from bpe.encoding.tokenizer import Tokenizer
from bpe.formats.opening import open_tokenizer
from bpe.settings.alphabets import REMAPPED
from tests.bpe.formats.random_files import KINDS, RandomFile, random_texts


@pytest.mark.parametrize("kind", KINDS)
def test_a_random_file_encodes_as_in_its_library(kind: str) -> None:
    check(kind, 12)


@pytest.mark.weekly
@pytest.mark.parametrize("kind", KINDS)
def test_500_random_files_of_a_kind_encode_as_in_their_library(kind: str) -> None:
    check(kind, 500)


def model(**options: Any) -> Any:
    vocab = {token: number for number, token in enumerate(["<unk>", "a", "b", "o", "f", "x", " ", "ab"])}
    return tokenizers.Tokenizer(models.BPE(vocab=vocab, merges=[("a", "b")], **options))


def with_all_bytes() -> Any:
    """Return a tokenizer whose vocabulary has the letters of all bytes, though it does not spell bytes."""
    content = json.loads(model(unk_token="<unk>", fuse_unk=True).to_str())
    vocab = content["model"]["vocab"]
    for letter in REMAPPED.values():
        vocab.setdefault(letter, len(vocab))
    return tokenizers.Tokenizer.from_str(json.dumps(content))


def added(normalizer: Any, *tokens: AddedToken, **options: Any) -> Any:
    theirs = model(unk_token="<unk>", **options)
    if normalizer:
        theirs.normalizer = normalizer
    theirs.add_tokens(list(tokens))
    theirs.decoder = decoders.Fuse()
    return theirs


# What random files have found, each as small as it can be: (the library's tokenizer, a text)
FOUND: dict[str, tuple[Callable[[], Any], str]] = {
    "unknown runs where all bytes are letters": (with_all_bytes, "a\u3042\u3044b"),
    "an added token that the normalizer changes": (
        lambda: added(normalizers.Lowercase(), AddedToken("Fox", normalized=True)), "fox Fox a"
    ),
    "white space that two added tokens take": (
        lambda: added(None, AddedToken("ab", rstrip=True), AddedToken("  ", lstrip=True)), "ab  a"
    ),
    "white space that the token before takes": (
        lambda: added(None, AddedToken("  ", rstrip=True, normalized=False)), "a    b"
    ),
    "a pre-token that reads like an added token": (
        lambda: split_at_b(added(None, AddedToken("fo", single_word=True, normalized=False))), "fobfo fo"
    ),
    "a whole word that reads like an added token": (
        lambda: added(normalizers.Lowercase(), AddedToken("oxo", normalized=False), ignore_merges=True), "OXO"
    ),
}  # fmt: skip


def split_at_b(theirs: Any) -> Any:
    theirs.pre_tokenizer = pre_tokenizers.Split("b", "isolated")
    return theirs


@pytest.mark.parametrize("name", FOUND)
def test_what_a_random_file_has_found_stays_mended(name: str) -> None:
    make, text = FOUND[name]
    theirs = make()
    opened = open_tokenizer({"tokenizer.json": theirs.to_str().encode()})
    ids = theirs.encode(text).ids
    assert opened.tokenizer.encode(text, allow_special=True) == ids
    assert opened.tokenizer.decode(ids) == theirs.decode(ids, skip_special_tokens=False)


def test_an_added_token_that_the_normalizer_empties_is_refused() -> None:
    theirs = added(normalizers.Strip(), AddedToken("  ", normalized=True))
    assert theirs.encode("ab").tokens == [
        "a",
        "b",
    ]  # the library finds the empty token between all characters
    with pytest.raises(BPEError, match='added_tokens: the normalizer leaves nothing of "  "'):
        open_tokenizer({"tokenizer.json": theirs.to_str().encode()})


def check(kind: str, number: int) -> None:
    """Open so many files in both. Every one encodes and decodes alike, or is refused in one sentence; half open."""
    refused: list[str] = []
    for seed in range(number):
        draw = random.Random(f"{kind} {seed}")
        file = KINDS[kind](draw)
        try:
            opened = open_tokenizer(
                {file.name: file.content}, VARIANTS[file.variant] if file.variant else None
            )
        except BPEError as error:
            refused.append(str(error))
            continue
        tokenizer = opened.tokenizer
        for text in random_texts(draw, file.alphabet):
            theirs = file.encode(text)
            if theirs is None:
                continue
            assert encoded(tokenizer, file, text) == theirs, (kind, seed, text, file.about)
            back = file.decode(theirs) if file.decode else None
            if back is not None:
                assert tokenizer.decode(theirs) == back, (kind, seed, text, theirs, file.about)
    assert len(refused) <= number // 2, refused


def encoded(tokenizer: Tokenizer, file: RandomFile, text: str) -> list[Any]:
    """Return what the library returns: ids or, of subword-nmt, tokens with @@ behind those that do not end a word."""
    if file.decode:
        ids = tokenizer.encode(text, allow_special=file.name == "tokenizer.json")
        return [number for number in ids if number >= 0]
    tokens: list[str] = []
    for word in text.split():
        spelled = [tokenizer.variant.spelled(token).decode() for token in tokenizer.tokens(word)]
        *inner, last = filter(None, [*spelled[:-1], spelled[-1].removesuffix("</w>")])
        tokens += [*(f"{one}@@" for one in inner), last]
    return tokens
