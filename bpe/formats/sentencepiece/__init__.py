"""SentencePiece's `.model` files: pieces with scores, and how a text is changed before it is split into them.

`protobuf` reads the encoding of the file, `model_file` the fields that we need. `normalizing` changes a text as the
library does, `pieces_variant` spells it, and `opening_model` puts it all into a tokenizer, with
`runs` for the runs of spaces whose pieces have equal scores. `writing_model` writes a model, and
`as_tokenizer_json` says the same as one in a tokenizer.json.
"""
