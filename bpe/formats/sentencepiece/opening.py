"""Opening a SentencePiece model: pieces and scores become merges, which encode as the library does.

The library merges whatever joins to a piece, the highest score first. Several pairs can join to one piece, but only
one of them ever gets that far: the last one when the piece itself is encoded. What happens inside a piece happens in
every text in which the piece comes about, since nothing outside of it takes part. So each piece becomes one merge.
"""

import codecs
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Any

import regex

from bpe.checkpoints import with_checkpoints
from bpe.encoding.tokenizer import Tokenizer
from bpe.formats.charsmap import plain_characters, replacements
from bpe.formats.hugging_face.normalizers import METASPACE
from bpe.formats.hugging_face.reading import Template
from bpe.formats.hugging_face.variants import Unknowns, byte_variant, character_variant
from bpe.formats.opened import Opened, not_bpe, short_json
from bpe.formats.sentencepiece.model import (
    BPE,
    BYTE,
    CONTROL,
    FILE,
    MODEL_TYPES,
    NORMAL,
    UNKNOWN,
    UNUSED,
    USER_DEFINED,
    ModelFile,
    Normalizing,
    Piece,
    read_model,
)
from bpe.symbols import BPEError, Pair, Symbol, Word
from bpe.text.display import counted
from bpe.text.normalizing import Aligned, Normalizer
from bpe.text.variants import Variant

# Among equal scores the library joins the leftmost pair first, so that such a run grows from its left end: two,
# three, four spaces, and so on. A merge list applies one pair after the other. The merges here lead to the same
# tokens by another way: they make the longest pieces by doubling, and then join what is left of the run, the longest
# part first.
_RunPair = tuple[str, str]
_Sizes = tuple[int, int]
_MOST = 128  # characters of the longest piece

# Source: google/sentencepiece, src/normalizer.cc (Normalizer::Normalize).
_NormalizedPiece = tuple[str, int]  # text after the change, number of characters before it
_SPACES = re.compile("  +")
_BYTES = {f"<0x{value:02X}>": bytes([value]) for value in range(256)}  # as the pieces of bytes are written
_EACH_BYTE = "merge-by-merge.each-byte"

# Pieces with ▁ at their beginning only, or at their end only: between the two, no piece continues.
_BEFORE = re.compile(rf"{METASPACE}*[^{METASPACE}]*")
_BEHIND = re.compile(rf"[^{METASPACE}]*{METASPACE}*")
_Part = dict[str, Any]
_MOST_WORK = 1 << 26  # sum of the squared lengths of the pieces, which bounds the time for their merges
_PIECES = 1 << 8  # between two checkpoints


def open_model(content: bytes) -> Opened:
    """Return the tokenizer of a `.model` file. Raises BPEError, with the field, for what is not supported."""
    model = read_model(content)
    if model.model_type != BPE:
        kind = MODEL_TYPES.get(model.model_type, model.model_type)
        raise not_bpe(kind, FILE, "trainer_spec.model_type")
    vocabulary = _vocabulary(model)
    merges, equal_ranks = _merges(model.pieces, vocabulary)
    rules = model.normalizing
    special = {
        number: piece.text for number, piece in enumerate(model.pieces) if piece.kind in (CONTROL, UNKNOWN)
    }
    tokenizer = Tokenizer(
        variant=_pieces_variant(model, vocabulary),
        vocabulary=_symbols(model, vocabulary),
        merges=merges,
        special_tokens=tuple(special.values()),
        special_ids=tuple(special),
        unknown=next(number for number, text in special.items() if text == vocabulary.unknown),
        normalizer=_normalizer_of(rules, model.space_behind, vocabulary.user_defined),
        one_by_one=True,
        equal_ranks=equal_ranks,
        source=replace(_as_template(model, vocabulary, bool(equal_ranks)), content=content),
    )
    return Opened(tokenizer, tuple(_notes(model, tokenizer)), "SentencePiece model")


def _runs_of_one(texts: Sequence[str], all_texts: Sequence[str]) -> list[_RunPair]:
    """Return the merges for pieces of equal score that are all runs of one character.

    Returns none for other pieces, if another piece has two of these characters side by side, or if the merges would not
    lead to the tokens of the library.

    >>> _runs_of_one(["--", "----", "---"], ["--", "----", "---", "a-"])
    [('-', '-'), ('--', '--'), ('--', '-')]
    """
    character, longest = texts[0][0], max(map(len, texts))
    others = len(all_texts) - len(texts)
    if len(texts) < 2 or longest > _MOST or any(text.strip(character) for text in texts):
        return []
    if others and sum(character * 2 in text for text in all_texts) > len(texts):
        return []
    lengths = {len(text) for text in texts}
    pairs = _pairs(lengths, longest)
    if any(_merged(pairs, size) != _grown(lengths, size) for size in range(4 * longest)):
        return []
    return [(character * left, character * right) for left, right in pairs]


