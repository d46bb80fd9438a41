"""tokenizer.json, read: the vocabulary, the merges, and how the file says text is split and spelled.

`Opened.ignored` names the unused parts that change no token. Unsupported parts that would change tokens raise an error
that names the field.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import chain
from typing import Any

from bpe.checks import shortened_repr
from bpe.encoding.tokenizer import Tokenizer
from bpe.formats.hugging_face.decoders import read_decoder
from bpe.formats.hugging_face.normalizers import METASPACE, TYPED_METASPACE, read_normalizers
from bpe.formats.hugging_face.parts import FILE, Part, model_type, option
from bpe.formats.hugging_face.pre_tokenizers import read_pre_tokenizer
from bpe.formats.hugging_face.variants import (
    PARTS,
    Unknowns,
    byte_variant,
    character_variant,
    partial_bytes,
    prefixed_spelling,
    prefixed_variant,
    single_symbols,
    with_added_tokens,
    without_unknown,
)
from bpe.formats.merges_txt import HUGGING_FACE, repeated_merges
from bpe.formats.opened import (
    Opened,
    check_others,
    expect,
    in_id_order,
    not_bpe,
    read_json,
    short_json,
)
from bpe.formats.regexes import translate
from bpe.formats.spelling import Spelling, checked_length, read_symbol, spelling_of, with_unspelled
from bpe.formats.vocab_json import assemble, is_by_id, read_token
from bpe.settings.alphabets import REMAPPED
from bpe.symbols import UNSPELLED, BPEError, Pair, Symbol
from bpe.text.added_tokens import AddedToken, TokenFinder, aligned_as_is, ordinary_tokens, unchanged
from bpe.text.normalizing import Normalization, Normalizer, first_characters, in_a_row
from bpe.text.variants import VARIANTS, Variant, custom_variant

_MOST_NOTES = 3  # on single added tokens
BYTE_TOKEN = re.compile(r"<0x([0-9A-F]{2})>")
_MOST_NESTED = 40  # levels of objects and arrays

# Options that older files lack get the library's default. `trim_offsets` is left out: it does not affect splitting.
_WITH_DEFAULTS: Mapping[str, Callable[[Part], object]] = {
    "ByteLevel": lambda part: ("ByteLevel", part.get("add_prefix_space", True), part.get("use_regex", True)),
    "WhitespaceSplit": lambda part: "WhitespaceSplit",
    "Split": lambda part: ("Split", part.get("pattern"), part.get("behavior"), part.get("invert", False)),
    "Metaspace": lambda part: (
        "Metaspace",
        part.get("replacement"),
        part.get("prepend_scheme", "always" if part.get("add_prefix_space", True) else "never"),
        part.get("split", True),
    ),
}
_FIELDS = {
    "version", "truncation", "padding", "added_tokens", "normalizer", "pre_tokenizer", "post_processor", "decoder",
    "model",
}  # fmt: skip
_MODEL_FIELDS = {
    "type", "dropout", "unk_token", "continuing_subword_prefix", "end_of_word_suffix", "fuse_unk", "byte_fallback",
    "ignore_merges", "vocab", "merges",
}  # fmt: skip
_MOST_MERGES = 1 << 21


def read_tokenizer(content: str) -> Tokenizer:
    """Return the tokenizer of the file. Raises BPEError, with the field, for a missing, wrong or unsupported one."""
    return _open_tokenizer_json(content).tokenizer


@dataclass(frozen=True, slots=True)
class _Reading:
    """How text becomes words: a variant, and the changes made to the text before that."""

    variant: Variant
    normalizer: Normalizer | None
    normalization: Normalization | None
    spelling: Spelling
    finder: TokenFinder | None = None


@dataclass(frozen=True, slots=True)
class _ModelOptions:
    """The options of the model that change how words are spelled and encoded."""

    suffix: str
    unknown: str | None
    in_bytes: bool  # byte_fallback
    together: bool  # fuse_unk
    whole_words: bool  # ignore_merges
    prefix: str = ""  # continuing_subword_prefix


def _read_reading(
    whole: Part, options: _ModelOptions, learned: Mapping[int, str], added: Sequence[AddedToken]
) -> _Reading:
    """Return how the file reads text. `learned` are the tokens that the model makes, by id."""
    split = whole.get("pre_tokenizer")
    check_depth(split, "pre_tokenizer")
    check_depth(whole.get("normalizer"), "normalizer")
    ordinary = ordinary_tokens(added)
    tokens = set(learned.values())
    before = read_normalizers(whole.get("normalizer"))
    in_bytes = options.in_bytes and any(map(BYTE_TOKEN.fullmatch, tokens))
    all_bytes = spells_bytes(split) and tokens.issuperset(REMAPPED.values())
    together = options.together and not all_bytes
    dropped = options.unknown is None and not in_bytes and not all_bytes
    is_plain = not (in_bytes or together or dropped or ordinary or options.prefix)
    row = _row_of(split, options.suffix) if is_plain else None
    if row is not None:
        after = [TYPED_METASPACE] if row.marker_text == METASPACE else []
        variant, spelling = row, spelling_of(row)
    else:
        pre_tokenizer = read_pre_tokenizer(split)
        after = list(pre_tokenizer.normalizers)
        if pre_tokenizer.spells_bytes:
            if options.prefix:
                raise BPEError(
                    "not supported with the pre-tokenizer ByteLevel.", FILE, "model.continuing_subword_prefix"
                )
            if in_bytes or together:
                raise BPEError("byte_fallback and fuse_unk are not supported with ByteLevel.", FILE, "model")
            bytes_of = partial_bytes if pre_tokenizer.cuts_bytes else str.encode
            variant = byte_variant(
                pre_tokenizer.split, options.suffix, bytes_of, keeps_text=pre_tokenizer.keeps_text
            )
            spelling = spelling_of(variant)
            if dropped:
                known_here = _symbols(learned, with_unspelled(spelling, variant.unit))
                variant = without_unknown(variant, known_here)
        else:
            spelling = _character_spelling(tokens, options, in_bytes)
            # A byte token is read as its byte, but it is no character of the vocabulary.
            known = _symbols(
                {n: text for n, text in learned.items() if not BYTE_TOKEN.fullmatch(text)}, spelling
            )
            space_added = any(normalizer.adds_space for normalizer in (*before, *after))

            def spelled(known: Collection[Symbol]) -> Variant:
                unknowns = Unknowns(known, in_bytes, together and not in_bytes)
                variant = character_variant(pre_tokenizer.split, options.suffix, unknowns, space_added)
                return prefixed_variant(variant, unknowns) if options.prefix else variant

            known = frozenset(single_symbols(known, spelled(known)))
            variant = without_unknown(spelled(known), known) if dropped else spelled(known)
    return _with_added(_Reading(variant, None, None, spelling), before, after, added)


def _read_added_tokens(added: object, vocabulary: dict[str, Any]) -> tuple[list[AddedToken], list[str]]:
    """Return the added tokens and notes on them, and insert those that are missing into the vocabulary.

    Their ids are those that the library gives, whatever the file says: a token of model.vocab has its id there, and the
    others take the ids behind it, in the order of the file. If a token is listed twice, its last entry counts.

    Raises BPEError, with the field, for a wrong entry, and if the library would give one id to two tokens.
    """
    tokens: dict[str, AddedToken] = {}
    said: dict[str, int] = {}
    first = following = len(vocabulary)
    taken = {number for number in vocabulary.values() if type(number) is int} if added else set()
    notes: list[str] = []
    for number, entry in enumerate(expect(added, list, FILE, "added_tokens")):
        field = f"added_tokens[{number}]"
        token = _read(expect(entry, dict, FILE, field), field)
        if not 0 <= token.id < 1 << 32:  # the library's ids have 32 bits
            raise BPEError(f"expected an id from 0 on, got {short_json(token.id)}.", FILE, f"{field}.id")
        if not token.text:
            notes.append(f"{field} is ignored: it is empty.")
            continue
        if token.text in said:
            notes.append(
                f"{field} repeats the token {short_json(token.text)}: as in the library, the last one counts."
            )
        elif token.text not in vocabulary:
            if following in taken:
                raise BPEError(
                    f"the library gives {short_json(token.text)} the id {following}, since model.vocab has {first:,} "
                    "tokens, but one of these has that id.",
                    FILE,
                    field,
                )
            vocabulary[token.text] = following
            following += 1
        said.setdefault(token.text, token.id)
        tokens[token.text] = replace(token, id=vocabulary[token.text])
    return list(tokens.values()), [*_other_ids(tokens.values(), said), *notes[:_MOST_NOTES]]


@dataclass(frozen=True)
class FileSource:
    """A tokenizer.json without its vocabulary and merges.

    What a file says about text is derived from it: the variant, the normalizer, the finder of its added tokens and the
    decoder. A pickle holds the file's parts, and whoever reads it derives the same again.
    """

    whole: Part  # with None in the place of model.vocab and model.merges
    options: _ModelOptions
    added: tuple[AddedToken, ...]
    texts: tuple[str | None, ...]  # the tokens as the file spells them, by id
    lone: frozenset[str]  # texts of the added tokens that are no symbols of the model
    outside: frozenset[int]  # ids of the added tokens that model.vocab does not list
    merges_as_texts: bool  # each merge is a text with a space, as in older files

    @cached_property
    def reading(self) -> _Reading:
        """How the file reads text."""
        others = self.lone | {self.options.unknown, None}
        learned = {
            number: text for number, text in enumerate(self.texts) if text is not None and text not in others
        }
        reading = _read_reading(self.whole, self.options, learned, self.added)
        variant, normalizer, finder = reading.variant, reading.normalizer, reading.finder
        if VARIANTS.get(variant.slug) is not variant:
            variant = replace(variant, remake=lambda: (_variant, (self,)))
        if normalizer is not None:
            normalizer = replace(normalizer, remake=lambda: (_normalizer, (self,)))
        if finder is not None:
            finder = replace(finder, remake=lambda: (_finder, (self,)))
        return replace(reading, variant=variant, normalizer=normalizer, finder=finder)

    @property
    def prefix(self) -> str:
        """What every token but the first of a word begins with in the file."""
        return self.options.prefix

    @cached_property
    def renamed(self) -> Mapping[int, str]:
        """What the library decodes an added token to that is searched in the normalized text: it normalized, too."""
        normalizer = in_a_row(read_normalizers(self.whole.get("normalizer")))
        searched = (token for token in self.added if token.normalized)
        return {token.id: normalizer.apply(token.text, True) for token in searched} if normalizer else {}

    @cached_property
    def decode(self) -> Callable[[Sequence[str]], str] | None:
        """The function that joins tokens, as the file spells them, to a text; None for an unknown decoder."""
        return read_decoder(self.whole.get("decoder"))

    def __reduce__(self) -> tuple[Any, ...]:
        fields = (self.whole, self.options, self.added, self.texts, self.lone, self.outside)
        return FileSource, (*fields, self.merges_as_texts)


@dataclass(frozen=True)
class Template:
    """A tokenizer.json that says the same as a file of another format, or why there is none."""

    texts: tuple[str, ...]  # the tokens as that file spells them, by id
    whole: Part  # without model.vocab and model.merges
    refusal: str = ""
    lone: frozenset[str] = frozenset()
    decode: None = None
    renamed: Mapping[int, str] = field(default_factory=dict)
    prefix: str = ""
    content: bytes = b""  # that file, to be written again


def _open_tokenizer_json(content: str) -> Opened:
    """Return the tokenizer of the file, and what in the file is ignored. Raises BPEError as `read_tokenizer` does."""
    return open_json_object(read_json(content, FILE))


def open_json_file(whole: Part) -> Opened:
    """Return the tokenizer of the file's JSON, whatever it is. Raises BPEError for what is no tokenizer.json."""
    numbers = sum(type(value) is int for value in whole.values())
    if whole and (numbers == len(whole) or is_by_id(whole)):
        raise BPEError("expected tokenizer.json, got a vocabulary: add the merges.txt that belongs to it.")
    if "model" not in whole:
        raise BPEError('expected tokenizer.json, got JSON without the field "model".')
    return open_json_object(whole)


