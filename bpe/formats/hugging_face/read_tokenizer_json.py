"""tokenizer.json, read: the vocabulary, the merges, and how the file says text is split and spelled.

`Opened.ignored` names the unused parts that change no token. Unsupported parts that would change tokens raise an error
that names the field.
"""

from collections.abc import Iterator
from itertools import chain
from typing import Any

from bpe.checks import shortened_repr
from bpe.encoding.tokenizer import Tokenizer
from bpe.formats.hugging_face.added_tokens import only_added, read_added_tokens
from bpe.formats.hugging_face.file_source import FileSource
from bpe.formats.hugging_face.parts import FILE, Part, option
from bpe.formats.hugging_face.text_reading import BYTE_TOKEN, ModelOptions
from bpe.formats.hugging_face.variants.file_variants import single_symbols
from bpe.formats.json_fields import check_others, expect, in_id_order, read_json, short_json
from bpe.formats.opened import Opened
from bpe.formats.spelling import Spelling, checked_length, read_symbol
from bpe.formats.vocab_json import assemble
from bpe.symbols import BPEError, Pair, Symbol

_FIELDS = {
    "version", "truncation", "padding", "added_tokens", "normalizer", "pre_tokenizer", "post_processor", "decoder",
    "model",
}  # fmt: skip
_MODEL_FIELDS = {
    "type", "dropout", "unk_token", "continuing_subword_prefix", "end_of_word_suffix", "fuse_unk", "byte_fallback",
    "ignore_merges", "vocab", "merges",
}  # fmt: skip
_DECODERS = {"ByteLevel", "Metaspace", "BPEDecoder", "WordPiece", "Sequence"}
MOST_MERGES = 1 << 21


def read_tokenizer(content: str) -> Tokenizer:
    """Return the tokenizer of the file. Raises BPEError, with the field, for a missing, wrong or unsupported one."""
    return open_tokenizer_json(content).tokenizer


def open_tokenizer_json(content: str) -> Opened:
    """Return the tokenizer of the file, and what in the file is ignored. Raises BPEError as `read_tokenizer` does."""
    return open_json_object(read_json(content, FILE))


def open_json_file(whole: Part) -> Opened:
    """Return the tokenizer of the file's JSON, whatever it is. Raises BPEError for what is no tokenizer.json."""
    numbers = sum(type(value) is int for value in whole.values())
    if whole and numbers == len(whole):
        raise BPEError("expected tokenizer.json, got a vocabulary: add the merges.txt that belongs to it.")
    if "model" not in whole:
        raise BPEError('expected tokenizer.json, got JSON without the field "model".')
    return open_json_object(whole)


def open_json_object(whole: Part) -> Opened:
    """Return the tokenizer of the file's JSON, as `open_tokenizer_json` does."""
    model = expect(whole.get("model"), dict, FILE, "model")
    others = {**whole, "model": {**model, "vocab": None, "merges": None}}
    check_others(others, FILE)
    options = _read_options(model)
    own = expect(model.get("vocab"), dict, FILE, "model.vocab")
    vocabulary = dict(own)
    added = read_added_tokens([] if whole.get("added_tokens") is None else whole["added_tokens"], vocabulary)
    merges = expect(model.get("merges"), list, FILE, "model.merges")
    symbols = _symbols_among({token.text for token in added}, own, merges, options)
    lone = only_added(added, symbols)
    special = dict.fromkeys(token.text for token in lone.values() if token.special)
    if options.unknown is not None:
        special[options.unknown] = None
    tokens = in_id_order(vocabulary, FILE, "model.vocab")
    source = FileSource(
        others,
        options,
        tuple(added),
        tuple(tokens),
        frozenset(lone),
        frozenset(token.id for token in added if token.text not in own),
        any(isinstance(merge, str) for merge in merges),
    )
    reading = source.reading
    tokenizer = assemble(
        FILE,
        reading.variant,
        tokens,
        _merges(merges, reading.spelling),
        list(special),
        options.unknown,
        reading.normalization,
        normalizer=reading.normalizer,
        spelling=reading.spelling,
        one_by_one=True,
        whole_words=options.whole_words,
        own=lone,
        finder=reading.finder,
        source=source,
    )
    if options.together and reading.variant.unit == "characters":
        _check_unknown_runs(tokenizer)
    return Opened(tokenizer, tuple(_ignored(whole, model, tokenizer)))


def _symbols_among(
    texts: set[str], vocabulary: dict[str, Any], merges: list[object], options: ModelOptions
) -> set[str]:
    """Return which of some texts are symbols: merges name or make them, or words are spelled with them."""
    initial = {
        text for text in texts & vocabulary.keys() if len(text.removeprefix(options.prefix) or text) == 1
    }
    if options.in_bytes:
        initial.update(filter(BYTE_TOKEN.fullmatch, texts))
    pairs: list[Any] = [merge.split(" ") if isinstance(merge, str) else merge for merge in merges if texts]
    try:
        merged = (left + right.removeprefix(options.prefix) for left, right in pairs)
        return initial | texts.intersection(chain(merged, chain.from_iterable(pairs)))
    except (
        TypeError,
        ValueError,
        AttributeError,
    ):  # a merge that is none, which is reported when the merges are read
        return initial


