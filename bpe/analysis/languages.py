"""Languages: what texts cost in tokens, under a finished tokenizer, or after every merge of a training.

`measured` counts one text under one tokenizer, and `document_curves` each of several texts after every merge. A
boundary between two symbols closes at one step at most, so one pass over a text gives its whole curve. The counts of
its tokens change at a step only by the pairs that are merged there. `language_metrics` makes figures of both.
"""

import hashlib
import json
import math
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from types import MappingProxyType

import regex

from bpe.analysis.alignment import written_bytes
from bpe.analysis.compression import Measure, measure
from bpe.checkpoints import checkpoint, with_checkpoints
from bpe.checks import check_text
from bpe.encoding.tokenizer import Tokenizer
from bpe.pair_ids import compact
from bpe.symbols import Symbol
from bpe.text.display import csv_file
from bpe.trace.trace import Trace

# Order of the Rényi entropy. Zouhar et al. 2023 report the strongest correlation with BLEU for it.
_ALPHA = 2.5
# stands for every symbol that the vocabulary lacks: they share one id, and no merge joins them
_UNKNOWN = b""
_DIGIT = regex.compile(rb"[0-9]")
_WORD = regex.compile(r"[\p{L}\p{M}]+")

# A token after the last merge: its initial symbols, and the ranks that close the boundaries between them.
_Token = tuple[tuple[Symbol, ...], tuple[int, ...]]
_PETROV = (
    "Aleksandar Petrov et al., Language Model Tokenizers Introduce Unfairness Between Languages, NeurIPS 2023"
)
_ALI = "Mehdi Ali et al., Tokenizer Choice For LLM Training: Negligible or Crucial?, 2024"
_FOROUTAN = (
    "its definition; Negar Foroutan et al., Parity-Aware Byte-Pair Encoding, ACL 2026, use it for languages"
)
_SINGH = (
    "Aaditya K. Singh and DJ Strouse, Tokenization Counts: The Impact of Tokenization on Arithmetic, 2024"
)
_UNKNOWN_TOKENS = (
    "tokens for parts of the text that the vocabulary lacks. What they stand for is lost, so the other figures say "
    "little where there are many."
)
ON_TOP = (
    "The text alone is counted: tokens for the beginning of the text and those of a chat template come on top, where a "
    "model adds them."
)
_CHANGED = (
    "If a tokenizer changes the text, for example to lower case, its tokens no longer spell it. Digits per token and "
    "word ends then have no value (–)."
)


@dataclass(frozen=True, slots=True)
class Measured:
    """One text under one tokenizer."""

    tokenizer: str  # its name
    text: str  # its name
    size: Measure
    different: int  # different tokens; unknown ones are one
    powers: float  # sum of the tokens' counts, each to the power ALPHA
    unknown: int  # tokens for characters that the vocabulary lacks
    # None if nobody counted them, or if the tokens do not spell the text, as after lower-casing.
    digits: int | None = None
    digit_tokens: int | None = None  # tokens with at least one digit
    word_ends: int | None = None  # ends of runs of letters, but for the end of the text
    word_ends_inside: int | None = None  # those that are inside a token

    @property
    def renyi_efficiency(self) -> float | None:
        """Rényi entropy of the tokens' shares, divided by that of equal shares; None for fewer than two tokens.

        Vilém Zouhar et al., Tokenization and the Noiseless Channel, ACL 2023. As in their package, the vocabulary is
        what occurs in the text.
        """
        if self.different < 2:
            return None
        entropy = (math.log2(self.powers) - _ALPHA * math.log2(self.size.tokens)) / (1 - _ALPHA)
        return entropy / math.log2(self.different)


def measured(
    tokenizer: Tokenizer, tokenizer_name: str, text_name: str, text: str, allow_special: bool = False
) -> Measured:
    """Return the counts of a text. Raises BPEError for a text with a lone surrogate.

    allow_special: whether special tokens are recognised in the text, each as one token.

    >>> from bpe import train
    >>> one = measured(train("low low", "bytes", merges=2).tokenizer(), "mine", "a text", "low 42")
    >>> one.size.tokens, one.digits, one.digit_tokens, one.word_ends, one.word_ends_inside
    (4, 2, 2, 1, 0)
    """
    check_text(text)
    symbols = tokenizer.tokens(text, allow_special=allow_special)
    known = {*tokenizer.ids, *(token.encode() for token in tokenizer.special_tokens if allow_special)}
    counts = Counter(symbol if symbol in known else None for symbol in symbols)  # unknown ones share an id
    size = Measure(len(symbols), len(text), len(text.encode()), len(text.split()))
    powers = math.fsum(count**_ALPHA for count in counts.values())
    unknown = counts[None]
    written = written_bytes(text, symbols)
    if written is None:
        return Measured(tokenizer_name, text_name, size, len(counts), powers, unknown)
    in_tokens = [len(_DIGIT.findall(part)) for part in with_checkpoints(written)]
    ends = set(accumulate(map(len, written)))
    byte_at = list(accumulate((len(character.encode()) for character in text), initial=0))
    words = [byte_at[match.end()] for match in _WORD.finditer(text) if match.end() < len(text)]
    return Measured(
        tokenizer_name,
        text_name,
        size,
        len(counts),
        powers,
        unknown,
        digits=sum(in_tokens),
        digit_tokens=sum(map(bool, in_tokens)),
        word_ends=len(words),
        word_ends_inside=sum(end not in ends for end in words),
    )


