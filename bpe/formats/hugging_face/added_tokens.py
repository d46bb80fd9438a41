"""Added tokens of a tokenizer.json: which texts the library takes out of a text before it splits the rest."""

from collections.abc import Collection
from typing import Any

from bpe.formats.hugging_face.parts import FILE, option
from bpe.formats.json_fields import expect, short_json
from bpe.symbols import BPEError
from bpe.text.added_tokens import AddedToken


def read_added_tokens(added: object, vocabulary: dict[str, Any]) -> list[AddedToken]:
    """Return the added tokens, and insert those that are missing into the vocabulary.

    Raises BPEError, with the field, for a wrong id or a repeated token.
    """
    tokens: list[AddedToken] = []
    positions: dict[str, int] = {}
    for number, entry in enumerate(expect(added, list, FILE, "added_tokens")):
        field = f"added_tokens[{number}]"
        token = _read(expect(entry, dict, FILE, field), field)
        if vocabulary.setdefault(token.text, token.id) != token.id:
            expected = short_json(vocabulary[token.text])
            raise BPEError(
                f"expected {expected}, as in model.vocab, got {short_json(token.id)}.", FILE, f"{field}.id"
            )
        if positions.setdefault(token.text, number) != number:
            raise BPEError(
                f"{short_json(token.text)} is already in added_tokens[{positions[token.text]}].", FILE, field
            )
        tokens.append(token)
    return tokens


def _read(entry: dict[str, Any], field: str) -> AddedToken:
    def flag(name: str, default: bool = False) -> bool:
        return option(entry, name, bool, default, field)

    return AddedToken(
        expect(entry.get("content"), str, FILE, f"{field}.content"),
        expect(entry.get("id"), int, FILE, f"{field}.id"),
        special=flag("special", True),
        single_word=flag("single_word"),
        lstrip=flag("lstrip"),
        rstrip=flag("rstrip"),
        normalized=flag("normalized"),
    )


def only_added(tokens: Collection[AddedToken], symbols: Collection[str]) -> dict[str, AddedToken]:
    """Return the added tokens that text cannot become in another way, by their texts.

    `symbols` are the texts of all symbols that the model spells words with or merges. An added token that is one of
    them is both: it is searched in a text, and the model may make it too.
    """
    return {token.text: token for token in tokens if token.text not in symbols}
