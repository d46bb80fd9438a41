"""Into which tokens is this text split? An answer is the text with spaces between its tokens."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain, pairwise

from bpe.encoding.encoders import DEFAULT_ENCODER, ENCODERS, Encoder
from bpe.encoding.tokenizer import Tokenizer
from bpe.exercises.verdict import Piece, Verdict, pair_pieces, token_pieces
from bpe.symbols import BPEError, Pair, Symbol, Word
from bpe.text.variants import Variant

# Between tokens there are spaces, or signs that the text itself does not hold, such as commas, quotes and brackets. A
# space of the text and a marker may be written as other tokenizers write them, and the case of letters does not
# matter.
_SPACE = "·"  # how a space of the text is shown
_MARKERS = ("</w>", "▁", "Ġ", "␣", "_")  # how tokenizers and lectures write a marker or a space
_BETWEEN = ",;|+/-–·[](){}'\"`“”‘’«»"
_BYTE = re.compile("<?0x([0-9a-f]{2})>?")
_Tokens = tuple[Symbol, ...]


@dataclass(frozen=True)
class WordTokens:
    """The question into which tokens an encoder splits a text."""

    tokenizer: Tokenizer
    text: str
    encoder: str = DEFAULT_ENCODER

    @cached_property
    def words(self) -> list[Word]:
        """The initial symbols of each pre-token of the text."""
        return self.tokenizer.words(self.tokenizer.normalise(self.text))

    @property
    def symbols(self) -> _Tokens:
        """The initial symbols of the text."""
        return tuple(chain.from_iterable(self.words))

    @cached_property
    def right(self) -> _Tokens:
        """The right answer."""
        return self.encoded(self.encoder)

    @cached_property
    def misconceptions(self) -> Mapping[str, frozenset[_Tokens]]:
        """The segmentations that each misconception gives, without the right one."""
        gives = {name: frozenset(answers(self)) for name, answers in _MISCONCEPTIONS.items()}
        return {name: answers - {self.right} for name, answers in gives.items()}

    def read(self, typed: str) -> _Tokens:
        """Return the tokens of a typed answer. Raises BPEError if they do not spell the text."""
        variant = self.tokenizer.variant
        tokens = _read_tokens(typed, self.symbols, variant)
        if tokens is not None:
            return tokens
        hint = ""
        marker = variant.marker_text
        if marker and marker in self.spelled and not any(one in typed for one in (marker, *_MARKERS)):
            hint = f" The marker {marker} is a symbol too."
        elif _SPACE in self.spelled and _SPACE not in typed:
            hint = f" Write {_SPACE} for a space of the text."
        raise BPEError(f"Split {self.spelled} into tokens, and put a space between two tokens.{hint}")

    @property
    def spelled(self) -> str:
        """The text as it is typed: its symbols as labels, without spaces."""
        return "".join(map(self.tokenizer.variant.label, self.symbols))

    def judge(self, tokens: Sequence[Symbol]) -> Verdict:
        """Return the verdict on tokens that spell the text."""
        answer = tuple(tokens)
        if b"".join(answer) != b"".join(self.symbols):
            raise BPEError(f"The tokens must spell {self.spelled} when they are joined.")
        if answer == self.right:
            return Verdict(True, ("Right! ", *self.solution()))
        mistakes = tuple(name for name, answers in self.misconceptions.items() if answer in answers)
        if (bridge := self._bridge(answer)) is not None:
            why = (
                bridge,
                " is in two words. The text is split into words first, and no token crosses the gap.",
            )
            return Verdict(False, why, ("across_words", *mistakes))
        initial = {*self.symbols, *self.tokenizer.ids}
        unlearned = next((token for token in answer if token not in initial), None)
        if unlearned is not None:
            why_not = ": no merge makes it." if self.tokenizer.merges else "."
            return Verdict(
                False, (unlearned, f" is not in the vocabulary{why_not}"), ("unlearned", *mistakes)
            )
        if (fitting := self._fitting(answer)) is not None:
            mistakes = tuple(dict.fromkeys((*mistakes, "stopped_early")))
        if mistakes[:1] == ("stopped_early",) and fitting is not None:
            early = ("You stopped too early: the merge ", *pair_pieces(fitting), " still fits.")
            return Verdict(False, early, mistakes)
        if mistakes:
            return Verdict(False, _REASONS[mistakes[0]](self, answer), mistakes)
        all_known = "All of these tokens are in the vocabulary, but the encoder does not choose them. "
        return Verdict(False, (all_known, *_beginning(self)))

    def solution(self) -> tuple[Piece, ...]:
        """Return the answer as a sentence."""
        return ("The tokens are ", *token_pieces(self.right), ".")

    def steps(self) -> Iterator[tuple[_Tokens, Symbol]]:
        """Yield the segmentation before each step of the encoder, and the token that the step makes."""
        before: _Tokens = self.symbols
        for step in self.tokenizer.encode_steps(self.text, self.encoder):
            yield before, step.token
            before = tuple(chain.from_iterable(step.segmentation))

    def encoded(self, encoder: str) -> _Tokens:
        """Return the text's tokens under an encoder."""
        return tuple(self.tokenizer.tokens(self.text, encoder))

    def _fitting(self, answer: _Tokens) -> Pair | None:
        """Return the earliest merge that still fits the answer; None without one, or if the encoder needs no merges."""
        if not ENCODERS[self.encoder].needs_merges:
            return None
        ranks = {merge: rank for rank, merge in enumerate(self.tokenizer.merges)}
        ends = self._ends()
        start = 0
        fitting: list[Pair] = []
        for left, right in pairwise(answer):
            start += len(left)
            if start not in ends and (left, right) in ranks:
                fitting.append((left, right))
        return min(fitting, key=ranks.__getitem__, default=None)

    def _ends(self) -> set[int]:
        """Return the positions, in bytes, at which the words of the text end."""
        return set(accumulate(len(b"".join(word)) for word in self.words))

    def _bridge(self, answer: _Tokens) -> Symbol | None:
        """Return the first token that reaches across two words."""
        ends = self._ends()
        start = 0
        for token in answer:
            if any(start < end < start + len(token) for end in ends):
                return token
            start += len(token)
        return None


