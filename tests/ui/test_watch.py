"""Watch without a browser: the numbers, tables, charts and sentences of a step are the core's."""

import json
import re
from html import escape
from typing import Any
from urllib.parse import urlencode

import pytest

import bpe
from bpe import BPEError
from bpe.analysis.tie_graph import tie_graph
from film.pair_rows import counted_pairs
from published.packing import open_published
from tests.app import (
    caption_text,
    captions,
    chip_rows,
    choose_source,
    open_app,
    open_page,
    sent,
    text_in,
    tokens_shown,
    type_into,
    type_text,
)
from ui.page_parts.first_page import first_parts
from ui.page_parts.watch.details import _figures
from ui.page_parts.watch.notes import _gaps, _losses, _sentence
from ui.shown.every_way import _MOST_WORK, WatchedTraining, _take, way_at_a_glance
from ui.shown.navigation import PAGES
from ui.trainings.corpus import from_sample, from_text, samples
from ui.trainings.recipe import Recipe
from ui.view import charts, tables
from ui.view.text import csv_file

WORDS = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
WORD_LIST = "low 5\nlower 2\nnewest 6\nwidest 3"
TRACE = bpe.train(WORDS, merges=12, **bpe.PRESETS["paper"].settings)


def test_the_first_screen_is_alive() -> None:
    """It shows a trained sample before its first merge, which is a tie."""
    app = open_app()
    sample = next(iter(samples().values()))
    settings = bpe.PRESETS[sample.preset].settings
    trace = bpe.train(from_sample(sample.slug).training_text, merges=sample.merges, **settings)
    assert trace.steps[0].tied == 3
    assert tokens_shown(app) == f"{trace.tokens_total(0):,}"
    assert app.title[0].value == "Watch"
    assert "Press Play. [Lesson 1](./lessons) explains" in app.markdown[0].value


# Addresses of samples and settings, for which the page of the address draws what the visit then shows
DRAWN_EARLY: tuple[dict[str, str], ...] = (
    {},
    {"step": "3"},
    {"corpus_sample": "banana"},
    {"corpus_sample": "kabir", "step": "500"},
    {"tie_break": "last", "merges": "7"},
    {"preset": "minbpe-basic"},
    {"preset": "none", "variant": "bytes-gpt2", "tie_break": "shortest"},
    {"corpus_sample": "two-functions", "step": "9"},
)
# Others: a longer training, a text or a tokenizer that only the visit knows, what nobody knows, and what is ignored
NOT_EARLY: tuple[dict[str, str], ...] = (
    {"corpus_sample": "story"},
    {"merges": "101"},
    {"corpus_source": "paste"},
    {"view": "words"},
    {"embed": "true"},
    {"tie_break": "<script>"},
    {"corpus_sample": "banana", "step": "-1"},
)


@pytest.mark.parametrize("link", DRAWN_EARLY, ids=str)
def test_what_the_page_of_the_address_draws_is_what_the_visit_then_shows(link: dict[str, str]) -> None:
    """The same data, so that the elements stay."""
    part = first_parts()["watch"](link)
    data = re.search('<script type="application/json" id="mbm-first-data">(.*?)</script>', part)
    assert data
    assert json.loads(data[1]) == sent(open_app(link), "watch")
    assert f'data-address="{escape(urlencode(link))}"' in part


@pytest.mark.parametrize("link", NOT_EARLY, ids=str)
def test_no_page_of_an_address_draws_what_only_the_visit_knows(link: dict[str, str]) -> None:
    assert first_parts()["watch"](link) == ""


def test_a_text_of_ones_own_is_first_seen_untouched() -> None:
    """It begins at step 0, since its owner wants to see it from the start."""
    app = type_text(open_app(), WORD_LIST, "words")
    assert tokens_shown(app) == str(TRACE.tokens_total(0))


