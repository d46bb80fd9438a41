"""The tab Audit of Vocabulary without a browser: what it lists, removes and saves, and its Stop."""

import threading
import time
from collections.abc import Iterator

from streamlit.testing.v1 import AppTest

import bpe
from bpe.analysis.audit import KINDS, audit, audit_steps, remove_tokens
from bpe.checkpoints import checkpoint
from bpe.formats import FORMATS
from bpe.text.sentence_label import sentence_label
from tests.app import LONGEST_RUN, numbers, open_page, run
from tests.ui.encode.encode_page import SAMPLE, TRACE
from tests.ui.gate import press
from tests.waiting import until
from ui.sidebar.corpus import from_sample
from ui.vocabulary.audit import columns_of, finding_rows, sentence

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
        tables = [table.value for table in app.dataframe if tuple(table.value.columns) == columns_of(slug)]
        expected = list(finding_rows(slug, rows, sentence_label(TRACE.variant), 64))
        assert [tuple(row) for table in tables for row in table.to_numpy()] == expected


def test_whole_kinds_are_removed_and_the_smaller_tokenizer_is_saved() -> None:
    app = open_audit(preset="hf-bytelevel", merges=12, audit_by="sidebar", audit_export=True)
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
        cases[name] = sentence(remove_tokens(TOKENIZER, [ids[token] for token in tokens]), findings)
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
    from ui.vocabulary.audit import Reference, audited

    result = audited(
        key, bpe.train("low lower", merges=3).tokenizer(), Reference("digest", texts, is_short=True), wait=0.1
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
