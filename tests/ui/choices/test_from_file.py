"""Tokenizers from files on the pages: opened, described, replayed, used, and compared as lanes."""

import io
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
import tiktoken
from streamlit.testing.v1 import AppTest
from subword_nmt.apply_bpe import BPE
from subword_nmt.learn_bpe import learn_bpe

import bpe
from bpe.formats import FORMATS
from bpe.text.patterns import GPT2_PATTERN
from published.rows import PUBLISHED
from tests.app import caption_text, chip_rows, open_app, open_page, run, sent, take_row, tokens_shown
from tests.material.trained_tokenizers import hugging_face
from tests.ui.choices.tokenizer_uploads import (
    JSON,
    MORE,
    UPLOADED_TEXT,
    opened,
    tiktoken_file,
    tiktoken_ranks,
    upload,
)
from ui.choices.share_file import read_share_file, share_file
from ui.page_parts.compare.lanes import first_lanes, read_lane, read_link, title_of
from ui.page_parts.encode.encoded_text import _ids_of
from ui.page_parts.encode.stage import _NO_CODE
from ui.page_parts.watch.notes import _sentence
from ui.trainings import memory_budget, tokenizer_files
from ui.trainings.corpus import from_text
from ui.trainings.memory_budget import _Budget
from ui.trainings.recipe import Recipe, signature
from ui.view import tables
from ui.view.visit import COMPARED_TRAINERS


def test_before_a_file_is_open_the_page_says_which_files_can_be() -> None:
    app = open_app(recipe_source="file")
    assert app.info[0].value == (
        "There is no tokenizer yet: open its file under Tokenizer, or drop it on this page."
    )
    text = "\n".join(markdown.value for markdown in app.markdown)
    assert all(kind in text for kind in ("tokenizer.json", "merges.txt", ".tiktoken", "subword-nmt"))
    assert not app.exception
    app.button(key="train_instead").click()
    assert tokens_shown(run(app))


def test_an_opened_file_is_described_and_replayed() -> None:
    app = opened()
    tokenizer = hugging_face(MORE)
    merges = len(json.loads(JSON)["model"]["merges"])
    described = f"**my.json** · tokenizer.json · {merges:,} merges · {tokenizer.get_vocab_size():,} tokens"
    assert described in caption_text(app)
    assert f"of its {merges:,} merges apply to this text" in caption_text(app)
    assert "largest tie" not in caption_text(app)
    # What belongs to a training makes way.
    keys = {widget.key for widget in (*app.selectbox, *app.number_input)}
    assert not keys & {"preset", "variant", "tie_break", "merges"}
    assert sent(app, "watch")["change"]["picks"] == []
    assert dict(app.query_params) == {"recipe_source": "file"}


def test_parts_that_are_not_used_are_named() -> None:
    content = json.loads(hugging_face(MORE, lowercase=True).to_str())
    content["truncation"] = {"direction": "Right", "max_length": 8, "strategy": "LongestFirst", "stride": 0}
    assert "truncation" in caption_text(opened(json.dumps(content).encode()))


