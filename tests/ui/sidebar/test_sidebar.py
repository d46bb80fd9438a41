"""The shared controls: they survive reruns, the link holds them as slugs, and bad links are reported."""

import pytest

import bpe
from tests.app import choose_source, open_app, run, tokens_shown, type_text
from ui.show.text import in_markdown
from ui.sidebar.corpus import from_text, samples
from ui.sidebar.link import read_link
from ui.sidebar.picks import MOST_PICKS, read_picks, write_picks
from ui.sidebar.recipe import Recipe, signature
from ui.sidebar.settings import PATTERN, SAMPLES, SETTINGS, SOURCES, Menu

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
    """It holds the unit too, and leaves out the first pattern."""
    link = {
        "preset": "none",
        "variant": "custom",
        "tie_break": "first",
        "pattern": r"\w+|[^\w]<b>&",
        "unit": "characters",
    }
    app = open_app(link)
    assert app.text_input(key="pattern").value == link["pattern"]
    assert dict(run(app).query_params) == link
    app.text_input(key="pattern").set_value(PATTERN)
    assert "pattern" not in run(app).query_params


@pytest.mark.parametrize("key", ["corpus_source", "corpus_sample", "preset", "variant", "tie_break"])
def test_session_values_are_slugs(key: str) -> None:
    """Menus show titles, and the session holds slugs."""
    app = open_app({"preset": "none"})
    menus = {
        "corpus_source": SOURCES,
        "corpus_sample": SAMPLES,
        **{k: row.kind for k, row in SETTINGS.items()},
    }
    menu = menus[key]
    assert isinstance(menu, Menu)
    assert app.session_state[key] in menu.slugs


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        ("preset", "wrong", "no such choice"),
        ("variant", "Bytes", "no such choice"),
        ("corpus_sample", "<b>x</b>", "no such choice"),
        ("merges", "50001", "a whole number from 0 to 50,000"),
        ("merges", "1e3", "a whole number"),
        ("min_count", "0", "from 1 to"),
        ("vocab_size", "", "a whole number"),
        ("picks", "1-2", "rank.number"),
        ("pattern", "a" * 501, "at most 500 characters"),
        ("pattern", "a\nb", "one line"),
    ],
)
def test_a_bad_value_in_the_link_is_ignored_and_named(key: str, value: str, sentence: str) -> None:
    """A sentence names the value until the viewer dismisses it."""
    app = open_app({key: value})
    assert sentence in app.warning[0].value
    assert f"The link's {key}" in app.warning[0].value
    assert key not in app.query_params
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
    variant, rule = app.selectbox(key="variant"), app.selectbox(key="tie_break")
    assert (variant.value, rule.value) == (settings["variant"], settings["tie_break"])
    row = bpe.PRESETS[preset]
    lines = {caption.value for caption in app.sidebar.caption}
    assert {in_markdown(row.brief), in_markdown(bpe.VARIANTS[str(variant.value)].brief)} <= lines
    assert row.source.split()[0] in app.selectbox(key="preset").help.replace("\\", "")
    assert not any(widget.disabled for widget in (variant, rule))
    assert bool(tokens_shown(app)) or app.error


@pytest.mark.parametrize("variant", [slug for slug in bpe.VARIANTS if slug != "custom"])
def test_every_variant_can_be_chosen_freely(variant: str) -> None:
    """A link needs no preset for it."""
    app = open_app({"variant": variant})
    assert app.session_state["preset"] == "none"
    assert tokens_shown(app)


@pytest.mark.parametrize(("key", "slug"), [("variant", "bytes"), ("tie_break", "pair-max")])
def test_another_variant_or_rule_switches_the_preset_off(key: str, slug: str) -> None:
    """A note says so, and one press brings the preset back with what it sets."""
    app = open_app()
    before = app.session_state[key]
    app.selectbox(key=key).set_value(slug)
    run(app)
    assert (app.session_state["preset"], app.session_state[key]) == ("none", slug)
    assert app.query_params[key] == slug
    assert any("so it is off" in caption.value for caption in app.sidebar.caption)
    app.button(key="preset_back").click()
    run(app)
    assert (app.session_state["preset"], app.session_state[key]) == (FIRST.preset, before)
    assert not any("so it is off" in caption.value for caption in app.sidebar.caption)
    assert not [button for button in app.button if button.key == "preset_back"]


