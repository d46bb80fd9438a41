"""Text overlap: how much of a held-out text also occurs in the corpus."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from bpe.checkpoints import in_parts
from bpe.settings.request import Text

WORDS = 8  # of a word sequence


@dataclass(frozen=True, slots=True)
class TextOverlap:
    """The parts of a held-out text that also occur in the corpus, word by word."""

    lines: int  # lines of at least WORDS words
    lines_in_corpus: int
    sequences: int  # sequences of WORDS consecutive words
    sequences_in_corpus: int

    @property
    def share(self) -> float:
        """Share of the word sequences that occur in the corpus."""
        return self.sequences_in_corpus / self.sequences if self.sequences else 0.0


def text_overlap(units: Sequence[str], corpus: Text) -> TextOverlap | None:
    """Return how much of these units of text occurs in the corpus. None for counted words, which hold no text.

    Sequences of 8 words are compared, as Radford et al. 2019 (Language models are unsupervised multitask learners,
    section 4) do. White space between words is ignored.

    >>> text_overlap(["a b c d e f g h i"], "x a b c d e f g h y").share
    0.5
    """
    if isinstance(corpus, Mapping):
        return None
    documents = [corpus] if isinstance(corpus, str) else corpus
    sequences = [sequence for unit in units for sequence in _sequences(unit.split())]
    lines = [
        tuple(words) for unit in units for line in unit.splitlines() if len(words := line.split()) >= WORDS
    ]
    wanted = set(sequences) | {line[:WORDS] for line in lines}
    missing_lines: dict[tuple[str, ...], set[tuple[str, ...]]] = {}  # first words -> lines
    for line in lines:
        missing_lines.setdefault(line[:WORDS], set()).add(line)
    present, present_lines = _present(documents, wanted, missing_lines)
    return TextOverlap(
        lines=len(lines),
        lines_in_corpus=sum(line in present_lines for line in lines),
        sequences=len(sequences),
        sequences_in_corpus=sum(sequence in present for sequence in sequences),
    )


def _sequences(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return zip(*(islice(words, start, None) for start in range(WORDS)), strict=False)


def _present(
    documents: Iterable[str],
    wanted: set[tuple[str, ...]],
    lines_from: Mapping[tuple[str, ...], set[tuple[str, ...]]],
) -> tuple[set[tuple[str, ...]], set[tuple[str, ...]]]:
    """Return which word sequences and which lines occur in the documents."""
    present: set[tuple[str, ...]] = set()
    present_lines: set[tuple[str, ...]] = set()
    for document in documents:
        words = document.split()
        for start, sequence in enumerate(chain.from_iterable(in_parts(_sequences(words)))):
            if sequence in wanted:
                present.add(sequence)
                for line in lines_from.get(sequence, ()):
                    if tuple(words[start : start + len(line)]) == line:
                        present_lines.add(line)
    return present, present_lines