def open_json_object(whole: Part) -> Opened:
    """Return the tokenizer of the file's JSON, as `_open_tokenizer_json` does."""
    model = expect(whole.get("model"), dict, FILE, "model")
    others = {**whole, "model": {**model, "vocab": None, "merges": None}}
    check_others(others, FILE)
    options = _read_options(model)
    own = expect(model.get("vocab"), dict, FILE, "model.vocab")
    vocabulary = dict(own)
    added, notes = _read_added_tokens(
        [] if whole.get("added_tokens") is None else whole["added_tokens"], vocabulary
    )
    merges = expect(model.get("merges"), list, FILE, "model.merges")
    symbols = _symbols_among({token.text for token in added}, own, merges, options)
    # An added token that is also a symbol of the model is searched in a text, and the model may make it too.
    lone = {token.text: token for token in added if token.text not in symbols}
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
    empty = next((number for number, text in source.renamed.items() if not text), None)
    if empty is not None:
        raise BPEError(
            f"the normalizer leaves nothing of {short_json(tokens[empty])}: the library would find it everywhere.",
            FILE,
            "added_tokens",
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
        spelling=with_unspelled(reading.spelling, reading.variant.unit),
        one_by_one=True,
        whole_words=options.whole_words,
        own=lone,
        finder=reading.finder,
        source=source,
    )
    if options.together and reading.variant.unit == "characters":
        _check_unknown_runs(tokenizer)
    return Opened(tokenizer, (*notes, *_ignored(whole, model, tokenizer)))


