"""A text of one's own in a link: every short text comes back, and a broken or forged fragment is one sentence."""

import base64
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe import BPEError
from ui.sidebar.corpus import Corpus, from_sample, from_text, from_words
from ui.sidebar.text_link import (
    MOST_CHARACTERS,
    MOST_FRAGMENT,
    TOO_LONG,
    WHOLE_ONLY,
    fragment_of,
    read_fragment,
)

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=MOST_CHARACTERS)


def packed(content: bytes) -> str:
    """Return a fragment with this content, whatever it is."""
    packer = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    deflated = packer.compress(content) + packer.flush()
    return "text=" + base64.urlsafe_b64encode(deflated).decode().rstrip("=")


@given(TEXTS)
def test_every_short_text_comes_back(text: str) -> None:
    fragment = fragment_of("paste", Corpus("Text", (text,)))
    assert fragment is not None
    assert len(fragment) <= MOST_FRAGMENT
    assert read_fragment(fragment) == ("paste", text)


def test_the_longest_text_that_cannot_be_compressed_fits() -> None:
    text = "".join(chr(0x20000 + number * 7919 % 40_000) for number in range(MOST_CHARACTERS))
    assert len(fragment_of("paste", from_text(text)) or "") <= MOST_FRAGMENT


def test_a_word_list_comes_back_with_its_counts() -> None:
    assert read_fragment(fragment_of("words", from_words("low 5\nlower")) or "") == (
        "words",
        "low 5\nlower 1",
    )


@pytest.mark.parametrize(
    ("source", "corpus", "fragment"),
    [
        ("sample", from_sample("story"), ""),
        ("upload", from_text("low"), None),
        ("paste", from_text("a" * (MOST_CHARACTERS + 1)), None),
        ("paste", Corpus("Text", ("low \ud800",)), None),
    ],
    ids=["sample", "file", "too long", "lone surrogate"],
)
def test_what_a_link_does_not_hold(source: str, corpus: Corpus, fragment: str | None) -> None:
    assert fragment_of(source, corpus) == fragment


WHOLE = packed(b"low lower newest widest low lower newest")


@pytest.mark.parametrize(
    ("fragment", "sentence"),
    [
        (WHOLE[:-3], WHOLE_ONLY),
        (WHOLE.replace("text=", "text=é"), WHOLE_ONLY),
        (WHOLE.replace("text=", "script="), WHOLE_ONLY),
        ("text=", WHOLE_ONLY),
        ("text=%00", WHOLE_ONLY),
        ("text=AAAA", WHOLE_ONLY),
        (packed(b"\xff\xfe"), WHOLE_ONLY),
        (packed(b"\xed\xa0\x80"), WHOLE_ONLY),
        (packed(b"a" * (MOST_CHARACTERS + 1)), TOO_LONG),
        ("text=" + "A" * MOST_FRAGMENT, TOO_LONG),
    ],
    ids=[
        *("cut", "no base64", "other name", "empty", "escape", "no deflate", "no UTF-8", "lone surrogate"),
        *("too long", "huge"),
    ],
)
def test_a_broken_or_forged_fragment_is_one_sentence(fragment: str, sentence: str) -> None:
    with pytest.raises(BPEError) as error:
        read_fragment(fragment)
    assert str(error.value) == sentence


def test_a_fragment_that_unpacks_to_a_hundred_megabytes_is_refused() -> None:
    with pytest.raises(BPEError) as error:
        read_fragment(packed(bytes(10**8)))
    assert str(error.value) == TOO_LONG


@given(st.text(max_size=60))
def test_no_fragment_fails_otherwise(garbage: str) -> None:
    try:
        _, text = read_fragment("text=" + garbage)
    except BPEError:
        return
    assert len(text) <= MOST_CHARACTERS