def _normalizer_of(rules: Normalizing, space_behind: bool, user_defined: Iterable[str]) -> Normalizer:
    """Return the normalizer of a model. Texts in `user_defined` are not changed, wherever they occur."""
    pieces = _pieces_of(rules.charsmap, list(user_defined))
    space = METASPACE if rules.escapes_spaces else " "

    def apply(text: str, begins: int) -> str:
        before = list(with_checkpoints(list(pieces(text))))
        if not before or (rules.strips_spaces and all(piece and not piece.strip(" ") for piece, _ in before)):
            return ""
        changed = "".join(piece for piece, _ in _stripped(before, rules.strips_spaces))
        changed = changed.replace(" ", space)
        if rules.dummy_prefix and not space_behind:
            changed = space + changed
        if rules.strips_spaces:
            while changed.endswith(space):
                changed = changed.removesuffix(space)
        return changed + space if rules.dummy_prefix and space_behind else changed

    def align(text: str, begins: int) -> Aligned:
        changed = apply(text, begins)
        if not changed:
            return "", []
        starts: list[int] = []
        at = 0
        before = list(pieces(text))
        for (piece, size), (rest, _) in zip(before, _stripped(before, rules.strips_spaces), strict=True):
            starts += _starts(at, piece if len(piece) == size else "", rest)
            at += size
        behind = rules.dummy_prefix and space_behind
        if rules.dummy_prefix and not space_behind:
            starts = [*starts[:1], *starts] or [0]
        size = len(changed) - behind
        end = starts[size] if size < len(starts) else len(text)
        return changed, list(pairwise([*starts[:size], *[end] * behind, end]))

    changes = [f"the characters of {rules.name or 'its own table'}"] if rules.charsmap else []
    changes += ["no space doubled, none around the text"] if rules.strips_spaces else []
    changes += ["▁ for every space"] if rules.escapes_spaces else []
    if rules.dummy_prefix:
        changes.append("a space behind" if space_behind else "a space in front")
    arguments = (rules, space_behind, tuple(user_defined))
    return Normalizer(", ".join(changes) or "none", apply, align, remake=lambda: (_normalizer_of, arguments))


@dataclass(frozen=True, slots=True)
class _Vocabulary:
    """The pieces of a model, by what they do."""

    learned: Collection[str]
    known: Collection[Symbol]  # characters that are pieces
    user_defined: Sequence[str]  # found in the text before anything is merged, and merged with nothing
    unknown: str  # the piece for unknown characters
    control: Collection[str]


def _pieces_variant(model: ModelFile, vocabulary: _Vocabulary) -> Variant:
    """Return the variant that cuts a normalized text where no piece can continue, and spells characters."""
    split = _splitter(vocabulary)
    plain = character_variant(
        split, "", Unknowns(vocabulary.known, model.byte_fallback, not model.byte_fallback), False
    )
    whole = {text: (text.encode(),) for text in vocabulary.user_defined}

    def spell(pre_token: str) -> Word:
        return whole.get(pre_token) or plain.spell(pre_token)

    return replace(
        byte_variant(split, ""),
        about="Text is changed, split and spelled as the model's file says.",
        unit="characters",
        spell=spell if whole else plain.spell,
        spell_bytes=None,
        decode=_decoder(model, vocabulary),
        decodes_special=True,
        lone_bytes=model.byte_fallback,
        byte_symbols=plain.byte_symbols,
        joins_unknown=plain.joins_unknown,
        loses="whatever the model's rules change: spaces, forms of characters, unknown characters",
        remake=lambda: (_pieces_variant, (replace(model, pieces=()), vocabulary)),
    )


def _as_template(model: ModelFile, vocabulary: _Vocabulary, has_equals: bool) -> Template:
    """Return the tokenizer.json of a model, or why there is none."""
    texts = tuple(piece.text for piece in model.pieces)
    refusal = _refusal(model, vocabulary, has_equals)
    return Template(texts, {} if refusal else _whole(model, vocabulary), refusal)


def _replaced(error: UnicodeError) -> tuple[str, int]:
    """Return U+FFFD for every byte that is no character, as the library does."""
    assert isinstance(error, UnicodeDecodeError)
    return "\ufffd" * (error.end - error.start), error.end


