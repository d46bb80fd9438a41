"""The facts of lessons with more than one figure: for each kind, whether the fact holds for the training."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from re import findall
from typing import Any

import bpe
from bpe import Encoder, Pair, Symbol, Trace
from bpe.encoding.tokenizer import Tokenizer
from tests.material.tie_choices import Choices
from tests.material.tie_choices import merged as after_merge
from ui.choices.corpus import from_sample
from ui.choices.recipe import Recipe
from ui.lessons.contents import lessons
from ui.lessons.lesson import Beat, Fact, Lesson, Spelled, read_encoder, read_symbol
from ui.lessons.stages import STAGES, BeatContent

# A fact of a lesson with the training that it is about.


@cache
def trained(slug: str, recipe: Recipe, sample: str = "") -> Trace:
    """Train on a lesson's corpus, or on a sample, under a recipe."""
    corpus = from_sample(sample) if sample else lessons()[slug].corpus
    return bpe.train(corpus.training_text, **recipe.settings)


def said(pieces: list[list[Any]]) -> str:
    """Return a sentence as text, with the markers of its chips as they are spelled."""
    return "".join(piece[0] for piece in pieces).translate({0xFFFE: "", 0xFFFF: ""})


def kind_of(beat: Beat) -> str:
    """Return what a film calls the kind of a beat's stage: a component, or the name of the stage."""
    return STAGES[beat.stage].part or beat.stage


def subject_of(content: BeatContent) -> dict[str, Any]:
    """Return what fills the stage of a beat with rows of tokens, a pattern, a curve or a word."""
    data = STAGES[content.beat.stage].data
    assert data is not None
    subject: dict[str, Any] = data(content)["subject"]
    return subject


SUBJECTS = [slug for slug, stage in STAGES.items() if stage.part == "subject"]


@dataclass(frozen=True)
class Claim:
    """A fact with the training that it is about. Its fields are read as attributes: `claim.text` is `fact["text"]`."""

    lesson: Lesson
    beat: Beat
    trace: Trace  # under the recipe that the fact names
    own: Trace  # under the lesson's own recipe
    step: int
    fact: Fact

    def __getattr__(self, name: str) -> Any:
        return self.fact[name]

    def symbol(self, spelled: Spelled) -> Symbol:
        return read_symbol(spelled, self.trace.variant)

    def symbols(self, spelled: list[Spelled]) -> list[Symbol]:
        return [self.symbol(symbol) for symbol in spelled]

    def pair_of(self, spelled: list[Spelled]) -> Pair:
        left, right = spelled
        return self.symbol(left), self.symbol(right)

    @property
    def encoder(self) -> Encoder:
        """The encoder that the fact names, or else that of the beat."""
        if "encoder" in self.fact:
            return read_encoder(self.fact["encoder"])
        return self.lesson.encoder_of(self.beat)

    @property
    def counted_words(self) -> dict[str, int]:
        """The words of the corpus with their frequencies."""
        return dict(zip(self.trace.pre_tokens, self.trace.frequencies, strict=True))

    @property
    def tokenizer(self) -> Tokenizer:
        return self.lesson.tokenizer(self.trace, min(self.step, len(self.trace.steps)))

    def line(self, number: int) -> str:
        """Return a line of the lesson's corpus, from 1."""
        return self.lesson.corpus.reading_text.splitlines()[number - 1]

    def line_tokens(self, number: int) -> int:
        return len(self.tokenizer.encode(self.line(number)))

    @property
    def merged(self) -> list[Symbol]:
        """Tokens that the merges make, in their order."""
        return [left + right for left, right in self.trace.merges]

    @property
    def word(self) -> list[Symbol]:
        """The tokens of the corpus's word `fact["word"]` after the step."""
        number = self.trace.pre_tokens.index(self.fact["word"])
        return list(self.trace.words_at(self.step)[number][0])


def merge(claim: Claim) -> bool:
    step = claim.trace.steps[claim.step]
    quoted = {name: claim.fact[name] for name in ("count", "tied", "replaced") if name in claim.fact}
    return step.pair == claim.pair_of(claim.pair) and quoted == {name: getattr(step, name) for name in quoted}


def tied(claim: Claim) -> bool:
    pairs = tuple(map(claim.pair_of, claim.pairs))
    count = claim.trace.pair_counts(claim.step)[pairs[0]]
    return pairs == claim.trace.tied_pairs(claim.step) and count == claim.fact.get("count", count)