@pytest.mark.parametrize("step", [0, 1, 5, 12])
def test_the_sentences_above_the_chart_agree_with_a_recount(step: int) -> None:
    words = TRACE.words_at(step)
    tokens = [token for word, frequency in words for token in word * frequency]
    letters = sum(len(word) * frequency for word, frequency in WORDS.items())
    now, more = _figures(TRACE, step)
    sentences = f"{now} {more}"
    assert now == (
        f"After {step} of {len(TRACE.steps)} merges. "
        f"The text has {len(tokens)} tokens there, {len(set(tokens))} different ones."
    )
    assert f"{letters / len(tokens):.2f} characters on average" in sentences
    assert f"In the largest tie, {max(one.tied for one in TRACE.steps)} pairs" in sentences


def test_pair_rows_are_the_cores_pairs() -> None:
    """They agree in counts, changes and ties. The chosen pair is first, and tied pairs come before others."""
    for step in range(len(TRACE.steps)):
        rows, total = counted_pairs(TRACE, step, most=1_000)
        counts = TRACE.pair_counts(step)
        assert {row.pair: row.count for row in rows} == counts
        assert total == len(counts)
        assert rows[0].pair == TRACE.steps[step].pair
        assert rows[0].chosen
        tied = {row.pair for row in rows if row.tied}
        assert tied == (set(TRACE.tied_pairs(step)) if TRACE.steps[step].tied > 1 else set())
        assert [row.count for row in rows] == sorted((row.count for row in rows), reverse=True)
        assert {row.pair: row.change for row in rows if row.change} == {
            pair: change for pair, change in TRACE.counts_changed(step).items() if pair in counts
        }


def test_merges_are_listed_with_ids() -> None:
    """`(116, 104) -> 256`, worked example 5."""
    trace = bpe.train("the sky is blue", merges=9, **bpe.PRESETS["minbpe-basic"].settings)
    rows = list(tables.merge_rows(trace, range(2)))
    assert [row[1] for row in rows] == ["(116, 104) -> 256", "(256, 101) -> 257"]
    assert dict(zip(tables._MERGE_COLUMNS, rows[0], strict=True))["token"] == "th"


def test_the_log_reads_like_the_listings() -> None:
    """Each merge is one line, followed by the segmented words."""
    log = "\n".join(tables.log_lines(TRACE, range(2)))
    assert "merge 1: e + s -> es   ids (" in log
    assert "9 times, tied with 2 others (first occurrence)" in log
    assert "; a real choice: s + t drops from 9 to 0" in log
    assert "6 × n e w es t </w>" in log
    assert "3 × w i d est </w>" in log


def test_the_log_says_counted_and_replaced() -> None:
    """`aaaaa` counts (a, a) four times and replaces two."""
    trace = bpe.train("aaaaa", merges=1, variant="bytes")
    assert "4 times (2 merged: some overlap)" in "\n".join(tables.log_lines(trace, [0]))


def test_the_tab_of_pairs_has_all_pairs_and_opens_them_as_one_table() -> None:
    app = open_app(details="Pairs")
    first, *others = chip_rows(app, "pairs_table")
    assert [first[name] for name in ("left", "right", "becomes", "count", "tied")] == ["e", "s", "es", 9, "◆"]
    assert len(others) == 13
    assert "14 pairs." in captions(app)
    assert app.button(key="whole_pairs").label == "All 14 pairs as one table"


def test_csv_of_a_hostile_corpus_holds_no_formula() -> None:
    """Tokens that begin with =, +, - or @ are text."""
    trace = bpe.train("=1 =1 +1 @A -x", merges=3, variant="char-eow")
    for line in (
        csv_file(tables._MERGE_COLUMNS, tables.merge_rows(trace, range(3))).decode("utf-8-sig").split("\r\n")
    ):
        assert not any(cell.startswith(('"=', '"+', '"-', '"@')) for cell in line.split(","))


@pytest.mark.parametrize("dark", [False, True])
def test_charts_follow_the_step(dark: bool) -> None:
    """The line is at the step."""
    curves = charts.curves(TRACE, 1, dark=dark)
    assert curves["layout"]["shapes"][0]["x0"] == 1
    assert curves["data"][0]["y"] == TRACE.tokens_by_step()