codecs.register_error(_EACH_BYTE, _replaced)


def _pairs(lengths: Set[int], longest: int) -> list[_Sizes]:
    doubled = [1 << power for power in range(longest.bit_length() - 1)]
    # What is left of a run is a sum of powers of two, in falling order: 13 = 8 + 4 + 1 = 12 + 1.
    rest = sorted(lengths, key=lambda length: (-(length & -length), -length))
    low = [(length - (length & -length), length & -length) for length in rest if length & (length - 1)]
    return [(size, size) for size in doubled if 2 * size in lengths] + low


def _grown(lengths: Set[int], size: int) -> list[int]:
    """Return the lengths of the pieces into which the library splits a run: the leftmost pair first."""
    run = [1] * size
    while True:
        at = next((at for at, pair in enumerate(pairwise(run)) if sum(pair) in lengths), None)
        if at is None:
            return run
        run[at : at + 2] = [run[at] + run[at + 1]]


def _merged(pairs: Sequence[_Sizes], size: int) -> list[int]:
    """Return the lengths into which the merges split a run, each applied everywhere from left to right."""
    run = [1] * size
    for left, right in pairs:
        at = 0
        while at < len(run) - 1:
            if (run[at], run[at + 1]) == (left, right):
                run[at : at + 2] = [left + right]
            at += 1
    return run


def _starts(at: int, piece: str, rest: str) -> list[int]:
    """Return where the characters that are left of a piece begin; all at its beginning if it was replaced."""
    starts: list[int] = []
    position = 0
    for character in rest:
        position = piece.index(character, position) if piece else 0
        starts.append(at + position)
        position += 1
    return starts


def _pieces_of(charsmap: bytes, user_defined: list[str]) -> Callable[[str], Iterator[_NormalizedPiece]]:
    """Return the function that cuts a text into the pieces that are changed, with what each becomes."""
    longest = replacements(charsmap, FILE) if charsmap else None
    plain = (
        regex.compile(f"[{regex.escape(plain_characters(charsmap), special_only=False)}]+")
        if charsmap
        else None
    )
    longest_first = sorted(user_defined, key=len, reverse=True)
    own = regex.compile("|".join(map(regex.escape, longest_first))) if longest_first else None

    def pieces(text: str) -> Iterator[_NormalizedPiece]:
        at = 0
        while at < len(text):
            next_own = own.search(text, at) if own else None
            if next_own and next_own.start() == at:
                end = next_own.end()
            else:
                end = next_own.start() if next_own else len(text)
                if longest is not None and plain is not None:
                    run = plain.match(text, at, end)
                    # The last character of a run may form a key with what follows.
                    end = run.end() - (run.end() < len(text)) if run else at
            if end > at:
                yield text[at:end], end - at
                at = end
                continue
            replaced = longest(text, at) if longest else None
            yield replaced or (text[at], 1)
            at += replaced[1] if replaced else 1

    return pieces


def _stripped(pieces: Iterable[_NormalizedPiece], strips: bool) -> Iterator[_NormalizedPiece]:
    """Yield the pieces without spaces at the beginning and after another space, if spaces are stripped."""
    after_space = strips
    for text, size in pieces:
        if strips and len(text) > 1 and size == len(text):
            text = _SPACES.sub(" ", text)  # a run of characters, each a piece of its own
        if after_space:
            text = text.lstrip(" ")
        yield text, size
        if text and strips:
            after_space = text.endswith(" ")


def _splitter(vocabulary: _Vocabulary) -> Callable[[str], list[str]]:
    cut = _cutter(vocabulary)
    if not vocabulary.user_defined:
        return cut
    longest_first = sorted(vocabulary.user_defined, key=len, reverse=True)
    pattern = regex.compile("(" + "|".join(map(regex.escape, longest_first)) + ")")

    def split(text: str) -> list[str]:
        pre_tokens: list[str] = []
        for number, part in enumerate(pattern.split(text)):
            pre_tokens += [part] if number % 2 else cut(part) if part else []
        return pre_tokens

    return split


def _cutter(vocabulary: _Vocabulary) -> Callable[[str], list[str]]:
    """Return the function that cuts a text without changing its tokens: only where no piece can continue."""
    if METASPACE.encode() in vocabulary.known:  # else unknown characters on both sides would be one
        for pattern in (_BEFORE, _BEHIND):
            if all(map(pattern.fullmatch, vocabulary.learned)):
                find = regex.compile(pattern.pattern).findall
                return lambda text: [part for part in find(text) if part]
    return lambda text: [text] if text else []


