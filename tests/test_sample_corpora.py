"""The sample corpora agree with their list, and contain what they are meant to show.

A claim about all samples is one test, which lists every sample that breaks it.
"""

import doctest
import importlib.util
import subprocess
import sys
import unicodedata
from collections.abc import Callable

import pytest
import regex

import bpe
from bpe import END_OF_WORD, Trace
from bpe.text.display import merge_name, merge_number
from tests import ROOT
from ui.trainings import corpus as corpora
from ui.trainings.corpus import Sample, from_sample

FOLDER = ROOT / "sample_corpora"
SAMPLES = corpora.samples()
NOT_COMPOSED = {"emoji"}  # holds both forms of a letter side by side, on purpose


def content(slug: str) -> str:
    """Return the exact content of a sample's file."""
    return (FOLDER / SAMPLES[slug].file).read_bytes().decode()


def trained(slug: str, preset: str = "", merges: int | None = None) -> Trace:
    """Train on a sample as its row suggests, or under another preset or for longer."""
    sample = SAMPLES[slug]
    settings = dict(bpe.PRESETS[preset or sample.preset].settings)
    return bpe.train(from_sample(slug).training_text, merges=merges or sample.merges, **settings)


# The list ----------------------------------------------------------------------------------------------------------


def test_every_file_is_listed_and_every_listed_file_is_there() -> None:
    files = {path.name for path in FOLDER.iterdir() if path.is_file()}
    own = {"README.md", "samples.toml", ".gitattributes"}
    assert files - own == {sample.file for sample in SAMPLES.values()}


def test_the_first_screen_is_low_lower_newest_widest_on_the_paper() -> None:
    first = next(iter(SAMPLES.values()))
    assert (first.slug, first.kind, first.preset, first.merges) == (
        "low-lower-newest-widest",
        "text",
        "paper",
        12,
    )


def offenders(holds: Callable[[Sample], bool]) -> list[str]:
    """Return the slugs of the samples for which a claim does not hold."""
    return [sample.slug for sample in SAMPLES.values() if not holds(sample)]


ROW_CLAIMS: dict[str, Callable[[Sample], bool]] = {
    "slug": lambda row: bool(regex.fullmatch(r"[a-z]+(-[a-z]+)*", row.slug)),
    "kind": lambda row: row.kind in ("text", "words"),
    "preset": lambda row: row.preset in bpe.PRESETS,
    "languages": lambda row: all(
        regex.fullmatch(r"[a-z]{2,3}(-[A-Z][a-z]{3})?", one) for one in row.languages
    ),
    "title on one line of the menu of texts": lambda row: len(row.title) <= 34,
    "one sentence each": lambda row: all(
        sentence[0].isupper() and sentence.endswith((".", "?")) and ". " not in sentence
        for sentence in (row.about, row.shows)
    ),
}


@pytest.mark.parametrize("holds", ROW_CLAIMS.values(), ids=ROW_CLAIMS)
def test_a_row_names_what_exists_and_says_it_in_one_sentence(holds: Callable[[Sample], bool]) -> None:
    assert offenders(holds) == []


def test_the_suggested_merges_are_all_learned_and_some_pairs_tie() -> None:
    traces = {slug: trained(slug) for slug in SAMPLES}
    assert {slug: len(trace.steps) for slug, trace in traces.items()} == {
        slug: sample.merges for slug, sample in SAMPLES.items()
    }
    assert [slug for slug, trace in traces.items() if all(step.tied == 1 for step in trace.steps)] == []


CLAIMS: dict[str, Callable[[Trace], bool]] = {
    "banana": lambda trace: trace.steps[0].tied > 1 and trace.tokens_total(5) == 1,
    "peter-piper": lambda trace: [left + right for left, right in trace.merges[:2]] == [b"pe", b"ck"],
    "kabir": lambda trace: any(
        unicodedata.category(symbol.decode()).startswith("M") for symbol in trace.alphabet if symbol != END_OF_WORD
    ),
    "two-functions": lambda trace: trace.merges[0] == (b" ", b" "),
    "virus-dna": lambda trace: {*trace.alphabet} == {b"A", b"C", b"G", b"T", END_OF_WORD}
    and sum(step.tied > 1 for step in trace.steps) > len(trace.steps) / 2,
    "plums": lambda trace: content("plums").count("も") == 8
    and not regex.search(r"\s", content("plums"))
    and "すもももも".encode() in trace.vocabulary(9),  # across すもも and もも
    "highest-higher-lower": lambda trace: [step.tied > 1 for step in trace.steps].count(True) == 4,
    "hug-pug-pun-bun-hugs": lambda trace: [step.tied for step in trace.steps[:5]] == [1, 1, 1, 1, 2],
    "low-lower-lowest-low-me": lambda trace: [
        [trace.variant.label(symbol) for symbol in trace.tokenizer().tokens(word)]
        for word in ("lower", "lose")
    ] == [["lowe", "r", "_"], ["lo", "s", "e", "_"]],
    "the-sky-is-blue": lambda trace: {step.count for step in trace.steps} == {1},
    "aaabdaaabac": lambda trace: trace.steps[1].tied == 2,
    "ties": lambda trace: max(step.tied for step in trace.steps) >= 20,
    "story": lambda trace: trace.steps[3].pair == (b" t", b"he")
    and max(len(left + right) for left, right in trace.merges[:5]) <= 4
    and b" lighthouse" not in trace.vocabulary(400)
    and b" letter" in trace.vocabulary(400),
}  # fmt: skip