def _stopped_early(question: WordTokens) -> set[_Tokens]:
    """Return the segmentations on the way, before the last step."""
    return {before for before, _ in question.steps()}


def _other_encoders(question: WordTokens) -> set[_Tokens]:
    """Return what the other encoders make of the text."""
    return {question.encoded(row.slug) for row in _other_rows(question)}


def _from_left_to_right(question: WordTokens) -> set[_Tokens]:
    """Return the segmentation if the leftmost merge that fits is applied, whatever its rank."""
    merges = set(question.tokenizer.merges)
    return {tuple(chain.from_iterable(_merged_from_left(list(word), merges) for word in question.words))}


# {misconception: the segmentations that it gives}, the most telling ones first
_MISCONCEPTIONS: Mapping[str, Callable[[WordTokens], set[_Tokens]]] = {
    "other_encoders": _other_encoders,
    "stopped_early": _stopped_early,
    "from_left_to_right": _from_left_to_right,
}


def _read_tokens(typed: str, symbols: Sequence[Symbol], variant: Variant) -> tuple[Symbol, ...] | None:
    r"""Return the tokens of a typed answer; None if they do not spell the symbols.

    >>> from bpe import VARIANTS
    >>> _read_tokens("['Low', 'er_']", [b"l", b"o", b"w", b"e", b"r", b"\xff"], VARIANTS["char-eow"])
    (b'low', b'er\xff')
    """
    labels = [_plain(variant.label(symbol)) for symbol in symbols]
    for parts in _readings(_plain(typed), "".join(labels), _plain(variant.marker_text)):
        tokens = _joined(parts, symbols, labels)
        if tokens is not None:
            return tokens
    return None


def _plain(text: str) -> str:
    """Return a text in small letters, with bytes as their two digits."""
    return _BYTE.sub(r"\1", text.lower())


def _readings(typed: str, spelled: str, marker: str) -> Iterator[list[str]]:
    """Yield the parts of a typed answer: as it is, then with other signs for spaces, markers and what is between."""
    yield typed.split()
    for mark in _MARKERS:
        if mark.lower() not in spelled:
            typed = typed.replace(mark.lower(), _SPACE if _SPACE in spelled else marker)
    yield typed.split()
    yield typed.translate({ord(sign): " " for sign in _BETWEEN if sign not in spelled}).split()


def _joined(
    parts: Sequence[str], symbols: Sequence[Symbol], labels: Sequence[str]
) -> tuple[Symbol, ...] | None:
    tokens: list[Symbol] = []
    waiting = iter(zip(symbols, labels, strict=True))
    for part in parts:
        token, spelled = b"", ""
        while len(spelled) < len(part):
            symbol, label = next(waiting, (b"", ""))
            if not label:
                return None
            token, spelled = token + symbol, spelled + label
        if spelled != part:
            return None
        tokens.append(token)
    return tuple(tokens) if next(waiting, None) is None else None


def _other_rows(question: WordTokens) -> list[Encoder]:
    """Return the other encoders that the vocabulary allows, without those that draw or leave tokens out."""
    merges = bool(question.tokenizer.merges)
    plain = [row for row in ENCODERS.values() if not (row.settings or row.needs_counts)]
    return [row for row in plain if row.slug != question.encoder and (merges or not row.needs_merges)]


def _merged_from_left(word: list[Symbol], merges: set[tuple[Symbol, Symbol]]) -> list[Symbol]:
    while True:
        fits = (at for at, pair in enumerate(pairwise(word)) if pair in merges)
        at = next(fits, None)
        if at is None:
            return word
        word[at : at + 2] = [word[at] + word[at + 1]]


def _too_early(question: WordTokens, answer: _Tokens) -> tuple[Piece, ...]:
    joined = next(token for before, token in question.steps() if before == answer)
    return ("You stopped too early. The encoder goes on and makes ", joined, ".")


def _other_encoder(question: WordTokens, answer: _Tokens) -> tuple[Piece, ...]:
    row = next(row for row in _other_rows(question) if question.encoded(row.slug) == answer)
    own = ENCODERS[question.encoder]
    return (
        f"That is what the encoder “{row.title}” gives. Here the encoder is “{own.title}”. "
        f"It {own.about[0].lower()}{own.about[1:]}",
    )


def _beginning(question: WordTokens) -> tuple[Piece, ...]:
    first = next(question.tokenizer.encode_steps(question.text, question.encoder), None)
    if first is None:
        return ("No merge fits at all.",)
    parts = (first.token,) if first.pair is None else pair_pieces(first.pair)
    return ("Begin with ", *parts, ".")


_REASONS: Mapping[str, Callable[[WordTokens, _Tokens], tuple[Piece, ...]]] = {
    "stopped_early": _too_early,
    "other_encoders": _other_encoder,
    "from_left_to_right": lambda question, answer: (
        "You merged from left to right. The merge that was learned first goes first, wherever it is. ",
        *_beginning(question),
    ),
}
