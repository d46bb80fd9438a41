"""Ties: how often a training had to choose, whether the choice mattered, and what random choices lead to."""

from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from bpe.analysis.tie_drawing import Kind
from bpe.analysis.tie_graph import TieGraph
from bpe.checkpoints import checkpoint
from bpe.pair_ids import MASK, SHIFT, PairKey
from bpe.sentences import BY_HAND, MORE_RIVALS, ORDER_ONLY, RIVAL_FALLS, RIVAL_STAYS, filled
from bpe.settings.request import TrainingRequest
from bpe.settings.tie_breaking import TERMS, TIE_BREAKS, Reason
from bpe.symbols import Pair, Symbol
from bpe.text.display import counted, merge_number
from bpe.text.sentence_label import sentence_label
from bpe.trace.pair_counts import PairCounts
from bpe.trace.trace import Trace, candidates_of

# What a tie decided -> what that means, for every merge that was tied.
OUTCOMES: Mapping[Kind, str] = MappingProxyType(
    {
        "order only": "the merged pair shared no token with another tied pair, so the tie only decided the order",
        "choice": "the merged pair shared a token with another tied pair, which could lose occurrences to the merge",
        "detour": "a choice, but every pick leads to the same results",
        "fork": "a choice, and other picks lead to other results",
        "open": "training ended before all pairs of that count were used up",
    }
)


@dataclass(frozen=True, slots=True)
class TieMap:
    """Every merge of a training with what its tie decided: a kind of `OUTCOMES`, or "none" if it was not tied."""

    tied: Sequence[int]  # by rank: number of pairs that had the highest count
    kinds: tuple[Kind, ...]  # by rank

    @property
    def steps_tied(self) -> int:
        """Number of merges that a tie-breaking rule had to decide."""
        return len(self.kinds) - self.kinds.count("none")

    @property
    def largest(self) -> int | None:
        """Rank of the first of the largest ties; None if no merge was tied."""
        return self.tied.index(max(self.tied)) if self.steps_tied else None


def tie_map(trace: Trace, graph: TieGraph | None = None) -> TieMap:
    """Return what the tie at each merge decided.

    Merges of overlapping pairs are choices. With the tie graph of the same text and settings they are detours or forks,
    as far as it is listed.

    >>> import bpe
    >>> tie_map(bpe.train({"ab": 2, "cd": 2}, "bytes-whitespace")).kinds
    ('order only', 'none')
    >>> tie_map(bpe.train({"abc": 2}, "bytes-whitespace")).kinds
    ('choice', 'none')
    >>> tie_map(
    ...     bpe.train({"abc": 2}, "bytes-whitespace"), bpe.tie_graph({"abc": 2}, "bytes-whitespace")
    ... ).kinds
    ('detour', 'none')
    """
    listed = {edge.pairs[0]: edge.kind for edge in graph.edges_of(trace)} if graph else {}
    choices = frozenset(trace.log.rival_ranks)
    unfinished = _unfinished(trace)
    kinds: list[Kind] = []
    for rank, tied in enumerate(trace.log.tied):
        if tied < 2:
            kinds.append("none")
        elif rank in unfinished:
            kinds.append("open")
        elif rank not in choices:
            kinds.append("order only")
        else:
            kind = listed.get(trace.steps[rank].pair, "choice")
            kinds.append(kind if kind in ("detour", "fork") else "choice")
    return TieMap(array("q", trace.log.tied), tuple(kinds))


def picks_at(trace: Trace, k: int) -> dict[str, Pair]:
    """Return {slug of a rule: the pair that it would merge at merge `k` of this training}, for every rule.

    All rules choose among the same pairs: those that tie after the `k` merges of this training. A pick by hand is no
    rule's. Empty in a replay, which no rule decides, and where no pair may be merged.

    >>> import bpe
    >>> picks = picks_at(bpe.train("ab cd", "bytes-whitespace"), 0)
    >>> picks["first"], picks["last"]
    ((b'a', b'b'), (b'c', b'd'))
    """
    candidates = trace.candidates(k)
    if not trace.origin.breaks_ties or not candidates.tied:
        return {}
    picks: dict[str, Pair] = {}
    for slug, rule in TIE_BREAKS.items():
        queue = rule.queue(candidates)
        queue.open()
        picks[slug] = candidates.spell(queue.best(k))
    return picks