def _other_ids(tokens: Collection[AddedToken], said: Mapping[str, int]) -> Iterator[str]:
    """Yield the note on added tokens whose ids are not those that the file says."""
    others = [token for token in tokens if token.id != said[token.text]]
    if others:
        have = (
            "1 added token has another id"
            if len(others) == 1
            else f"{len(others):,} added tokens have other ids"
        )
        example = f"{short_json(others[0].text)} has {others[0].id}, not {said[others[0].text]}"
        yield f"As in the library, {have} than the file says: {example}."


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


def _with_added(
    reading: _Reading, before: list[Normalizer], after: list[Normalizer], added: Sequence[AddedToken]
) -> _Reading:
    """Return the reading with the changes made before and after added tokens are searched in the text."""
    normalizer = in_a_row([*before, *after])
    form = before[0].row if len(before) == 1 and not after else None
    first, then = in_a_row(before), in_a_row(after)
    finder = (
        TokenFinder(
            added,
            first.apply if first else unchanged,
            then.apply if then else unchanged,
            first.aligned if first else aligned_as_is,
            then.aligned if then else aligned_as_is,
            partial(first_characters, before) if before and then and then.asks_beginning else None,
        )
        if added
        else None
    )
    if finder is None or not ordinary_tokens(added):
        # `normalization` is applied last.
        return replace(reading, normalizer=None if form else normalizer, normalization=form, finder=finder)
    if normalizer is None and any(token.lstrip or token.rstrip for token in ordinary_tokens(added)):
        normalizer = Normalizer("white space beside added tokens left out", unchanged)
    if normalizer is not None:
        normalizer = replace(normalizer, apply=finder.change, align=finder.aligned)
    return replace(
        reading, variant=with_added_tokens(reading.variant, finder), normalizer=normalizer, finder=finder
    )


