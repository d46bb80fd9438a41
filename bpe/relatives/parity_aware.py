"""Parity-aware BPE: each merge is chosen by the language that is compressed worst.

Negar Foroutan, Clara Meister et al., Parity-Aware Byte-Pair Encoding, ACL 2026 (arXiv 2508.04796). Their code, by Rico
Sennrich and Negar Foroutan, is the oracle of the tests. Plain BPE merges the pair with the highest count in all
documents together. Here the document with the highest cost merges the pair with the highest count in its own text. Both
choices can be ties: of documents the first wins, as in their code, and of pairs a tie-breaking rule decides.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from bpe.checks import shortened_repr
from bpe.relatives.parity_training import ParityResult, ParityStep, ParityTraining
from bpe.settings.read_request import read_settings
from bpe.settings.request import Text
from bpe.symbols import BPEError

__all__ = [
    "COSTS",
    "Cost",
    "ParityResult",
    "ParityStep",
    "ParityTraining",
    "parity_aware",
    "parity_aware_steps",
]


@dataclass(frozen=True, slots=True)
class Cost:
    """What decides which document is compressed worst."""

    slug: str
    title: str
    about: str
    of: Callable[[int, int], float]  # (tokens now, initial symbols) -> the higher, the worse


COSTS: Mapping[str, Cost] = MappingProxyType(
    {
        row.slug: row
        for row in (
            Cost(
                "tokens",
                "The text with the most tokens",
                "This suits texts that say the same thing, such as translations.",
                lambda tokens, initial: tokens,
            ),
            Cost(
                "compression",
                "The least compressed text",
                "It has the most tokens per byte or character. This suits texts that say different things.",
                lambda tokens, initial: tokens / initial if initial else 0.0,
            ),
        )
    }
)


def parity_aware(documents: Mapping[str, Text], cost: str = "tokens", **settings: Any) -> ParityResult:
    """Train on named documents: at each step the one with the highest cost chooses its most frequent pair.

    `documents` are texts, or words that are counted already. `cost` is a slug of COSTS. `settings` are those of
    `train`; the authors' code has `tie_break="pair-max", min_count=2`. As there, the training ends when the document
    with the highest cost has no pair left, even if others have.

    >>> result = parity_aware({"en": "low low low", "de": "tief tief tief"}, merges=3)
    >>> [(step.document, step.pair, step.count) for step in result.steps]
    [('de', (b't', b'i'), 3), ('en', (b'l', b'o'), 3), ('de', (b'ti', b'e'), 3)]

    Raises BPEError for an invalid setting, for picks, for a second stage, for a limit of characters,
    and without documents.
    """
    training = parity_aware_steps(documents, cost, **settings)
    for _ in training:
        pass
    return training.result()


def parity_aware_steps(
    documents: Mapping[str, Text], cost: str = "tokens", **settings: Any
) -> ParityTraining:
    """Train one step at a time: return an iterator that yields each ParityStep as it is decided."""
    if cost not in COSTS:
        raise BPEError(f"The cost must be one of {', '.join(COSTS)}, got {shortened_repr(cost)}.")
    if not documents:
        raise BPEError("Parity-aware BPE needs at least one document.")
    request = read_settings(settings)
    if request.picks:
        raise BPEError("Parity-aware BPE allows no picks: the documents choose the pairs.")
    if request.second:
        raise BPEError("Parity-aware BPE learns no superwords: train without a second stage.")
    if request.limit_alphabet is not None or request.character_coverage < 1:
        raise BPEError(
            "Parity-aware BPE uses every character of its texts: leave the limit of characters out."
        )
    counts = [request.count(text) for text in documents.values()]
    return ParityTraining(request, tuple(documents), counts, COSTS[cost].of)