@dataclass(frozen=True, slots=True)
class DocumentCurves:
    """One named document over the steps of a training. Index k of an array is the state after k merges."""

    name: str
    characters: int
    bytes: int
    words: int  # separated by white space
    unknown: int  # symbols that the vocabulary lacks, which no merge takes
    tokens: "array[int]"
    different: "array[int]"  # different tokens in the document
    powers: "array[float]"  # sum of the tokens' counts, each to the power ALPHA

    def after(self, k: int) -> Measured:
        """Return what the document costs after `k` merges, without its digits and words."""
        size = Measure(self.tokens[k], self.characters, self.bytes, self.words)
        return Measured("", self.name, size, self.different[k], self.powers[k], self.unknown)


def document_curves(trace: Trace, documents: Mapping[str, str]) -> list[DocumentCurves]:
    """Return the curves of each document, by name. They may be new texts.

    >>> import bpe
    >>> trace = bpe.train("low low lower", merges=3)
    >>> [list(curves.tokens) for curves in document_curves(trace, {"one": "low low", "two": "lows"})]
    [[8, 6, 4, 2], [5, 4, 3, 3]]
    """
    return [_curves(trace, name, text) for name, text in documents.items()]


# All are diagnostics of a tokenizer. None of them promises a better model. A table of them is written as text, CSV or
# JSON.
# (all texts under one tokenizer, number of one of them, number of the base text) -> value; None without one
_Value = Callable[[Sequence[Measured], int, int], float | None]


@dataclass(frozen=True, slots=True)
class Metric:
    """One row: how a metric is computed, and what must not be concluded from it."""

    slug: str
    title: str
    formula: str
    does_not_predict: str  # a sentence
    source: str  # of that sentence
    value: _Value
    decimals: int = 2
    of_all: bool = False  # one value for all texts together
    same_content: bool = False  # makes sense only if all texts say the same
    takes_base: bool = False  # compares with the base text
    is_share: bool = False  # a number from 0 to 1, shown in per cent
    each_merge: bool = True  # whether `DocumentCurves` tells it after every merge


def gini(costs: Sequence[float]) -> float:
    """Return the Gini coefficient of some costs: 0 if all are equal, near 1 if one text pays nearly everything.

    It is the sum of the differences of all ordered pairs of costs, a cost with itself among them, divided by twice the
    squared number of costs and by their mean.

    >>> gini([5, 5, 5]), gini([0, 0, 0, 8])
    (0.0, 0.75)
    """
    total = sum(costs)
    if not total:
        return 0.0
    number = len(costs)
    ranked = sum((2 * rank - number - 1) * cost for rank, cost in enumerate(sorted(costs), start=1))
    return ranked / (number * total)


def values_of(table: Sequence[Measured], base: str) -> list[dict[str, float | None]]:
    """Return the value of every metric for each entry of a table. `base` is the name of the base text."""
    by_tokenizer: defaultdict[str, list[Measured]] = defaultdict(list)
    for one in table:
        by_tokenizer[one.tokenizer].append(one)
    values = []
    for one in table:
        texts = by_tokenizer[one.tokenizer]
        of_base = [text.text for text in texts].index(base)
        values.append({slug: row.value(texts, texts.index(one), of_base) for slug, row in METRICS.items()})
    return values


def metric_lines(table: Sequence[Measured], base: str, *, explain: bool = False) -> Iterator[str]:
    """Yield the lines of a table, one row for each text and tokenizer, and below it the formulas."""
    values = values_of(table, base)
    of_one = [row for row in METRICS.values() if not row.of_all]
    rows = [("Text", "Tokenizer", *(row.title for row in of_one), "Unknown tokens")]
    for one, of_text in zip(table, values, strict=True):
        numbers = (_number_text(row, of_text[row.slug]) for row in of_one)
        rows.append((one.text, one.tokenizer, *numbers, f"{one.unknown:,}"))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for cells in rows:
        names = [cell.ljust(width) for cell, width in zip(cells[:2], widths, strict=False)]
        right = [cell.rjust(width) for cell, width in zip(cells[2:], widths[2:], strict=True)]
        yield "  ".join([*names, *right]).rstrip()
    yield ""
    for row in METRICS.values():
        of_all = {
            one.tokenizer: _number_text(row, of_text[row.slug])
            for one, of_text in zip(table, values, strict=True)
        }
        known = f" {', '.join(f'{name}: {number}' for name, number in of_all.items())}." if row.of_all else ""
        based = f" The base text is {base}." if row.takes_base else ""
        content = " Compare only texts that say the same thing." if row.same_content else ""
        why = f" {row.does_not_predict} ({row.source}.)" if explain else ""
        yield f"{row.title}: {row.formula}.{known}{based}{content}{why}"
    yield f"Unknown tokens: {_UNKNOWN_TOKENS}"
    if any(one.digits is None for one in table):
        yield _CHANGED
    if explain:
        yield ON_TOP
    else:
        yield "What these figures do not predict: --explain."