def test_six_texts_are_for_somebody_without_an_idea_and_stand_together() -> None:
    slugs = [sample.slug for sample in SAMPLES.values()]
    first = [sample for sample in SAMPLES.values() if sample.first]
    assert [sample.slug for sample in first] == slugs[1:7]
    assert all(len(sample.about) <= 42 for sample in first)  # one line of the menu
    assert {language for sample in first for language in sample.languages} == {"en", "hi", "zxx", "ja"}


@pytest.mark.parametrize("slug", CLAIMS)
def test_what_the_list_says_of_a_sample_holds(slug: str) -> None:
    assert CLAIMS[slug](trained(slug))


# The texts ---------------------------------------------------------------------------------------------------------


def test_a_text_is_utf8_and_composed_where_it_claims_to_be() -> None:
    texts = {slug: content(slug) for slug in SAMPLES}
    assert {
        slug for slug, text in texts.items() if not unicodedata.is_normalized("NFC", text)
    } == NOT_COMPOSED
    assert [slug for slug, text in texts.items() if "\0" in text or text.startswith("\ufeff")] == []


def reads_all(sample: Sample) -> bool:
    """Return whether the app reads all characters of a sample."""
    corpus = from_sample(sample.slug)
    if sample.kind == "text":
        return corpus.documents == (content(sample.slug),)
    lines = [line.split(" ") for line in content(sample.slug).splitlines()]
    return corpus.frequencies == {word: int(count) for word, count in lines}


def test_the_app_reads_a_sample_to_the_last_character() -> None:
    assert offenders(reads_all) == []


@pytest.mark.parametrize(
    ("slug", "words"),
    [
        ("low-lowest-newest-wider", {"low": 5, "lowest": 2, "newest": 6, "wider": 3}),
        ("hug-pug-pun-bun-hugs", {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}),
    ],
)
def test_word_lists_hold_the_published_counts(slug: str, words: dict[str, int]) -> None:
    assert from_sample(slug).frequencies == words


@pytest.mark.parametrize(
    ("slug", "text"),
    [
        ("highest-higher-lower", "highest higher lower lowest cooler coolest\n"),
        ("low-lower-lowest-low-me", "low lower lowest\nlow me\n"),
        ("the-sky-is-blue", "the sky is blue"),
        ("aaabdaaabac", "aaabdaaabac"),
        ("which-goes-first", "DCBBABCDCBABCD"),
        ("overlaps", "aaaa aaaaa aa a\n"),
        ("banana", "banana"),
        ("plums", "すもももももももものうち。"),
    ],
)
def test_published_texts_are_there_to_the_letter(slug: str, text: str) -> None:
    assert content(slug) == text  # no line end if the whole text is one word: it would be a symbol


def dna(length: int) -> str:
    """Return the sequence that the rule in README.md makes."""
    motifs = ("TATAAAAG", "GAATTC", "CCATGG", "GATTACA")
    state, sequence, planted = 2024, "", 0
    while len(sequence) < length:
        for _ in range(33):
            state = (1_103_515_245 * state + 12_345) % 2**31
            sequence += "ACGT"[state >> 16 & 3]
        sequence += motifs[planted % len(motifs)]
        planted += 1
    return sequence[:length]


def test_the_genome_follows_from_its_rule() -> None:
    assert content("dna") == dna(6_000) + "\n"


def test_the_virus_begins_as_its_entry_in_genbank() -> None:
    begins = "GAGTTTTATCGCTTCCATGACGCAGAAGTTAACACTTTCGGATATTTCTGATGAGTCGAAAAATTATCTT"
    assert content("virus-dna").startswith(begins)
    assert len(content("virus-dna")) == 210  # three lines of the entry


