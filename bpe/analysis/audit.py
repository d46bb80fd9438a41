"""Audit: tokens of a finished tokenizer that some texts never use, or that we find no text for.

A model that was hardly trained on a token may do anything with it. Sander Land and Max Bartolo (2024, Fishing for
Magikarp: Automatically Detecting Under-trained Tokens in Large Language Models) look for such tokens in many models.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from bpe.analysis.reachability import Unreached, unreached_steps
from bpe.checkpoints import with_checkpoints
from bpe.encoding.tokenizer import Tokenizer
from bpe.symbols import Symbol
from bpe.text.counting import count_documents
from bpe.text.display import counted
from bpe.text.sentence_label import spaced
from bpe.text.variants import initial_symbols

ITEMS = 1 << 9  # words or tokens between two reports
FEWEST_LETTERS = 3  # of a candidate for a glitch token: shorter ones are parts of words

SPACE = "▁".encode()
NONE = "There are none."

Learned = Sequence[tuple[int, Symbol]]  # id and symbol of each token that is neither special nor initial


@dataclass(slots=True)
class Usage:
    """A tokenizer, and what some texts make of its tokens."""

    tokenizer: Tokenizer
    learned: Learned
    counts: Counter[int] = field(default_factory=Counter)  # id -> occurrences of the token in the texts
    # Symbol -> occurrences that a later merge made part of another token
    passing: Counter[Symbol] = field(default_factory=Counter)
    unreached: dict[int, Unreached] = field(default_factory=dict)  # by id, tokens to which we found no text

    def add_word(self, word: str, frequency: int) -> None:
        """Count the tokens of a pre-token, and those on the way to them."""
        ids, last = self.tokenizer.ids, self.tokenizer.word_tokens(word)
        for token in last:
            if token in ids:
                self.counts[ids[token]] += frequency
        inner = Counter[Symbol]()
        for step in self.tokenizer.word_steps(word):
            inner[step.token] += len(step.starts)
        inner.subtract(last)
        for token, times in inner.items():
            if times > 0:
                self.passing[token] += times * frequency


@dataclass(frozen=True, slots=True)
class Finding:
    """One token, and why it is listed."""

    id: int
    symbol: Symbol
    why: str = ""  # in a few words, what the kind does not say
    tokens: tuple[Symbol, ...] = ()  # in place of `why`
    because: str = ""  # what decided it, in a sentence without its full stop

    def reason(self, label: Callable[[Symbol], str]) -> str:
        """Return why it is listed, its tokens written by `label`."""
        return spaced(map(label, self.tokens)) if self.tokens else self.why


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of finding."""

    slug: str
    title: str
    about: str  # one sentence: what holds for these tokens
    find: Callable[[Usage], Iterator[Finding]]
    why: str = ""  # what a finding's `why` is, as the head of a column; "" if it has none
    because: str = ""  # the same for `because`
    none: str = NONE  # said if there are no such tokens
    may_remove: bool = True  # removing such tokens changes no token of the texts


def learned_tokens(tokenizer: Tokenizer) -> Learned:
    """Return the tokens that are neither special nor initial symbols, in id order."""
    return [
        (number, symbol)
        for symbol, number in tokenizer.ids.items()
        if len(initial_symbols(symbol, tokenizer.variant)) > 1
    ]


def _unreachable(usage: Usage) -> Iterator[Finding]:
    symbols = dict(usage.learned)
    for number, unreached in usage.unreached.items():
        yield Finding(number, symbols[number], tokens=unreached.instead, because=unreached.obstacle.why)


def _never(usage: Usage) -> Iterator[Finding]:
    for number, symbol in usage.learned:
        if not usage.counts[number] and not usage.passing[symbol] and number not in usage.unreached:
            yield Finding(number, symbol)


def _inside(usage: Usage) -> Iterator[Finding]:
    for number, symbol in usage.learned:
        times = usage.passing[symbol]
        if times and not usage.counts[number]:
            yield Finding(number, symbol, counted(times, "time"))


def _broken(usage: Usage) -> Iterator[Finding]:
    for number, symbol in usage.learned:
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
    for number, symbol in usage.learned:
        bare = _bare(usage.tokenizer, symbol)
        if not _is_broken(bare):
            text = bare.removeprefix(SPACE).decode().strip().casefold()
            groups.setdefault(text, []).append((number, symbol))
    for text, group in groups.items():
        if text and len(group) > 1:
            for number, symbol in group:
                yield Finding(number, symbol, tokens=tuple(one for _, one in group if one != symbol))


def _glitches(usage: Usage) -> Iterator[Finding]:
    """Yield tokens that were learned early, so they were frequent then, and that the texts never use."""
    rank_of = {left + right: rank for rank, (left, right) in reversed([*enumerate(usage.tokenizer.merges)])}
    occurring = sorted(
        rank_of[symbol]
        for symbol, number in usage.tokenizer.ids.items()
        if usage.counts[number] and symbol in rank_of
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
        "We found no text that gives these tokens: we tried each token's own text, alone and beside other characters.",
        _unreachable,
        "its text gives",
        because="because",
        none="There are none: for every learned token, we found a text that gives it.",
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
        "merged away",
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
        "Alike but for case or a space",
        "These tokens differ from another only by upper and lower case, by a space in front, or by a word's marker.",
        _alike,
        "resembles",
        may_remove=False,
    ),
    Kind(
        "glitch",
        "Candidates for glitch tokens",
        "These were learned earlier than half of the tokens that occur in the texts, and never occur themselves. The "
        "longer the text, the more that says.",
        _glitches,
        "made by",
    ),
)

KINDS: Mapping[str, Kind] = MappingProxyType({row.slug: row for row in _ROWS})


Texts = Iterable[str] | Mapping[str, int]  # documents, or pre-tokens with their frequencies
Findings = dict[str, list[Finding]]  # of each kind, by its slug, in id order


def audit(tokenizer: Tokenizer, texts: Texts) -> Findings:
    r"""Return the findings of each kind. Special tokens in the texts are read as text.

    >>> import bpe
    >>> tokenizer = bpe.train("low low lower lowest lowest", merges=8).tokenizer()
    >>> findings = audit(tokenizer, ["low lower"])
    >>> [finding.symbol for finding in findings["never"]], [finding.symbol for finding in findings["inside"]]
    ([b'lowes', b'lowest', b'lowest\xff'], [b'lo', b'low', b'lowe'])
    """
    *_, (_, findings) = audit_steps(tokenizer, texts)
    return findings


def audit_steps(tokenizer: Tokenizer, texts: Texts) -> Iterator[tuple[float, Findings]]:
    """Yield the share of the work that is done, and the findings, which are empty until all of it is."""
    words = (
        texts
        if isinstance(texts, Mapping)
        else count_documents(map(tokenizer.normalise, texts), tokenizer.variant)
    )
    usage = Usage(tokenizer, learned_tokens(tokenizer))
    work = len(words) + len(usage.learned)
    for done, (word, frequency) in enumerate(with_checkpoints(list(words.items()), ITEMS)):
        usage.add_word(word, frequency)
        if done % ITEMS == 0:
            yield done / work, {}
    rest = [(number, symbol) for number, symbol in usage.learned if not usage.counts[number]]
    for share, unreached in unreached_steps(tokenizer, rest):
        usage.unreached = unreached
        yield (len(words) + share * len(rest)) / (len(words) + len(rest)), {}
    yield (
        1.0,
        {slug: sorted(kind.find(usage), key=lambda finding: finding.id) for slug, kind in KINDS.items()},
    )