def why_won(trace: Trace, k: int) -> str:
    """Return why the rule merged its pair at merge `k`, as half a sentence.

    "picked by hand" for a pick; "" without a tie, and in a replay.

    The reason is the first term of the rule's order in which no other tied pair equals it. It also says what was equal.

    >>> import bpe
    >>> why_won(bpe.train("ab cd", "bytes-whitespace"), 0)
    'it comes first in the text, at ab'
    >>> why_won(bpe.train("ab cd", "bytes-whitespace", "longest"), 0)
    'ab comes first in dictionary order among the 2, which are equally long'
    """
    if not trace.origin.breaks_ties or trace.log.tied[k] < 2:
        return ""
    if k in trace.request.picks:
        return BY_HAND
    rule, pair = trace.tie_break, trace.steps[k].pair
    term, before = 0, 0
    if len(rule.order) > 1:
        # They have the first ids, but no place among `trace.symbols`.
        special = len(trace.request.special_tokens)
        keys = [
            trace.id_of(a) - special << SHIFT | trace.id_of(b) - special
            for a, b in (pair, *trace.tied_pairs(k))
        ]
        term, before = _deciding_term(trace, keys[0], keys)
    reasons = reasons_of(trace.request)
    words = reasons[term].words
    if term:
        former = reasons[term - 1]
        words += former.of_all if before == trace.log.tied[k] else former.of_some
    label, (left, right) = sentence_label(trace.variant), pair
    return words.format(
        left=label(left),
        right=label(right),
        merged=label(left + right),
        left_id=f"{trace.id_of(left):,}",
        right_id=f"{trace.id_of(right):,}",
        left_name=_internal_name(trace, left, label),
        right_name=_internal_name(trace, right, label),
        n=f"{before:,}",
        at=_word_of_tie(trace, k, last="-last position" in rule.order) if "{at}" in words else "",
        merge=merge_number(k),
        seed=f"{trace.request.seed:,}",
    )


def choice_text(trace: Trace, k: int) -> str:
    """Return as half a sentence whether the tie at merge `k` was a real choice; "" without a tie and in a replay.

    >>> import bpe
    >>> choice_text(bpe.train("ab cd", "bytes-whitespace"), 0)
    'it takes nothing from the other, so this only decides the order'
    >>> choice_text(bpe.train("abc", "bytes-whitespace"), 0)
    'a real choice: b + c drops from 1 to 0'
    """
    step = trace.steps[k]
    if step.tied < 2 or step.list_rank is not None:
        return ""
    rivals = rival_losses(trace, k)
    if not rivals:
        return filled(ORDER_ONLY, others="other" if step.tied == 2 else "others")
    label = sentence_label(trace.variant)
    rival, lost = next(iter(rivals.items()))
    words = filled(
        RIVAL_FALLS if lost else RIVAL_STAYS,
        pair=" + ".join(map(label, rival)),
        before=f"{step.count:,}",
        after=f"{step.count - lost:,}",
    )
    if len(rivals) == 1:
        return words
    overlap = "overlaps" if len(rivals) == 2 else "overlap"
    return words + filled(MORE_RIVALS, others=counted(len(rivals) - 1, "other"), overlap=overlap)


@dataclass(frozen=True, slots=True)
class _LaterTerms:
    """The merges whose tie was not decided by the first term of the rule's order."""

    until: int  # number of merges that were looked at
    # rank -> the position of the term that decided, and how many pairs that term compared
    decided: Mapping[int, tuple[int, int]]


def later_terms(trace: Trace, most: int) -> _LaterTerms:
    """Return the merges whose tie was decided by a later term of the rule's order, without those that were picked.

    It walks the log once and compares at most so many pairs: a large text ties thousands of them at one merge.

    >>> import bpe
    >>> later_terms(bpe.train("ab cd", "bytes-whitespace", "longest"), 100).decided
    {0: (1, 2)}
    """
    decided: dict[int, tuple[int, int]] = {}
    if not trace.origin.breaks_ties or len(trace.tie_break.order) < 2:
        return _LaterTerms(len(trace.log), decided)
    rank, symbols = 0, trace.symbols
    for stage in trace.log.stages:
        counts = dict(zip(stage.pairs, stage.pair_counts, strict=True))
        with_count = defaultdict[int, set[PairKey]](set)
        for pair, count in counts.items():
            with_count[count].add(pair)
        for number in range(len(stage)):
            checkpoint()
            if stage.tied[number] > 1 and rank not in trace.request.picks:
                most -= stage.tied[number]
                if most < 0:
                    return _LaterTerms(rank, decided)
                may_merge = trace.may_merge_at(rank)
                tied = {
                    pair
                    for pair in with_count[stage.counts[number]]
                    if may_merge(symbols[pair >> SHIFT], symbols[pair & MASK])
                }
                merged = stage.lefts[number] << SHIFT | stage.rights[number]
                if (deciding := _deciding_term(trace, merged, tied))[0]:
                    decided[rank] = deciding
            for pair, change in stage.pair_changes(number).items():
                before = counts.get(pair, 0)
                with_count[before].discard(pair)
                counts[pair] = before + change
                with_count[before + change].add(pair)
            rank += 1
    return _LaterTerms(rank, decided)