def metric_csv(table: Sequence[Measured], base: str) -> bytes:
    """Return the values as a CSV file, one row for each text and tokenizer."""
    rows = zip(table, values_of(table, base), strict=True)
    return csv_file(
        ["text", "tokenizer", *METRICS, "unknown_tokens"],
        ([one.text, one.tokenizer, *values.values(), one.unknown] for one, values in rows),
    )


def metric_json(
    table: Sequence[Measured], base: str, texts: Mapping[str, str], sources: Mapping[str, str]
) -> str:
    """Return the values as JSON, with the hashes of the texts and what each tokenizer is. `sources`: by name."""
    content = {
        "base": base,
        "texts": {
            name: {"sha256": hashlib.sha256(text.encode()).hexdigest(), "bytes": len(text.encode())}
            for name, text in texts.items()
        },
        "tokenizers": dict(sources),
        "measures": {
            slug: {
                "title": row.title,
                "formula": row.formula,
                "does_not_predict": row.does_not_predict,
                "source": row.source,
            }
            for slug, row in METRICS.items()
        },
        "values": [
            {"text": one.text, "tokenizer": one.tokenizer, "unknown_tokens": one.unknown, **values}
            for one, values in zip(table, values_of(table, base), strict=True)
        ],
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def _premium(texts: Sequence[Measured], number: int, base: int) -> float | None:
    of_base = texts[base].size.tokens
    return texts[number].size.tokens / of_base if of_base else None


def _digits(texts: Sequence[Measured], number: int, base: int) -> float | None:
    one = texts[number]
    return one.digits / one.digit_tokens if one.digits and one.digit_tokens else None


def _word_ends(texts: Sequence[Measured], number: int, base: int) -> float | None:
    one = texts[number]
    if not one.word_ends or one.word_ends_inside is None:
        return None
    return 1 - one.word_ends_inside / one.word_ends


_ROWS = (
    Metric(
        slug="tokens",
        title="Tokens",
        formula="number of tokens",
        does_not_predict="Fewer tokens alone do not make a better model.",
        source="Craig W. Schmidt et al., Tokenization Is More Than Compression, EMNLP 2024",
        value=lambda texts, number, base: texts[number].size.tokens,
        decimals=0,
    ),
    Metric(
        slug="bytes-per-token",
        title="Bytes per token",
        formula="UTF-8 bytes / tokens",
        does_not_predict="It does not show who pays more: some languages need over five times as many bytes as others "
        "for the same content.",
        source="Catherine Arnett, Tyler A. Chang and Benjamin K. Bergen, A Bit of a Problem, 2024",
        value=lambda texts, number, base: texts[number].size.bytes_per_token or None,
    ),
    Metric(
        slug="characters-per-token",
        title="Characters per token",
        formula="characters / tokens",
        does_not_predict="It does not show who pays more: for the same content, some languages need over four times as "
        "many characters as others.",
        source=_PETROV,
        value=lambda texts, number, base: texts[number].size.characters_per_token or None,
    ),
    Metric(
        slug="fertility",
        title="Fertility",
        formula="tokens / words between white space",
        does_not_predict="It does not always predict how good a model gets. And a language without spaces, such as "
        "Chinese or Thai, has no such words.",
        source=_ALI,
        value=lambda texts, number, base: texts[number].size.fertility or None,
    ),
    Metric(
        slug="premium",
        title="Premium",
        formula="tokens / tokens of the base text",
        does_not_predict="Equal token counts, called parity, do not always predict how good a model gets.",
        source=_ALI,
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
        source="Marco Cognetta et al., Two Counterexamples to Tokenization and the Noiseless Channel, 2024",
        value=lambda texts, number, base: texts[number].renyi_efficiency,
        decimals=3,
    ),
    Metric(
        slug="digits-per-token",
        title="Digits per token",
        formula="digits 0 to 9 / tokens with a digit",
        does_not_predict="It does not show from which end a number is split into groups: GPT-3.5 and GPT-4 add better "
        "if the groups begin at its right end.",
        source=_SINGH,
        value=_digits,
        each_merge=False,
    ),
    Metric(
        slug="word-ends",
        title="Word ends that are token ends",
        formula="ends of runs of letters at which a token ends / all of them",
        does_not_predict="A token across the end of a word can help: models with superwords did better on most "
        "tasks, with fewer tokens.",
        source="Alisa Liu et al., SuperBPE: Space Travel for Language Models, 2025",
        value=_word_ends,
        decimals=3,
        is_share=True,
        each_merge=False,
    ),
    Metric(
        slug="gini",
        title="Gini of all texts",
        formula="sum of |difference| over all ordered pairs of texts / (2 × number of texts² × mean token count)",
        does_not_predict="It shows neither who pays more nor how much they pay: if all texts need the same number of "
        "tokens, it is 0, however large that number is.",
        source=_FOROUTAN,
        value=lambda texts, number, base: gini([text.size.tokens for text in texts]),
        decimals=3,
        of_all=True,
        same_content=True,
    ),
)
METRICS: Mapping[str, Metric] = MappingProxyType({row.slug: row for row in _ROWS})


def _curves(trace: Trace, name: str, text: str) -> DocumentCurves:
    checkpoint()
    initial: Counter[Symbol] = Counter()
    known = trace.tokenizer().ids
    closed = [0] * len(trace.steps)
    merged: defaultdict[int, Counter[tuple[Symbol, Symbol]]] = defaultdict(Counter)
    for (symbols, ranks), count in with_checkpoints(Counter(_tokens(trace, text)).items(), 1 << 10):
        for symbol in symbols:
            initial[symbol if symbol in known else _UNKNOWN] += count
        for rank, left, right in _merges(symbols, ranks):
            closed[rank] += count
            merged[rank][left, right] += count
    tokens = accumulate((-number for number in closed), initial=initial.total())
    size = measure(text, 0)
    different, powers = _histogram(initial, [merged.get(rank, Counter()) for rank in range(len(trace.steps))])
    return DocumentCurves(
        name,
        size.characters,
        size.bytes,
        size.words,
        initial[_UNKNOWN],
        compact(array("q", tokens)),
        compact(different),
        powers,
    )


def _tokens(trace: Trace, text: str) -> Iterator[_Token]:
    """Yield the tokens of the text after the last merge."""
    symbols = trace.segment(text, 0)
    ranks = [*trace.boundaries(text), -1]
    start = 0
    for end, rank in enumerate(with_checkpoints(ranks), start=1):
        if rank < 0 and symbols:
            yield tuple(symbols[start:end]), tuple(ranks[start : end - 1])
            start = end


def _merges(symbols: Sequence[Symbol], ranks: Sequence[int]) -> Iterator[tuple[int, Symbol, Symbol]]:
    """Yield (rank, left part, right part) of every merge that makes a token, in the order of the ranks.

    >>> list(_merges((b"l", b"o", b"w"), (4, 0)))
    [(0, b'o', b'w'), (4, b'l', b'ow')]
    """
    starting = list(symbols)  # the part that starts at a symbol; out of date inside a part
    ends = list(range(1, len(symbols) + 1))  # where the part that starts at a symbol ends
    starts = list(range(len(symbols)))  # where the part that ends with a symbol starts
    for rank, last in sorted((rank, number) for number, rank in enumerate(ranks)):
        start, end = starts[last], ends[last + 1]
        left, right = starting[start], starting[last + 1]
        yield rank, left, right
        starting[start] = left + right
        ends[start], starts[end - 1] = end, start


def _histogram(
    initial: Mapping[Symbol, int], merged: Sequence[Mapping[tuple[Symbol, Symbol], int]]
) -> tuple["array[int]", "array[float]"]:
    """Return how many different tokens there are after every step, and the sums of their counts' powers."""
    counts = Counter(initial)
    number = len(counts)
    # Sums of floats that grow and shrink: exact to some 12 digits, as a test with naive sums shows.
    power = math.fsum(count**_ALPHA for count in counts.values())
    different, powers = array("q", [number]), array("d", [power])
    for pairs in with_checkpoints(merged, 1 << 10):
        for (left, right), times in pairs.items():
            for symbol, change in ((left, -times), (right, -times), (left + right, times)):
                before = counts[symbol]
                after = counts[symbol] = before + change
                number += (after > 0) - (before > 0)
                power += after**_ALPHA - before**_ALPHA
        different.append(number)
        powers.append(power)
    return different, powers


def _number_text(row: Metric, value: float | None) -> str:
    """Return a value as text; – for none.

    >>> _number_text(METRICS["word-ends"], 0.25), _number_text(METRICS["tokens"], 1234)
    ('25.0%', '1,234')
    """
    if value is None:
        return "–"
    return f"{value:.1%}" if row.is_share else f"{value:,.{row.decimals}f}"
