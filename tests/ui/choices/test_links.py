"""A share file gives corpus and recipe back. It is taken as a whole or not at all: a bad one changes nothing."""

import base64
import json
import zlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe import BPEError
from tests.app import caption_text, open_app, run, send_event, sent, text_in, tokens_shown, type_text
from ui.choices import share_file
from ui.choices.text_link import (
    _MOST_CHARACTERS,
    _TOO_LONG,
    _WHOLE_ONLY,
    MOST_FRAGMENT,
    fragment_of,
    read_fragment,
)
from ui.trainings.corpus import (
    Corpus,
    from_documents,
    from_files,
    from_sample,
    from_text,
    from_words,
    samples,
)
from ui.trainings.recipe import Recipe

FIRST = next(iter(samples().values()))
OWN = "low lower lowest slow slower"

FREE = {"preset": "none", "variant": "custom", "tie_break": "first", "merges": 3}
TEXT = {"title": "Text", "documents": ["low lower"]}
BAD: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "a pattern that does not compile": ({**FREE, "pattern": "("}, TEXT, "does not compile"),
    "a pattern that takes all memory": ({**FREE, "pattern": "a{100000000}"}, TEXT, "at most 10,000 parts"),
    "half a character in the pattern": ({**FREE, "pattern": "a\ud800"}, TEXT, "lone surrogate"),
    "half a character in the title": (FREE, {**TEXT, "title": "\ud800"}, "lone surrogate"),
    "half a character in a choice": ({**FREE, "preset": "\ud800"}, TEXT, "lone surrogate"),
    "half a character in the picks": ({**FREE, "picks": "\ud800"}, TEXT, "lone surrogate"),
    "half a character in a word": (FREE, {"words": {"\udfff": 1}}, "lone surrogate"),
    "a word of two lines": (FREE, {"words": {"low 7\nevil": 5}}, "white space"),
    "an empty word": (FREE, {"words": {"": 5}}, "white space"),
    "a count in words": (FREE, {"words": {"low": "7\nevil 5"}}, "must be a whole number"),
    "a count that is no number": (FREE, {"words": {"low": float("nan")}}, "must be a whole number"),
    "a count too large": (FREE, {"words": {"low": 10**400}}, "must be a whole number"),
    "too few names": (FREE, {**TEXT, "names": []}, "list of 1 names"),
    "a name that is a number": (FREE, {**TEXT, "names": [1]}, "list of 1 names"),
    "a long name": (FREE, {**TEXT, "names": ["a" * 1_001]}, "at most 1000 characters"),
    "no words": (FREE, {"words": {}}, "no words"),
}


def written(recipe: dict[str, Any], corpus: dict[str, Any]) -> bytes:
    """Return a share file of these fields."""
    return json.dumps({"format": share_file.FORMAT, "recipe": recipe, "corpus": corpus}).encode()


