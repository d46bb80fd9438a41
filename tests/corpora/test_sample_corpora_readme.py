"""Every statement of README.md about a sample corpus agrees with training, to the figure."""

from collections.abc import Callable

import regex

import bpe
from bpe import Trace
from bpe.text.display import merge_name, merge_number
from tests.corpora.test_sample_corpora import FOLDER, SAMPLES, content, trained
from ui.sidebar.corpus import Sample, from_sample

README = (FOLDER / "README.md").read_text("utf-8")


def spelled(trace: Trace, *symbols: bytes) -> str:
    return " + ".join(f"`{trace.variant.label(symbol)}`" for symbol in symbols)


def tie(trace: Trace, rank: int) -> str:
    """Return how many pairs tie for a merge, and at what count."""
    step = trace.steps[rank]
    assert step.tied == len(trace.tied_pairs(rank))
    return f"{step.tied} pairs tie at {step.count} for {merge_name(rank)}"


def tied(trace: Trace, rank: int) -> str:
    """Return the sentence of `tie`, with the pairs."""
    return f"{tie(trace, rank)}: {', '.join(spelled(trace, *pair) for pair in trace.tied_pairs(rank))}"


def decided(trace: Trace) -> str:
    """Return how many merges a tie decided."""
    return f"Ties decide {sum(step.tied > 1 for step in trace.steps)} of the {len(trace.steps)} merges"


def tokens(trace: Trace, most: int) -> str:
    return ", ".join(spelled(trace, left + right) for left, right in trace.merges[:most])


def maker(trace: Trace, token: bytes) -> str:
    """Return the name of the merge that makes a token."""
    return merge_name([left + right for left, right in trace.merges].index(token))


def low_lowest(trace: Trace) -> str:
    least = bpe.train(from_sample("low-lowest-newest-wider").training_text, "char-eow", "pair-min", merges=4)
    return (
        f"{tie(trace, 0)}. The first four tokens are {tokens(trace, 4)}; "
        f"if the first in dictionary order wins, they are {tokens(least, 4)}."
    )


def hug(trace: Trace) -> str:
    assert [step.tied for step in trace.steps[:4]] == [1, 1, 1, 1]
    learned = ", ".join(
        f"{spelled(trace, step.pair[0] + step.pair[1])} {step.count}" for step in trace.steps[:4]
    )
    step = trained("hug-pug-pun-bun-hugs", "paper").steps[1]
    return (
        f"No tie in the first four merges: {learned}. "
        f"Under the preset of the paper {merge_name(1)} is a tie of {step.tied} at {step.count}."
    )


def highest(trace: Trace) -> str:
    coolest = " ".join(spelled(trace, symbol) for symbol in trace.segment("coolest", 5))
    return f"{tie(trace, 0)}. After 5 merges coolest is {coolest}."


def which_goes_first(trace: Trace) -> str:
    minbpe = trained("which-goes-first", "minbpe-basic")
    chosen = spelled(trace, *trace.merges[0])
    return f"{tie(trace, 0)}. Hugging Face picks {chosen}, minbpe {spelled(minbpe, *minbpe.merges[0])}."


def overlaps(trace: Trace) -> str:
    step = trace.steps[0]
    return (
        f"Merge {merge_number(0)}, {spelled(trace, *step.pair)}, is counted {step.count} times "
        f"and merged {step.replaced} times."
    )


def story(trace: Trace) -> str:
    """Return the tie, and what two trainers take; to the other one it comes a merge later."""
    other = trained("story", "hf-bytelevel")
    chosen, others = trace.merges[97], other.merges[98]
    assert set(trace.tied_pairs(97)) == set(other.tied_pairs(98)) == {chosen, others}
    return (
        f"{tied(trace, 97)}. It is the very tie that the story is about: tiktoken's educational code picks "
        f"{spelled(trace, *chosen)}, like the Calf, Hugging Face {spelled(trace, *others)}, like the Hen."
    )


def maze(trace: Trace) -> str:
    spaces, name = b" " * 7, b"neighbour"
    assert b" " * 3 in trace.vocabulary(300)
    return (
        f"{spelled(trace, spaces)} is created by {maker(trace, spaces)}, "
        f"{spelled(trace, name)} by {maker(trace, name)}."
    )


