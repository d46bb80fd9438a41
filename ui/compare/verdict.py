"""The verdict: whether the choice matters here, in one line, and the figures behind it. Tables hold every number."""

from collections.abc import Sequence

from bpe.analysis.word_comparison import WordUnderTraces
from bpe.text.display import counted, merge_name
from ui.compare.comparison import Comparison
from ui.show.text import shortened
from ui.sidebar.settings import FREE

FEW = 100  # the sentence counts shared tokens of up to so many, and gives a percentage of more
MUCH = 0.1  # share of the words: from here on the answer is "Yes"
LONGEST_EXAMPLE = 24  # characters of the example word

QUESTION = "Does it matter?"
SCALE = "“Hardly” means that fewer than 1 in 10 different words are split differently."


def answer(comparison: Comparison) -> str:
    """Return the question and its answer in one line, with a word that is split differently if there is one.

    The answer is about whichever text the lanes disagree on more: the corpus or the test text.
    """
    of_corpus, of_test = differing_words(comparison)
    corpus_share = _share(of_corpus, comparison.corpus_words)
    test_share = _share(of_test, comparison.test_words)
    if not of_corpus and not of_test:
        return f"{QUESTION} {_no(comparison)}"
    if corpus_share >= test_share:
        words, total, kind = of_corpus, len(comparison.corpus_words), "word"
    else:
        words, total, kind = of_test, len(comparison.test_words), "test word"
    count = f"{len(words):,} of {counted(total, kind)} {'is' if len(words) == 1 else 'are'} split differently"
    count = count if total > 1 else f"the only {kind} is split differently"
    fact = f"{count}{_example(words)}."
    if max(corpus_share, test_share) >= MUCH:
        return f"{QUESTION} Yes: {fact}"
    return f"{QUESTION} Hardly. Only {fact}"


def scale(comparison: Comparison) -> str:
    """Return what “Hardly” means, if the answer says it; "" if not."""
    return SCALE if f"{QUESTION} Hardly" in answer(comparison) else ""


def _no(comparison: Comparison) -> str:
    """Return the answer for lanes that split every word of both texts the same way."""
    if not comparison.merges:
        return "No: there is nothing to merge."
    if comparison.divergence is None:
        return f"No. {_everyone(comparison)} make the same {counted(comparison.merges, 'merge')} in the same order."
    return "Hardly. In the end every word is split the same way."


def figures(comparison: Comparison) -> str:
    """Return what stands behind the answer: where the lanes first differ, tokens they share, length of the corpus."""
    if comparison.divergence is None:
        return ""
    sentences = [
        _unequal_merges(comparison),
        _lengths_of_corpus(comparison)
        if comparison.has_files
        else f"The {kind_of_lanes(comparison)} first differ at {merge_name(comparison.divergence.rank)}",
        f"in the end, {_shared_tokens(comparison)}" if not comparison.has_files else "",
        _corpus_size(comparison),
        _words_of_corpus(comparison),
    ]
    return " ".join(f"{sentence[:1].upper()}{sentence[1:]}." for sentence in sentences if sentence)


def differing_words(comparison: Comparison) -> tuple[list[WordUnderTraces], list[WordUnderTraces]]:
    """Return the words that lanes split differently: of the corpus, the most frequent first, and of the test text."""
    of_corpus = [word for word in comparison.corpus_words if word.differs]
    of_test = [word for word in comparison.test_words if word.differs]
    return sorted(of_corpus, key=lambda word: -word.frequency), of_test


def words_for_a_hall(comparison: Comparison, most: int) -> list[tuple[WordUnderTraces, str]]:
    """Return the first `most` words that are split differently, each with where it comes from.

    Words of the test text come last, but at least one of them is there.
    """
    of_corpus, of_test = differing_words(comparison)
    room = most - 1 if of_test else most
    chosen = [(word, f"{word.frequency:,} × in the text") for word in of_corpus[:room]]
    return chosen + [(word, "in the test text") for word in of_test[: most - len(chosen)]]


def split_words(comparison: Comparison) -> str:
    """Return how many words of both texts are split differently, in one sentence."""
    of_corpus, of_test = differing_words(comparison)
    counts = [
        f"{len(words):,} of {counted(len(total), kind)}"
        for words, total, kind in (
            (of_corpus, comparison.corpus_words, "word"),
            (of_test, comparison.test_words, "test word"),
        )
        if words
    ]
    if not counts:
        return "Every word is split the same way"
    verb = "is" if len(of_corpus) + len(of_test) == 1 else "are"
    return f"{' and '.join(counts)} {verb} split differently"


