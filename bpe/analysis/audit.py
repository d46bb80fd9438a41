"""Audit: tokens of a finished tokenizer that some texts never use, or that no text can ever use.

A model that was hardly trained on a token may do anything with it. Sander Land and Max Bartolo (2024, Fishing for
Magikarp: Automatically Detecting Under-trained Tokens in Large Language Models) look for such tokens in many models.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from bpe.checkpoints import with_checkpoints
from bpe.encoding.tokenizer import Tokenizer
from bpe.symbols import Symbol
from bpe.text.initial_symbols import initial_symbols

WORDS = 1 << 9  # encoded between two checkpoints
FEWEST_LETTERS = 3  # of a candidate for a glitch token: shorter ones are parts of words

SPACE = "▁".encode()


@dataclass(frozen=True, slots=True)
class Usage:
    """A tokenizer, and what some texts make of its tokens."""

    tokenizer: Tokenizer
    counts: Mapping[int, int]  # id -> occurrences of the token in the texts
    passing: Mapping[Symbol, int]  # symbol -> occurrences that a later merge made part of another token
    tokens: int  # of the texts


def usage(tokenizer: Tokenizer, texts: Iterable[str]) -> Usage:
    """Return what the texts make of the tokens. Special tokens in them are read as text."""
    words: Counter[str] = Counter()
    for text in texts:
        words.update(tokenizer.variant.split(tokenizer.normalise(text)))
    ids, counts, passing = tokenizer.ids, Counter[int](), Counter[Symbol]()
    for word, frequency in with_checkpoints(list(words.items()), WORDS):
        last = tokenizer.word_tokens(word)
        counts.update({ids[token]: 0 for token in last if token in ids})
        for token in last:
            if token in ids:
                counts[ids[token]] += frequency
        inner = Counter[Symbol]()
        for step in tokenizer.word_steps(word):
            inner[step.token] += len(step.starts)
        inner.subtract(last)
        for token, times in inner.items():
            if times > 0:
                passing[token] += times * frequency
    return Usage(tokenizer, counts, passing, counts.total())


@dataclass(frozen=True, slots=True)
class Finding:
    """One token, and why it is listed."""

    id: int
    symbol: Symbol
    why: str = ""  # in a few words, what the kind does not say


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of finding."""

    slug: str
    title: str
    about: str  # one sentence: what holds for these tokens
    find: Callable[[Usage], Iterator[Finding]]
    may_remove: bool = True  # removing such tokens changes no token of the texts


def _learned(tokenizer: Tokenizer) -> Iterator[tuple[int, Symbol]]:
    """Yield the tokens that are neither special nor initial symbols."""
    for symbol, number in tokenizer.ids.items():
        if len(initial_symbols(symbol, tokenizer.variant)) > 1:
            yield number, symbol


def _is_reachable(tokenizer: Tokenizer, symbol: Symbol) -> bool:
    # What merges make of a token's symbols does not depend on the text around them.
    word = initial_symbols(symbol, tokenizer.variant)
    return list(tokenizer.spelled_word_tokens(word)) == [symbol]


def _unreachable(usage: Usage) -> Iterator[Finding]:
    tokenizer = usage.tokenizer
    label = tokenizer.variant.label
    for number, symbol in with_checkpoints(list(_learned(tokenizer)), WORDS):
        if not _is_reachable(tokenizer, symbol):
            tokens = tokenizer.spelled_word_tokens(initial_symbols(symbol, tokenizer.variant))
            yield Finding(number, symbol, " ".join(map(label, tokens)))


def _never(usage: Usage) -> Iterator[Finding]:
    for number, symbol in with_checkpoints(list(_learned(usage.tokenizer)), WORDS):
        unused = not usage.counts.get(number) and not usage.passing.get(symbol)
        if unused and _is_reachable(usage.tokenizer, symbol):
            yield Finding(number, symbol)


def _inside(usage: Usage) -> Iterator[Finding]:
    for number, symbol in _learned(usage.tokenizer):
        times = usage.passing.get(symbol, 0)
        if times and not usage.counts.get(number):
            yield Finding(number, symbol, f"{times:,} times")


