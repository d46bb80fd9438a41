"""Trainer: the functions `train` and `train_steps`, and the iterator behind both."""

from array import array
from collections import deque
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Self

from bpe.checkpoints import with_checkpoints
from bpe.encoding.merging import encode_by_rank, merge_table
from bpe.encoding.tokenizer import Tokenizer
from bpe.pair_ids import INSIDE
from bpe.settings.pieces import both
from bpe.settings.request import Text, TrainingRequest, with_settings
from bpe.symbols import BPEError, Symbol
from bpe.trace.merge_log import MergeLog, Step, Steps
from bpe.trace.trace import Trace
from bpe.trace.unmerge import FinalWords
from bpe.trace.vocabulary import Replayed
from bpe.training.merge_list import ListQueue, MergeList
from bpe.training.merge_loop import MergeLoop
from bpe.training.pair_index import estimate_threshold
from bpe.training.word_layout import SIZES, Sizes, build_layout, spell_words


@with_settings
def train(text: Text, request: TrainingRequest) -> Trace:
    """Train BPE and return the trace, from which every step can be derived.

    `text` is one text, several documents (no pair crosses two), or {pre-token: frequency} already counted.
    Raises BPEError if a setting is invalid or the text holds a lone surrogate.

    >>> train("low lower lowest", merges=2).merges
    [(b'l', b'o'), (b'lo', b'w')]
    """
    return _training_of(text, request).finish().trace()


@with_settings
def train_steps(text: Text, request: TrainingRequest) -> "Training":
    """Train BPE one step at a time: return an iterator that yields each Step as it is decided.

    The settings are checked and the words counted before this returns. The iterator's `trace()` returns what has been
    learned so far. `text` and errors are those of `train`.

    >>> training = train_steps("low lower lowest", merges=2)
    >>> [(step.pair, step.count, step.tied) for step in training]
    [((b'l', b'o'), 3, 2), ((b'lo', b'w'), 3, 1)]
    >>> training.trace().stopped
    'merges'
    """
    return _training_of(text, request)


