"""The shared controls: they survive reruns, the link holds them as slugs, and bad links are reported."""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block, Error

import bpe
from merge_by_merge.__main__ import main
from tests.app import (
    LONGEST_RUN,
    caption_text,
    choose_source,
    open_app,
    run,
    send_event,
    sent,
    take_row,
    text_in,
    tokens_shown,
    type_into,
    type_text,
)
from ui.choices import read_start_file, start_file
from ui.choices.choices import _BEFORE_STAGE
from ui.choices.link import _read_link
from ui.choices.share_file import FORMAT, read_share_file, share_file
from ui.choices.text_link import read_texts
from ui.choices.tokenizer_menu import preset_rows
from ui.trainings.corpus import from_text, samples
from ui.trainings.picks import MOST_PICKS, read_picks, write_picks
from ui.trainings.recipe import Recipe, signature
from ui.trainings.settings import PATTERN, SAMPLES, SETTINGS, SOURCES, Menu
from ui.view import visit
from ui.view.text import in_markdown
from ui.view.visit import OPENING_SAMPLES

FIRST = next(iter(samples().values()))
OWN = "low lower lowest slow slower"


def test_a_bare_link_is_the_first_sample_as_it_shows_best() -> None:
    """The link has no parameters."""
    app = open_app()
    chosen = app.session_state
    assert (chosen["corpus_source"], chosen["corpus_sample"]) == ("sample", FIRST.slug)
    assert (chosen["preset"], chosen["merges"]) == (FIRST.preset, FIRST.merges)
    assert dict(app.query_params) == {}


def test_a_link_reproduces_the_choices() -> None:
    """All slugs and numbers are restored."""
    link = {
        "corpus_sample": list(samples())[2],
        "preset": "none",
        "variant": "bytes",
        "tie_break": "pair-max",
        "merges": "8",
        "vocab_size": "270",
        "min_count": "2",
    }
    app = open_app(link)
    assert {key: str(app.session_state[key]) for key in link} == link
    assert dict(app.query_params) == link
    assert dict(run(app).query_params) == link


def test_a_link_holds_a_pattern_of_ones_own() -> None:
    """It holds the unit too, and leaves out the first pattern. The pattern is in the fragment."""
    link = {
        "preset": "none",
        "variant": "custom",
        "tie_break": "first",
        "pattern": r"\w+|[^\w]<b>&",
        "unit": "characters",
    }
    app = open_app(link)
    assert text_in(app, "pattern") == link["pattern"]
    pattern = link.pop("pattern")
    assert dict(run(app).query_params) == link
    fragment = app.session_state["_choice"].fragment
    assert read_texts(fragment) == {"pattern": pattern}
    type_into(app, "pattern", PATTERN)
    assert "pattern" not in run(app).query_params
    assert app.session_state["_choice"].fragment == ""


def test_session_values_are_slugs() -> None:
    """Menus show titles, and the session holds slugs."""
    app = open_app({"preset": "none"})
    menus = {
        "corpus_source": SOURCES,
        "corpus_sample": SAMPLES,
        **{k: row.kind for k, row in SETTINGS.items()},
    }
    for key in ("corpus_source", "corpus_sample", "preset", "variant", "tie_break"):
        menu = menus[key]
        assert isinstance(menu, Menu)
        assert app.session_state[key] in menu.slugs


BAD = {  # parameter -> a value, and what it must be
    "preset": ("wrong", "no such choice"),
    "variant": ("Bytes", "no such choice"),
    "corpus_sample": ("<b>x</b>", "no such choice"),
    "merges": ("50001", "a whole number from 0 to 50,000"),
    "min_count": ("0", "from 1 to"),
    "vocab_size": ("", "a whole number"),
    "picks": ("1-2", "rank.number"),
    "pattern": ("a" * 501, "at most 500 characters"),
}