def test_an_axis_of_few_tokens_names_no_number_twice() -> None:
    """Between 0 and 1, Plotly has a mark at 0.5, and rounds it."""
    few = charts.curves(bpe.train("aa", merges=1), 0, dark=False)["layout"]
    many = charts.curves(TRACE, 0, dark=False)["layout"]
    assert few["yaxis2"]["dtick"] == few["yaxis"]["dtick"] == 1
    assert "dtick" not in many["yaxis"]


def test_a_long_curve_keeps_its_ends_and_the_step() -> None:
    """It has no more points than can be seen."""
    steps = charts.sampled(10_000, 4_321)
    assert len(steps) <= charts._MOST_POINTS + 1
    assert {0, 4_321, 10_000} <= set(steps)
    assert charts.sampled(0, 0) == [0]


@pytest.mark.parametrize("source", ["paste", "upload", "words"])
def test_until_there_is_a_new_text_the_picture_stays(source: str) -> None:
    """Also that of a text of one's own, when its field is emptied; and a link to a source without a text has one."""
    app = open_app()
    before = app.session_state["_choice"]
    choose_source(app, source)
    assert app.session_state["_choice"] == before
    type_text(app, "hug pug hug pug")
    own = tokens_shown(app)
    assert own == "16"
    assert tokens_shown(type_into(app, "corpus_text", " ")) == own
    assert open_app({"corpus_source": source}).session_state["_choice"] == before


def test_what_is_typed_beside_a_sample_is_the_text_at_once() -> None:
    """The empty field shows the sample, and has the sample back when another text is chosen."""
    app = open_app()
    assert text_in(app, "corpus_text") == ""
    assert sent(app, "field_corpus_text")["placeholder"].startswith("low lower newest widest")
    type_into(app, "corpus_text", "hug pug")
    assert app.session_state["corpus_source"] == "paste"
    assert app.session_state["_choice"].corpus.documents == ("hug pug",)
    choose_source(app, "sample")
    assert text_in(app, "corpus_text") == ""
    assert text_in(choose_source(app, "paste"), "corpus_text") == "hug pug"


@pytest.mark.parametrize(
    ("text", "ending"),
    [
        ("a", "no pairs are left to merge"),
        ("abc", "no pairs are left to merge"),
        ("日本語の文です", "White space does not"),
    ],
)
def test_small_and_unspaced_texts_say_what_happens(text: str, ending: str) -> None:
    """They say why training ended, and that a sentence is one word here."""
    app = type_text(open_app({"preset": "minbpe-basic" if text == "a" else "paper"}), text)
    assert any(ending in caption.value for caption in app.caption)


def test_no_merges_asked_for_is_said() -> None:
    app = open_app({"merges": "0"})
    assert "You asked for 0 merges" in app.info[0].value
    assert not open_app({"merges": "1"}).info


def test_a_wrong_word_list_is_an_error_and_a_missing_one_is_not() -> None:
    wrong = type_text(open_app(), "low five six", "words")
    assert "line 1" in wrong.error[0].value
    assert tokens_shown(wrong)  # of the text before
    assert not choose_source(open_app(), "words").error


def test_a_vocabulary_too_small_is_one_sentence() -> None:
    """It is the core's, with the smallest possible size."""
    app = open_app({"vocab_size": "3"})
    assert "must be at least" in app.error[0].value
    assert not tokens_shown(app)


@pytest.mark.parametrize(
    "text",
    ["<script>alert(1)</script> **a** :red[x] $y$", "a\0b \u202eabc \u202eabc"],
)
def test_hostile_text_is_only_text(text: str) -> None:
    """The page shows its numbers and its whole log. More texts: tests/ui/test_visits.py."""
    app = type_text(open_app(), text)
    assert tokens_shown(app)
    assert not app.error


def test_a_text_that_no_link_can_hold_is_shared_as_a_file() -> None:
    app = open_app(share_watch=True)
    type_text(app, "low lower " * 200)
    assert any("A link can contain a text of at most" in caption.value for caption in app.caption)
    assert "save_linked_text" in str([one.proto for one in app.get("download_button")])


MORE = "More: tokenizer, code"  # of Share