def _read_options(model: Part) -> ModelOptions:
    if model.get("type", "BPE") != "BPE":
        raise BPEError(f"expected 'BPE', got {short_json(model['type'])}.", FILE, "model.type")
    dropout = model.get("dropout")
    if dropout is not None and not (type(dropout) in (int, float) and 0 <= dropout <= 1):
        raise BPEError(f"expected a number from 0 to 1, got {short_json(dropout)}.", FILE, "model.dropout")
    unknown = model.get("unk_token")
    options = ModelOptions(
        suffix=option(model, "end_of_word_suffix", str, "", "model"),
        prefix=option(model, "continuing_subword_prefix", str, "", "model"),
        unknown=None if unknown is None else expect(unknown, str, FILE, "model.unk_token"),
        in_bytes=option(model, "byte_fallback", bool, False, "model"),
        together=option(model, "fuse_unk", bool, False, "model"),
        whole_words=option(model, "ignore_merges", bool, False, "model"),
    )
    if options.suffix and (options.in_bytes or options.whole_words):
        raise BPEError(
            "byte_fallback and ignore_merges are not supported with end_of_word_suffix.", FILE, "model"
        )
    if options.prefix and (options.suffix or options.in_bytes or options.whole_words):
        raise BPEError(
            "end_of_word_suffix, byte_fallback and ignore_merges are not supported with "
            "continuing_subword_prefix.",
            FILE,
            "model",
        )
    return options


def _merges(merges: list[object], spelling: Spelling) -> list[Pair]:
    """Return the merges. Each is an array of two texts or, in older versions, one text with a space between."""
    if len(merges) > MOST_MERGES:
        raise BPEError(f"expected at most {MOST_MERGES:,} merges, got {len(merges):,}.", FILE, "model.merges")
    symbol_of: dict[str, Symbol] = {}
    pairs: dict[Pair, int] = {}
    for rank, merge in enumerate(merges):
        parts = merge.split(" ") if isinstance(merge, str) else merge
        if not (isinstance(parts, list) and len(parts) == 2 and all(isinstance(part, str) for part in parts)):
            raise BPEError(f"expected two symbols, got {short_json(merge)}.", FILE, f"model.merges[{rank}]")
        for part in parts:
            if part not in symbol_of:
                place = (FILE, f"model.merges[{rank}]")
                symbol_of[part] = read_symbol(checked_length(part, place), spelling, place)
        pair = symbol_of[parts[0]], symbol_of[parts[1]]
        if pairs.setdefault(pair, rank) != rank:
            raise BPEError(
                f"the merge {short_json(merge)} is already at [{pairs[pair]}].", FILE, f"model.merges[{rank}]"
            )
    return list(pairs)


def _check_unknown_runs(tokenizer: Tokenizer) -> None:
    """Raise BPEError if a run of unknown characters could be confused with a token."""
    known = single_symbols(tokenizer.ids, tokenizer.variant)
    for token in tokenizer.ids:
        if token not in known and not any(
            character.encode() in known for character in token.decode("utf-8", "replace")
        ):
            label = shortened_repr(tokenizer.variant.label(token))
            raise BPEError(
                f"not supported with the token {label}, whose characters are unknown.", FILE, "model.fuse_unk"
            )


def _ignored(whole: Part, model: Part, tokenizer: Tokenizer) -> Iterator[str]:
    """Yield a sentence for each part of the file that is not used."""
    if model.get("dropout"):
        yield (
            f"model.dropout is ignored: it leaves out merges at random, {model['dropout']:.0%} of them on average. "
            "Here a text always gets the same tokens. The encoder with dropout shows what it does."
        )
    for field in ("truncation", "padding"):
        if whole.get(field) is not None:
            yield f"{field} is ignored: a text is encoded whole."
    post_processor = whole.get("post_processor")
    if post_processor is not None and _type(post_processor) != "ByteLevel":
        yield f"post_processor {_type(post_processor)} is ignored: no special tokens are added around a text."
    decoder = whole.get("decoder")
    if decoder is None:
        yield "The file has no decoder: as in the library, decoding puts a space between tokens."
    elif _type(decoder) not in _DECODERS:
        yield f"decoder {_type(decoder)} is ignored: text is joined from the tokens."
    for name in sorted(whole.keys() - _FIELDS):
        yield f"{short_json(name)} is ignored: we do not know this part of a tokenizer.json."
    for name in sorted(model.keys() - _MODEL_FIELDS):
        yield f"model.{short_json(name)} is ignored: we do not know this option of a model."
    if tokenizer.variant.drops_unknown:
        yield "The file names no unknown token: as in the library, text that its vocabulary cannot spell is dropped."
    if tokenizer.variant.words_between_spaces and tokenizer.variant.split is str.split:
        yield "The characters U+001C to U+001F separate words here; in the library they do not."


def _type(part: object) -> str:
    kind = part.get("type") if isinstance(part, dict) else part
    return kind[:60] if isinstance(kind, str) else short_json(kind)