@pytest.mark.parametrize(("recipe", "corpus", "sentence"), BAD.values(), ids=BAD)
def test_a_bad_field_refuses_the_share_file(
    recipe: dict[str, Any], corpus: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(BPEError, match=sentence) as caught:
        share_file.read_share_file(written(recipe, corpus))
    assert "\n" not in str(caught.value)
    assert str(caught.value).encode()


def test_a_bad_share_file_changes_nothing() -> None:
    app = open_app()
    visible = tokens_shown(app)
    for recipe, corpus, sentence in list(BAD.values())[:2]:  # the others: the test above
        app.file_uploader(key="share_file").upload("share.json", written(recipe, corpus))
        run(app)
        assert sentence in app.error[0].value.replace("\\", "")
        assert tokens_shown(app) == visible
    assert app.session_state["corpus_source"] == "sample"


def test_a_word_list_too_long_to_type_is_opened_as_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ui.trainings.corpus.MOST_PASTED", 1_000)
    words = {f"{number:x}{'a' * 100}": 1 for number in range(10)}
    app = open_app()
    recipe = {**FREE, "variant": "bytes-whitespace", "merges": 0}
    app.file_uploader(key="share_file").upload(
        "share.json", written(recipe, {"title": "Long", "words": words})
    )
    run(app)
    assert app.session_state["corpus_source"] == "upload"
    assert not app.error


@pytest.mark.parametrize(
    "corpus",
    [
        from_text("low\tlower\r\n"),
        from_documents(["a b", "c"], "two"),
        from_words("low 5\nlower 2"),
        from_files([("same.txt", b"low"), ("same.txt", b"lower")]),
    ],
    ids=["text", "documents", "words", "files"],
)
def test_a_share_file_gives_corpus_and_recipe_back(corpus: Corpus) -> None:
    """The text is the same to the last character."""
    chosen = Recipe("none", "custom", "random", 7, min_count=2, seed=3, pattern=r"\w+", picks=((0, 1),))
    read = share_file.read_share_file(share_file.share_file(corpus, chosen))
    assert read.corpus == corpus
    assert Recipe.of({**read.values, "picks": read.picks}) == chosen


def test_a_share_file_is_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """It may hold 20 MB."""
    parsed: list[bytes] = []
    loads = json.loads

    def counted(content: bytes) -> object:
        parsed.append(content)
        return loads(content)

    monkeypatch.setattr(json, "loads", counted)
    app = open_app()
    content = written({"merges": 4}, {"documents": ["low lower"]})
    app.file_uploader(key="share_file").upload("share.json", content)
    run(app)
    assert app.session_state["merges"] == 4
    assert parsed.count(content) == 1


BAD_SHARES = {
    "no JSON": (b"low", "must be JSON"),
    "another file": (b'{"a": 1}', "format"),
    "no recipe": (json.dumps({"format": share_file.FORMAT}).encode(), "recipe"),
    "a bad recipe": (
        json.dumps({"format": share_file.FORMAT, "recipe": {"merges": "many"}}).encode(),
        "merges",
    ),
    "no corpus": (json.dumps({"format": share_file.FORMAT, "recipe": {}}).encode(), "corpus"),
    "a lone surrogate": (
        json.dumps({"format": share_file.FORMAT, "recipe": {}, "corpus": {"documents": ["\ud83d"]}}).encode(),
        "surrogate",
    ),
    "deep nesting": (b"[" * 100_000, "must be JSON"),
}


@pytest.mark.parametrize(("content", "sentence"), BAD_SHARES.values(), ids=BAD_SHARES)
def test_a_bad_share_file_names_its_field(content: bytes, sentence: str) -> None:
    """The error is one sentence."""
    with pytest.raises(BPEError, match=sentence):
        share_file.read_share_file(content)


def test_opening_a_share_file_sets_everything() -> None:
    """It sets text, recipe and picks."""
    file = share_file.share_file(from_text(OWN), Recipe("none", "bytes", "last", 4, picks=((0, 1),)))
    app = open_app()
    app.file_uploader(key="share_file").upload("share.json", file)
    run(app)
    assert text_in(app, "corpus_text") == OWN
    assert app.session_state["variant"] == "bytes"
    assert app.query_params["picks"] == "0.1"
    assert "of 4 merges." in caption_text(app)


def test_opening_a_share_file_leaves_nothing_of_the_recipe_before() -> None:
    """A setting that the file does not name gets its default, and a suggested number does not replace the file's."""
    app = open_app({"corpus_sample": FIRST.slug, "vocab_size": "270", "min_count": "2"})
    file = share_file.share_file(from_text(OWN), Recipe(FIRST.preset, "char-eow", "first", FIRST.merges))
    app.file_uploader(key="share_file").upload("share.json", file)
    run(app)
    assert (app.session_state["vocab_size"], app.session_state["min_count"]) == (None, None)
    assert app.session_state["merges"] == FIRST.merges


# A text of one's own in a link: every short text comes back, and a broken or forged fragment is one sentence.

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=_MOST_CHARACTERS)


