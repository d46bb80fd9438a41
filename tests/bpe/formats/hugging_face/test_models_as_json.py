"""SentencePiece models written as a tokenizer.json: Hugging Face's library gives the same ids, or a part is named."""

import pytest
import tokenizers

from bpe import BPEError
from bpe.formats.hugging_face.writing import write_tokenizer
from bpe.formats.opening import open_tokenizer
from bpe.formats.sentencepiece.opening import open_model
from bpe.formats.sentencepiece.writing import write_model
from tests.bpe.formats.test_written_models import trained as ours
from tests.material.many_strings import STRINGS
from tests.material.spm_models import trained

FITS = ("identity", "as Llama 2")
NAMED = {
    "as the library does by default": "normalizer_spec.precompiled_charsmap",
    "a space behind": "precompiled_charsmap",
    "pieces of one's own": "precompiled_charsmap",
}


@pytest.mark.parametrize("name", [*FITS, "written by us"])
def test_the_library_gives_the_ids_of_the_model(name: str) -> None:
    content = write_model(ours("sentencepiece")) if name == "written by us" else trained(name)
    tokenizer = open_model(content).tokenizer
    written = write_tokenizer(tokenizer)
    library = tokenizers.Tokenizer.from_str(written)
    library.encode_special_tokens = True
    back = open_tokenizer({"tokenizer.json": written.encode()}).tokenizer
    for text in STRINGS:
        ids = tokenizer.encode(text)
        assert library.encode(text).ids == ids, text
        assert back.encode(text) == ids, text
        assert library.decode(ids, skip_special_tokens=False) == back.decode(ids), text
    assert write_tokenizer(back) == written


@pytest.mark.parametrize("name", NAMED)
def test_a_part_that_the_file_cannot_hold_is_named(name: str) -> None:
    with pytest.raises(BPEError, match=NAMED[name]):
        write_tokenizer(open_model(trained(name)).tokenizer)
