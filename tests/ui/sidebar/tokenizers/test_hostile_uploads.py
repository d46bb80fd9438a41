"""A wrong or hostile tokenizer's file gets one sentence on the page, and nothing else is lost."""

import json
import re

import pytest

from tests.app import open_app, run, tokens_shown
from tests.ui.sidebar.tokenizers.tokenizer_uploads import JSON, captions, opened, upload


def deep() -> bytes:
    return b'{"model":' + b"[" * 100_000 + b"]" * 100_000 + b"}"


def changed(**model: object) -> bytes:
    content = json.loads(JSON)
    content["model"] |= model
    return json.dumps(content).encode()


HOSTILE = {
    "a picture": ("cat.png", b"\x89PNG\r\n\x1a\n" + bytes(64), "a PNG picture"),
    "an archive": ("my.json.gz", b"\x1f\x8b" + bytes(64), "unpack it first"),
    "deep nesting": ("my.json", deep(), "my.json"),
    "not a number": ("my.json", JSON.replace(b'"<|end|>":0', b'"<|end|>":NaN'), "my.json"),
    "a huge number": ("my.json", JSON.replace(b'"<|end|>":0', b'"<|end|>":1' + b"0" * 400), "my.json"),
    "a merge that does not exist": ("my.json", changed(merges=[["qq", "zz"]]), "my.json"),
    "an empty file": ("my.json", b"", "an empty file"),
    "a lone vocabulary": ("vocab.json", b'{"a": 0}', "merges.txt"),
    "a name like markup": ("<img src=x onerror=alert(1)>*.json", b"\x89PNG", "a PNG picture"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_file_gets_one_sentence_and_nothing_is_lost(case: str) -> None:
    name, content, words = HOSTILE[case]
    app = opened()
    before = tokens_shown(app)
    upload(app, name, content)
    (error,) = app.error
    assert words in error.value.replace("\\", "")
    assert not re.search(r"(?<!\\)<", error.value)  # escaped, so no markup
    assert "Traceback" not in error.value
    assert tokens_shown(app) == before
    upload(app, "my.json", JSON)
    assert not app.error


def test_a_wrong_file_does_not_block_the_next_one() -> None:
    """The browser keeps the wrong file in the field and sends both."""
    app = open_app(recipe_source="file")
    for bad in ("bad.json", "notes.txt"):
        app.file_uploader(key="tokenizer_upload").set_value([(bad, b'{"a": 1}', ""), ("my.json", JSON, "")])
        run(app)
        assert not app.error
        assert "**my.json** · tokenizer.json" in captions(app)
    merges = b"#version: 0.2\nl o\nlo w\n"
    app.file_uploader(key="tokenizer_upload").set_value([("bad.json", b"[]", ""), ("merges.txt", merges, "")])
    run(app)
    assert app.error[0].value.endswith("To open merges.txt alone, remove bad.json.")
    assert "**my.json** · tokenizer.json" in captions(app)


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
    assert "<b>" not in captions(app)
    assert r"\<b\>\*x\*\</b\>.json" in captions(app)
