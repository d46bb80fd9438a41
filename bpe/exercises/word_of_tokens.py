"""Find a word that has so many tokens. An answer is a word that is not in the training text; many can be right."""

from collections.abc import Collection
from dataclasses import dataclass

from bpe.checks import shortened_repr
from bpe.encoding.encoders import DEFAULT_ENCODER
from bpe.encoding.tokenizer import Tokenizer
from bpe.exercises.verdict import Piece, Verdict, token_pieces
from bpe.symbols import BPEError
from bpe.text.display import counted


@dataclass(frozen=True)
class WordOfTokens:
    """The task to find a new word of at least `letters` letters that an encoder splits into `size` tokens."""

    tokenizer: Tokenizer
    size: int
    letters: int
    known: Collection[str]  # the words of the training text
    example: str  # a word that solves it
    encoder: str = DEFAULT_ENCODER

    def __post_init__(self) -> None:
        if not self.judge(self.example).right:
            raise BPEError(
                f"The example must be a new word of {counted(self.letters, 'letter')} or more "
                f"in {counted(self.size, 'token')}, got {shortened_repr(self.example)}."
            )

    def judge(self, typed: str) -> Verdict:
        """Return the verdict on a word."""
        word = typed.strip()
        if len(word.split()) != 1:
            return Verdict(False, ("Type one word, without spaces.",), ("several_words",))
        if len(word) < self.letters:
            return Verdict(False, (f"The word should have {self.letters} letters or more.",), ("too_short",))
        if word in self.known:
            return Verdict(False, (f"{word} is in the training text. Find a new word.",), ("known",))
        unknown = [
            token for token in self.tokenizer.tokens(word, self.encoder) if token not in self.tokenizer.ids
        ]
        if unknown:
            return Verdict(False, (unknown[0], " is not in the vocabulary, so it is unknown."), ("unknown",))
        tokens = self._tokens(word)
        size = len(self.tokenizer.tokens(word, self.encoder))
        if size == self.size:
            return Verdict(True, ("Right! ", *tokens))
        mistake = "too_few" if size < self.size else "too_many"
        return Verdict(False, (*tokens, f" That is {counted(size, 'token')}."), (mistake,))

    def solution(self) -> tuple[Piece, ...]:
        """Return the answer as a sentence."""
        return ("For example, ", *self._tokens(self.example))

    def _tokens(self, word: str) -> tuple[Piece, ...]:
        return (f"{word} is ", *token_pieces(self.tokenizer.tokens(word, self.encoder)), ".")