def packed(content: bytes) -> str:
    """Return a fragment with this content, whatever it is."""
    packer = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    deflated = packer.compress(content) + packer.flush()
    return "text=" + base64.urlsafe_b64encode(deflated).decode().rstrip("=")


@given(TEXTS)
def test_every_short_text_comes_back(text: str) -> None:
    fragment = fragment_of("paste", Corpus("Text", (text,)))
    assert fragment is not None
    assert len(fragment) <= MOST_FRAGMENT
    assert read_fragment(fragment) == ("paste", text)


def test_the_longest_text_that_cannot_be_compressed_fits() -> None:
    text = "".join(chr(0x20000 + number * 7919 % 40_000) for number in range(_MOST_CHARACTERS))
    assert len(fragment_of("paste", from_text(text)) or "") <= MOST_FRAGMENT


def test_a_word_list_comes_back_with_its_counts() -> None:
    assert read_fragment(fragment_of("words", from_words("low 5\nlower")) or "") == (
        "words",
        "low 5\nlower 1",
    )


@pytest.mark.parametrize(
    ("source", "corpus", "fragment"),
    [
        ("sample", from_sample("story"), ""),
        ("upload", from_text("low"), None),
        ("paste", from_text("a" * (_MOST_CHARACTERS + 1)), None),
        ("paste", Corpus("Text", ("low \ud800",)), None),
    ],
    ids=["sample", "file", "too long", "lone surrogate"],
)
def test_what_a_link_does_not_hold(source: str, corpus: Corpus, fragment: str | None) -> None:
    assert fragment_of(source, corpus) == fragment


WHOLE = packed(b"low lower newest widest low lower newest")


@pytest.mark.parametrize(
    ("fragment", "sentence"),
    [
        (WHOLE[:-3], _WHOLE_ONLY),
        (WHOLE.replace("text=", "text=é"), _WHOLE_ONLY),
        (WHOLE.replace("text=", "script="), _WHOLE_ONLY),
        ("text=", _WHOLE_ONLY),
        ("text=%00", _WHOLE_ONLY),
        ("text=AAAA", _WHOLE_ONLY),
        (packed(b"\xff\xfe"), _WHOLE_ONLY),
        (packed(b"\xed\xa0\x80"), _WHOLE_ONLY),
        (packed(b"a" * (_MOST_CHARACTERS + 1)), _TOO_LONG),
        ("text=" + "A" * MOST_FRAGMENT, _TOO_LONG),
    ],
    ids=[
        *("cut", "no base64", "other name", "empty", "escape", "no deflate", "no UTF-8", "lone surrogate"),
        *("too long", "huge"),
    ],
)
def test_a_broken_or_forged_fragment_is_one_sentence(fragment: str, sentence: str) -> None:
    with pytest.raises(BPEError) as error:
        read_fragment(fragment)
    assert str(error.value) == sentence


def test_a_fragment_that_unpacks_to_a_hundred_megabytes_is_refused() -> None:
    with pytest.raises(BPEError) as error:
        read_fragment(packed(bytes(10**8)))
    assert str(error.value) == _TOO_LONG


@given(st.text(max_size=60))
def test_no_fragment_fails_otherwise(garbage: str) -> None:
    try:
        _, text = read_fragment("text=" + garbage)
    except BPEError:
        return
    assert len(text) <= _MOST_CHARACTERS


def test_a_link_with_a_text_opens_its_step_though_the_text_comes_after_the_first_picture() -> None:
    app = open_app({"corpus_source": "paste", "step": "3"})
    assert sent(app, "watch")["start"] == 3  # of a sample, until the browser has sent what is after #
    fragment = fragment_of("paste", from_text("banana bandana"))
    send_event(app, "field_corpus_text", "typed", json.dumps({"number": 1, "link": fragment}))
    assert app.session_state["corpus_text"] == "banana bandana"
    assert sent(app, "watch")["start"] == 3
    type_text(app, "another text")
    assert sent(app, "watch")["start"] == 0