def numbers(trace: Trace) -> str:
    assert not any(regex.search(rb"\d{4}", left + right) for left, right in trace.merges)
    other = trained("numbers-and-dates", "tiktoken-educational")
    return (
        f"`202` is created by {maker(trace, b'202')}; "
        f"under tiktoken's educational code `2025` is created by {maker(other, b'2025')}."
    )


def languages(trace: Trace) -> str:
    first, lines = trace.steps[0], content("languages").splitlines(keepends=True)
    hindi = regex.findall(r"\p{Devanagari}", lines[9])
    assert sum(letter.encode().startswith(b"\xe0\xa4") for letter in hindi) > len(hindi) / 2
    size = {number: (len(trace.segment(lines[number], 400)), len(lines[number])) for number in (0, 13)}
    return (
        f"Merge {merge_number(0)} is {spelled(trace, *first.pair)}, which begins most Hindi letters, "
        f"{first.count} times. "
        f"After 400 merges the line in English needs {size[0][0]} tokens for {size[0][1]} characters, "
        f"the one in Thai {size[13][0]} for {size[13][1]}."
    )


def emoji(trace: Trace) -> str:
    step = trace.steps[3]
    assert (step.pair[0] + step.pair[1]).decode() == "\u200d"
    return (
        f"Merge {merge_number(3)} makes the zero-width joiner out of {spelled(trace, *step.pair)}, "
        f"{step.count} times."
    )


def genome(trace: Trace) -> str:
    assert b"GATTACA" not in trace.vocabulary(60)
    first, *others = (b"TATAAAAG", b"CCATGG", b"GAATTC")
    rest = ", ".join(f"{spelled(trace, motif)} by {maker(trace, motif)}" for motif in others)
    return f"{spelled(trace, first)} is created by {maker(trace, first)}, {rest}; `GATTACA` never is."


def hard_cases(trace: Trace) -> str:
    assert trace.tokens_total(0) == len(content("hard-cases").encode())
    return (
        f"Before the first merge there are {trace.tokens_total(0):,} tokens, one for each byte of the file; "
        f"after 100 merges {trace.tokens_total(100):,}."
    )


CHECKS: dict[str, Callable[[Trace], str]] = {
    "low-lower-newest-widest": lambda trace: f"{tied(trace, 0)}. {decided(trace)}.",
    "low-lowest-newest-wider": low_lowest,
    "hug-pug-pun-bun-hugs": hug,
    "highest-higher-lower": highest,
    "low-lower-lowest-low-me": lambda trace: f"The tokens are {tokens(trace, 3)}. {tied(trace, 2)}.",
    "the-sky-is-blue": lambda trace: (
        f"{tie(trace, 0)}. After 9 merges the first token is {spelled(trace, trace.words_at(9)[0][0][0])}."
    ),
    "aaabdaaabac": lambda trace: f"{tied(trace, 1)}.",
    "which-goes-first": which_goes_first,
    "overlaps": overlaps,
    "ties": lambda trace: f"{decided(trace)}. {tie(trace, 35)}.",
    "story": story,
    "maze": maze,
    "numbers-and-dates": numbers,
    "languages": languages,
    "emoji": emoji,
    "dna": genome,
    "hard-cases": hard_cases,
}


def row(sample: Sample) -> str:
    """Return the row of the README's table about a sample, as training gives it, without backquotes."""
    cells = [f"`{sample.slug}`", sample.shows, CHECKS[sample.slug](trained(sample.slug))]
    cells += [sample.source] if sample.source else []
    return f"| {' | '.join(cells)} |".replace("`", "")


def test_the_readme_says_what_training_gives() -> None:
    rows = map(row, SAMPLES.values())
    assert [row for row in rows if row not in README.replace("`", "")] == []


def test_the_readme_says_whose_the_texts_are() -> None:
    theirs = sum(bool(sample.source) for sample in SAMPLES.values())
    assert (theirs, len(SAMPLES) - theirs) == (8, 9)
    assert "Eight are examples from the literature; nine were written for" in README


def test_no_markup_of_a_text_is_loose_in_the_readme() -> None:
    assert "<" not in regex.sub("`[^`\n]*`", "", README)