@pytest.mark.parametrize("bad", [BAD, {"merges": ("1e3", "a whole number"), "pattern": ("a\nb", "one line")}])
def test_a_bad_value_in_the_link_is_ignored_and_named(bad: dict[str, tuple[str, str]]) -> None:
    """A sentence names each value until the viewer dismisses them."""
    app = open_app({key: value for key, (value, _) in bad.items()})
    lines = app.warning[0].value.split("  \n")
    for key, (_, sentence) in bad.items():
        (line,) = (line for line in lines if f"The link's {key} " in line.replace("\\", ""))
        assert sentence in line, key
        assert key not in app.query_params
    assert len(lines) == len(bad)
    assert tokens_shown(app)
    app.button(key="link_read").click()
    assert not run(app).warning


def test_foreign_parameters_are_left_alone() -> None:
    """Parameters of another tool stay in the link."""
    app = open_app({"utm": "x", "merges": "5"})
    assert dict(app.query_params) == {"utm": "x", "merges": "5"}
    assert not app.warning


@pytest.mark.parametrize("preset", list(bpe.PRESETS))
def test_every_preset_trains_and_shows_its_variant_and_rule(preset: str) -> None:
    """The tooltips hold what the one line below a control leaves out."""
    app = open_app({"preset": preset})
    settings = bpe.PRESETS[preset].settings
    variant, rule = app.selectbox(key="variant"), app.session_state["tie_break"]
    assert (variant.value, rule) == (settings["variant"], settings["tie_break"])
    row = bpe.PRESETS[preset]
    lines = {caption.value for caption in app.caption}
    assert in_markdown(bpe.VARIANTS[str(variant.value)].brief) in lines
    listed = next(one for one in preset_rows([preset]) if one.slug == preset)
    assert listed.about == row.brief
    assert f"Source: {row.source}" in listed.more
    assert not variant.disabled
    assert bool(tokens_shown(app)) or app.error


@pytest.mark.parametrize("variant", [slug for slug in bpe.VARIANTS if slug != "custom"])
def test_every_variant_can_be_chosen_freely(variant: str) -> None:
    """A link needs no preset for it."""
    app = open_app({"variant": variant})
    assert app.session_state["preset"] == "none"
    assert tokens_shown(app)


def _choose_variant(app: AppTest, slug: str) -> None:
    app.selectbox(key="variant").set_value(slug)
    run(app)


def _choose_rule(app: AppTest, slug: str) -> None:
    take_row(app, "tie_break", slug)


@pytest.mark.parametrize(
    ("key", "slug", "choose"),
    [("variant", "bytes", _choose_variant), ("tie_break", "pair-max", _choose_rule)],
)
def test_another_variant_or_rule_switches_the_preset_off(
    key: str, slug: str, choose: Callable[[AppTest, str], None]
) -> None:
    """A note says so, and one press brings the preset back with what it sets."""
    app = open_app()
    before = app.session_state[key]
    choose(app, slug)
    assert (app.session_state["preset"], app.session_state[key]) == ("none", slug)
    assert app.query_params[key] == slug
    assert any("so it is off" in caption.value for caption in app.caption)
    app.button(key="preset_back").click()
    run(app)
    assert (app.session_state["preset"], app.session_state[key]) == (FIRST.preset, before)
    assert not any("so it is off" in caption.value for caption in app.caption)
    assert not [button for button in app.button if button.key == "preset_back"]


def test_a_choice_is_explained_on_one_line_of_the_choices() -> None:
    for registry in (bpe.PRESETS, bpe.VARIANTS, bpe.TIE_BREAKS):
        for row in registry.values():
            assert 10 < len(row.brief) <= 45, row.slug
            assert row.brief.endswith("."), row.slug


@pytest.mark.parametrize("rule", [slug for slug, row in bpe.TIE_BREAKS.items() if row.menu])
def test_every_rule_can_be_chosen_freely(rule: str) -> None:
    """The merges are those of the core."""
    app = open_app({"tie_break": rule, "merges": "3"})
    assert "of 3 merges." in caption_text(app)


def test_none_starts_from_the_preset_before() -> None:
    """A single setting can then be changed."""
    app = open_app({"preset": "minbpe-regex"})
    take_row(app, "preset", "none")
    assert (app.session_state["variant"], app.session_state["tie_break"]) == ("bytes-gpt4", "first")
    assert app.query_params["preset"] == "none"


