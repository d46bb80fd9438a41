"""Training that continues from a tokenizer: beside the library bpe-continue, and beside a loop without any index."""

import json

import bpe_continue
import pytest
import tokenizers
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import models, pre_tokenizers, trainers

import bpe
from bpe import BPEError, Pair, Tokenizer, Trace, count_pairs, merge_pair
from bpe.formats import FORMATS
from bpe.formats.opening import open_tokenizer
from tests.bpe.text.random_texts import examples
from tests.material import texts

Library = tokenizers.Tokenizer
BASE = texts.SENTENCES + "\n" + " ".join(texts.TOYS.values())


@pytest.fixture(scope="module")
def library() -> Library:
    """Return a small byte-level tokenizer, as the library trains it."""
    tokenizer = Library(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=900,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        special_tokens=["<|endoftext|>"],
        show_progress=False,
    )
    tokenizer.train_from_iterator([BASE], trainer)
    return tokenizer


@pytest.fixture(scope="module")
def base(library: Library) -> Tokenizer:
    """Return the library's tokenizer, opened."""
    return open_tokenizer({"tokenizer.json": library.to_str().encode()}).tokenizer


@pytest.fixture(scope="module")
def python_source() -> str:
    """Return a text unlike the one that the tokenizer was trained on."""
    return texts.LONGER["source"]()[:60_000]


@pytest.fixture(scope="module")
def trace(base: Tokenizer, python_source: str) -> Trace:
    """Return a training that continues."""
    return bpe.continue_training(python_source, base, tie_break="ids-min", merges=400)


def learned(trace: Trace) -> list[Pair]:
    return [step.pair for step in trace.steps if step.list_rank is None]


def test_the_library_continues_alike(
    library: Library, base: Tokenizer, python_source: str, trace: Trace
) -> None:
    extended = bpe_continue.continue_training(
        library, texts=[python_source], vocab_size=len(base.vocabulary) + 400, show_progress=False
    )
    opened = open_tokenizer({"tokenizer.json": extended.to_str().encode()}).tokenizer
    assert len(learned(trace)) == 400
    assert learned(trace) == list(opened.merges[len(base.merges) :])
    assert trace.vocabulary(len(trace.steps)) == list(opened.vocabulary)
    assert trace.tokenizer().encode(python_source) == extended.encode(python_source).ids


def test_the_tokenizer_keeps_its_ids_and_merges(base: Tokenizer, trace: Trace) -> None:
    extended = trace.tokenizer()
    assert list(extended.vocabulary[: len(base.vocabulary)]) == list(base.vocabulary)
    assert list(extended.merges[: len(base.merges)]) == list(base.merges)
    assert trace.vocabulary_size(len(trace.steps)) == len(base.vocabulary) + 400
    replayed = len(trace.steps) - 400
    assert [step.list_rank is None for step in trace.steps] == [False] * replayed + [True] * 400
    assert all(step.tied > 0 for step in trace.steps[replayed:])
    assert [trace.born(left + right) for left, right in learned(trace)] == [
        *range(replayed, len(trace.steps))
    ]
    assert trace.stopped == "merges"


@pytest.mark.parametrize("share", [0, 0.3, 0.7, 1])
def test_every_step_is_that_of_its_tokenizer(trace: Trace, python_source: str, share: float) -> None:
    k = round(share * len(trace.steps))
    assert trace.tokenizer(k).tokens(python_source) == trace.segment(python_source, k)
    assert trace.tokenizer(k).tokens("def unseen(x): pass ☃") == trace.segment("def unseen(x): pass ☃", k)
    assert trace.pair_counts(k) == dict(count_pairs(trace.words_at(k)))


def test_a_file_of_the_result_opens_as_the_same_tokenizer(trace: Trace, python_source: str) -> None:
    content = FORMATS["tokenizer-json"].trace_content(trace, len(trace.steps)).decode()
    assert len(json.loads(content)["model"]["merges"]) == len(trace.tokenizer().merges)
    assert Library.from_str(content).encode(python_source).ids == trace.tokenizer().encode(python_source)