def test_share_shows_and_saves_the_training_as_a_script_and_its_tokenizer() -> None:
    app = type_text(open_app(share_watch=True, share_watch_parts=MORE), "low lower lowest")
    assert [tab.label for tab in app.tabs][:4] == ["Link", "Film", "Picture", MORE]
    assert "export_trace-json" in str([one.proto for one in app.get("download_button")])
    assert tokens_shown(app)
    (script,) = [code.value for code in app.code if "def merge" in code.value]
    assert 'text = "low lower lowest"' in script
    assert "save_script" in str([one.proto for one in app.get("download_button")])
    assert "save_script_text" not in str([one.proto for one in app.get("download_button")])


def test_the_script_of_a_long_text_reads_it_from_a_file() -> None:
    app = type_text(open_app(share_watch=True, share_watch_parts=MORE), "low lower lowest " * 2_000)
    assert any('/ "text.txt").read_bytes()' in code.value for code in app.code)
    assert "save_script_text" in str([one.proto for one in app.get("download_button")])


def test_a_text_of_which_there_is_no_script_says_why() -> None:
    app = type_text(
        open_app({"variant": "char-eow"}, share_watch=True, share_watch_parts=MORE), "low \U0010ffff"
    )
    assert any("U+10FFFF" in caption.value for caption in app.caption)


def test_a_link_leads_to_its_very_step() -> None:
    """The page offers such a link too."""
    app = open_app({"step": "5"}, share_watch=True)
    sample = next(iter(samples().values()))
    settings = bpe.PRESETS[sample.preset].settings
    trace = bpe.train(from_sample(sample.slug).training_text, merges=sample.merges, **settings)
    assert tokens_shown(app) == f"{trace.tokens_total(5):,}"
    assert sent(app, "link_to_copy")["address"].endswith("?step=5")


@pytest.mark.parametrize(
    ("pattern", "sentence"),
    [
        (r"\p{L}+|\s+", "leaves out 2 characters, starting with “!”"),
        (r"\X", "covers the whole text"),
        ("z", "matches none of the text"),
    ],
)
def test_a_pattern_says_what_it_leaves_out(pattern: str, sentence: str) -> None:
    """The text itself confirms it."""
    app = open_app({"variant": "custom", "corpus_source": "paste"}, corpus_text="ab! ab!", pattern=pattern)
    assert any(sentence in output.value for output in (*app.caption, *app.error))


# of a decomposed text; that the others lose nothing, tests/test_published.py tries with each library
LOST = {"mistral": "", "qwen": "what NFC changed"}


@pytest.mark.parametrize("slug", LOST)
def test_a_published_tokenizer_loses_only_what_its_normalization_changes(slug: str) -> None:
    tokenizer = open_published(slug).tokenizer
    for text, lost in (("caf\u00e9 42", ""), ("cafe\u0301 42", LOST[slug])):
        trace = bpe.replay(text, tokenizer)
        assert _losses(trace, [text], _gaps(trace, [text])) == lost
        assert (tokenizer.decode(tokenizer.encode(text)) == text) == (not lost)


def test_a_pattern_loses_something_only_where_it_leaves_text_out() -> None:
    for text, lost in (("low low", ""), ("low, low", "whatever the pattern does not match")):
        trace = bpe.train(text, bpe.custom_variant("[a-z]+|\\s"), merges=2)
        assert _losses(trace, [text], _gaps(trace, [text])) == lost


@pytest.mark.parametrize(
    ("link", "words", "sentence"),
    [
        (
            {"variant": "custom"},
            "low1 5\nlower2 2",
            "Encoding splits 2 words of it further, starting with “low1”",
        ),
        (
            {"variant": "bytes-gpt2"},
            "don't 5\nlow 2",
            "Encoding splits 1 word of it further, starting with “don't”",
        ),
        ({"variant": "char-eow"}, "low 5", "Lost: the exact white space"),
    ],
)
def test_a_word_list_says_which_words_encoding_splits_further(
    link: dict[str, str], words: str, sentence: str
) -> None:
    """A word list is not split in training, whatever the pattern; encoding splits it."""
    app = open_app({**link, "corpus_source": "words", "merges": "1"}, corpus_text=words, pattern="[a-z]+")
    assert any(sentence in caption for caption in captions(app))
    assert not any("covers the whole text" in output.value for output in app.caption)


