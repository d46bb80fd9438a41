"""Files of tokenizers for the tests of the pages, and the app with one of them opened."""

import base64
from functools import cache

from streamlit.testing.v1 import AppTest
from tiktoken import _educational

from bpe.text.patterns import GPT2_PATTERN
from tests.app import open_app, run
from tests.material.texts import SENTENCES
from tests.material.trained_tokenizers import hugging_face

UPLOADED_TEXT = "low lower lowest newest widest <b>new</b> ☃"
MORE = SENTENCES * 3 + " lowest newest widest"


@cache
def tiktoken_ranks() -> dict[bytes, int]:
    ranks: dict[bytes, int] = _educational.bpe_train(MORE, 340, GPT2_PATTERN, visualise=None)
    return ranks


def tiktoken_file(ranks: dict[bytes, int]) -> bytes:
    return b"".join(base64.b64encode(token) + f" {rank}\n".encode() for token, rank in ranks.items())


JSON = hugging_face(MORE).to_str().encode()


def opened(content: bytes = JSON, name: str = "my.json") -> AppTest:
    """Return the app on Watch with a tokenizer's file opened."""
    app = open_app(recipe_source="file")
    return upload(app, name, content)


def upload(app: AppTest, name: str, content: bytes) -> AppTest:
    app.file_uploader(key="tokenizer_upload").upload(name, content)
    return run(app)