@examples(25)
@given(
    st.text("abc ", max_size=25),
    st.integers(0, 6),
    st.text("abcd ", max_size=40),
    st.sampled_from(["first", "pair-max"]),
    st.sampled_from(["bytes-gpt2", "char-eow", "char-metaspace"]),
)
def test_it_is_the_textbook_over_the_tokenizers_words(
    known: str, merges: int, text: str, rule: str, variant: str
) -> None:
    tokenizer = bpe.train(known + "abc", variant, merges=merges).tokenizer()
    trace = bpe.continue_training(text, tokenizer, tie_break=rule, merges=5)
    words = {pre_token: tuple(tokenizer.word_tokens(pre_token)) for pre_token in trace.pre_tokens}
    unknown = {token for word in words.values() for token in word} - tokenizer.ids.keys()
    expected: list[tuple[Pair, int, int]] = []
    for _ in range(5):
        counts = count_pairs([(words[word], trace.frequency(word)) for word in words])
        allowed = {
            pair: count
            for pair, count in counts.items()
            if pair[0] + pair[1] not in tokenizer.ids and not unknown & {*pair}
        }
        if not allowed:
            break
        top = max(allowed.values())
        tied = [pair for pair, count in allowed.items() if count == top]
        pair = (
            tied[0]
            if rule == "first"
            else max(tied, key=lambda pair: tuple(map(tokenizer.variant.spelled, pair)))
        )
        expected.append((pair, top, len(tied)))
        words = {word: merge_pair(tokens, pair) for word, tokens in words.items()}
    steps = [step for step in trace.steps if step.list_rank is None]
    assert [(step.pair, step.count, step.tied) for step in steps] == expected
    assert [word for word, _ in trace.words_at(len(trace.steps))] == list(words.values())
    assert trace.stopped == ("merges" if len(expected) == 5 else "no pairs")


def test_settings_that_the_tokenizer_brings_are_refused_and_others_read(base: Tokenizer) -> None:
    with pytest.raises(BPEError, match="The tokenizer has its own variant"):
        bpe.continue_training("low", base, variant="bytes")
    with pytest.raises(BPEError, match="There is no setting 'merge'"):
        bpe.continue_training("low", base, merge=3)
    with pytest.raises(BPEError, match="vocabulary size must be at least"):
        bpe.continue_training("low", base, vocab_size=10)
    size = len(base.vocabulary)
    grown = bpe.continue_training("snow snowman snowmen", base, vocab_size=size + 2)
    assert grown.vocabulary_size(len(grown.steps)) == size + 2
    assert grown.stopped == "vocab_size"
    assert bpe.continue_training("snow", base, merges=9, min_count=2).stopped == "min_count"


def test_a_pick_is_counted_over_all_steps(base: Tokenizer) -> None:
    text = "zqzx zqzx kwkj kwkj"
    replayed = len(bpe.replay(text, base).steps)
    plain = bpe.continue_training(text, base, merges=1)
    assert plain.steps[replayed].tied > 1
    picked = bpe.continue_training(text, base, merges=1, picks={replayed: 1})
    assert learned(picked) == [plain.tied_pairs(replayed)[1]] != learned(plain)


def test_a_training_interrupted_in_its_replay_can_be_continued_later(base: Tokenizer) -> None:
    training = bpe.continue_training_steps("the quick brown fox " * 3, base, merges=3)
    next(training)
    trace = training.trace()
    assert trace.stopped == "cancelled"
    assert len(trace.steps) == 1
    assert trace.tokenizer(1).tokens("the") == trace.segment("the", 1)
    training.finish()
    assert len(learned(training.trace())) == 3


def test_a_trace_says_where_its_merges_come_from_and_what_follows() -> None:
    trained = bpe.train("low low lower", merges=2)
    tokenizer = trained.tokenizer()
    ways = {
        "trained": trained,
        "replayed": bpe.replay("low we", tokenizer),
        "continued": bpe.continue_training("lower lower low", tokenizer, merges=1),
        "like it": bpe.train_like(
            "new newer", bpe.train("low low lower", "bytes-gpt2", merges=2).tokenizer(), merges=2
        ),
    }
    origins = {name: trace.origin for name, trace in ways.items()}
    assert {
        name: (one.learned, one.listed, one.applied, one.breaks_ties, one.counts, one.replays)
        for name, one in origins.items()
    } == {
        "trained": (2, 0, 0, True, True, False),
        "replayed": (0, 2, 2, False, False, True),
        "continued": (1, 2, 2, False, True, True),
        "like it": (2, 0, 0, False, True, False),
    }