def test_another_sample_brings_its_own_recipe_unless_the_viewer_chose() -> None:
    """A number that the viewer set does not change."""
    second = next(sample for sample in samples().values() if sample.merges != FIRST.merges)
    app = open_app()
    take_row(app, "corpus_sample", second.slug)
    assert (app.session_state["preset"], app.session_state["merges"]) == (second.preset, second.merges)
    app.number_input(key="merges").set_value(9)
    take_row(app, "corpus_sample", FIRST.slug)
    assert (app.session_state["preset"], app.session_state["merges"]) == (FIRST.preset, 9)


def test_what_was_typed_on_stage_goes_and_the_text_of_before_comes_back() -> None:
    app = type_text(open_app(), OWN)
    app.session_state["corpus_source"] = "sample"
    run(app)
    send_event(app, "choices_row", "stage", '"opens"')
    type_text(app, "Anna")
    assert (app.session_state["corpus_source"], app.session_state["corpus_text"]) == ("paste", "Anna")
    send_event(app, "choices_row", "stage", '"closes"')
    assert app.session_state["corpus_source"] == "sample"
    app.session_state["corpus_source"] = "paste"
    assert run(app).session_state["corpus_text"] == OWN


def test_the_text_of_before_the_stage_is_the_visitor_s_memory_until_the_field_is_closed() -> None:
    assert _BEFORE_STAGE in visit.LARGE
    app = open_app()
    send_event(app, "choices_row", "stage", '"opens"')
    assert _BEFORE_STAGE.key in app.session_state
    send_event(app, "choices_row", "stage", '"stays"')  # nothing was typed
    assert _BEFORE_STAGE.key not in app.session_state
    assert app.session_state["corpus_source"] == "sample"


def test_pasted_text_and_word_list_each_keep_their_text() -> None:
    """They share one text area and have two texts."""
    app = type_text(open_app(), OWN)
    type_text(app, "low 5", "words")
    choose_source(app, "sample")
    assert text_in(choose_source(app, "paste"), "corpus_text") == OWN
    assert text_in(choose_source(app, "words"), "corpus_text") == "low 5"


def test_text_and_source_may_change_in_one_run() -> None:
    """As when someone types and clicks at once: the text belongs to the source where it was typed."""
    app = choose_source(open_app(), "paste")
    app.session_state["corpus_source"] = "words"
    type_into(app, "corpus_text", OWN)
    assert text_in(app, "corpus_text") == ""
    assert text_in(choose_source(app, "paste"), "corpus_text") == OWN


def test_files_outlive_another_source() -> None:
    """The uploader forgets its files, but the session does not."""
    app = choose_source(open_app(), "upload")
    app.file_uploader(key="corpus_upload").upload("a.txt", b"low low")
    app.file_uploader(key="corpus_upload").upload("b.txt", b"lower")
    before = tokens_shown(run(app))
    assert before == "14"
    choose_source(app, "sample")
    assert tokens_shown(choose_source(app, "upload")) == before
    assert any("Using 2 files" in caption.value for caption in app.caption)


def test_the_empty_field_shows_the_first_words_of_the_file_that_is_trained_on() -> None:
    app = choose_source(open_app(), "upload")
    no_file_yet = sent(app, "field_corpus_text")["placeholder"]
    assert no_file_yet.startswith("low lower newest widest")
    app.file_uploader(key="corpus_upload").upload("a.txt", b"mat\ncat")
    assert sent(run(app), "field_corpus_text")["placeholder"] == "mat cat"


def state(app: AppTest) -> tuple[object, ...]:
    """Return the text and recipe that are chosen, and what the buttons say."""
    choice = app.session_state["_choice"]
    buttons = [block.proto.popover.label for block in _blocks(app.main) if block.type == "popover"]
    return choice.corpus, choice.recipe, buttons


def _blocks(block: Block) -> Iterator[Block]:
    for child in block.children.values():
        if isinstance(child, Block):
            yield child
            yield from _blocks(child)


def errors_in(app: AppTest, menu: str) -> list[str]:
    """Return the errors in the menu of a choice."""
    return [
        error.value
        for block in _blocks(app.main)
        if block.type == "flex_container" and block.proto.id.endswith(menu)
        for error in block.get("error")
        if isinstance(error, Error)
    ]


