"""Normalizations: each row is Hugging Face's, applies to texts and to counted words, and survives a tokenizer.json."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, normalizers

from bpe import BPEError, train
from bpe.formats import FORMATS
from bpe.text.normalizing import NORMALIZATIONS, Normalization, normalized
from bpe.text.variants import VARIANTS

TEXT = "The ﬁne Café, the CAFÉ: Cafe\u0301 ΟΔΟΣ"
# Letters with one, two and three forms; Unicode's newest ones differ between libraries.
LETTERS = "aAzZéÉſßẞıİIΣςσǅĲﬁ①²가각\u0301\u0307\u0323 .\n"
ROWS = list(NORMALIZATIONS)


@pytest.mark.parametrize("slug", ROWS)
@given(text=st.text(st.sampled_from(LETTERS)))
def test_a_row_does_what_hugging_face_does_and_applying_it_twice_changes_nothing_more(
    slug: Normalization, text: str
) -> None:
    changed = normalized(text, slug)
    theirs = getattr(normalizers, NORMALIZATIONS[slug].hugging_face)()
    assert changed == theirs.normalize_str(text)
    assert normalized(changed, slug) == changed


@pytest.mark.parametrize("slug", ROWS)
def test_a_tokenizer_json_says_the_normalization_and_is_read_with_it(slug: Normalization) -> None:
    ours = train(TEXT, "bytes-gpt2", merges=12, normalization=slug).tokenizer()
    file = FORMATS["tokenizer-json"].write(ours)
    assert Tokenizer.from_str(file).encode(TEXT).ids == ours.encode(TEXT)
    read = FORMATS["tokenizer-json"].read(file, VARIANTS["bytes"])
    assert (read.normalization, read.normalizer) == (slug, None)
    assert read.encode(TEXT) == ours.encode(TEXT)
    assert FORMATS["tokenizer-json"].write(read) == file


def test_lower_casing_joins_words_and_decoding_gives_lower_case() -> None:
    trace = train("The cat saw the Cat", merges=3, normalization="lower")
    assert dict(zip(trace.pre_tokens, trace.frequencies, strict=True)) == {"the": 2, "cat": 2, "saw": 1}
    tokenizer = trace.tokenizer()
    assert tokenizer.encode("THE CAT") == tokenizer.encode("the cat")
    assert tokenizer.decode(tokenizer.encode("THE CAT")) == "the cat"


def test_counted_words_are_normalized_too_and_may_become_one_word() -> None:
    """Otherwise a word that encoding writes in lower case would be unknown."""
    trace = train({"The": 2, "the": 3, "cat": 1}, merges=2, normalization="lower")
    assert dict(zip(trace.pre_tokens, trace.frequencies, strict=True)) == {"the": 5, "cat": 1}
    assert trace.steps[0].count == 5
    assert train({"The": 2, "the": 3}, merges=0).pre_tokens == ("The", "the")


def test_only_files_that_say_the_normalization_are_marked_so() -> None:
    trace = train(TEXT, "bytes-gpt2", merges=2, normalization="lower")
    for slug, row in FORMATS.items():
        if row.refusal(trace, 2) is None:
            assert row.says_normalization is ('"lower' in row.export(trace, 2).lower()), slug


def test_an_unknown_normalization_is_refused() -> None:
    with pytest.raises(BPEError, match="one of NFC, NFD, NFKC, NFKD, lower"):
        train("a", normalization="upper")  # type: ignore[arg-type]  # what is refused
