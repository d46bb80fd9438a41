"""The page Vocabulary without a browser: table, search, one token, charts."""

import threading
import time
from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

import bpe
from bpe.analysis.audit import KINDS, audit, audit_steps, remove_tokens, trimming
from bpe.analysis.vocabulary import LONGEST_SHOWN, entries, in_short, merge_tree
from bpe.checkpoints import checkpoint
from bpe.formats import FORMATS
from bpe.text.sentence_label import sentence_label
from tests.app import LONGEST_RUN, chip_rows, numbers, open_page, run
from tests.material.presets import PAGE_PRESETS, preset_trace
from tests.ui.encode_page import SAMPLE, TRACE
from tests.ui.gate import press
from tests.waiting import until
from ui.choices.corpus import from_sample
from ui.components.chip_table import Chips
from ui.saving import _left_out
from ui.vocabulary import audit as audit_tab
from ui.vocabulary import figures
from ui.vocabulary.audit import _columns_of, _finding_rows
from ui.vocabulary.token_table import (
    FILE_COLUMNS,
    MOST_IN_FILE,
    _file_row,
    _longest_in_file,
    _sentence,
    _suggested,
    _table_row,
)


def tokens(app: AppTest) -> list[str]:
    return [str(row["token"]) for row in chip_rows(app, "vocabulary_table")]


def test_every_token_is_a_row() -> None:
    app = open_page("vocabulary")
    rows = chip_rows(app, "vocabulary_table")
    assert {row["id"] for row in rows} == set(range(len(rows)))
    assert len(rows) == len(TRACE.vocabulary(12))
    newest = next(row for row in rows if row["token"] == "newest</w>")
    assert [newest[name] for name in ("merge", "left", "right", "state")] == [8, "new", "est</w>", "● in use"]


@pytest.mark.parametrize("k", [0, 4])
def test_the_table_is_that_of_a_step(k: int) -> None:
    app = open_page("vocabulary", at_step=k)
    assert len(tokens(app)) == len(TRACE.vocabulary(k))


def test_the_table_shows_what_is_searched_for_and_only_unused_tokens_on_request() -> None:
    app = open_page("vocabulary", vocabulary_find="est")
    assert set(tokens(app)) == {"est", "est</w>", "newest</w>", "widest</w>"}
    app.toggle(key="vocabulary_unused").set_value(True)
    run(app)
    assert set(tokens(app)) == {"est", "est</w>"}