def always(claim: Claim) -> bool:
    """Check that however ties are broken the merges have these counts and merge `fact["merge"]` is of this pair."""
    pair = claim.pair_of(claim.pair)
    return all(
        [count for _, count in sequence] == claim.counts and sequence[claim.fact["merge"]][0] == pair
        for sequence in choices(claim).sequences(len(claim.counts))
    )


def choices(claim: Claim) -> Choices:
    """Return every way to break the ties of the lesson's corpus, or of the text that the fact is about."""
    text = from_sample(claim.on).training_text if "on" in claim.fact else claim.lesson.corpus.training_text
    return Choices(claim.fact.get("words", text), claim.trace.variant)


def fair_choice(claim: Claim) -> bool:
    """Check that some choice among ties makes these tokens, in this order."""
    wanted = claim.symbols(claim.tokens)
    return any(
        [left + right for (left, right), _ in sequence] == wanted
        for sequence in choices(claim).sequences(len(wanted))
    )


def no_rule_makes(claim: Claim) -> bool:
    """Check that no rule makes these tokens except for a draw with the seed `lucky`."""
    wanted = claim.symbols(claim.tokens)
    rules: dict[str, dict[str, Any]] = {rule: {"tie_break": rule} for rule in bpe.TIE_BREAKS}
    rules["lucky"] = {"tie_break": "random", "seed": claim.lucky}
    traces = {
        name: bpe.train(claim.words, claim.trace.variant, merges=len(wanted), **rule)
        for name, rule in rules.items()
    }
    makers = [
        name for name, trace in traces.items() if [left + right for left, right in trace.merges] == wanted
    ]
    return makers == ["lucky"]


def same_encoding(claim: Claim) -> bool:
    """Check how many different words of the corpus have the same tokens, and the same ids, under both recipes."""
    one, other = claim.own.tokenizer(), claim.trace.tokenizer()
    words = claim.own.pre_tokens
    tokens = sum(one.tokens(word) == other.tokens(word) for word in words)
    ids = sum(one.encode(word) == other.encode(word) for word in words)
    return bool((tokens, ids, len(words)) == (claim.fact["tokens"], claim.ids, claim.of))


def utf8(claim: Claim) -> bool:
    encoded = claim.text.encode()
    return bool(list(encoded) == claim.are) and claim.fact.get("hex", hexadecimal(encoded)) == hexadecimal(
        encoded
    )


def hexadecimal(encoded: bytes) -> str:
    return encoded.hex(" ").upper()


def in_use_changes(claim: Claim) -> bool:
    sizes = [claim.trace.in_use(step) for step in range(len(claim.trace.steps) + 1)]
    return bool(sorted({after - before for before, after in pairwise(sizes)}) == claim.are)


def lines(claim: Claim) -> bool:
    """Check how many lines the corpus has, and how many of them have no space."""
    lines = claim.lesson.corpus.reading_text.split("\n")
    texts = [line for line in lines if line]
    return bool((len(texts), sum(" " not in line for line in texts)) == (claim.fact["is"], claim.spaceless))


def share(claim: Claim) -> bool:
    """Check that a part of a whole is a simple fraction, to one percent."""
    (part, whole), (top, bottom) = claim.of, claim.are
    return bool(abs(part / whole - top / bottom) < 0.01)


def every_choice_leaves(claim: Claim) -> bool:
    """Check how many tokens so many merges leave, however ties are broken."""
    search = choices(claim)
    lengths = set()
    for sequence in search.sequences(claim.merges):
        words = search.start
        for pair, _ in sequence:
            words = after_merge(words, pair)
        lengths.add(search.length(words))
    return lengths == {claim.fact["is"]}


def every_sequence(claim: Claim) -> bool:
    """Check how many of all sequences of merges, frequent or not, leave how many tokens, and one of the best."""
    search = choices(claim)
    lengths = {
        tuple(left + right for left, right in sequence): search.length(words)
        for sequence, words in search.all_sequences(claim.merges)
    }
    leaves = {str(length): number for length, number in Counter(lengths.values()).items()}
    best = tuple(claim.symbols(claim.best))
    return bool(
        len(lengths) == claim.of and leaves == claim.leaves and lengths[best] == min(lengths.values())
    )


def shared_tokens(claim: Claim) -> bool:
    own, other = ({left + right for left, right in trace.merges} for trace in (claim.own, claim.trace))
    differ = len(own - other), len(other - own)
    return bool(len(own & other) == claim.fact["is"]) and differ == (claim.others, claim.others)