def spells_bytes(split: object) -> bool:
    """Return whether a ByteLevel is among the pre-tokenizers."""
    if not isinstance(split, dict):
        return False
    inner = split.get("pretokenizers")
    return split.get("type") == "ByteLevel" or (isinstance(inner, list) and any(map(spells_bytes, inner)))


def _symbols(learned: Mapping[int, str], spelling: Spelling) -> frozenset[Symbol]:
    return frozenset(read_token(token, number, spelling, FILE) for number, token in learned.items())


def check_depth(part: object, field: str) -> None:
    """Raise BPEError if Sequences are nested too deeply."""
    inner = [part]
    for _ in range(_MOST_NESTED):
        lists = [
            one.values() if isinstance(one, dict) else one for one in inner if isinstance(one, dict | list)
        ]
        inner = [part for parts in lists for part in parts]
        if not inner:
            return
    raise BPEError(f"expected parts nested at most {_MOST_NESTED // 2} deep.", FILE, field)


def _character_spelling(tokens: Collection[str], options: _ModelOptions, in_bytes: bool) -> Spelling:
    plain = spelling_of(character_variant(list, options.suffix, Unknowns((), False, False), False))
    if options.prefix:
        return prefixed_spelling(plain, options.prefix)
    if not in_bytes:
        return plain
    # A byte that is a character with a token of its own needs no other.
    missing = next(
        (
            value
            for value in range(256)
            if f"<0x{value:02X}>" not in tokens and not (value < 0x80 and chr(value) in tokens)
        ),
        None,
    )
    if missing is not None:
        raise BPEError(
            f"expected a token for every byte, but <0x{missing:02X}> is missing.", FILE, "model.byte_fallback"
        )

    def read(text: str) -> Symbol:
        match = BYTE_TOKEN.fullmatch(text)
        if match is None:
            return plain.read(text)
        value = int(match[1], 16)
        # The token of a byte that is a character with a token of its own is never used.
        return text.encode() if chr(value) in tokens and value < 0x80 else bytes([value])

    return Spelling(plain.write, read)


