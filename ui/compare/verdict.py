"""The verdict: one sentence that says whether the choice matters here. Every number in it stands in a table below."""

from bpe.analysis.word_comparison import WordUnderTraces
from ui.compare.comparison import Comparison
from ui.show.text import counted

FEW = 100  # up to so many tokens are counted out, more are a share


def sentence(found: Comparison) -> str:
    """Where the lanes part, how many tokens they share, and what that comes to for the corpus and the held-out text."""
    if not found.merges:
        return "There is nothing to merge here, so there is nothing to decide."
    if found.divergence is None:
        count = "both learn" if len(found.lanes) == 2 else f"all {len(found.lanes)} learn"
        return f"It makes no difference here: {count} the same {counted(found.merges, 'merge')} in the same order."
    alike = not any(cut.differs for cut in found.corpus_cuts)
    parts = f"The {_what(found)} part at merge {found.divergence.rank:,}"
    tokens = _shared(found)
    tests = _tests(found)
    if alike and found.same_words:
        whole = f"{parts} and meet again: {tokens}, and in the end every word"
        return f"{whole} of the corpus is cut alike; {tests}." if tests else f"{whole} is cut alike."
    told = "; ".join(filter(None, (tokens, _corpus(found), tests)))
    return f"{parts}. After {counted(found.merges, 'merge')} {told}."


def _what(found: Comparison) -> str:
    trainers = sum(lane.recipe.preset != "none" for lane in found.lanes)
    return "trainers" if trainers == len(found.lanes) else "lanes" if trainers else "rules"


def _shared(found: Comparison) -> str:
    """Tokens all lanes learned, of as many as the longest lane learned."""
    shared = sum(fate.everywhere for fate in found.fates)
    verb = "is" if 1 in (shared, found.merges) else "are"
    whose = "the same" if len(found.lanes) == 2 else f"learned by all {len(found.lanes)}"
    if found.merges <= FEW:
        return f"{shared} of {counted(found.merges, 'token')} {verb} {whose}"
    return f"{percent(shared / found.merges)} of the tokens are {whose}"


def _corpus(found: Comparison) -> str:
    totals = [tokens[-1] for tokens in found.corpus_tokens]
    least, most = min(totals), max(totals)
    if least == most:
        return "the corpus takes equally many tokens"
    fewest, largest = (found.lanes[totals.index(total)].short for total in (least, most))
    return (
        f"the corpus takes {percent((most - least) / least)} more tokens under {largest} than under {fewest}"
    )


def _tests(found: Comparison) -> str:
    """Empty where the held-out text is cut alike, or holds no word."""
    words = len(found.test_cuts)
    differ = sum(cut.differs for cut in found.test_cuts)
    if not differ:
        return ""
    verb = "is" if differ == 1 else "are"
    return f"{differ:,} of {counted(words, 'test word')} {verb} cut differently"


def percent(share: float) -> str:
    """The share with as many digits as it needs.

    >>> percent(0.914), percent(0.0031), percent(0.00004), percent(1)
    ('91 %', '0.3 %', 'under 0.1 %', '100 %')
    """
    if 0 < share < 0.001:
        return "under 0.1 %"
    rounded = f"{share:.1%}" if share < 0.1 else f"{share:.0%}"
    if rounded == "100%" and share < 1:
        rounded = f"{share:.1%}"
    return rounded.replace("%", " %")


def how_compared(found: Comparison) -> str:
    """What a reader must know where the lanes' variants differ; empty where they do not."""
    if found.same_words:
        return ""
    variants = list(dict.fromkeys(trace.variant.title for trace in found.traces))
    three = "so “low</w>”, “▁low” and “·low” are three; "
    tokens = (
        "" if found.same_markers else f"tokens are compared as written, marker or space included, {three}"
    )
    return (
        f"These lanes cut the text in {len(variants)} ways ({'; '.join(variants)}): {tokens}words are compared by "
        "where their letters are cut, without marker or space. So are the tokens that are marked in the grids."
    )


def differing_first(cuts: list[WordUnderTraces]) -> list[WordUnderTraces]:
    """Words cut differently first, each group in order of appearance."""
    return sorted(cuts, key=lambda cut: not cut.differs)