BAD_FILES = {
    "a text: Word": ("text", "corpus_upload", "essay.docx", b"PK\x03\x04 word/document.xml"),
    "a text: empty": ("text", "corpus_upload", "empty.txt", b""),
    "a tokenizer: no JSON": ("tokenizer", "tokenizer_upload", "my.json", b"{"),
    "a share file: no JSON": ("text", "share_file", "share.json", b"{"),
}


@pytest.mark.parametrize(("menu", "key", "name", "content"), BAD_FILES.values(), ids=BAD_FILES)
def test_a_file_that_cannot_be_read_changes_nothing_and_says_so_in_its_menu(
    menu: str, key: str, name: str, content: bytes
) -> None:
    app = open_app()
    if menu == "tokenizer":
        app.session_state["recipe_source"] = "file"
        run(app)
    elif key == "corpus_upload":
        choose_source(app, "upload")
    before = state(app)
    app.file_uploader(key=key).upload(name, content)
    assert state(run(app)) == before
    said = errors_in(app, f"menu_{menu}")
    assert len(said) == 1
    assert [error.value for error in app.error] == said  # and nowhere else
    assert state(run(app)) == before
    if key == "corpus_upload":  # files that were read before stay, too
        app.file_uploader(key=key).set_value([("good.txt", b"hug pug hugs", "text/plain")])
        good = state(run(app))
        assert not app.error
        assert good[0] != before[0]
        app.file_uploader(key=key).set_value([(name, content, "")])
        assert state(run(app)) == good
        assert errors_in(app, f"menu_{menu}") == said


def test_a_word_list_that_cannot_be_read_changes_nothing() -> None:
    app = choose_source(open_app(), "words")
    before = state(app)
    type_text(app, "low 5 times", "words")
    assert any("line 1" in error.value for error in app.error)
    assert state(app) == before


def test_no_text_of_the_viewers_own_gets_into_the_link() -> None:
    """The link holds only slugs, numbers and a pattern, which is part of the recipe."""
    app = type_text(open_app(), "secret words")
    assert "secret" not in str(dict(app.query_params))


def test_a_pattern_of_ones_own() -> None:
    """A bad one gives an error of one sentence, a good one trains."""
    app = open_app({"variant": "custom"}, pattern="(")
    assert app.error
    assert tokens_shown(type_into(app, "pattern", r"\w+|\s+"))


def test_picks_are_written_and_read() -> None:
    """They are only numbers, in order of rank."""
    assert read_picks("4.1-0.2") == ((0, 2), (4, 1))
    assert read_picks(write_picks(((0, 2), (4, 1)))) == ((0, 2), (4, 1))
    assert _read_link({"picks": "0.1"}) == ({"picks": ((0, 1),)}, [])


def test_a_link_holds_fifty_picks_and_no_more() -> None:
    picks = [f"{rank}.1" for rank in range(MOST_PICKS + 1)]
    assert len(read_picks("-".join(picks[:-1]))) == MOST_PICKS == 50
    with pytest.raises(bpe.BPEError, match="at most 50"):
        read_picks("-".join(picks))


def test_the_signature_names_text_and_recipe() -> None:
    """It is equal only for equal ones, since it is the key of the cache."""
    base = Recipe("paper", "char-eow", "first", 10)
    text = from_text(OWN)
    others = [
        (text, Recipe("paper", "char-eow", "first", 11)),
        (text, Recipe("none", "char-eow", "first", 10)),
        (text, Recipe("paper", "char-eow", "first", 10, picks=((0, 1),))),
        (from_text(OWN + "."), base),
    ]
    assert signature(text, base) == signature(from_text(OWN), base)
    assert signature(text, base) not in {signature(*other) for other in others}


# Openings: until the viewer chooses, each page begins with the text that shows it best.

FIRST_SAMPLE = next(iter(samples()))
OWN_SAMPLE = OPENING_SAMPLES["compare"]


