"""Long work of the core can be ended: between two checkpoints there is a small piece of it, whatever the text."""

from collections.abc import Callable

import pytest

import bpe
from bpe import VARIANTS, custom_variant
from bpe.checkpoints import PART, check_everywhere, checkpoint, checkpoints
from bpe.comparison.random_draws import random_draws
from bpe.formats.merges_txt import _LINES, read_merges
from bpe.formats.tiktoken_ranks import read_ranks, write_ranks
from bpe.settings.request import read_request
from bpe.training.pair_index import _PAIRS
from bpe.training.trainer import Training
from bpe.training.word_layout import Sizes

LETTERS = "abcdefghij"
LONG = LETTERS * (PART * 3 // len(LETTERS))  # one word
SPACED = "ab " * PART
TOKENIZER = bpe.train(
    LONG[:1000], "bytes", merges=6, alphabet=[bytes([value]) for value in range(256)]
).tokenizer()
DROPOUT = bpe.ENCODERS["dropout"].using(p=0.5, seed=1)


class EndedError(Exception):
    """The error with which these tests end work."""


def count(work: Callable[[], object]) -> int:
    """Return the number of checkpoints of this work."""
    passed = 0

    def check() -> None:
        nonlocal passed
        passed += 1

    with checkpoints(check):
        work()
    return passed


def end_after(number: int, work: Callable[[], object]) -> None:
    """Do the work and end it at this checkpoint."""
    left = number

    def check() -> None:
        nonlocal left
        left -= 1
        if not left:
            raise EndedError

    with checkpoints(check):
        work()


# {work: (its function of a number of characters, characters between two checkpoints at most)}
WORK: dict[str, tuple[Callable[[int], object], int]] = {
    "words are counted": (lambda n: bpe.train_steps(SPACED[:n], "char-eow"), PART),
    "one word of characters is laid out": (lambda n: bpe.train_steps(LONG[:n], "char-eow"), PART // 3),
    "one word of bytes is laid out": (lambda n: bpe.train_steps(LONG[:n], "bytes"), PART // 3),
    "a pattern of one's own splits": (
        lambda n: bpe.train_steps(LONG[:n], custom_variant("[a-z]")),
        PART // 2,
    ),
    "one word is encoded by rank": (lambda n: TOKENIZER.tokens(LONG[:n], "rank"), PART),
    "one word is encoded with dropout": (lambda n: TOKENIZER.tokens(LONG[:n], DROPOUT), PART),
    "one word is encoded by rules": (lambda n: TOKENIZER.tokens(LONG[:n], "rules"), PART),
    "one word is encoded by the longest token": (lambda n: TOKENIZER.tokens(LONG[:n], "longest"), PART // 2),
    "one word is encoded by prefixes": (lambda n: TOKENIZER.tokens(LONG[:n], "prefix"), 20),
    "one word is encoded in the fewest tokens": (lambda n: TOKENIZER.tokens(LONG[:n], "fewest"), 256),
    "merges are replayed": (lambda n: bpe.replay_steps(LONG[:n], TOKENIZER), PART // 3),
}


@pytest.mark.slow
@pytest.mark.parametrize(("work", "most"), WORK.values(), ids=WORK)
def test_there_is_a_checkpoint_after_every_small_piece(work: Callable[[int], object], most: int) -> None:
    """Three times the text has as many more checkpoints as there are pieces in it."""
    large = min(len(LONG), 300 * most)
    small = large // 3
    assert count(lambda: work(large)) - count(lambda: work(small)) >= (large - small) // most


def test_a_checkpoint_ends_the_work_with_its_error() -> None:
    for number in (1, 2, 5, 9):
        with pytest.raises(EndedError):
            end_after(number, lambda: bpe.train_steps(LONG, "bytes"))
    checkpoint()  # outside of the work it does nothing


def test_luck_can_be_ended_inside_a_draw() -> None:
    """Each merge of a draw has a checkpoint."""
    studies = random_draws("low lower lowest slow slower", ["low"], 3, merges=8)
    next(studies)
    assert count(lambda: next(studies)) >= 8


def test_a_tokenizers_file_can_be_ended_while_it_is_opened() -> None:
    lines = "".join(
        f"{letter} {other}\n" for letter in map(chr, range(256, 456)) for other in "abcdefghijklmnopqrst"
    )
    row = VARIANTS["char-metaspace"]
    assert count(lambda: read_merges(lines * 1, row)) >= 200 * 20 // _LINES + 1
    ranks = write_ranks(TOKENIZER)
    with pytest.raises(EndedError):
        end_after(3, lambda: read_ranks(ranks, VARIANTS["bytes"]))


def test_a_training_that_was_ended_between_merges_has_a_trace() -> None:
    """Counting all pairs again, when the stored ones are used up, is such a moment."""
    words = {"aa": 9, "bb": 8, "cd": 1, "ef": 1}
    training = Training(read_request("bytes"), words, threshold=5)
    with pytest.raises(EndedError):
        end_after(1, lambda: list(training))
    assert [step.pair for step in training.trace().steps][:2] == [(b"a", b"a"), (b"b", b"b")]
    assert training.trace().stopped == "cancelled"
    assert _PAIRS < PART


def test_a_training_that_was_ended_in_the_middle_of_a_merge_has_none() -> None:
    """Only a merge at very many positions has checkpoints, and little was learned before it."""
    sizes = Sizes(between_looks=4, between_checkpoints=4)
    training = Training(read_request("bytes"), {"ab" * 20 + "cd" * 3: 1}, sizes=sizes)
    with pytest.raises(EndedError):
        end_after(3, lambda: list(training))
    with pytest.raises(bpe.BPEError, match="middle of a merge"):
        training.trace()


def test_memory_is_looked_at_in_the_middle_of_a_merge() -> None:
    sizes = Sizes(between_looks=4, between_checkpoints=20)
    training = Training(read_request("bytes", merges=1), {"ab" * 20: 1}, sizes=sizes)
    looks: list[int] = []
    check_everywhere(lambda: looks.append(1))
    assert count(lambda: list(training)) == 0  # nobody can end it there
    trace = training.trace()
    assert (trace.steps[0].count, len(looks)) == (20, 20 // 4)
    assert [word for word, _ in trace.words_at(1)] == [(b"ab",) * 20]


def test_every_step_with_dropout_can_be_the_last() -> None:
    """A high share of dropped positions makes many steps, each of which looks at the whole word."""
    often = DROPOUT.using(p=0.95, seed=1)
    steps = len(list(TOKENIZER.encode_steps(LONG[:2_000], often)))
    assert count(lambda: TOKENIZER.tokens(LONG[:2_000], often)) >= steps > 20