CASES: dict[str, tuple[str, Any]] = {
    "tokenizer.json": ("my.json", lambda text: hugging_face(MORE).encode(text).ids),
    ".tiktoken": (
        "my.tiktoken",
        lambda text: tiktoken.Encoding(
            "x", pat_str=GPT2_PATTERN, mergeable_ranks=tiktoken_ranks(), special_tokens={}
        ).encode_ordinary(text),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_last_step_has_the_library_s_tokens_and_ids(case: str) -> None:
    name, ids = CASES[case]
    content = JSON if case == "tokenizer.json" else tiktoken_file(tiktoken_ranks())
    file = tokenizer_files.open_files([(name, content)], "bytes-gpt2")
    trace = bpe.replay(UPLOADED_TEXT, file.tokenizer)
    last = len(trace.steps)
    assert _ids_of(file.tokenizer, trace.segment(UPLOADED_TEXT, last)) == ids(UPLOADED_TEXT)
    rows = list(tables.merge_rows(trace, range(last)))
    for row, step in zip(rows, trace.steps, strict=True):
        left, right = step.pair
        own = [ids(part.decode())[0] for part in (left, right, left + right) if part.isascii()]
        if len(own) == 3:
            assert row[1] == f"({own[0]}, {own[1]}) -> {own[2]}"
        listed: Any = dict(zip(tables.merge_columns(trace), row, strict=True))["rank in the file"]
        assert listed == step.list_rank
        assert file.tokenizer.merges[listed] == step.pair


def test_codes_of_subword_nmt_cut_as_the_library_does() -> None:
    codes = io.StringIO()
    learn_bpe(io.StringIO(MORE), codes, 60, min_frequency=2)
    file = tokenizer_files.open_files([("codes.txt", codes.getvalue().encode())], "guess")
    trace = bpe.replay("lower newest", file.tokenizer)
    pieces = BPE(io.StringIO(codes.getvalue())).segment("lower newest").replace("@@", "").split()
    symbols = trace.segment("lower newest", len(trace.steps))
    assert [symbol.rstrip(bpe.END_OF_WORD).decode() for symbol in symbols] == pieces
    assert file.opened.kind == "subword-nmt codes"
    assert not file.opened.says_split


def test_codes_and_their_vocabulary_are_one_tokenizer_with_counts() -> None:
    trace = bpe.train(MORE, merges=40, **bpe.PRESETS["subword-nmt"].settings)
    contents = {
        name: FORMATS[slug].trace_content(trace, 40)
        for name, slug in (("vocab.txt", "subword-nmt-vocabulary"), ("codes.txt", "subword-nmt"))
    }
    file = tokenizer_files.open_newest(list(contents.items()), "guess")
    assert file.opened.kind == "subword-nmt codes and vocabulary"
    assert file.tokenizer.frequencies == {
        token: count for token, count in trace.token_counts(40).items() if token in file.tokenizer.ids
    }


def test_the_way_to_split_text_can_be_chosen_for_a_file_that_does_not_say_it() -> None:
    app = opened(tiktoken_file(tiktoken_ranks()), "my.tiktoken")
    assert "it is split as in “Bytes, GPT-4 pattern”" in caption_text(app)
    first = app.session_state["_tokenizer"]
    app.selectbox(key="file_split").select("bytes-gpt2")
    run(app)
    assert app.session_state["_tokenizer"] != first
    assert "it is split as in" not in caption_text(app)
    assert app.query_params["file_split"] == "bytes-gpt2"
    assert "file_split" not in {widget.key for widget in opened().selectbox}  # a tokenizer.json says it


def test_the_sentence_counts_merges_that_apply_and_those_the_counts_would_choose() -> None:
    file = tokenizer_files.open_files([("my.json", JSON)], "guess")
    trace = bpe.replay(UPLOADED_TEXT, file.tokenizer)
    chosen = 0
    for step in trace.steps:
        chosen += step.count == max(trace.pair_counts(step.rank).values())
    listed = len(file.tokenizer.merges)
    assert _sentence(trace) == (
        f"{len(trace.steps)} of its {listed} merges apply to this text. The others stay in its vocabulary and "
        f"encode other texts. Training on this text could have chosen {chosen} of these {len(trace.steps)} too."
    )
    assert "none of its" in _sentence(bpe.replay("☃", file.tokenizer))


def test_the_sentence_says_that_a_list_is_out_of_order() -> None:
    symbols = (b"a", b"aa", b"aaa")
    listed = ((b"aa", b"a"), (b"a", b"a"))
    tokenizer = bpe.Tokenizer(bpe.VARIANTS["bytes-gpt2"], symbols, listed, one_by_one=True)
    assert "1 of them needs a token that a later merge of the list makes." in _sentence(
        bpe.replay("aaaa", tokenizer)
    )
    assert "later merge" not in _sentence(bpe.replay("aa", tokenizer))


def test_a_file_is_parsed_once_for_each_content_and_split() -> None:
    first = tokenizer_files.open_files([("a.json", JSON)], "guess")
    again = tokenizer_files.open_files([("b.json", JSON)], "guess")
    assert first.tokenizer is again.tokenizer
    assert (first.id, first.name, again.name) == (again.id, "a.json", "b.json")
    ranks = tiktoken_file(tiktoken_ranks())
    ids = {tokenizer_files.open_files([("a", ranks)], split).id for split in ("bytes-gpt2", "bytes-gpt4")}
    assert len(ids) == 2


@pytest.mark.slow
def test_one_session_cannot_get_the_file_of_another() -> None:
    """Not even by the id of a lane, or by the hash in a share file."""
    file = tokenizer_files.open_files([("secret.json", JSON)], "guess")
    app = open_page("compare", lanes=[file.id, "first", "last"])
    assert file.id not in app.session_state["lanes"]


def test_the_signature_of_a_replay_is_that_of_file_and_text() -> None:
    one = Recipe.of({"preset": "none", "variant": "bytes", "tie_break": "first", "merges": 3})
    replays = [one.changed(recipe_source="file", file="f", merges=merges) for merges in (1, 2)]
    names = {signature(from_text(UPLOADED_TEXT), recipe) for recipe in (*replays, one)}
    assert len(names) == 2
    assert replays[0].trained.changed(merges=3) == one


def test_code_of_an_opened_tokenizer_encodes_or_says_why_there_is_none() -> None:
    reordered = json.loads(JSON)
    reordered["model"]["merges"].reverse()  # a token is now used before it is made
    for content, none in ((JSON, ""), (json.dumps(reordered).encode(), _NO_CODE)):
        app = opened(content)
        app.switch_page("pages/encode.py")
        run(app)
        listing = sent(app, "encode")["listing"]
        assert (bool(listing["lines"]), listing["none"]) == (not none, none)


def test_encode_vocabulary_and_bytes_work_on_an_opened_tokenizer() -> None:
    app = opened()
    for page in ("encode", "vocabulary", "bytes"):
        app.switch_page(f"pages/{page}.py")
        run(app)
        assert not app.error
    app.switch_page("pages/vocabulary.py")
    run(app)
    rows = chip_rows(app, "vocabulary_table")
    ids = hugging_face(MORE).get_vocab()
    merges = json.loads(JSON)["model"]["merges"]
    rank, token = next(
        (rank, left + right)
        for rank, (left, right) in enumerate(merges)
        if (left + right).isalpha() and rank > 20
    )
    row = next(row for row in rows if row["token"] == token)
    assert (row["id"], row["merge"]) == (ids[token], rank + 1)
    assert {row["token"] for row in rows if row["state"] == "· never seen"} & {"Q", "Z"}


def test_files_are_lanes_beside_trained_ones_and_each_other() -> None:
    app = opened()
    app.switch_page("pages/compare.py")
    run(app)
    first, trainer = app.session_state["lanes"]
    assert first.startswith("file-")
    assert trainer in bpe.PRESETS
    listed = len(json.loads(JSON)["model"]["merges"])
    trained = [trace for trace in app.session_state["_traces"].values() if not trace.replayed]
    assert [trace.settings["merges"] for trace in trained] == [listed]
    app.file_uploader(key="lane_upload").upload("my.tiktoken", tiktoken_file(tiktoken_ranks()))
    run(app)
    lanes = app.session_state["lanes"]
    assert len(lanes) == 3
    assert lanes[2].startswith("file-")
    assert not app.main.warning
    figures = "\n".join(text.value for text in (*app.caption, *app.markdown))
    assert "tokens under “my.json”" in figures
    assert "first differ at" not in figures
    app.file_uploader(key="lane_upload").upload("cat.png", b"\x89PNG")
    run(app)
    assert "a PNG picture" in app.error[0].value
    assert app.session_state["lanes"] == lanes
    for tab in ("Encode under each", "Vocabularies"):
        app.session_state["compare_details"] = tab
        run(app)


def test_a_file_replaces_the_last_of_eight_lanes_and_a_sentence_says_which() -> None:
    app = open_page("compare", {"corpus_sample": "low-lower-newest-widest"})
    app.multiselect(key="lanes").set_value(["first", "last", *COMPARED_TRAINERS])
    run(app)
    assert "different numbers of merges" not in " ".join(element.value for element in app.markdown)
    app.file_uploader(key="lane_upload").upload("my.tiktoken", tiktoken_file(tiktoken_ranks()))
    run(app)
    *rest, file = app.session_state["lanes"]
    assert rest == ["first", "last", *COMPARED_TRAINERS[:-1]]
    assert file.startswith("file-")
    (warning,) = app.main.warning
    assert warning.value == (
        "“Stanford CS336, assignment 1” was dropped for “my.tiktoken”: no more than 8 lanes fit."
    )
    told = " ".join(element.value for element in app.markdown)
    assert "The lanes have different numbers of merges: 12 to 84." in told
    assert "no more than luck:" not in f"{told} {caption_text(app)}"
    app.multiselect(key="lanes").set_value([*rest[:2], file])
    run(app)
    assert not app.main.warning


# A wrong or hostile tokenizer's file gets one sentence on the page, and nothing else is lost.


def deep() -> bytes:
    return b'{"model":' + b"[" * 100_000 + b"]" * 100_000 + b"}"


def changed(**model: object) -> bytes:
    content = json.loads(JSON)
    content["model"] |= model
    return json.dumps(content).encode()


# More files, and what is said of each: tests/bpe/formats/test_refused_files.py
HOSTILE = {
    "deep nesting": ("my.json", deep(), "my.json"),
    "a name like markup": ("<img src=x onerror=alert(1)>*.json", b"\x89PNG", "a PNG picture"),
}


def test_a_hostile_file_gets_one_sentence_and_nothing_is_lost() -> None:
    app = opened()
    before = tokens_shown(app)
    for case, (name, content, words) in HOSTILE.items():
        upload(app, name, content)
        (error,) = app.error
        assert words in error.value.replace("\\", ""), case
        assert not re.search(r"(?<!\\)<", error.value), case  # escaped, so no markup
        assert "Traceback" not in error.value, case
        assert tokens_shown(app) == before, case
        upload(app, "my.json", JSON)
        assert not app.error, case


def test_a_wrong_file_does_not_block_the_next_one() -> None:
    """The browser keeps the wrong file in the field and sends both."""
    app = open_app(recipe_source="file")
    for bad in ("bad.json", "notes.txt"):
        app.file_uploader(key="tokenizer_upload").set_value([(bad, b'{"a": 1}', ""), ("my.json", JSON, "")])
        run(app)
        assert not app.error
        assert "**my.json** · tokenizer.json" in caption_text(app)
    merges = b"#version: 0.2\nl o\nlo w\n"
    app.file_uploader(key="tokenizer_upload").set_value([("bad.json", b"[]", ""), ("merges.txt", merges, "")])
    run(app)
    assert app.error[0].value.endswith("To open merges.txt alone, remove bad.json.")
    assert "**my.json** · tokenizer.json" in caption_text(app)


def test_a_cycle_of_merges_ends_with_a_sentence_or_a_trace() -> None:
    content = json.loads(JSON)
    vocabulary = content["model"]["vocab"]
    vocabulary |= {"lowl": 9_000, "wlo": 9_001}
    merges = [["lo", "wlo"], ["w", "lo"], ["lowl", "o"]]
    app = opened(changed(vocab=vocabulary, merges=[*content["model"]["merges"], *merges]))
    assert len(app.error) <= 1
    assert not app.exception


def test_a_token_that_looks_like_markup_stays_text() -> None:
    content = json.loads(JSON)
    content["added_tokens"][0]["content"] = "<script>alert(1)</script> :red[x]"
    content["model"]["vocab"] = {
        ("<script>alert(1)</script> :red[x]" if token == "<|end|>" else token): number
        for token, number in content["model"]["vocab"].items()
    }
    app = opened(json.dumps(content).encode(), "<b>*x*</b>.json")
    assert not app.error
    assert "<b>" not in caption_text(app)
    assert r"\<b\>\*x\*\</b\>.json" in caption_text(app)


# A share file or a link that uses a tokenizer's file asks for that file.


def shared_with(name: str = "my.json") -> bytes:
    """Return a share file that uses the tokenizer."""
    app = opened(name=name)
    choice = app.session_state["_choice"]
    return share_with(app, choice.recipe)


def share_with(app: AppTest, recipe: Recipe) -> bytes:
    file = app.session_state["_choice"].file
    content = json.loads(share_file(from_text(UPLOADED_TEXT), recipe))
    content["tokenizer"] = {"name": file.name, "sha256": file.digest}
    return json.dumps(content).encode()


def test_a_share_file_asks_for_its_tokenizer_and_knows_a_wrong_one() -> None:
    share = shared_with()
    shared = read_share_file(share)
    assert shared.values["recipe_source"] == "file"
    expected = shared.tokenizer
    assert expected
    assert expected.name == "my.json"
    app = open_app()
    app.file_uploader(key="share_file").upload("share.json", share)
    run(app)
    assert app.info[0].value == "This share file uses the tokenizer my.json. Open it to go on."
    upload(app, "other.json", hugging_face(MORE, lowercase=True).to_str().encode())
    assert "is not the tokenizer my.json that the share file uses" in app.error[0].value
    assert app.info
    upload(app, "renamed.json", JSON)
    assert not app.error
    assert not app.info
    assert tokens_shown(app)


def test_one_can_go_on_without_the_tokenizer_of_a_share_file() -> None:
    app = open_app()
    app.file_uploader(key="share_file").upload("share.json", shared_with())
    run(app)
    app.button(key="no_expected_tokenizer").click()
    run(app)
    assert "There is no tokenizer yet" in app.info[0].value
    upload(app, "other.json", hugging_face(MORE, lowercase=True).to_str().encode())
    assert not app.error


@pytest.mark.parametrize(
    "field", [1, {}, {"name": "x"}, {"name": "x", "sha256": "../x"}, {"name": 3, "sha256": "0" * 64}]
)
def test_a_share_file_with_a_wrong_tokenizer_is_refused(field: object) -> None:
    share = json.dumps(json.loads(shared_with()) | {"tokenizer": field}).encode()
    with pytest.raises(bpe.BPEError, match="“tokenizer”"):
        read_share_file(share)


def test_a_link_that_takes_its_merges_from_a_file_asks_for_it() -> None:
    app = open_app({"recipe_source": "file"}, share_watch=True)
    assert "which no link can contain" in app.info[0].value
    upload(app, "my.json", JSON)
    assert "need the tokenizer's file too" in caption_text(app)


# Published tokenizers on the pages: a switch and a menu, the link, the share file, and lanes of Compare.

GPT_2 = {"recipe_source": "published", "published": "gpt-2"}
SHARED = Recipe.of({"preset": "none", "variant": "bytes", "tie_break": "first", "merges": 3})


def test_a_link_plays_a_published_tokenizer_over_the_text() -> None:
    app = open_app(GPT_2)
    tokenizer = tokenizer_files.published_file("gpt-2").tokenizer
    assert f"of its {len(tokenizer.merges):,} merges apply to this text" in caption_text(app)
    assert {key: app.query_params[key] for key in GPT_2} == GPT_2


def test_the_switch_offers_it_and_the_link_names_it() -> None:
    app = open_app()
    app.segmented_control(key="recipe_source").set_value("published")
    run(app)
    assert app.query_params["published"] == next(iter(PUBLISHED))
    take_row(app, "published", "gpt-2")
    assert app.query_params["published"] == "gpt-2"
    assert "GPT-2" in caption_text(app)
    app.segmented_control(key="recipe_source").set_value("train")
    run(app)
    assert "published" not in app.query_params


@pytest.fixture
def no_memory() -> Iterator[None]:
    before = memory_budget._budget
    memory_budget.keep_within()
    tokenizer_files._PUBLISHED.forget()
    tokenizer_files._IN_USE.clear()
    yield
    memory_budget._keep_to(before)


@pytest.mark.slow
@pytest.mark.usefixtures("no_memory")
def test_a_published_tokenizer_that_does_not_fit_leaves_the_page_and_says_so() -> None:
    app = open_app({"merges": "5"})
    shown = tokens_shown(app)
    app.session_state["recipe_source"] = "published"
    memory_budget._keep_to(_Budget(1, pause=0.0, grace=0.0, between_returns=0.0))
    run(app)
    assert app.error[0].value.startswith("This does not fit into the 0 MB of memory")
    assert tokens_shown(app) == shown

    app = open_app({"recipe_source": "published", "published": "gpt-4"})  # no page before it
    assert app.error[0].value.startswith("This does not fit into the 0 MB of memory")
    assert app.button(key="train_instead").label == "Train on the text instead"


def test_a_published_tokenizer_that_somebody_uses_is_not_opened_again() -> None:
    used = tokenizer_files.published_file("gpt-2")
    tokenizer_files._PUBLISHED.forget()
    assert tokenizer_files.tokenizer_if_open("gpt-2") is used.tokenizer
    assert tokenizer_files.tokenizer_for_now("gpt-2") is used.tokenizer
    assert tokenizer_files.published_file("gpt-2").tokenizer is used.tokenizer


def test_an_unknown_slug_in_a_link_gets_a_sentence() -> None:
    app = open_app({"published": "gpt-99"})
    assert "gpt-99" in " ".join(warning.value for warning in app.warning)


def test_a_share_file_names_it() -> None:
    recipe = SHARED.changed(**GPT_2, file="published-gpt-2")
    values = read_share_file(share_file(from_text("low lower"), recipe)).values
    assert {key: values[key] for key in GPT_2} == GPT_2


def test_every_page_uses_it() -> None:
    lanes = ["published-gpt-2", "first"]  # by itself, Compare opens a larger one beside it
    app = open_app(GPT_2, lanes=lanes)
    for page in ("compare", "encode", "vocabulary", "bytes"):
        app.switch_page(f"pages/{page}.py")
        assert not run(app).error, page


def test_it_is_a_lane_whose_title_needs_no_opening() -> None:
    lane = read_lane("published-gpt-2", SHARED)
    assert (lane.title, lane.recipe.file) == (PUBLISHED["gpt-2"].title, "published-gpt-2")
    assert lane.recipe.title == PUBLISHED["gpt-2"].title
    closed = [slug for slug in PUBLISHED if not tokenizer_files.tokenizer_if_open(slug)]
    assert [title_of(f"published-{slug}", SHARED) for slug in closed] == [
        PUBLISHED[slug].title for slug in closed
    ]
    assert [slug for slug in closed if tokenizer_files.tokenizer_if_open(slug)] == []
    assert read_link("first~published-gpt-2~published-x", SHARED)[0] == ["first", "published-gpt-2"]


def test_compare_begins_with_a_tokenizer_of_other_makers() -> None:
    first, second = first_lanes(read_lane("published-gpt-2", SHARED).recipe)
    assert first == "published-gpt-2"
    assert PUBLISHED[second.removeprefix("published-")].maker != "OpenAI"
