"""The verdict: one sentence that says whether the choice matters here. Every number in it is in one of the tables."""

from bpe.text.display import counted
from ui.compare.comparison import Comparison
from ui.sidebar.settings import FREE

FEW = 100  # the sentence counts shared tokens of up to so many, and gives a percentage of more


def sentence(comparison: Comparison) -> str:
    """Return a sentence on where lanes diverge, how many tokens they share, and how corpus and held-out text differ."""
    merges = counted(comparison.merges, "merge")
    if not comparison.merges:
        return "There is nothing to merge here, so there is nothing to decide."
    if comparison.divergence is None:
        count = "both learn" if len(comparison.lanes) == 2 else f"all {len(comparison.lanes)} learn"
        return f"It makes no difference here: {count} the same {merges} in the same order."
    parting = f"The {_kind_of_lanes(comparison)} part at merge {comparison.divergence.rank:,}"
    tokens, tests = _shared_tokens(comparison), _test_words(comparison)
    if comparison.same_words and not any(word.differs for word in comparison.corpus_words):
        alike = f"{parting} and meet again: {tokens}, and in the end every word"
        return f"{alike} of the corpus is cut alike; {tests}." if tests else f"{alike} is cut alike."
    clauses = "; ".join(filter(None, (tokens, _corpus_size(comparison), tests)))
    return f"{parting}. After {merges} {clauses}."


def _kind_of_lanes(comparison: Comparison) -> str:
    trainers = sum(lane.recipe.preset != FREE for lane in comparison.lanes)
    if not trainers:
        return "rules"
    return "trainers" if trainers == len(comparison.lanes) else "lanes"


def _shared_tokens(comparison: Comparison) -> str:
    """Return how many tokens all lanes learned, out of those that the longest lane learned."""
    shared, learned = sum(token.everywhere for token in comparison.learned_by), comparison.merges
    verb = "is" if 1 in (shared, learned) else "are"
    whose = "the same" if len(comparison.lanes) == 2 else f"learned by all {len(comparison.lanes)}"
    if learned <= FEW:
        return f"{shared} of {counted(learned, 'token')} {verb} {whose}"
    return f"{percent(shared / learned)} of the tokens are {whose}"


def _corpus_size(comparison: Comparison) -> str:
    totals = [tokens[-1] for tokens in comparison.corpus_tokens]
    least, most = min(totals), max(totals)
    if least == most:
        return "the corpus takes equally many tokens"
    fewest, largest = (comparison.lanes[totals.index(total)].short for total in (least, most))
    return (
        f"the corpus takes {percent((most - least) / least)} more tokens under {largest} than under {fewest}"
    )


def _test_words(comparison: Comparison) -> str:
    """Return how many words of the held-out text differ, in words; "" if none does."""
    differ = sum(word.differs for word in comparison.test_words)
    if not differ:
        return ""
    verb = "is" if differ == 1 else "are"
    return f"{differ:,} of {counted(len(comparison.test_words), 'test word')} {verb} cut differently"


def percent(share: float) -> str:
    """Return a share in percent, with one decimal below 10 % and just below 100 %.

    >>> percent(0.914), percent(0.0031), percent(0.00004), percent(1)
    ('91 %', '0.3 %', 'under 0.1 %', '100 %')
    """
    if 0 < share < 0.001:
        return "under 0.1 %"
    rounded = f"{share:.1%}" if share < 0.1 else f"{share:.0%}"
    if rounded == "100%" and share < 1:
        rounded = f"{share:.1%}"
    return rounded.replace("%", " %")


def how_compared(comparison: Comparison) -> str:
    """Return how lanes of different variants are compared; "" if all have one variant."""
    if comparison.same_words:
        return ""
    variants = list(dict.fromkeys(trace.variant.title for trace in comparison.traces))
    three = "so “low</w>”, “▁low” and “·low” are three; "
    tokens = (
        ""
        if comparison.same_markers
        else f"tokens are compared as written, marker or space included, {three}"
    )
    return (
        f"These lanes cut the text in {len(variants)} ways ({'; '.join(variants)}): {tokens}words are compared by "
        "where their letters are cut, without marker or space. So are the tokens that are marked in the grids."
    )