def _row_of(part: object, suffix: str) -> Variant | None:
    """Return the row of `VARIANTS` that splits text as a pre-tokenizer does, if there is one."""
    plain = _plain(part)
    for slug, (split, _, suffix_here) in PARTS.items():
        if plain == _plain(split) and (suffix or None) == suffix_here:
            return VARIANTS[slug]
    match plain:
        case [("Split", {"Regex": str(pattern)}, "Removed", True), ("ByteLevel", False, False)] if not suffix:
            read_pre_tokenizer(part)  # raises BPEError for a pattern that the library reads differently
            return custom_variant(translate(pattern, (FILE, "")))
    return None


def _plain(part: object) -> object:
    """Return a pre-tokenizer with every option that splits text written out, so that two can be compared."""
    if not isinstance(part, dict):
        return part
    kind = str(part.get("type"))
    if kind == "Sequence":
        inner = part.get("pretokenizers")
        return [_plain(one) for one in inner] if isinstance(inner, list) else part
    return _WITH_DEFAULTS[kind](part) if kind in _WITH_DEFAULTS else part


def _variant(source: FileSource) -> Variant:
    return source.reading.variant


def _normalizer(source: FileSource) -> Normalizer | None:
    return source.reading.normalizer


def _finder(source: FileSource) -> TokenFinder | None:
    return source.reading.finder


def _symbols_among(
    texts: set[str], vocabulary: dict[str, Any], merges: list[object], options: _ModelOptions
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


def _read_options(model: Part) -> _ModelOptions:
    kind = model_type(model)
    if kind != "BPE":
        raise not_bpe(kind, FILE, "model.type")
    dropout = model.get("dropout")
    if dropout is not None and not (type(dropout) in (int, float) and 0 <= dropout <= 1):
        raise BPEError(f"expected a number from 0 to 1, got {short_json(dropout)}.", FILE, "model.dropout")
    unknown = model.get("unk_token")
    options = _ModelOptions(
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
    if len(merges) > _MOST_MERGES:
        raise BPEError(
            f"expected at most {_MOST_MERGES:,} merges, got {len(merges):,}.", FILE, "model.merges"
        )
    symbol_of: dict[str, Symbol] = {}
    pairs: list[Pair] = []
    for rank, merge in enumerate(merges):
        parts = merge.split(" ") if isinstance(merge, str) else merge
        if not (isinstance(parts, list) and len(parts) == 2 and all(isinstance(part, str) for part in parts)):
            raise BPEError(f"expected two symbols, got {short_json(merge)}.", FILE, f"model.merges[{rank}]")
        for part in parts:
            if part not in symbol_of:
                place = (FILE, f"model.merges[{rank}]")
                symbol_of[part] = read_symbol(checked_length(part, place), spelling, place)
        pairs.append((symbol_of[parts[0]], symbol_of[parts[1]]))
    return HUGGING_FACE.distinct(pairs)


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
    for part in ("truncation", "padding"):
        if whole.get(part) is not None:
            yield f"{part} is ignored: a text is encoded whole."
    post_processor = whole.get("post_processor")
    if post_processor is not None and _type(post_processor) != "ByteLevel":
        yield f"post_processor {_type(post_processor)} is ignored: no special tokens are added around a text."
    yield from repeated_merges(len(model["merges"]), len(tokenizer.merges), HUGGING_FACE)
    decoder = whole.get("decoder")
    if decoder is None:
        yield "The file has no decoder: as in the library, decoding puts a space between tokens."
    elif read_decoder(decoder) is None:
        yield f"decoder {_type(decoder)} is ignored: text is joined from the tokens."
    for name in sorted(whole.keys() - _FIELDS):
        yield f"{short_json(name)} is ignored: we do not know this part of a tokenizer.json."
    for name in sorted(model.keys() - _MODEL_FIELDS):
        yield f"model.{short_json(name)} is ignored: we do not know this option of a model."
    unspelled = sum(symbol.startswith(UNSPELLED) for symbol in tokenizer.ids)
    if unspelled and tokenizer.variant.unit == "bytes":
        are = "token is" if unspelled == 1 else "tokens are"
        yield (
            f"{unspelled:,} {are} spelled with characters that stand for no byte: as in the library, no text gives "
            f"{'it' if unspelled == 1 else 'them'}."
        )
    if tokenizer.variant.drops_unknown:
        yield "The file names no unknown token: as in the library, text that its vocabulary cannot spell is dropped."
    if tokenizer.variant.words_between_spaces and tokenizer.variant.split is str.split:
        yield "The characters U+001C to U+001F separate words here; in the library they do not."


def _type(part: object) -> str:
    kind = part.get("type") if isinstance(part, dict) else part
    return kind[:60] if isinstance(kind, str) else short_json(kind)
