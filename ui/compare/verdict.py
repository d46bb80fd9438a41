"""The verdict on the page: the answer, the sentences under it, and facts on the corpus. Tables hold every number.

Sentences on the held-out text are those of `bpe/comparison/verdict_text.py`, which the command line writes too.
Nothing is written twice: `brief` leaves out what `answer` says, and `rest` what both say.
"""

from collections.abc import Iterable

from bpe.comparison import verdict_text
from bpe.comparison.evidence import Evidence
from bpe.comparison.evidence_text import (
    in_some_pair,
    known_words_sentence,
    luck_sentence,
    percent,
    some_beyond_luck,
)
from bpe.comparison.words import WordUnderTraces
from bpe.text.display import counted, listed, merge_name
from ui.choices.settings import FREE
from ui.compare.comparison import PageComparison

FEW = 100  # the sentence counts shared tokens of up to so many, and gives a percentage of more
MOST_WORDS = 5_000  # distinct words of a corpus that are compared while the page is drawn
CHANGE = "You can choose another held-out text in the tab “Encode under each”."


def answer(comparison: PageComparison, evidence: Evidence) -> str:
    """Return the answer in one line.

    If there is no similar held-out text, it is about the corpus itself.
    """
    if evidence.verdict.answer == "unlike text" and (words := _words_of_corpus(comparison)):
        return f"No similar held-out text. {words[:1].upper()}{words[1:]}."
    return verdict_text.headline(evidence, _names(comparison))


def brief(comparison: PageComparison, evidence: Evidence) -> list[str]:
    """Return the evidence that matters most, in one paragraph that continues the answer."""
    names = _names(comparison)
    luck = luck_sentence(evidence, names)
    first = [
        some_beyond_luck(evidence) if sentence == luck else sentence
        for sentence in verdict_text.first_sentences(evidence, names)
    ]
    kind = evidence.verdict.answer
    if kind == "unlike text" and answer(comparison, evidence) != verdict_text.headline(evidence, names):
        first.insert(0, known_words_sentence(evidence))
    if kind in ("unlike text", "not held out"):
        first += [CHANGE, figures(comparison, above=answer(comparison, evidence))]
    held_out = "" if kind == "nothing to merge" else f"Tested on {comparison.held_out.about}."
    return [sentence for sentence in (*first, held_out) if sentence]


def rest(comparison: PageComparison, evidence: Evidence) -> list[str]:
    """Return the other sentences on the held-out text and on the corpus."""
    above = [answer(comparison, evidence), *brief(comparison, evidence)]
    sentences = verdict_text.sentences(evidence, _names(comparison))
    corpus = figures(comparison, above=" ".join(above))
    return [sentence for sentence in (*sentences, corpus) if sentence and sentence not in above]


def _names(comparison: PageComparison) -> list[str]:
    return [lane.short for lane in comparison.lanes]


def figures(comparison: PageComparison, above: str = "") -> str:
    """Return facts on the corpus: where the lanes first differ, the tokens they share, its length and its words.

    Sentences that are in `above` are left out.
    """
    if comparison.divergence is None:
        return ""
    clauses = (
        _lengths_of_corpus(comparison)
        if comparison.has_files
        else f"the {_kind_of_lanes(comparison)} first differ at {merge_name(comparison.divergence.rank)}",
        _shared_tokens(comparison),
        _corpus_size(comparison),
        _words_of_corpus(comparison),
    )
    sentences = (f"{clause[:1].upper()}{clause[1:]}." for clause in clauses if clause)
    return " ".join(sentence for sentence in sentences if sentence not in above)


def differing_corpus_words(comparison: PageComparison) -> list[WordUnderTraces] | None:
    """Return the words of the corpus that lanes split differently, the most frequent first; None for a large corpus."""
    if len(comparison.traces[0].pre_tokens) > MOST_WORDS:
        return None
    differing = [word for word in comparison.corpus_words if word.differs]
    return sorted(differing, key=lambda word: -word.frequency)


def words_for_a_hall(
    comparison: PageComparison, evidence: Evidence, most: int
) -> list[tuple[WordUnderTraces, str]]:
    """Return the first `most` words that are split differently, each with the text that it is from.

    Words of the held-out text come last, but at least one of them is there.
    """
    of_corpus = differing_corpus_words(comparison) or []
    of_test = evidence.differing
    room = most - 1 if of_test else most
    chosen = [(word, f"{word.frequency:,} × in the text") for word in of_corpus[:room]]
    return chosen + [
        (word, f"{word.frequency:,} × in the held-out text") for word in of_test[: most - len(chosen)]
    ]


