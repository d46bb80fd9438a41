"""A share file or a link that uses a tokenizer's file asks for that file."""

import json

import pytest
from streamlit.testing.v1 import AppTest

import bpe
from tests.app import open_app, run, tokens_shown
from tests.material.trained_tokenizers import hugging_face
from tests.ui.sidebar.tokenizers.tokenizer_uploads import JSON, MORE, TEXT, captions, opened, upload
from ui.sidebar.corpus import from_text
from ui.sidebar.recipe import Recipe
from ui.sidebar.share_file import read_share_file, share_file


def shared_with(name: str = "my.json") -> bytes:
    """Return a share file that uses the tokenizer."""
    app = opened(name=name)
    choice = app.session_state["_choice"]
    return share_with(app, choice.recipe)


def share_with(app: AppTest, recipe: Recipe) -> bytes:
    file = app.session_state["_choice"].file
    content = json.loads(share_file(from_text(TEXT), recipe))
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
    app = open_app({"recipe_source": "file"})
    assert "which no link can contain" in app.info[0].value
    upload(app, "my.json", JSON)
    assert "need the tokenizer's file too" in captions(app)