def _share(differing: Sequence[WordUnderTraces], words: Sequence[WordUnderTraces]) -> float:
    return len(differing) / len(words) if words else 0.0


def _example(words: Sequence[WordUnderTraces]) -> str:
    """Return the first of the words that can be read; "" if all are white space."""
    readable = next(
        (text for text in (word.word.strip() for word in words) if text.isprintable() and text), ""
    )
    if not readable:
        return ""
    word = f"“{shortened(readable, LONGEST_EXAMPLE)}”"
    return f": {word}" if len(words) == 1 else f", for example {word}"


def kind_of_lanes(comparison: Comparison) -> str:
    """Return what the lanes are: "rules", "trainers" if all are real ones, "tokenizers" from files, or "lanes"."""
    if comparison.has_files:
        return "tokenizers"
    trainers = sum(lane.recipe.preset != FREE for lane in comparison.lanes)
    if not trainers:
        return "rules"
    return "trainers" if trainers == len(comparison.lanes) else "lanes"


def _everyone(comparison: Comparison) -> str:
    count = len(comparison.lanes)
    return f"{'Both' if count == 2 else f'All {count}'} {kind_of_lanes(comparison)}"


def _shared_tokens(comparison: Comparison) -> str:
    """Return how many tokens all lanes share, out of those that the longest lane made."""
    shared, longest = sum(token.everywhere for token in comparison.learned_by), comparison.merges
    verb = "is" if 1 in (shared, longest) else "are"
    whose = "the same" if len(comparison.lanes) == 2 else f"the same in all {len(comparison.lanes)}"
    if longest <= FEW:
        return f"{shared} of {counted(longest, 'token')} {verb} {whose}"
    return f"{percent(shared / longest)} of the tokens are {whose}"


def _corpus_size(comparison: Comparison) -> str:
    totals = [tokens[-1] for tokens in comparison.corpus_tokens]
    least, most = min(totals), max(totals)
    if least == most:
        # Words that are all split the same way need no second sentence.
        is_implied = comparison.same_words and not differing_words(comparison)[0]
        return "" if is_implied else "the text needs the same number of tokens"
    fewest, largest = (comparison.lanes[totals.index(total)].short for total in (least, most))
    return f"the text needs {percent((most - least) / least)} more tokens under {largest} than under {fewest}"


def _unequal_merges(comparison: Comparison) -> str:
    """Return that a tokenizer from a file has more or fewer merges on this text than another lane; "" if not.

    The sidebar limits the merges of a training, but not those of a file.
    """
    merges = [len(trace.steps) for trace in comparison.traces]
    least, most = min(merges), max(merges)
    if not comparison.has_files or least == most:
        return ""
    return (
        f"on this text the lanes have different numbers of merges ({least:,} to {most:,}), "
        "so the comparison is unequal"
    )


def _lengths_of_corpus(comparison: Comparison) -> str:
    """Return how many tokens the text needs in each lane."""
    totals = zip(comparison.lanes, comparison.corpus_tokens, strict=True)
    lengths = [f"{counted(tokens[-1], 'token')} under {lane.short}" for lane, tokens in totals]
    return f"the text needs {', '.join(lengths[:-1])} and {lengths[-1]}"


def _words_of_corpus(comparison: Comparison) -> str:
    """Return that the lanes split every word of the corpus the same way, though they differ on the test text."""
    of_corpus, of_test = differing_words(comparison)
    if of_corpus or not of_test:
        return ""
    return "every word of the text itself is split the same way"


def percent(share: float) -> str:
    """Return a share in percent, with one decimal below 10 % and just below 100 %.

    >>> percent(0.914), percent(0.0031), percent(0.00004), percent(1)
    ('91 %', '0.3 %', 'less than 0.1 %', '100 %')
    """
    if 0 < share < 0.001:
        return "less than 0.1 %"
    rounded = f"{share:.1%}" if share < 0.1 else f"{share:.0%}"
    if rounded == "100%" and share < 1:
        rounded = f"{share:.1%}"
    return rounded.replace("%", " %")


def how_compared(comparison: Comparison) -> str:
    """Return how lanes of different variants are compared; "" if all have one variant."""
    if comparison.same_words:
        return ""
    variants = list(dict.fromkeys(trace.variant.title for trace in comparison.traces))
    tokens = (
        ""
        if comparison.same_markers
        else " Tokens are compared as written, with marker or space, so “low</w>”, “▁low” and “·low” are three tokens."
    )
    return (
        f"These lanes split the text in {len(variants)} ways ({'; '.join(variants)}). "
        f"We compare words by where their letters are split, and ignore markers and spaces.{tokens}"
    )