def split_words(comparison: PageComparison, evidence: Evidence) -> str:
    """Return how many words of both texts are split differently, in one sentence; the headline counts as many."""
    of_corpus = differing_corpus_words(comparison) or []
    counts = [
        f"{number:,} of {counted(total, f'{text} word')}"
        for number, total, text in (
            (frequency(of_corpus), frequency(comparison.corpus_words) if of_corpus else 0, "training"),
            (evidence.differing_words, evidence.compared_words, "held-out"),
        )
        if number
    ]
    if not counts:
        return "Every word is split the same way"
    verb = "is" if frequency(of_corpus) + evidence.differing_words == 1 else "are"
    return f"{' and '.join(counts)} {verb} split differently{in_some_pair(len(comparison.lanes))}"


def frequency(words: Iterable[WordUnderTraces]) -> int:
    """Return how often these words occur together."""
    return sum(word.frequency for word in words)


def _kind_of_lanes(comparison: PageComparison) -> str:
    """Return what the lanes are: "rules", "trainers" if all are real ones, "tokenizers" from files, or "lanes"."""
    if comparison.has_files:
        return "tokenizers"
    trainers = sum(lane.recipe.preset != FREE for lane in comparison.lanes)
    if not trainers:
        return "rules"
    return "trainers" if trainers == len(comparison.lanes) else "lanes"


def _shared_tokens(comparison: PageComparison) -> str:
    """Return how many tokens all lanes share, out of those that the longest lane made.

    Returns "" for files, and for a share that the sentence on two vocabularies has too.
    """
    shared, longest, lanes = (
        sum(token.everywhere for token in comparison.learned_by),
        comparison.merges,
        len(comparison.lanes),
    )
    if comparison.has_files or (longest > FEW and lanes == 2):
        return ""
    whose = "the same" if lanes == 2 else f"the same in all {lanes} lanes"
    markers = "" if comparison.same_markers else ", markers included"
    if longest == 1:
        return f"the learned token is {whose if shared else 'different'}{markers}"
    if longest <= FEW:
        return f"in the end, {shared} of {longest} learned tokens {'is' if shared == 1 else 'are'} {whose}{markers}"
    return f"in the end, {percent(shared / longest)} of the learned tokens are {whose}{markers}"


def _corpus_size(comparison: PageComparison) -> str:
    totals = [tokens[-1] for tokens in comparison.corpus_tokens]
    least, most = min(totals), max(totals)
    if least == most:
        # Words that are all split the same way need no second sentence.
        is_implied = comparison.same_words and not differing_corpus_words(comparison)
        return "" if is_implied else "the training text needs the same number of tokens in every lane"
    fewest, largest = (comparison.lanes[totals.index(total)].short for total in (least, most))
    more = percent((most - least) / least)
    return f"the training text needs {more} more tokens under “{largest}” than under “{fewest}”"


def _lengths_of_corpus(comparison: PageComparison) -> str:
    """Return how many tokens the text needs in each lane."""
    totals = zip(comparison.lanes, comparison.corpus_tokens, strict=True)
    lengths = [f"{counted(tokens[-1], 'token')} under “{lane.short}”" for lane, tokens in totals]
    return f"the text needs {listed(lengths)}"


def _words_of_corpus(comparison: PageComparison) -> str:
    """Return how many words of the corpus are split differently; "" for a large corpus."""
    differing = differing_corpus_words(comparison)
    if differing is None:
        return ""
    if not differing:
        return "every word of the training text is split the same way"
    if len(comparison.corpus_words) == 1:
        return "the only word of the training text is split differently"
    number, total = frequency(differing), frequency(comparison.corpus_words)
    verb = "is" if number == 1 else "are"
    pairs = in_some_pair(len(comparison.lanes))
    return f"{number:,} of {counted(total, 'word')} of the training text {verb} split differently{pairs}"


def how_compared(comparison: PageComparison) -> str:
    """Return how lanes that do not read the text in the same way are compared; "" if all do."""
    if comparison.same_words:
        return ""
    variants = list(dict.fromkeys(trace.variant.title for trace in comparison.traces))
    tokens = (
        ""
        if comparison.same_markers
        else " Tokens are compared as written, with marker or space, so “low</w>”, “▁low” and “·low” are three tokens."
    )
    ways = f"split the text in {len(variants)} ways ({'; '.join(variants)})"
    if len(variants) == 1:
        ways = "normalize or split the text in different ways"
    rule = "We compare words by where their letters are split, and ignore markers and spaces."
    return f"These lanes {ways}. {rule}{tokens}"