def script() -> None:
    """Draw what is below the menu, as app.py does before a page with controls."""
    import streamlit as st

    from ui.choices import choices, recipe_controls

    recipe_controls.begin(st.session_state["page"])
    choices.draw()


def opened(page: str, link: dict[str, str] | None = None) -> AppTest:
    app = AppTest.from_function(script, default_timeout=LONGEST_RUN)
    for name, value in (link or {}).items():
        app.query_params[name] = value
    app.session_state["page"] = page
    return run(app)


def goes_to(app: AppTest, page: str) -> AppTest:
    app.session_state["page"] = page
    return run(app)


def test_a_text_that_nobody_chose_is_each_page_s_own() -> None:
    app = opened("watch")
    for page, sample in (
        ("compare", OWN_SAMPLE),
        ("encode", FIRST_SAMPLE),
        ("compare", OWN_SAMPLE),
        ("watch", FIRST_SAMPLE),
    ):
        goes_to(app, page)
        assert (app.session_state["corpus_sample"], app.session_state["merges"]) == (
            sample,
            samples()[sample].merges,
        )


def chosen_sample(app: AppTest) -> None:
    app.session_state["corpus_sample"] = "story"


def fewer_merges(app: AppTest) -> None:
    app.session_state["merges"] = 3


def another_preset(app: AppTest) -> None:
    app.session_state["preset"] = "minbpe-basic"


def typed(app: AppTest) -> None:
    type_text(app, "low lower")


@pytest.mark.parametrize(
    ("page", "choose"),
    [
        ("watch", chosen_sample),
        ("compare", chosen_sample),
        ("compare", fewer_merges),
        ("watch", another_preset),
        ("compare", typed),
    ],
)
def test_a_choice_stays_on_all_pages(page: str, choose: Callable[[AppTest], None]) -> None:
    app = opened(page)
    choose(app)
    run(app)
    keys = ("corpus_source", "corpus_sample", "merges", "preset")
    before = {key: app.session_state[key] for key in keys}
    for other in ("compare", "encode", "compare"):
        goes_to(app, other)
        assert {key: app.session_state[key] for key in keys} == before


@pytest.mark.parametrize("link", [{"corpus_sample": FIRST_SAMPLE}, {"merges": "5"}, {"lanes": "first~last"}])
def test_a_link_keeps_the_text_that_it_names_or_leaves_out(link: dict[str, str]) -> None:
    app = opened("compare", link)
    assert app.session_state["corpus_sample"] == FIRST_SAMPLE


def test_the_first_text_of_other_pages_is_named_in_a_link_to_compare() -> None:
    """A link without parameters would open the page's own text."""
    app = opened("compare")
    assert app.query_params["corpus_sample"] == OWN_SAMPLE
    app.session_state["corpus_sample"] = FIRST_SAMPLE
    run(app)
    assert app.query_params["corpus_sample"] == FIRST_SAMPLE
    goes_to(app, "watch")
    assert "corpus_sample" not in app.query_params


def test_settings_that_a_lesson_brings_stay_even_if_they_are_those_of_the_first_text() -> None:
    def brought() -> None:
        import streamlit as st

        from ui.choices import choices, recipe_controls
        from ui.trainings.corpus import samples

        if st.session_state.pop("brings", False):
            sample = next(iter(samples().values()))
            recipe_controls.put({"preset": sample.preset, "merges": sample.merges})
        recipe_controls.begin(st.session_state["page"])
        choices.draw()

    app = AppTest.from_function(brought, default_timeout=LONGEST_RUN)
    app.session_state["page"] = "watch"
    run(app)
    app.session_state["brings"] = True
    run(app)
    assert goes_to(app, "compare").session_state["corpus_sample"] == FIRST_SAMPLE


# `merge-by-merge FILE`: every session begins with the file, and what cannot be opened gets one sentence.

TEXT = "low lower lowest"
PAPER = Recipe.of({"preset": "paper", "variant": "char-eow", "tie_break": "first", "merges": 3})


@pytest.fixture(autouse=True)
def no_start_file() -> Iterator[None]:
    """End each test without a file."""
    yield
    start_file.start_with(None)