def first_difference(claim: Claim) -> bool:
    own = claim.own
    if "on" in claim.fact:
        settings = {**claim.lesson.recipe.settings, "merges": claim.merges}
        own = bpe.train(from_sample(claim.on).training_text, **settings)
    pairs = zip(own.merges, claim.trace.merges, strict=True)
    first = next(rank for rank, (one, other) in enumerate(pairs) if one != other)
    return bool(first == claim.fact["is"])


def ways(claim: Claim) -> bool:
    """Check over every order of picks how many splits there are after each merge, and how many vocabularies at the end.

    The orders are tried one by one, without the tie graph that draws the picture.
    """
    search = choices(claim)
    merges = len(claim.splits) - 1
    sequences = list(search.sequences(merges))
    splits: list[set[Any]] = [{search.start}, *(set() for _ in range(merges))]
    for sequence in sequences:
        words = search.start
        for rank, (pair, _) in enumerate(sequence, start=1):
            words = after_merge(words, pair)
            splits[rank].add(words)
    learned = {frozenset(left + right for (left, right), _ in sequence) for sequence in sequences}
    return bool(
        list(map(len, splits)) == claim.splits
        and (len(sequences), len(learned)) == (claim.fact["ways"], claim.vocabularies)
    )


# All other kinds -> whether the fact holds.
CHECKS: dict[str, Callable[[Claim], bool]] = {
    "always": always,
    "code_points": lambda claim: list(map(ord, claim.text)) == claim.are,
    "counts": lambda claim: [step.count for step in claim.trace.steps[: len(claim.of)]] == claim.of,
    "decoded": lambda claim: claim.tokenizer.decode(claim.tokenizer.encode(claim.text)) == claim.gives,
    "every_choice_leaves": every_choice_leaves,
    "every_sequence": every_sequence,
    "encode_order": lambda claim: [
        step.token for step in claim.tokenizer.encode_steps(claim.text, claim.encoder)
    ] == claim.symbols(claim.tokens),
    "encoded": lambda claim: claim.tokenizer.tokens(claim.text, claim.encoder) == claim.symbols(claim.tokens),
    "fair_choice": fair_choice,
    "first_difference": first_difference,
    "given": lambda claim: bool(claim.source),
    "ids": lambda claim: claim.tokenizer.encode(claim.text, claim.encoder) == claim.ids,
    "in_use_changes": in_use_changes,
    "line_starts": lambda claim: claim.line(claim.fact["line"]).startswith(claim.text),
    "lines": lines,
    "made": lambda claim: claim.merged[: claim.step] == claim.symbols(claim.tokens),
    "merge": merge,
    "not_in_alphabet": lambda claim: not set(claim.symbols(claim.fact["symbols"])) & set(claim.trace.alphabet),
    "never": lambda claim: not set(claim.symbols(claim.tokens)) & set(claim.merged),
    "never_by_choice": lambda claim: not set(claim.symbols(claim.tokens)) & choices(claim).tokens(),
    "no_choice_makes": lambda claim: not fair_choice(claim),
    "no_rule_makes": no_rule_makes,
    "not_in_corpus": lambda claim: not set(claim.words) & set(claim.trace.pre_tokens),
    "round_trip": lambda claim: claim.tokenizer.decode(
        claim.tokenizer.encode(claim.text, claim.encoder)
    ) == claim.text,
    "quotes": lambda claim: list(map(int, findall(r"\d+", claim.text.replace(",", "")))) == claim.are,
    "same_merges": lambda claim: claim.trace.merges == claim.own.merges,
    "same_words": lambda claim: claim.trace.words_at(len(claim.trace.steps))
    == claim.own.words_at(len(claim.own.steps)),
    "same_encoding": same_encoding,
    "share": share,
    "shared_tokens": shared_tokens,
    "shorter_line": lambda claim: len(claim.line(claim.fact["line"])) < len(claim.line(claim.than)),
    "split": lambda claim: claim.trace.variant.split(claim.text) == claim.pieces,
    "stopped": lambda claim: (claim.trace.stopped, len(claim.trace.steps)) == (claim.fact["is"], claim.after),
    "tied": tied,
    "ties": lambda claim: (sum(step.tied > 1 for step in claim.trace.steps), len(claim.trace.steps))
    == (claim.fact["is"], claim.of),
    "utf8": utf8,
    "ways": ways,
    "vocabulary": lambda claim: claim.trace.vocabulary(claim.step) == claim.symbols(claim.tokens)
    and len(claim.tokens) == claim.fact["is"],
    "word": lambda claim: claim.word == claim.symbols(claim.tokens),
}  # fmt: skip
