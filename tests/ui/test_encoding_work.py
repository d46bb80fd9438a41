"""Work that takes long on Encode: it is refused, stopped or gone on with, and its results are those of the core."""

from dataclasses import replace
from functools import partial

import pytest

import bpe
from bpe.encoding.encoders import ENCODERS
from bpe.text.counting import next_safe_cut
from bpe.text.normalizing import Normalised
from tests.app import run, sent
from tests.ui.encode_page import SAMPLE, TRACE, encode_with, open_encode, tokens_in_file
from tests.ui.gate import press
from tests.waiting import LONG, until
from ui.page_parts.encode.comparisons import _encoder_rows
from ui.page_parts.encode.controls import Setting
from ui.page_parts.encode.encoded_text import _Begun, _encode_parts, refusal, segmentations
from ui.trainings import long_work
from ui.trainings.corpus import from_sample
from ui.trainings.long_work import WorkWatch, _watch


def test_a_text_above_the_progress_limit_is_encoded_to_its_end() -> None:
    text = "low lower newest widest slow " * 6_000
    app = open_encode(link={"preset": "hf-bytelevel"}, encode_text=text)
    corpus = from_sample(SAMPLE.slug).training_text
    trace = bpe.train(corpus, merges=SAMPLE.merges, **bpe.PRESETS["hf-bytelevel"].settings)
    tokens = len(trace.tokenizer().encode(text))
    assert tokens_in_file(app) == tokens
    # The stage is drawn before a text of this length is encoded, and again with the number.
    assert sent(app, "encode")["count"]["number"] == f"{tokens:,}"


def test_a_long_word_is_encoded_with_few_token_lengths_and_refused_with_many() -> None:
    text, prefix = "low lower newest widest " * 15_000, ENCODERS["prefix"]  # one word of 360,000 characters
    settings = bpe.PRESETS["minbpe-basic"].settings
    few = bpe.train(from_sample(SAMPLE.slug).training_text, merges=12, **settings).tokenizer()
    many = replace(few, vocabulary=[*few.vocabulary, *(b"a" * length for length in range(20, 320))])
    assert refusal(few, prefix, text) is None
    reason = refusal(many, prefix, text)
    assert reason
    assert f"tries {len(set(map(len, many.ids)))} token lengths" in reason


@pytest.mark.slow
def test_the_work_limit_holds_for_each_vocabulary_encoder_and_for_characters() -> None:
    letters = from_sample("dna").documents[0].strip()
    tokenizer = bpe.train(letters, variant="char-eow", merges=600).tokenizer()
    word = (letters * 20)[:100_000]
    reason = refusal(tokenizer, ENCODERS["fewest"], word * 9)
    assert reason
    assert f"{900_000:,} characters" in reason
    assert refusal(tokenizer, ENCODERS["rank"], word * 9) is None
    assert refusal(tokenizer, ENCODERS["fewest"], (word[:1_000] + " ") * 900) is None
    rows = _encoder_rows(tokenizer, tuple(ENCODERS.values()), Normalised(word), word)
    lines = {line[0]: line for line in rows}
    for row in ENCODERS.values():
        _, tokens, _, _, _, why = lines[row.title]
        assert (tokens is None) is not row.needs_merges
        assert ("token length" in why) is (tokens is None)
    app = open_encode(
        corpus_sample="dna", merges=600, preset="free", encode_text=word * 9, encode_encoder="longest"
    )
    assert "900,000" in app.error[0].value
    assert tokens_in_file(app) is None


def test_the_table_counts_the_tokens_of_each_encoder() -> None:
    text = "low lowest newer low"
    tokenizer = TRACE.tokenizer()
    rows = _encoder_rows(tokenizer, tuple(ENCODERS.values()), Normalised(text), text)
    counted = {line[0]: line[1:4] for line in rows}
    for slug, row in ENCODERS.items():
        tokens = len(tokenizer.tokens(text, slug))
        assert counted[row.title][:2] == (tokens, round(len(text) / tokens, 3))
    assert counted[ENCODERS["rank"].title][2] == 0


def test_after_stop_the_beginning_is_shown_and_go_on_encodes_the_rest() -> None:
    words = " ".join(f"{number * 7_919_777:x}" for number in range(20_000))
    app = open_encode(encode_text=words)
    work = long_work._WATCHES.key
    watched = app.session_state[work]["encode"]
    whole = watched.work.result
    half = next_safe_cut(words, TRACE.variant, len(words) // 2)
    tokens = TRACE.tokenizer().tokens(words[:half])
    # As left by work that Stop has ended.
    watched.work.result, watched.work.is_complete = _Begun(half, tuple(tokens)), False
    watched.is_stopped = True
    run(app)
    assert f"after {half:,} of {len(words):,} characters" in app.warning[0].value
    assert tokens_in_file(app) == len(tokens)
    assert sent(app, "encode")["count"] is None  # the line would be about the whole text
    press(app, "encode_go_on")
    until(lambda: not run(app).get("progress"))
    assert watched.work.result == whole
    assert tokens_in_file(app) == len(whole.tokens)
    assert not app.warning


@pytest.mark.parametrize("encoder", ENCODERS)
def test_ids_and_segmentations_are_those_of_the_encoder(encoder: str) -> None:
    text = "low Ωlowest é low " + "newest" * 200
    setting, encoded = encode_with(TRACE, text, encoder)
    tokenizer = setting.tokenizer
    assert encoded.ids == tokenizer.encode(text, encoder)
    assert [
        list(word) for word in segmentations(tokenizer.variant.split(text), encoded, tokenizer.variant)
    ] == [tokenizer.word_tokens(word, encoder) for word in ("low", "Ωlowest", "é", "low", "newest" * 200)]


def has_begun(watched: WorkWatch[_Begun]) -> bool:
    return watched.work.began > 0


def test_an_encoding_ends_inside_one_long_word_after_stop() -> None:
    tokenizer = bpe.train("ab" * 500, "bytes", merges=4).tokenizer()
    text = "ab" * 1_000_000  # one word, and so one part
    for slug in ("rank", "longest", "prefix", "fewest"):
        setting = Setting(text, ENCODERS[slug], tokenizer, 4, ("stopped", slug), typed=False)
        watched: WorkWatch[_Begun] = _watch(
            f"stopped {slug}", partial(_encode_parts, setting, Normalised(text))
        )
        watched.start()
        until(partial(has_begun, watched))
        watched.stop()
        assert watched.work.job.ended.wait(LONG)
        assert not watched.work.is_complete
        assert watched.work.result is None