class Training(Iterator[Step]):
    """A training in progress: an iterator of its remaining steps."""

    def __init__(
        self,
        request: TrainingRequest,
        frequencies: Mapping[str, int],
        threshold: int | None = None,
        merge_list: MergeList | None = None,
        goes_on: bool = False,
        second_frequencies: Mapping[str, int] | None = None,
        sizes: Sizes = SIZES,
    ) -> None:
        """Begin a training. `frequencies` are the counted words, as `request.count` returns them.

        A second stage has words of its own, `second_frequencies`.
        `threshold` is the pruning threshold of the pair index; None estimates it. It affects only the speed, as
        `sizes` do.
        `merge_list` holds the merges of a replay, which are made instead of those that the counts choose; a training
        that `goes_on` learns further merges after them.
        """
        self.request = request
        self._pre_tokens = tuple(frequencies)
        self._frequencies = array("q", frequencies.values())
        if merge_list:
            words, self._alphabet = merge_list.words(self._pre_tokens)
        else:
            words, symbols = spell_words(self._pre_tokens, request.variant)
            self._alphabet = request.order_alphabet(symbols)
        self._layout = build_layout(words, self._frequencies, self._alphabet, sizes)
        self._symbols: list[Symbol] = list(self._alphabet)
        self._log = MergeLog(len(self._alphabet), request.overlaps)
        self._merge_list = merge_list
        self._second_frequencies = second_frequencies
        self._first_words: FinalWords | None = None
        self._list_ranks = array("i")  # of the steps of a replay
        self._steps = Steps(self._log, self._symbols, self._list_ranks)
        self._stopped = ""
        self._merges = self._learn(self._merge_steps(threshold, merge_list, goes_on))
        self._interrupted = False

    def _merge_steps(
        self, threshold: int | None, merge_list: MergeList | None, goes_on: bool
    ) -> Generator[None, None, str]:
        if merge_list:  # Rare pairs are merged before frequent ones, so none may be pruned.
            self._loop = MergeLoop(
                self.request, self._layout, self._symbols, self._log, threshold=1, filtered=goes_on
            )
            replay = self._loop.replay_steps(ListQueue(merge_list, self._symbols, self._list_ranks))
            return self._continue(replay, merge_list.tokenizer) if goes_on else replay
        most = self.request.most_merges(len(self._alphabet))
        first = most if self._second_frequencies is None else min(most, self.request.second_after)
        if threshold is None:
            threshold = estimate_threshold(self._frequencies, len(self._layout.starting_at), first)
        self._loop = MergeLoop(self.request, self._layout, self._symbols, self._log, threshold)
        steps = self._loop.merge_steps(first)
        return steps if first == most else self._two_stages(steps, most, self._second_frequencies or {})

    def _two_stages(
        self, first: Generator[None, None, str], most: int, frequencies: Mapping[str, int]
    ) -> Generator[None, None, str]:
        """Learn the merges of the first stage, then, over longer words, those of the second."""
        yield from first
        pre_tokens, counts = tuple(frequencies), array("q", frequencies.values())
        first_words = FinalWords(self._tokens())
        words = _second_words(pre_tokens, self.request, self._symbols, self._log)
        layout = build_layout(words, counts, self._symbols, self._layout.sizes)
        rest = most - len(self._log)
        threshold = estimate_threshold(counts, len(layout.starting_at), rest)
        loop = MergeLoop(self.request, layout, self._symbols, self._log, threshold, second=True)
        # All at once, since a trace may be asked for at any time.
        self._first_words = first_words
        self._pre_tokens, self._frequencies, self._layout, self._loop = pre_tokens, counts, layout, loop
        stopped = yield from loop.merge_steps(rest)
        if stopped in ("no pairs", "min_count"):
            return stopped
        return "merges" if most == self.request.merges else "vocab_size"

    def _continue(
        self, replay: Generator[None, None, str], tokenizer: Tokenizer
    ) -> Generator[None, None, str]:
        """Replay a tokenizer's merges, then learn further ones, which make no token that it has already."""
        most = self.request.most_merges(len(tokenizer.ids))
        yield from replay
        may_learn = Replayed(tokenizer, self._list_ranks).may_learn(self._alphabet)
        self._loop.restrict(both(self.request.second_limit, may_learn))
        return (yield from self._loop.merge_steps(most))

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Step:
        with self._noticing_interruptions():
            next(self._merges)
        return self._steps[-1]

    def finish(self) -> Self:
        """Learn all remaining merges at once, without making a Step for each. Return the training itself."""
        with self._noticing_interruptions():
            deque(self._merges, maxlen=0)
        return self

    def _learn(self, merge_steps: Generator[None, None, str]) -> Iterator[None]:
        self._stopped = yield from merge_steps

    @contextmanager
    def _noticing_interruptions(self) -> Iterator[None]:
        try:
            yield
        except (BPEError, StopIteration):
            raise
        except BaseException:  # a checkpoint, Ctrl-C or no memory: perhaps in the middle of a merge.
            self._interrupted = self._loop.is_merging
            raise

    def _replayed_so_far(self) -> Replayed | None:
        if self._merge_list is None:
            return None
        return Replayed.of(self._merge_list.tokenizer, self._list_ranks, self._steps, bool(self._stopped))

    def trace(self, stopped: str = "cancelled") -> Trace:
        """Return the trace of the merges learned so far. Its `stopped` is the argument unless the training has ended.

        Raises BPEError after an interruption, which may leave half a merge behind.
        """
        if self._interrupted:
            raise BPEError("The training was interrupted in the middle of a merge. Train again.")
        # A training that ends in its first stage is like any other. Too few pairs may have ended that stage early.
        after = self._log.second_after
        request = (
            replace(self.request, second=None) if after is None else replace(self.request, second_after=after)
        )
        return Trace(
            request=request,
            alphabet=tuple(self._alphabet),
            pre_tokens=self._pre_tokens,
            frequencies=self._frequencies,
            final_tokens=self._tokens(),
            log=self._log.compacted(),
            stopped=self._stopped or stopped,
            replayed=self._replayed_so_far(),
            first_words=self._first_words,
        )

    def _tokens(self) -> "array[int]":
        """Return the words as tokens, with WALL before, between and after them."""
        return array("i", [token for token in self._layout.starting_at if token != INSIDE])


def _second_words(
    pre_tokens: Sequence[str], request: TrainingRequest, symbols: Sequence[Symbol], log: MergeLog
) -> list[list[Symbol]]:
    """Return the pre-tokens of the second stage as tokens of the first. `symbols` has all so far, by internal id.

    This works as SuperBPE does (Liu et al., arXiv 2503.13423; trainer.rs of alisawuffles/tokenizers-superbpe): the
    merges of the first stage apply to the longer words in order of their ranks, as they do when the tokenizer encodes
    new text. So a merge of the first stage can also join two of its own words, as `t` + `h` in GPT-2's `'t|he`.
    SuperBPE's trainer has two more limits. At most four words in a token is the setting `second_words=4`; no token with
    a colon before a space is left out.
    """
    assert request.second is not None
    spell = request.second.spell
    table = merge_table(
        [(symbols[left], symbols[right]) for left, right in zip(log.lefts, log.rights, strict=True)]
    )
    words = map(spell, with_checkpoints(pre_tokens))
    return [encode_by_rank(table, word) for word in words]


def _training_of(text: Text, request: TrainingRequest) -> "Training":
    """Return the training of a request, before its first step."""
    frequencies, second = request.counts_of_stages(text)
    return Training(request, frequencies, second_frequencies=second)