def _decoder(model: ModelFile, vocabulary: _Vocabulary) -> Callable[[Iterable[Symbol]], str]:
    """Return the function that joins pieces. Source: sentencepiece_processor.cc, Decode."""
    unknown, surface = vocabulary.unknown.encode(), model.unknown_surface.encode()
    space, rules = METASPACE.encode(), model.normalizing
    strips = rules.strips_spaces
    one = rules.dummy_prefix and not strips
    # No text is encoded with the piece of a byte whose character is a piece, too, but its id can be decoded.
    bytes_of_file = _BYTES if model.byte_fallback else {}
    byte_of = {text.encode(): byte for text, byte in bytes_of_file.items() if byte in vocabulary.known}

    control = {text.encode() for text in vocabulary.control}

    def decode(symbols: Iterable[Symbol]) -> str:
        texts: list[str] = []
        parts: list[Symbol] = []
        begins = True
        for symbol in symbols:
            if symbol in control:  # is no text, and ends a run of bytes
                texts.append(b"".join(parts).decode("utf-8", _EACH_BYTE))
                parts = []
                continue
            if symbol == unknown:
                parts.append(surface)
                begins = False
                continue
            text = byte_of.get(symbol, symbol)
            if begins and (one or strips) and text.startswith(space):
                text = text.removeprefix(space)
                begins = strips and not text
            else:
                begins = False
            parts.append(text.replace(space, b" "))
        return "".join((*texts, b"".join(parts).decode("utf-8", _EACH_BYTE)))

    return decode


def _refusal(model: ModelFile, vocabulary: _Vocabulary, has_equals: bool) -> str:
    """Return the sentence that names a part which tokenizer.json cannot hold; "" if there is none."""
    if has_equals:
        return f"tokenizer.json cannot hold equal scores of {FILE}: each of its merges has a rank of its own."
    if model.normalizing.charsmap:
        return (
            f"tokenizer.json cannot hold normalizer_spec.precompiled_charsmap of {FILE} exactly: Hugging Face's "
            "tokenizers applies this table in another way. merges.txt and vocab.json hold the tokens."
        )
    rules = model.normalizing
    unlike = {
        "trainer_spec.treat_whitespace_as_suffix": model.space_behind,
        "normalizer_spec.escape_whitespaces": not rules.escapes_spaces,
        "normalizer_spec.remove_extra_whitespaces without add_dummy_prefix": rules.strips_spaces
        and not rules.dummy_prefix,
    }
    for field, is_so in unlike.items():
        if is_so:
            return f"tokenizer.json cannot hold {field} of {FILE}; merges.txt and vocab.json hold the tokens."
    if vocabulary.user_defined:
        example = repr(vocabulary.user_defined[0][:40])
        return (
            f"tokenizer.json cannot hold the user-defined pieces of {FILE}, such as {example}: the library would add "
            "a space behind each. merges.txt and vocab.json hold the tokens."
        )
    return ""


def _whole(model: ModelFile, vocabulary: _Vocabulary) -> _Part:
    normalizer, front = _normalizer(model.normalizing), model.normalizing.dummy_prefix
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    decoders: list[_Part] = [
        {"type": "Replace", "pattern": {"String": METASPACE}, "content": " "},
        *([{"type": "ByteFallback"}] if model.byte_fallback else []),
        {"type": "Fuse"},
        *([{"type": "Strip", "content": " ", "start": 1, "stop": 0}] if front else []),
    ]
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            {"id": number, "content": piece.text, **flags}
            for number, piece in enumerate(model.pieces)
            if piece.kind in (CONTROL, UNKNOWN)
        ],
        "normalizer": normalizer,
        "pre_tokenizer": None,
        "post_processor": None,
        "decoder": {"type": "Sequence", "decoders": decoders},
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": vocabulary.unknown,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": True,
            "byte_fallback": model.byte_fallback,
            "ignore_merges": False,
        },
    }


def _normalizer(rules: Normalizing) -> _Part:
    steps: list[_Part] = [{"type": "Prepend", "prepend": " "}] if rules.dummy_prefix else []
    if rules.strips_spaces:  # the space in front makes one of all spaces there
        steps.append({"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "})
    steps.append({"type": "Replace", "pattern": {"String": " "}, "content": METASPACE})
    if rules.strips_spaces:
        steps.append({"type": "Replace", "pattern": {"Regex": rf"{METASPACE}+(?![\s\S])"}, "content": ""})
    return {"type": "Sequence", "normalizers": steps}


