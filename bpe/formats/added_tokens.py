"""Added tokens of a tokenizer.json: texts that are taken out of a text before it is split."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from bpe.encoding.tokenizer import Tokenizer
from bpe.formats.hf_parts import FILE, option
from bpe.formats.json_fields import expect, short_json
from bpe.symbols import BPEError

_FLAGS = ("single_word", "lstrip", "rstrip")


@dataclass(frozen=True, slots=True)
class AddedTokens:
    """The added tokens, all of which become special tokens."""

    tokens: tuple[str, ...]
    ordinary: tuple[str, ...]  # those that the file does not call special
    flagged: tuple[tuple[str, str], ...]  # (token, flag that is not supported)
    normalized: tuple[str, ...]  # those that are searched in the normalized text

    def ignored(self, tokenizer: Tokenizer) -> Iterator[str]:
        """Yield a sentence for each option that is not used."""
        for token, flag in self.flagged:
            yield f"{flag} of the added token {short_json(token)} is ignored."
        if self.ordinary:
            yield (
                f"Added tokens that are not special ({_listed(self.ordinary)}) are read in a text only where special "
                "tokens are allowed."
            )
        changed = [token for token in self.normalized if tokenizer.normalise(token) != token]
        if changed and (tokenizer.normalizer or tokenizer.normalization):
            yield f"Added tokens are searched before the text is normalized, these too: {_listed(changed)}."


def _listed(tokens: tuple[str, ...] | list[str]) -> str:
    more = f" and {len(tokens) - 3:,} more" if len(tokens) > 3 else ""
    return ", ".join(map(short_json, tokens[:3])) + more


def read_added_tokens(added: object, vocabulary: dict[str, Any]) -> AddedTokens:
    """Return the added tokens, and insert those that are missing into the vocabulary.

    Raises BPEError, with the field, for a wrong id or a repeated token.
    """
    positions: dict[str, int] = {}
    ordinary: list[str] = []
    flagged: list[tuple[str, str]] = []
    normalized: list[str] = []
    for number, entry in enumerate(expect(added, list, FILE, "added_tokens")):
        field = f"added_tokens[{number}]"
        token = expect(expect(entry, dict, FILE, field).get("content"), str, FILE, f"{field}.content")
        own = expect(entry.get("id"), int, FILE, f"{field}.id")
        if vocabulary.setdefault(token, own) != own:
            expected = short_json(vocabulary[token])
            raise BPEError(
                f"{FILE}, {field}.id: expected {expected}, as in model.vocab, got {short_json(own)}."
            )
        if positions.setdefault(token, number) != number:
            raise BPEError(
                f"{FILE}, {field}: {short_json(token)} is already in added_tokens[{positions[token]}]."
            )
        flagged += [(token, flag) for flag in _FLAGS if option(entry, flag, bool, False, field)]
        if not option(entry, "special", bool, True, field):
            ordinary.append(token)
        if option(entry, "normalized", bool, False, field):
            normalized.append(token)
    return AddedTokens(tuple(positions), tuple(ordinary), tuple(flagged), tuple(normalized))