def test_a_link_that_asked_about_a_step_opens_watch_at_that_step() -> None:
    """The parameter `ask` of earlier releases is one that no page knows."""
    app = open_app({"corpus_sample": "low-lower-newest-widest", "step": "3", "ask": "pair"})
    assert tokens_shown(app) == f"{TRACE.tokens_total(3):,}"
    assert not app.warning


# The picture of every way on the pages: which trainings have a line, and what is there without a picture.

PAPER = {"corpus_sample": "low-lower-newest-widest"}


@pytest.mark.parametrize("most", [0, _MOST_WORK])
def test_finding_the_picks_for_a_node_is_bounded_by_work(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ui.shown.every_way._MOST_WORK", most)
    corpus = from_sample("low-lower-newest-widest")
    recipe = Recipe("none", "char-eow", "first", 12)
    training = WatchedTraining("mine", recipe, bpe.train(corpus.training_text, **recipe.settings))
    taken = _take(corpus, training, 1, lambda one, picks: lambda: None, "“{}”")
    assert ("would take too long" in taken.sentence) == (most == 0)
    assert (taken.undo is None) == (most == 0)


def test_lanes_that_cut_other_words_have_no_line_and_the_page_says_so() -> None:
    app = open_page("compare", PAPER | {"lanes": "first~pair-max~hf-bytelevel"}, compare_details="Every way")
    assert "has no line here" in caption_text(app)


def test_lanes_that_differ_by_their_rule_alone_have_a_line_each() -> None:
    app = open_page("compare", PAPER | {"lanes": "first~pair-max"}, compare_details="Every way")
    assert "no line here" not in caption_text(app)


AT_A_GLANCE = {
    "the paper's words": ("low " * 5 + "lower " * 2 + "newest " * 6 + "widest " * 3, {"merges": 12}, True),
    "one word": ("banana", {}, True),
    "one way": ("a a a", {}, False),
    "any order": ("ab cd", {"variant": "bytes-whitespace"}, False),
    "more than 13 splits": ("she sells sea shells by the sea shore", {}, False),
    "many words": ("banana " + " ".join(map(str, range(20))), {}, False),
    "two stages": ("low lower low", {"second_pattern": "lines", "second_after": 1}, False),
}


@pytest.mark.parametrize(("text", "settings", "stands"), AT_A_GLANCE.values(), ids=AT_A_GLANCE)
def test_few_ways_of_a_short_text_are_seen_at_a_glance(
    text: str, settings: dict[str, Any], stands: bool
) -> None:
    trace = bpe.train(text, **settings)
    recipe = Recipe.of({"preset": "none", "variant": "char-eow", "tie_break": "first", "merges": 12})
    training = WatchedTraining("first", recipe, trace)
    assert (way_at_a_glance(from_text(text), training) is not None) == stands


def test_where_all_ways_cannot_be_listed_the_page_says_why() -> None:
    with pytest.raises(BPEError) as problem:
        tie_graph("low lower", merges=3, second_pattern="lines", second_after=1)
    app = open_app({"corpus_sample": "story", "second_stage": "lines"})
    assert str(problem.value) in [info.value for info in app.info]


def test_a_page_ends_with_the_next_step() -> None:
    assert [row.next[0] for row in PAGES.values() if row.next[0] not in PAGES] == []
    links = [one.proto for one in open_app().get("page_link")]
    assert [(link.page, link.label) for link in links if "Next" in link.label] == [
        ("compare", f"**Next:** {PAGES['watch'].next[1]} →")
    ]


def test_a_tokenizer_without_merges_has_learned_nothing() -> None:
    tokenizer = bpe.train("low", "bytes-whitespace", merges=0).tokenizer()
    assert _sentence(bpe.replay("low lower", tokenizer)) == "it has no merges."
    like = bpe.train_like("low low", tokenizer, merges=1)
    assert _sentence(like).startswith("1 new merge, learned from this text. All else is this tokenizer's")
