"""Spot the wrong split: several new words in their tokens, one of which is split as a misconception would split it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from bpe.encoding.encoders import DEFAULT_ENCODER
from bpe.encoding.tokenizer import Tokenizer
from bpe.exercises.verdict import Piece, Verdict, token_pieces
from bpe.exercises.word_tokens import Tokens, WordTokens
from bpe.symbols import BPEError


@dataclass(frozen=True)
class WrongSplit:
    """The question which of several words is split in a way that the encoder does not split it."""

    tokenizer: Tokenizer
    words: Sequence[str]
    wrong: str  # one of the words
    encoder: str = DEFAULT_ENCODER

    def __post_init__(self) -> None:
        if self.wrong not in self.words or not 2 <= len(set(self.words)) == len(self.words):
            raise BPEError(
                f"The wrong word must be one of different words, got {self.wrong!r} of {list(self.words)}."
            )
        if not self._mistakes:
            raise BPEError(f"No misconception splits {self.wrong!r} in another way than the encoder does.")

    @cached_property
    def splits(self) -> tuple[Tokens, ...]:
        """How each word is shown: as the encoder splits it, but for the wrong one."""
        return tuple(
            self._mistake if word == self.wrong else self._question(word).right for word in self.words
        )

    @property
    def right(self) -> int:
        """The position of the wrong split."""
        return self.words.index(self.wrong)

    def judge(self, number: int) -> Verdict:
        """Return the verdict on the word at a position."""
        if number == self.right:
            return Verdict(True, ("Right! ", *self.solution()))
        steps = self._question(self.words[number]).solution()
        return Verdict(
            False, (f"{self.words[number]} is split as it should be. ", *steps), ("split_as_it_should_be",)
        )

    def solution(self) -> tuple[Piece, ...]:
        """Return the answer as a sentence, with the reason why the split is wrong."""
        question = self._question(self.wrong)
        reason = question.judge(self._mistake).sentence
        return (f"{self.wrong} is ", *token_pieces(question.right), ". In the wrong split: ", *reason)

    @property
    def _mistake(self) -> Tokens:
        return self._mistakes[0]

    @cached_property
    def _mistakes(self) -> list[Tokens]:
        """The wrong splits that misconceptions give, the most telling first: those with the fewest tokens."""
        wrong = {split for splits in self._question(self.wrong).misconceptions.values() for split in splits}
        return sorted(wrong, key=lambda split: (len(split), split))

    def _question(self, word: str) -> WordTokens:
        return WordTokens(self.tokenizer, word, self.encoder)