def begin_with(folder: Path, name: str, content: bytes) -> None:
    """Write a file and start with it, as the command does."""
    (folder / name).write_bytes(content)
    start_file.start_with(read_start_file.read_start_file(folder / name))


def test_a_session_begins_with_the_text_also_after_a_reload_unless_its_link_names_another(
    tmp_path: Path,
) -> None:
    begin_with(tmp_path, "words.txt", TEXT.encode())
    app = open_app()
    assert app.session_state["corpus_source"] == "upload"
    assert "Using words.txt, the file that the app was started with." in caption_text(app)
    app.session_state["corpus_source"] = "sample"
    assert "words.txt" not in caption_text(run(app))  # the viewer's own choice stays
    assert "words.txt" in caption_text(open_app({"corpus_source": "upload", "merges": "3"}))  # a reload
    linked = open_app({"corpus_sample": "aaabdaaabac"})  # a link names its text
    assert linked.session_state["corpus_source"] == "sample"
    assert "words.txt" not in caption_text(open_app({"corpus_source": "words"}))


def test_a_share_file_and_a_tokenizer_are_opened_as_what_they_are(tmp_path: Path) -> None:
    recipe = {"preset": "none", "variant": "char-eow", "tie_break": "last", "merges": 3}
    corpus = {"title": "Shared", "documents": [TEXT]}
    begin_with(
        tmp_path, "share.json", json.dumps({"format": FORMAT, "recipe": recipe, "corpus": corpus}).encode()
    )
    app = open_app()
    assert (app.session_state["corpus_text"], app.session_state["tie_break"]) == (TEXT, "last")
    begin_with(tmp_path, "codes.txt", b"#version: 0.2\nl o\nlo w\n")
    app = open_app()
    assert app.session_state["recipe_source"] == "file"
    assert "**codes.txt**" in caption_text(app)


def test_a_file_name_of_any_bytes_can_be_shown_and_shared(tmp_path: Path) -> None:
    file = tmp_path / os.fsdecode(b"caf\xe9.txt")
    file.write_bytes(TEXT.encode())
    corpus = read_start_file.read_start_file(file).corpus
    assert corpus
    assert corpus.title == "caf\ufffd.txt"
    assert read_share_file(share_file(corpus, PAPER)).corpus.title == corpus.title


def test_a_share_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    recipe = {"preset": "none", "variant": "char-eow", "tie_break": "last", "merges": 3}
    file = {"format": FORMAT, "recipe": recipe, "corpus": {"title": "Shared", "documents": [TEXT]}}
    begin_with(tmp_path, "share.json", json.dumps(file).encode("utf-8-sig"))
    assert open_app().session_state["corpus_text"] == TEXT


def test_json_that_is_neither_is_a_text(tmp_path: Path) -> None:
    begin_with(tmp_path, "poems.json", b'{"poem": "low low lower"}')
    assert "Using poems.json" in caption_text(open_app())


REFUSED: dict[str, tuple[str, bytes | None, str]] = {
    "no such file": ("nowhere.txt", None, "There is no file"),
    "a folder": (".", None, "is a folder: name one file"),
    "a device": ("/dev/zero", None, "is not a regular file"),
    "a picture": ("picture.txt", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9, ""),
    "nothing": ("empty.txt", b" \n", "nothing but white space"),
    "a broken share file": ("share.json", f'{{"format": "{FORMAT}"}}'.encode(), "“recipe” must contain"),
    "a broken tokenizer": ("tokenizer.json", b"{}", "tokenizer.json"),
    "too large a text": ("large.txt", b"low " * 6_000_000, "at most 20 MB at a time"),
    "too large a file": ("larger.txt", b"low " * 11_000_000, "At most 40 MB can be opened"),
}


@pytest.mark.parametrize(("name", "content", "sentence"), REFUSED.values(), ids=REFUSED)
def test_a_file_that_cannot_be_opened_ends_the_command_with_a_sentence(
    name: str,
    content: bytes | None,
    sentence: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(SystemExit) as ended:
        main([name])
    error = capsys.readouterr().err
    assert ended.value.code == 2
    assert error.startswith("merge-by-merge: ")
    assert error.count("\n") == 1
    assert sentence in error
