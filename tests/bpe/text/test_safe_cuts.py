"""Safe cuts: the chunks join to the text, and have its pre-tokens."""

import pytest

import bpe
from bpe.text.counting import split_into_chunks

TEXT = "It's  12,345 words\n\n over\tlines 標記 and so on.\n" * 5


@pytest.mark.parametrize("slug", bpe.VARIANTS)
@pytest.mark.parametrize("size", [1, 7, 50])
def test_chunks_hold_the_text_and_its_pre_tokens(slug: str, size: int) -> None:
    variant = bpe.VARIANTS[slug]
    chunks = list(split_into_chunks(TEXT, variant, size))
    assert "".join(chunks) == TEXT
    if variant.slug == "char-metaspace":  # adds a space in front of a chunk without one
        assert all(chunk.startswith(" ") for chunk in chunks[1:])
    assert [word for chunk in chunks for word in variant.split(chunk)] == variant.split(TEXT)


def test_an_empty_text_has_no_chunks() -> None:
    assert list(split_into_chunks("", bpe.VARIANTS["bytes"], 5)) == []
