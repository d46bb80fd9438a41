"""Training request: the checked settings of one training. `read_request` makes one."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from bpe.checks import at_least, check_text, shortened_repr
from bpe.pair_ids import MAX_SYMBOLS, PairKey
from bpe.settings.alphabets import order_alphabet
from bpe.settings.piece_rules import MergeFilter, any_piece, both
from bpe.settings.rare_characters import LeaveOut, covering, most_frequent
from bpe.settings.tie_breaking import TieBreak
from bpe.symbols import BPEError, Pair, Symbol
from bpe.text.before_splitting.normalizations import Normalization, normalized
from bpe.text.before_splitting.normalizer import Normalizer
from bpe.text.before_splitting.special_tokens import split_at_special_tokens
from bpe.text.display import merge_name
from bpe.text.long_texts.counting import Counts, count_documents
from bpe.text.variants import Variant

# One text | documents | pre-token -> frequency, already counted.
Text = str | Iterable[str] | Mapping[str, int]
Alphabet = str | Sequence[Symbol | str]  # slug of ALPHABETS | symbols in id order
# Rank -> pair | its number among the tied pairs, from 0, in order of first occurrence.
Picks = Mapping[int, Pair | int]
# A page that trains by itself says the same.
VOCABULARY_TOO_SMALL = (
    "The vocabulary size must be at least {least} ({specials} special tokens and {alphabet} initial symbols), "
    "got {size}."
)
# Whether each line is a document, with or without its end.
Lines = Literal["", "ended", "bare"]
WordOrder = Callable[[tuple[str, int]], Any]  # (pre-token, frequency) -> sort key

_ENDED_LINE = re.compile(r"[^\n]*\n|[^\n]+")


@dataclass(frozen=True, slots=True)
class TrainingRequest:
    """The settings of one training, already checked. `read_request` documents each."""

    variant: Variant
    tie_break: TieBreak
    merges: int | None
    vocab_size: int | None
    min_count: int
    special_tokens: tuple[str, ...]
    unknown_token: str | None
    cut_special_tokens: bool
    lines: Lines
    alphabet: Alphabet | None
    normalization: Normalization | None
    may_merge: MergeFilter
    word_order: WordOrder | None
    seed: int
    picks: Picks
    # Variant and tie_break as slugs, and the settings that differ from their defaults.
    given: Mapping[str, Any]
    # Of a tokenizer that is replayed; applied before `normalization`.
    normalizer: Normalizer | None = None
    # The variant of a second stage, and the number of merges after which it begins.
    second: Variant | None = None
    second_after: int = 0
    second_limit: MergeFilter = any_piece  # which merges the second stage allows, besides `may_merge`
    overlaps: bool = True  # whether overlapping occurrences of a pair count
    limit_alphabet: int | None = None
    character_coverage: float = 1.0

    def count(self, text: Text) -> Counts:
        """Return the frequency of each pre-token of the text, in the requested word order."""
        counts = self._all_words(text)
        return self._in_word_order(self._leave_out(counts)(counts))

    def _all_words(self, text: Text) -> Counts:
        if isinstance(text, Mapping):
            return self._normalized_counts(_checked_counts(text))
        return count_documents(self.documents(text), self.variant)

    def _leave_out(self, counts: Counts) -> LeaveOut:
        """Return the function that leaves rare characters out of words, for the frequencies of the text."""
        if self.limit_alphabet is not None:
            return most_frequent(counts, self.limit_alphabet, self._listed_characters, self.variant)
        return (
            dict if self.character_coverage == 1 else covering(counts, self.character_coverage, self.variant)
        )

    @property
    def _listed_characters(self) -> frozenset[str]:
        """Characters of a list of initial symbols."""
        if self.alphabet is None or isinstance(self.alphabet, str):
            return frozenset()
        marker = self.variant.marker or b""
        symbols = (self.variant.unspelled(one) if isinstance(one, str) else one for one in self.alphabet)
        return frozenset(symbol.replace(marker, b"").decode("utf-8", "replace") for symbol in symbols) - {""}

    def _normalized_counts(self, words: Counts) -> Counts:
        """Return the counts of the normalized words: some of them may have become the same word."""
        if self.normalization is None:
            return words
        counts: Counter[str] = Counter()
        for word, frequency in words.items():
            counts[normalized(word, self.normalization)] += frequency
        return counts

    def counts_of_stages(self, text: Text) -> tuple[Counts, Counts | None]:
        """Return the frequencies of the pre-tokens, and of those of the second stage; None if there is none.

        Raises BPEError for counted words with a second stage, since nobody knows which words were neighbours.
        """
        if self.second is None:
            return self.count(text), None
        if isinstance(text, Mapping):
            raise BPEError("A second stage must read the text itself, got counted words.")
        # It is read twice.
        documents = text if isinstance(text, str) or not isinstance(text, Iterable) else list(text)
        counts = self._all_words(documents)
        leave_out = self._leave_out(counts)
        second = count_documents(self.documents(documents), self.second)
        return self._in_word_order(leave_out(counts)), self._in_word_order(leave_out(second))

    def _in_word_order(self, counts: Counts) -> Counts:
        return counts if self.word_order is None else dict(sorted(counts.items(), key=self.word_order))

    def may_merge_in(self, *, second: bool) -> MergeFilter:
        """Return which pairs may be merged in the first or in the second stage."""
        return both(self.may_merge, self.second_limit) if second else self.may_merge

    def documents(self, text: str | Iterable[str]) -> Iterator[str]:
        """Yield the documents of the text: split at special tokens if requested, normalized, and split into lines."""
        if not isinstance(text, Iterable):
            raise BPEError(f"The text must be a str, documents or counted words, got {type(text).__name__}.")
        for number, document in enumerate([text] if isinstance(text, str) else text, start=1):
            check_text(document, "" if isinstance(text, str) else f" of document {number}")
            for position, chunk in enumerate(self._between_special_tokens(document)):
                if self.normalizer:
                    chunk = self.normalizer.apply(chunk, position == 0)
                chunk = normalized(chunk, self.normalization)
                if self.lines == "bare":
                    yield from (line.removesuffix("\r") for line in chunk.split("\n"))
                elif self.lines == "ended":
                    yield from _ENDED_LINE.findall(chunk)
                else:
                    yield chunk

    def _between_special_tokens(self, document: str) -> list[str]:
        if not self.cut_special_tokens:
            return [document]
        return split_at_special_tokens(document, self.special_tokens)[::2]

    def order_alphabet(self, symbols: Sequence[Symbol]) -> list[Symbol]:
        """Return the initial symbols in id order. `symbols` are those of the corpus, in order of first appearance."""
        return order_alphabet(symbols, self.variant, self.alphabet)

    def most_merges(self, alphabet_size: int) -> int:
        """Return how many merges `merges` and `vocab_size` allow.

        Raises BPEError if the special tokens and the alphabet alone exceed `vocab_size`.
        """
        limits = [MAX_SYMBOLS - alphabet_size]
        if self.merges is not None:
            limits.append(self.merges)
        if self.vocab_size is not None:
            specials = len(self.special_tokens)
            if self.vocab_size < specials + alphabet_size:
                least, size = specials + alphabet_size, self.vocab_size
                raise BPEError(
                    VOCABULARY_TOO_SMALL.format(
                        least=f"{least:,}", specials=specials, alphabet=f"{alphabet_size:,}", size=f"{size:,}"
                    )
                )
            limits.append(self.vocab_size - specials - alphabet_size)
        return min(limits)

    def picked(self, rank: int, tied: Mapping[Pair, PairKey], count: int) -> PairKey:
        """Return the pair picked for a rank. `tied` holds the tied pairs, in order of first occurrence.

        Raises BPEError if the pick is none of them.
        """
        pick = self.picks[rank]
        if isinstance(pick, int):
            if pick >= len(tied):
                raise BPEError(
                    f"The pick for {merge_name(rank)} is number {pick + 1} of the tied pairs, "
                    f"but only {len(tied)} tie: undo it."
                )
            return list(tied.values())[pick]
        if pick not in tied:
            some = ", ".join(sorted(map(self._label, tied))[:5])
            raise BPEError(
                f"The pick for {merge_name(rank)} must be one of the {len(tied):,} pairs tied at {count:,} ({some}"
                f"{', …' if len(tied) > 5 else ''}), got {self._label(pick)}."
            )
        return tied[pick]

    def _label(self, pair: Pair) -> str:
        return " + ".join(map(self.variant.label, pair))


def _checked_counts(words: Mapping[str, int]) -> Counts:
    for word, frequency in words.items():
        check_text(word, " of a word")
        if not word:
            raise BPEError("A word must not be empty.")
        at_least(1, f"The frequency of {shortened_repr(word)}", frequency)
    # Counts are summed in 64 bits, up to 4 bytes per character and a marker.
    if sum(frequency * (len(word) + 1) * 4 for word, frequency in words.items()) >= 1 << 62:
        raise BPEError("The frequencies are too large: a corpus must have fewer than 2**60 characters.")
    return dict(words)
