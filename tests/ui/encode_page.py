"""The page Encode for its tests, and the training that it has by default."""

import re

from streamlit.testing.v1 import AppTest

import bpe
from bpe import Trace
from bpe.encoding.encoders import ENCODERS
from tests.app import open_page
from ui.page_parts.encode.controls import Setting
from ui.page_parts.encode.encoded_text import Encoded, _encoded_text
from ui.trainings.corpus import from_sample, samples

SAMPLE = next(iter(samples().values()))
TRACE = bpe.train(
    from_sample(SAMPLE.slug).training_text, merges=SAMPLE.merges, **bpe.PRESETS[SAMPLE.preset].settings
)


def open_encode(link: dict[str, str] | None = None, **session: object) -> AppTest:
    return open_page("encode", link, **session)


def tokens_in_file(app: AppTest) -> int | None:
    """Return how many tokens the file of all tokens has, as its button says; None without one."""
    labels = (re.search("all ([0-9,]+) tokens", str(button.proto)) for button in app.get("download_button"))
    return next((int(label[1].replace(",", "")) for label in labels if label), None)


def encode_with(trace: Trace, text: str, encoder: str) -> tuple[Setting, Encoded]:
    """Encode a text in the same way as the page."""
    tokenizer = trace.tokenizer()
    setting = Setting(text, ENCODERS[encoder], tokenizer, len(trace.steps), (), typed=False)
    normal = tokenizer.normalise(text)
    return setting, _encoded_text(tokenizer, text, normal, tokenizer.tokens(text, encoder), "key")