def _vocabulary(model: ModelFile) -> _Vocabulary:
    """Return the pieces by what they do. Raises BPEError for a vocabulary that we cannot encode with."""
    of_kind: dict[int, list[str]] = {
        kind: [] for kind in (NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE)
    }
    for piece in model.pieces:
        of_kind[piece.kind].append(piece.text)
    if len(of_kind[UNKNOWN]) != 1:
        raise BPEError(f"expected one piece for unknown characters, got {len(of_kind[UNKNOWN])}.", FILE)
    if of_kind[UNUSED]:
        raise BPEError(f"unused pieces are not supported, got {short_json(of_kind[UNUSED][0])}.", FILE)
    if model.byte_fallback and set(of_kind[BYTE]) != _BYTES.keys():
        raise BPEError("expected 256 pieces from <0x00> to <0xFF>.", FILE, "trainer_spec.byte_fallback")
    learned = of_kind[NORMAL]
    if sum(len(text) ** 2 for text in learned) > _MOST_WORK:
        raise BPEError("the pieces are too long; SentencePiece's default limit is 16 characters.", FILE)
    single = {text for text in learned if len(text) == 1} | {
        text for text in of_kind[USER_DEFINED] if len(text) == 1
    }
    lone = next((character for text in learned for character in text if character not in single), None)
    if lone is not None:
        raise BPEError(
            f"expected a piece for every character of a piece, but {short_json(lone)} has none.", FILE
        )
    return _Vocabulary(
        learned,
        {text.encode() for text in single},
        of_kind[USER_DEFINED],
        of_kind[UNKNOWN][0],
        of_kind[CONTROL],
    )


def _symbols(model: ModelFile, vocabulary: _Vocabulary) -> list[Symbol]:
    """Return the pieces in id order. The piece of a byte that is a character with a piece of its own is never used."""
    byte_of = {text: byte for text, byte in _BYTES.items() if byte not in vocabulary.known}
    return [
        byte_of.get(piece.text, piece.text.encode()) if piece.kind == BYTE else piece.text.encode()
        for piece in model.pieces
    ]


def _merges(pieces: Sequence[Piece], vocabulary: _Vocabulary) -> tuple[list[Pair], dict[Symbol, int]]:
    """Return the merges, the highest score first, and the groups of pieces with equal scores: piece -> number.

    Runs of one character need no group: their merges have an order that leads to the same tokens.
    """
    score_of = {piece.text: piece.score for piece in pieces if piece.kind == NORMAL}
    ranked = sorted((text for text in score_of if len(text) > 1), key=lambda text: -score_of[text])
    frozen = frozenset(vocabulary.user_defined)
    pairs: list[tuple[str, str]] = []
    equal_ranks: dict[Symbol, int] = {}
    for number, (_, group) in enumerate(groupby(with_checkpoints(ranked, _PIECES), key=score_of.__getitem__)):
        texts = list(group)
        runs = _runs_of_one(texts, ranked)
        made = runs or list(filter(None, (_last_pair(text, score_of, frozen) for text in texts)))
        pairs += made
        if len(made) > 1 and not runs:
            equal_ranks |= {(left + right).encode(): number for left, right in made}
    return [(left.encode(), right.encode()) for left, right in pairs], equal_ranks


def _last_pair(text: str, score_of: dict[str, float], frozen: frozenset[str]) -> tuple[str, str] | None:
    """Return the pair that makes a piece last when it is encoded; None if its encoding is not the piece."""
    symbols = list(text)
    if not frozen.isdisjoint(symbols):
        return None
    while len(symbols) > 2:
        scores = [score_of.get(left + right) for left, right in pairwise(symbols)]
        best = max((score for score in scores if score is not None), default=None)
        if best is None:
            return None
        at = scores.index(best)
        symbols[at : at + 2] = [symbols[at] + symbols[at + 1]]
    return symbols[0], symbols[1]


def _notes(model: ModelFile, tokenizer: Tokenizer) -> Iterator[str]:
    """Yield a sentence for each part of the file that is not used, and for pieces that have no order."""
    learned = sum(piece.kind == NORMAL and len(piece.text) > 1 for piece in model.pieces)
    if learned > len(tokenizer.merges):
        unused = counted(learned - len(tokenizer.merges), "piece")
        yield f"No text is ever joined to {unused}: pairs with higher scores always come first."
    if tokenizer.equal_ranks:
        example = short_json(next(iter(tokenizer.equal_ranks)).decode())
        yield f"Some pieces have equal scores, {example} among them. As in the library, the leftmost is joined first."
    if model.denormalizes:
        yield "denormalizer_spec is ignored: decoded text is not changed again."