def reasons_of(request: TrainingRequest) -> tuple[Reason, ...]:
    """Return the reasons of a training's rule. Sorted words do not come in the order of the text."""
    reasons = request.tie_break.reasons
    if request.word_order is None:
        return reasons
    return tuple(replace(reason, words=reason.sorted_words or reason.words) for reason in reasons)


def rival_losses(trace: Trace, k: int) -> dict[Pair, int]:
    """Return how many of their occurrences the rivals of merge `k` lose by it, the one that loses most first.

    Rivals that lose the same are in the order of their tokens. In a run of one symbol a rival can lose none.
    """
    lost: Counter[PairKey] = Counter()
    for old, _, by, _ in trace.log.changes_of(k):
        lost[old] += by
    rivals = sorted(trace.log.rivals_of(k), key=lambda pair: (-lost[pair], pair))
    spell = trace.symbols.__getitem__
    return {(spell(pair >> SHIFT), spell(pair & MASK)): lost[pair] for pair in rivals}


@dataclass(frozen=True, slots=True)
class RandomTieStudy:
    """The results of several trainings with random tie-breaking."""

    draws: int  # number of trainings
    times: Mapping[Symbol, int]  # token -> number of trainings that learned it
    totals: tuple[int, ...]  # for each training: how many tokens the corpus needs in the end

    @property
    def sometimes(self) -> list[tuple[Symbol, int]]:
        """(token, number of trainings that learned it) of all other tokens, the most often learned first."""
        return [(token, times) for token, times in Counter(self.times).most_common() if times < self.draws]


def _unfinished(trace: Trace) -> set[int]:
    """Return the ranks of the last merges of each stage if pairs with their count are left."""
    unfinished: set[int] = set()
    end = 0
    for stage in trace.log.stages:
        begin, end = end, end + len(stage)
        may_merge = trace.may_merge_at(max(end - 1, 0))
        count, _ = PairCounts(stage, trace.symbols).highest(len(stage), may_merge)
        for rank in reversed(range(begin, end)):
            if trace.log.counts[rank] != count:
                break
            unfinished.add(rank)
    return unfinished


def _deciding_term(trace: Trace, pair: PairKey, pairs: Iterable[PairKey]) -> tuple[int, int]:
    """Return the first term of the rule's order in which no other pair equals this one, and how many it compared."""
    tied = set(pairs)
    # Positions always differ, so an order that begins with one has no other terms, and nobody asks for it here.
    candidates = candidates_of(trace, tied, _position, _position)
    term = before = 0
    for number, name in enumerate(trace.tie_break.order):
        term, before, read = number, len(tied), TERMS[name.removeprefix("-")].reader(candidates)
        value = read(pair)
        tied = {other for other in tied if read(other) == value}
        if len(tied) < 2:
            break
    return term, before


def _position(pair: PairKey) -> int:
    raise AssertionError(f"the position of pair {pair} decides alone")


def _internal_name(trace: Trace, symbol: Symbol, label: Callable[[Symbol], str]) -> str:
    born = trace.born(symbol)
    return label(symbol) if born < 0 else f"merge_{257 + born}"


def _word_of_tie(trace: Trace, k: int, *, last: bool) -> str:
    """Return ", at " and the first or the last word with the pair of merge `k`; "" if a text is one word."""
    if len(trace.pre_tokens) < 2 or trace.second_stage is not None:
        return ""
    word = trace.word_with(trace.steps[k].pair, k, last=last)
    if word is None:
        return ""
    text, marker = b"".join(word), trace.variant.marker
    return f", at {sentence_label(trace.variant)(text.replace(marker, b'') if marker else text)}"
