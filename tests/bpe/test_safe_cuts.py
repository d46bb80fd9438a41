"""Parts of a long text: together the text, and cut where no pre-token is."""

import pytest

import bpe
from bpe.text.safe_cuts import split_into_chunks

TEXT = "It's  12,345 words\n\n over\tlines 標記 and so on.\n" * 5


@pytest.mark.parametrize("slug", bpe.VARIANTS)
@pytest.mark.parametrize("size", [1, 7, 50])
def test_parts_hold_the_text_and_its_pre_tokens(slug: str, size: int) -> None:
    variant = bpe.VARIANTS[slug]
    cut = list(split_into_chunks(TEXT, variant, size))
    assert "".join(cut) == TEXT
    if variant.slug == "char-metaspace":  # puts a space in front of each part: none is missing here
        assert all(part.startswith(" ") for part in cut[1:])
    assert [word for part in cut for word in variant.split(part)] == variant.split(TEXT)


def test_no_text_has_no_parts() -> None:
    assert list(split_into_chunks("", bpe.VARIANTS["bytes"], 5)) == []
