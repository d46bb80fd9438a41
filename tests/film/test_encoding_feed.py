"""The feed of an encoding: read as in the browser, it gives the tokenizer's encoding at every step."""

import pytest

import bpe
from bpe.encoding.tokenizer import Tokenizer
from film.encoding_feed import encoding_feed, encoding_window
from film.feed import EncodingFeed
from tests.film.readers import tokens_of, unpacked
from tests.material.texts import SENTENCES

VARIANTS = [slug for slug in bpe.VARIANTS if slug != "custom"]
TEXT = "lower newest widest\nlow, low ☃"


def feed_of(tokenizer: Tokenizer, text: str, encoder: str = "rank") -> EncodingFeed:
    return encoding_feed(tokenizer, encoding_window(text, tokenizer), encoder)[0]


@pytest.mark.parametrize("slug", VARIANTS)
@pytest.mark.parametrize("encoder", bpe.ENCODERS)
def test_tokens_are_the_encoders_at_every_step(slug: str, encoder: str) -> None:
    tokenizer = bpe.train(SENTENCES[:500] + TEXT, variant=slug, merges=60).tokenizer()
    feed = feed_of(tokenizer, TEXT, encoder)
    steps = [step for step in tokenizer.encode_steps(TEXT, encoder) if step.closes]
    assert feed["last"] == len(steps) == len(unpacked(feed["steps"]["ids"]))
    for k, step in enumerate(steps, start=1):
        assert tokens_of(feed, k) == [token for word in step.segmentation for token in word]
    assert tokens_of(feed, len(steps)) == tokenizer.tokens(TEXT, encoder)


@pytest.mark.parametrize("encoder", bpe.ENCODERS)
def test_a_step_names_its_token_and_the_rank_of_its_merge(encoder: str) -> None:
    tokenizer = bpe.train(SENTENCES[:500], merges=60).tokenizer()
    feed = feed_of(tokenizer, "voix quick", encoder)
    steps = [step for step in tokenizer.encode_steps("voix quick", encoder) if step.closes]
    assert feed["taken"] is (steps[0].rank is None)
    assert unpacked(feed["steps"]["ids"]) == [tokenizer.ids[step.token] for step in steps]
    assert unpacked(feed["steps"]["ranks"]) == ([] if feed["taken"] else [step.rank for step in steps])
    assert feed["names"] == {step.token.hex(): tokenizer.ids[step.token] for step in steps}
    others = {str(tokenizer.ids[step.token]): step.token.hex() for step in steps}
    assert feed["symbols"]["others"] == (others if feed["taken"] else {})


def test_equal_words_are_one_word() -> None:
    feed = feed_of(bpe.train("low low lower", merges=3).tokenizer(), "low lower low")
    assert unpacked(feed["text"]["words"]) == [0, 1, 0]
    assert unpacked(feed["words"]["frequencies"]) == [2, 1]


def test_the_rest_of_a_cut_word_is_encoded_without_a_marker_at_the_cut() -> None:
    tokenizer = bpe.train("low lower lowest", merges=8).tokenizer()
    window = encoding_window("lowlowlow", tokenizer, 0, size=6)
    feed, _ = encoding_feed(tokenizer, window, "rank")
    assert tokens_of(feed, feed["last"]) == [b"low", b"low"]
    feed, _ = encoding_feed(tokenizer, encoding_window("lowlowlow", tokenizer, 6, size=6), "rank")
    assert tokens_of(feed, feed["last"]) == [b"low\xff"]


def test_every_character_of_a_word_longer_than_the_window_can_be_reached() -> None:
    tokenizer = bpe.train("low", merges=1).tokenizer()
    assert encoding_window("low" * 1_000, tokenizer, 500, size=100).window.slices[0].start == 500


def test_the_ending_counts_unknown_characters() -> None:
    tokenizer = bpe.train("low", merges=1).tokenizer()
    assert feed_of(tokenizer, "low")["ending"] == "no further step is possible"
    assert feed_of(tokenizer, "x low")["ending"] == "1 character is not in the vocabulary"
    assert feed_of(tokenizer, "xx y low")["ending"] == "3 characters are not in the vocabulary"
    assert feed_of(tokenizer, "x low x")["ending"] == "2 characters are not in the vocabulary"
    assert feed_of(tokenizer, "")["ending"] == "nothing to encode"
    # Here an unknown token holds a run of characters.
    joining = bpe.train("low low", merges=1, **bpe.PRESETS["sentencepiece"].settings).tokenizer()
    assert joining.tokens("lxyz w") == [b"\xfe", b"l", b"xyz", b"\xfe", b"w"]
    assert feed_of(joining, "lxyz w")["ending"] == "3 characters are not in the vocabulary"
    # Here the vocabulary lacks letters that its tokens hold.
    typed = Tokenizer.from_vocabulary("low</w> est</w>")
    assert feed_of(typed, "low", "longest")["ending"] == "no further step is possible"
    assert feed_of(typed, "test", "longest")["ending"] == "1 character is not in the vocabulary"


def test_names_tell_texts_and_encoders_apart() -> None:
    tokenizer = bpe.train("low lower", merges=4).tokenizer()
    first, again = feed_of(tokenizer, "low lower"), feed_of(tokenizer, "low lower")
    other_text, other_encoder = feed_of(tokenizer, "lower low"), feed_of(tokenizer, "low lower", "longest")
    assert first == again
    assert len({feed["family"] for feed in (first, other_text, other_encoder)}) == 3
