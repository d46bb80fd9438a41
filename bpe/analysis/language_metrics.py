"""Metrics of named documents at a step, each with what it does not predict and who says so.

All are diagnostics of a tokenizer. None of them promises a better model.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from bpe.analysis.languages import DocumentCurves, gini

# (curves of all documents, number of one of them, number of the base document, k) -> value; None without one
Value = Callable[[Sequence[DocumentCurves], int, int, int], float | None]

SCHMIDT = "Craig W. Schmidt et al., Tokenization Is More Than Compression, EMNLP 2024"
ARNETT = "Catherine Arnett, Tyler A. Chang and Benjamin K. Bergen, A Bit of a Problem, 2024"
PETROV = (
    "Aleksandar Petrov et al., Language Model Tokenizers Introduce Unfairness Between Languages, NeurIPS 2023"
)
ALI = "Mehdi Ali et al., Tokenizer Choice For LLM Training: Negligible or Crucial?, 2024"
COGNETTA = "Marco Cognetta et al., Two Counterexamples to Tokenization and the Noiseless Channel, 2024"
FOROUTAN = (
    "its definition; Negar Foroutan et al., Parity-Aware Byte-Pair Encoding, ACL 2026, use it for languages"
)


@dataclass(frozen=True, slots=True)
class Metric:
    """One row of the table: how a metric is computed, and what must not be concluded from it."""

    slug: str
    title: str
    formula: str
    does_not_predict: str  # a sentence
    source: str  # of that sentence
    value: Value
    decimals: int = 2
    of_all: bool = False  # one value for all documents together
    same_content: bool = False  # makes sense only if all documents say the same
    takes_base: bool = False  # compares with the base document


def _premium(documents: Sequence[DocumentCurves], number: int, base: int, k: int) -> float | None:
    of_base = documents[base].tokens[k]
    return documents[number].tokens[k] / of_base if of_base else None


_ROWS = (
    Metric(
        slug="tokens",
        title="Tokens",
        formula="number of tokens",
        does_not_predict="Fewer tokens alone do not make a better model.",
        source=SCHMIDT,
        value=lambda documents, number, base, k: documents[number].tokens[k],
        decimals=0,
    ),
    Metric(
        slug="bytes-per-token",
        title="Bytes per token",
        formula="UTF-8 bytes / tokens",
        does_not_predict="It does not show who pays more: some languages need over five times as many bytes as others "
        "for the same content.",
        source=ARNETT,
        value=lambda documents, number, base, k: documents[number].measure(k).bytes_per_token or None,
    ),
    Metric(
        slug="characters-per-token",
        title="Characters per token",
        formula="characters / tokens",
        does_not_predict="It does not show who pays more: for the same content, some languages need over four times as "
        "many characters as others.",
        source=PETROV,
        value=lambda documents, number, base, k: documents[number].measure(k).characters_per_token or None,
    ),
    Metric(
        slug="fertility",
        title="Fertility",
        formula="tokens / words between white space",
        does_not_predict="It does not always predict how good a model gets. And a language without spaces, such as "
        "Chinese or Thai, has no such words.",
        source=ALI,
        value=lambda documents, number, base, k: documents[number].measure(k).fertility or None,
    ),
    Metric(
        slug="premium",
        title="Premium",
        formula="tokens / tokens of the base text",
        does_not_predict="Equal token counts, called parity, do not always predict how good a model gets.",
        source=ALI,
        value=_premium,
        same_content=True,
        takes_base=True,
    ),
    Metric(
        slug="renyi",
        title="Rényi efficiency",
        formula="Rényi entropy of the tokens' shares (α = 2.5) / log₂ of the number of different tokens",
        does_not_predict="It does not always predict how good a model gets: BPE can be changed so that it rises while "
        "translations get worse.",
        source=COGNETTA,
        value=lambda documents, number, base, k: documents[number].renyi_efficiency(k),
        decimals=3,
    ),
    Metric(
        slug="gini",
        title="Gini of all texts",
        formula="sum of |difference| over all ordered pairs of texts / (2 × number of texts² × mean token count)",
        does_not_predict="It shows neither who pays more nor how much they pay: if all texts need the same number of "
        "tokens, it is 0, however large that number is.",
        source=FOROUTAN,
        value=lambda documents, number, base, k: gini([document.tokens[k] for document in documents]),
        decimals=3,
        of_all=True,
        same_content=True,
    ),
)

METRICS: Mapping[str, Metric] = MappingProxyType({row.slug: row for row in _ROWS})