def test_the_two_functions_run() -> None:
    run = subprocess.run(
        [sys.executable, FOLDER / "two-functions.py"], capture_output=True, text=True, check=True
    )
    assert run.stdout.splitlines()[-1] == "9 34 362880"


def test_the_program_runs_and_its_examples_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    spec = importlib.util.spec_from_file_location("maze", FOLDER / SAMPLES["maze"].file)
    assert spec is not None
    assert spec.loader is not None
    program = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(program)
    actual = doctest.testmod(program)
    assert (actual.failed, actual.attempted) == (0, 12)


LOSSLESS = [slug for slug, row in bpe.PRESETS.items() if bpe.VARIANTS[row.settings["variant"]].lossless]


def test_hard_cases_come_back_whole_from_every_lossless_preset() -> None:
    text = content("hard-cases")
    tokenizers = {preset: trained("hard-cases", preset).tokenizer() for preset in LOSSLESS}
    assert tokenizers
    assert [slug for slug, one in tokenizers.items() if one.decode(one.encode(text)) != text] == []


# Every statement of README.md about a sample corpus agrees with training, to the figure.

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


def banana(trace: Trace) -> str:
    ways = bpe.tie_graph(from_sample("banana").training_text, trace.variant.slug, merges=5)
    assert ways.results == 1
    return f"{tied(trace, 0)}. All {ways.orders} ways to break the ties end in one token."


def peter(trace: Trace) -> str:
    return (
        f"The first two tokens are {tokens(trace, 2)}. {decided(trace)}, "
        f"and {trace.tokens_total(30)} of {trace.tokens_total(0)} tokens are left."
    )


def kabir(trace: Trace) -> str:
    letters = regex.findall(r"\p{M}", content("kabir"))
    return (
        f"{len(letters)} of the {len(content('kabir'))} characters are vowel signs and other marks. "
        f"{spelled(trace, 'बुरा'.encode() + END_OF_WORD)} is created by {maker(trace, 'बुरा'.encode() + END_OF_WORD)}."
    )


def functions(trace: Trace) -> str:
    three, word = b" " * 3, b" return"
    return (
        f"{spelled(trace, three)} is created by {maker(trace, three)}, "
        f"{spelled(trace, word)} by {maker(trace, word)}."
    )


def virus(trace: Trace) -> str:
    first = next(rank for rank, step in enumerate(trace.steps) if step.tied > 1)
    return f"{decided(trace)}. {tied(trace, first)}."


def plums(trace: Trace) -> str:
    step = trace.steps[0]
    return (
        f"{merge_name(0)[:1].upper()}{merge_name(0)[1:]}, {spelled(trace, *step.pair)}, is counted {step.count} times "
        f"and merged {step.replaced} times, since the pairs overlap."
    )


def which_goes_first(trace: Trace) -> str:
    minbpe = trained("which-goes-first", "minbpe-basic")
    chosen = spelled(trace, *trace.merges[0])
    return f"{tie(trace, 0)}. Hugging Face picks {chosen}, minbpe {spelled(minbpe, *minbpe.merges[0])}."


def nowhere(trace: Trace) -> str:
    """Return the tie, and what two trainers make of it. No other way to break the ties leads to a third split."""
    other = trained("nowhere", "tiktoken-educational")
    splits = [" ".join(spelled(one, symbol) for symbol in one.words_at(6)[-1][0]) for one in (trace, other)]
    ways = bpe.tie_graph(from_sample("nowhere").training_text, "bytes-whitespace", merges=6)
    assert (ways.splits[4:], ways.results) == ([1, 2, 2], len({*splits}))
    return (
        f"{tied(trace, 4)}. Hugging Face splits nowhere into {splits[0]}, "
        f"tiktoken's educational code into {splits[1]}."
    )


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
    "banana": banana,
    "peter-piper": peter,
    "kabir": kabir,
    "two-functions": functions,
    "virus-dna": virus,
    "plums": plums,
    "low-lowest-newest-wider": low_lowest,
    "hug-pug-pun-bun-hugs": hug,
    "highest-higher-lower": highest,
    "low-lower-lowest-low-me": lambda trace: f"The tokens are {tokens(trace, 3)}. {tied(trace, 2)}.",
    "the-sky-is-blue": lambda trace: (
        f"{tie(trace, 0)}. After 9 merges the first token is {spelled(trace, trace.words_at(9)[0][0][0])}."
    ),
    "aaabdaaabac": lambda trace: f"{tied(trace, 1)}.",
    "which-goes-first": which_goes_first,
    "nowhere": nowhere,
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
    assert (theirs, len(SAMPLES) - theirs) == (12, 12)
    assert "Twelve come from elsewhere; twelve were written for" in README