def test_the_file_holds_long_tokens_whole_unless_they_fill_the_memory() -> None:
    trace = bpe.train("é" * 1024, variant="bytes", merges=11)
    actual = entries(trace, 11)
    row = _file_row(trace, _longest_in_file(actual))(actual[-1])
    last = dict(zip(FILE_COLUMNS, row, strict=True))
    assert last["token"] == "é" * 1024
    assert last["left"] == "é" * 512
    assert last["bytes"].count("C3") == 1024
    assert _longest_in_file([actual[-1]] * (MOST_IN_FILE // 2048 + 1)) == LONGEST_SHOWN


def test_trimming_shows_what_goes_and_what_it_costs() -> None:
    # 3 is not offered, 2 is nearest.
    app = open_page("vocabulary", vocabulary_charts="Trimming", vocabulary_trim=3)
    least = app.session_state["vocabulary_trim"]
    expected = trimming(TRACE, 12, least)
    assert least in (2, 5)
    values = {metric.label: metric.value for metric in app.metric}
    assert values["Vocabulary"] == f"{expected.vocabulary_after:,}"
    assert values["Tokens in the text"] == f"{expected.tokens_after:,}"
    assert values["Removed at no cost"] == f"{expected.free:,}"
    assert {row["token"]: row["more tokens"] for row in chip_rows(app, "trimmed_tokens")} == {
        TRACE.variant.label(token.symbol): token.cost for token in expected.removed
    }
    assert app.query_params["trim"] == ["5"] if least == 5 else "trim" not in app.query_params
    app.button(key="trim_encode").click()
    run(app)
    assert app.session_state["encode_encoder"] == "trimmed"
    assert app.session_state["encode_trimmed_threshold"] == least


def test_trimming_before_the_first_merge_has_nothing_to_remove() -> None:
    app = open_page("vocabulary", vocabulary_charts="Trimming", at_step=0)
    assert any("no merged token" in info.value for info in app.info)


def test_a_bad_pattern_is_reported_and_the_rest_of_the_page_is_drawn() -> None:
    app = open_page("vocabulary", vocabulary_find="(", vocabulary_how="regex")
    assert len(app.error) == 1
    assert "does not compile" in app.error[0].value
    assert any(heading.value == "One token" for heading in app.header)


def test_a_search_without_a_match_says_what_to_try() -> None:
    app = open_page("vocabulary", vocabulary_find="zebra")
    (said,) = (info.value for info in app.info)
    assert said.startswith("No token matches. These merges split “zebra” into 6 tokens: z e b r a \\<")
    app = open_page("vocabulary", vocabulary_find="99", vocabulary_how="length")
    assert [info.value.partition(".")[2].split()[:2] for info in app.info] == [["Try", "fewer"]]


def test_a_token_is_described_with_the_merge_that_made_it() -> None:
    number = TRACE.id_of(b"est" + bpe.END_OF_WORD)
    app = open_page("vocabulary", vocabulary_token=number)
    assert any("created by merge 3" in block.value for block in app.markdown)


def test_an_id_beyond_the_vocabulary_is_replaced_by_the_suggestion() -> None:
    app = open_page("vocabulary", vocabulary_token=10**9)
    assert app.number_input(key="vocabulary_token").value == _suggested(entries(TRACE, 12))


@pytest.mark.parametrize("preset", PAGE_PRESETS)
def test_the_page_opens_for_a_preset(preset: str) -> None:
    app = open_page("vocabulary", preset=preset, corpus_sample="languages", merges=20)
    assert sorted(tokens(app)) == sorted(entry.label for entry in entries(preset_trace(preset), 20))


@pytest.mark.parametrize("preset", bpe.PRESETS)
def test_the_vocabulary_of_every_preset_fills_table_sentence_tree_and_charts(preset: str) -> None:
    trace = preset_trace(preset)
    for step in (0, 20):
        vocabulary = entries(trace, step)
        rows = list(map(_file_row(trace), vocabulary))
        assert [row[0] for row in rows] == list(range(len(trace.vocabulary(step))))
        assert {len(row) for row in rows} == {len(FILE_COLUMNS)}
        chips = Chips(trace.variant.label, trace.id_of)
        assert [_table_row(trace, entry, chips)[0] for entry in vocabulary] == [row[0] for row in rows]
        for entry in vocabulary:
            named = _sentence(trace, entry, step).removeprefix("The byte token ")
            assert named.startswith(in_short(entry.symbol, sentence_label(trace.variant)))
            assert "<0x" not in named
        chosen = vocabulary[_suggested(vocabulary)]
        assert merge_tree(trace, chosen.symbol).symbol == chosen.symbol
        bars = figures.lengths(vocabulary, trace.variant.unit, dark=False)["data"]
        specials = len(trace.special_tokens)
        assert sum(sum(bar["y"]) for bar in bars) == len(vocabulary) - specials
        points = figures.frequencies(vocabulary, dark=False)["data"][0]
        assert points["y"] == sorted(points["y"], reverse=True)
        assert len(figures.growth(trace, step, dark=False)["data"]) == 4


def test_the_page_opens_without_a_merge() -> None:
    assert len(tokens(open_page("vocabulary", merges=0))) == len(TRACE.vocabulary(0))


def test_the_growth_chart_adds_one_token_a_merge_and_counts_those_in_use() -> None:
    figure = figures.growth(TRACE, 4, dark=False)
    vocabulary, in_use, changes, corpus = figure["data"]
    assert [after - before for before, after in zip(vocabulary["y"], vocabulary["y"][1:], strict=False)] == [
        1
    ] * 12
    assert in_use["y"] == TRACE.in_use_by_step()
    assert set(changes["y"]) <= {-1, 0, 1}
    assert corpus["y"] == TRACE.tokens_by_step()
    assert sum(figures.change_counts(TRACE)) == 12


def test_the_held_out_curve_is_cached_by_its_training_not_by_the_trace_object() -> None:
    def script(trace: "bpe.Trace", key: str) -> None:
        import streamlit as st

        from ui.vocabulary.chart_tabs import _held_out_tokens

        st.session_state["tokens"] = _held_out_tokens(key, trace, "low lowest")

    def tokens(key: str) -> object:
        again = bpe.train("low lower lowest", merges=3)  # the same training, another object
        app = AppTest.from_function(script, kwargs={"trace": again, "key": key}, default_timeout=LONGEST_RUN)
        return app.run().session_state["tokens"]

    first = tokens("one training")
    assert tokens("one training") is first
    assert tokens("another training") is not first
    assert tokens("one training") is not first  # only the last is cached


def test_charts_escape_user_text() -> None:
    trace = bpe.train("<b>x</b> <b>x</b>", merges=9)
    figure = figures.frequencies(entries(trace, len(trace.steps)), dark=False)
    assert not [name for name in figure["data"][0]["customdata"] if "<" in name]
    assert any("&lt;" in name for name in figure["data"][0]["customdata"])


# The tab Audit of Vocabulary without a browser: what it lists, removes and saves, and its Stop.

TOKENIZER = TRACE.tokenizer()


def open_audit(**session: object) -> AppTest:
    return open_page("vocabulary", None, vocabulary_charts="Audit", **session)


def own_text(app: AppTest, text: str) -> AppTest:
    app.session_state["audit_by"] = "own"
    run(app)
    app.text_area(key="audit_own_text").set_value(text)
    return run(app)


def test_each_kind_lists_what_the_core_finds_in_the_chosen_text() -> None:
    app = own_text(open_audit(), "low low newest")
    findings = audit(TOKENIZER, ["low low newest"])
    assert {slug for slug, rows in findings.items() if rows} >= {"never", "inside", "alike"}
    for slug, rows in findings.items():
        app.session_state["audit_kind"] = slug
        run(app)
        assert app.button_group(key="audit_kind").options == [
            f"{KINDS[one].title}: {len(of_kind)}" for one, of_kind in findings.items()
        ]
        drawn = chip_rows(app, f"audit_table_{slug}") if rows else []
        expected = _finding_rows(slug, rows, TRACE.variant.label, 64)
        assert drawn == [dict(zip(_columns_of(slug), row, strict=True)) for row in expected]


def test_whole_kinds_are_removed_and_the_smaller_tokenizer_is_saved() -> None:
    app = open_audit(preset="hf-bytelevel", merges=12, audit_by="yours", audit_export=True)
    tokenizer = bpe.train(
        from_sample(SAMPLE.slug).training_text, merges=12, **bpe.PRESETS["hf-bytelevel"].settings
    ).tokenizer()
    own_text(app, "low low newest")
    assert "Vocabulary" not in numbers(app)  # nothing is chosen yet
    app.session_state["audit_remove"] = ["never"]
    run(app)
    findings = audit(tokenizer, ["low low newest"])
    expected = remove_tokens(tokenizer, [one.id for one in findings["never"]])
    assert numbers(app)["Vocabulary"] == f"{268 - len(expected.removed):,}"
    assert any(caption.value.startswith("The text is split as before.") for caption in app.caption)
    offered = {button.proto.label: not button.proto.disabled for button in app.get("download_button")}
    formats = {row.title for row in FORMATS.values() if row.write_trace is None}
    assert {title for title in formats if offered[title]} >= {"tokenizer.json", ".tiktoken"}
    assert not offered["subword-nmt codes"]


def test_a_removal_says_what_it_means_for_the_text() -> None:
    findings = audit(TOKENIZER, ["low low newest"])
    ids, cases = TOKENIZER.ids, {}
    for name, tokens in {"unused": [b"wi"], "used": [b"low\xff"], "part": [b"lo"]}.items():
        cases[name] = audit_tab._sentence(
            remove_tokens(TOKENIZER, [ids[token] for token in tokens]), findings
        )
    assert cases["unused"].startswith("The text is split as before.")
    assert cases["used"].startswith(
        "The text contains 1 removed token, so it is split differently without it."
    )
    assert "1 chosen token stays, since it is a part of tokens that you keep." in cases["part"]


def test_an_empty_text_of_ones_own_and_a_step_without_merges_say_what_to_do() -> None:
    app = open_audit(audit_by="own")
    assert any("Paste or type a text" in info.value for info in app.info)
    app = open_audit(at_step=0)
    assert any("no merged token to look at" in info.value for info in app.info)


def test_the_link_names_the_sample_that_shows_what_is_used() -> None:
    app = open_page("vocabulary", {"audit": "story"}, vocabulary_charts="Audit")
    assert app.selectbox(key="audit_by").value == "story"
    assert app.query_params["audit"] in ("story", ["story"])


def _stopped(texts: "Waiting", key: str) -> None:
    import streamlit as st

    import bpe
    from ui.vocabulary.audit import _audited, _Reference

    result = _audited(
        key,
        bpe.train("low lower", merges=3).tokenizer(),
        _Reference("digest", texts, is_short=True),
        wait=0.1,
    )
    if result is not None:
        st.metric("kinds", len(result[1]))


class Waiting:
    """Documents that come when the event is set."""

    def __init__(self) -> None:
        self.comes = threading.Event()

    def __iter__(self) -> Iterator[str]:
        while not self.comes.is_set():
            checkpoint()
            time.sleep(0.005)
        yield "low lower"


def test_an_audit_can_be_stopped_and_begun_again() -> None:
    texts = Waiting()
    app = AppTest.from_function(_stopped, args=(texts, "stopped"), default_timeout=LONGEST_RUN)
    run(app)
    press(app, "audit_stop")
    until(lambda: any(button.key == "audit_go_on" for button in run(app).button))
    assert any("stopped before its end" in warning.value for warning in app.warning)
    texts.comes.set()
    press(app, "audit_go_on")
    until(lambda: numbers(run(app)).get("kinds") == str(len(KINDS)))


def test_an_audit_reports_its_share_and_reads_counted_words() -> None:
    *shares, (last, findings) = audit_steps(TOKENIZER, from_sample(SAMPLE.slug).documents)
    assert [share for share, _ in shares] == sorted(share for share, _ in shares)
    assert (last, all(not so_far for _, so_far in shares)) == (1.0, True)
    assert findings == audit(TOKENIZER, {"low": 5, "lower": 2, "newest": 6, "widest": 3})


# The tab “Tokenizer” of Share: all merges at first, and those of the page's step on demand.


def _popover_at(step: int) -> None:
    import bpe
    from ui import saving

    saving.export_tokenizer(bpe.train("low low lower", merges=3), step)


def opened_at(step: int) -> AppTest:
    """Return the tab at a step of three."""
    app = AppTest.from_function(_popover_at, args=(step,), default_timeout=LONGEST_RUN)
    return app.run()


@pytest.mark.parametrize(
    ("step", "choice"), [(0, "No merge"), (1, "The first merge"), (2, "The first 2 merges")]
)
def test_all_merges_are_exported_unless_the_step_is_chosen(step: int, choice: str) -> None:
    app = opened_at(step)
    assert not app.exception
    assert app.button_group(key="export_merges").options == ["All 3 merges", choice]
    assert app.markdown[0].value == "The tokenizer after 3 merges, as a file."
    app.session_state["export_merges"] = "step"
    app.run()
    assert app.markdown[0].value.startswith(f"The tokenizer after {step} merge")


def test_the_last_step_leaves_no_choice() -> None:
    app = opened_at(3)
    assert app.markdown[0].value == "The tokenizer after 3 merges, as a file."
    assert not app.get("button_group")


def test_a_file_without_the_normalization_says_so() -> None:
    lower = bpe.train("Low low", "bytes", merges=1, normalization="lower")
    plain = bpe.train("Low low", "bytes", merges=1)
    silent = {slug for slug, row in FORMATS.items() if _left_out(row, lower)}
    assert silent == FORMATS.keys() - {"tokenizer-json", "trace-json"}
    assert _left_out(FORMATS["tiktoken"], lower) == " It does not say that lower-casing comes first."
    assert not any(_left_out(row, plain) for row in FORMATS.values())