def _broken(usage: Usage) -> Iterator[Finding]:
    for number, symbol in _learned(usage.tokenizer):
        if usage.tokenizer.variant.unit == "bytes" and _is_broken(_bare(usage.tokenizer, symbol)):
            yield Finding(number, symbol)


def _is_broken(symbol: Symbol) -> bool:
    try:
        symbol.decode()
    except UnicodeDecodeError:
        return True
    return False


def _bare(tokenizer: Tokenizer, symbol: Symbol) -> Symbol:
    marker = tokenizer.variant.marker
    return symbol.replace(marker, b"") if marker and len(symbol) > 1 else symbol


def _alike(usage: Usage) -> Iterator[Finding]:
    groups: dict[str, list[tuple[int, Symbol]]] = {}
    for number, symbol in _learned(usage.tokenizer):
        bare = _bare(usage.tokenizer, symbol)
        if not _is_broken(bare):
            text = bare.removeprefix(SPACE).decode().strip().casefold()
            groups.setdefault(text, []).append((number, symbol))
    label = usage.tokenizer.variant.label
    for text, group in groups.items():
        if text and len(group) > 1:
            for number, symbol in group:
                yield Finding(number, symbol, " ".join(label(one) for _, one in group if one != symbol))


def _glitches(usage: Usage) -> Iterator[Finding]:
    """Yield tokens that were learned early, so they were frequent then, and that the texts never use."""
    rank_of = {left + right: rank for rank, (left, right) in reversed([*enumerate(usage.tokenizer.merges)])}
    occurring = sorted(
        rank_of[symbol]
        for symbol, number in usage.tokenizer.ids.items()
        if usage.counts.get(number) and symbol in rank_of
    )
    if not occurring:
        return
    middle = occurring[len(occurring) // 2]
    for finding in _never(usage):
        rank = rank_of.get(finding.symbol)
        text = _bare(usage.tokenizer, finding.symbol).decode("utf-8", "replace")
        if rank is not None and rank < middle and sum(map(str.isalnum, text)) >= FEWEST_LETTERS:
            yield Finding(finding.id, finding.symbol, f"merge {rank + 1:,}")


_ROWS = (
    Kind(
        "unreachable",
        "Unreachable",
        "No text leads to these tokens: the merges make other tokens of their letters.",
        _unreachable,
    ),
    Kind(
        "never",
        "Never used",
        "These tokens do not occur in the texts, not even on the way to others.",
        _never,
    ),
    Kind(
        "inside",
        "Only inside others",
        "In the texts, these tokens are always merged into longer ones.",
        _inside,
        may_remove=False,
    ),
    Kind(
        "broken",
        "Parts of characters",
        "These tokens are not whole characters: their bytes alone are not valid UTF-8.",
        _broken,
        may_remove=False,
    ),
    Kind(
        "alike",
        "The same except for case or a space",
        "These tokens differ from another only by a space in front, or by upper and lower case.",
        _alike,
        may_remove=False,
    ),
    Kind(
        "glitch",
        "Candidates for glitch tokens",
        "These were learned earlier than half of the tokens that occur in the texts, and never occur themselves.",
        _glitches,
    ),
)

KINDS: Mapping[str, Kind] = MappingProxyType({row.slug: row for row in _ROWS})


def audit(tokenizer: Tokenizer, texts: Sequence[str]) -> dict[str, list[Finding]]:
    r"""Return the findings of each kind, by its slug, in id order.

    >>> import bpe
    >>> tokenizer = bpe.train("low low lower lowest lowest", merges=8).tokenizer()
    >>> findings = audit(tokenizer, ["low lower"])
    >>> [finding.symbol for finding in findings["never"]], [finding.symbol for finding in findings["inside"]]
    ([b'lowes', b'lowest', b'lowest\xff'], [b'lo', b'low', b'lowe'])
    """
    used = usage(tokenizer, texts)
    return {slug: sorted(kind.find(used), key=lambda finding: finding.id) for slug, kind in KINDS.items()}
