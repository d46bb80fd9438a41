"""A tokenizer.json with some of its fields changed."""

import json

from bpe import train
from bpe.formats.hugging_face.writing import write_tokenizer
from tests.material.texts import SENTENCES

WRITTEN = write_tokenizer(train(SENTENCES, "bytes-gpt2", merges=3).tokenizer())


def changed(**model: object) -> str:
    content = json.loads(WRITTEN)
    content |= {field: model.pop(field) for field in list(model) if field in content}
    content["model"] |= model
    return json.dumps(content)