ROWS = [*bpe.PRESETS.values(), *bpe.VARIANTS.values(), *bpe.TIE_BREAKS.values()]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.slug)
def test_a_choice_is_explained_on_one_line_of_the_sidebar(
    row: bpe.Preset | bpe.Variant | bpe.TieBreak,
) -> None:
    assert 10 < len(row.brief) <= 45
    assert row.brief.endswith(".")


@pytest.mark.parametrize("rule", [slug for slug, row in bpe.TIE_BREAKS.items() if row.menu])
def test_every_rule_can_be_chosen_freely(rule: str) -> None:
    """The merges are those of the core."""
    app = open_app({"tie_break": rule, "merges": "3"})
    assert any("of 3 merges." in caption.value for caption in app.caption)


def test_none_starts_from_the_preset_before() -> None:
    """A single setting can then be changed."""
    app = open_app({"preset": "minbpe-regex"})
    app.selectbox(key="preset").select("none")
    run(app)
    assert (app.session_state["variant"], app.session_state["tie_break"]) == ("bytes-gpt4", "first")
    assert app.query_params["preset"] == "none"


def test_another_sample_brings_its_own_recipe_unless_the_viewer_chose() -> None:
    """A number that the viewer set does not change."""
    second = next(sample for sample in samples().values() if sample.merges != FIRST.merges)
    app = open_app()
    app.selectbox(key="corpus_sample").select(second.slug)
    run(app)
    assert (app.session_state["preset"], app.session_state["merges"]) == (second.preset, second.merges)
    app.number_input(key="merges").set_value(9)
    app.selectbox(key="corpus_sample").select(FIRST.slug)
    run(app)
    assert (app.session_state["preset"], app.session_state["merges"]) == (FIRST.preset, 9)


def test_pasted_text_and_word_list_each_keep_their_text() -> None:
    """They share one text area and have two texts."""
    app = type_text(open_app(), OWN)
    type_text(app, "low 5", "words")
    choose_source(app, "sample")
    assert choose_source(app, "paste").text_area(key="corpus_text").value == OWN
    assert choose_source(app, "words").text_area(key="corpus_text").value == "low 5"


def test_text_and_source_may_change_in_one_run() -> None:
    """As when someone types and clicks at once: the text belongs to the source where it was typed."""
    app = choose_source(open_app(), "paste")
    app.text_area(key="corpus_text").set_value(OWN)
    app.session_state["corpus_source"] = "words"
    run(app)
    assert app.text_area(key="corpus_text").value == ""
    assert choose_source(app, "paste").text_area(key="corpus_text").value == OWN


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


def test_no_text_of_the_viewers_own_gets_into_the_link() -> None:
    """The link holds only slugs, numbers and a pattern, which is part of the recipe."""
    app = type_text(open_app(), "secret words")
    assert "secret" not in str(dict(app.query_params))


def test_a_pattern_of_ones_own() -> None:
    """A bad one gives an error of one sentence, a good one trains."""
    app = open_app({"variant": "custom"}, pattern="(")
    assert app.error
    app.text_input(key="pattern").set_value(r"\w+|\s+")
    assert tokens_shown(run(app))


def test_picks_are_written_and_read() -> None:
    """They are only numbers, in order of rank."""
    assert read_picks("4.1-0.2") == ((0, 2), (4, 1))
    assert read_picks(write_picks(((0, 2), (4, 1)))) == ((0, 2), (4, 1))
    assert read_link({"picks": "0.1"}) == ({"picks": ((0, 1),)}, [])


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
