"""The picture of each term of the glossary: a few rows of tokens that the engine computed from a few words.

A row has a name and a remark, which may be empty, and items: a text, a wall between two words, or a token as [label,
kind]. The kind is "", "plain" for a chip without a colour, "unused" or "unknown".
"""

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from math import log2, prod
from typing import Any

import bpe
from bpe import ENCODERS, END_OF_WORD, TIE_BREAKS, VARIANTS, Symbol, Tokenizer, Trace, Variant
from bpe.text.display import code_point, counted, merge_name
from film.feed import ChipLabel
from film.labels import chip_label
from ui.page_parts.lessons.glossary import Term
from ui.page_parts.lessons.moving_numbers import sentence_pieces
from ui.trainings.corpus import from_sample

_WORDS = {"low": 5, "lower": 2, "newest": 6, "widest": 3}  # of the paper, Sennrich et al. 2016
_MERGES = 12
_MOST_TIED = 10  # pairs of a picture
_WALL = "|"  # between two words of a row
_Item = str | list[Any]
Row = dict[str, Any]  # "name", "items", "remark"
_Picture = list[Row]


def picture_of(term: Term) -> _Picture:
    """Return the rows of a term's picture; of one that moves, those at first."""
    return _MOVING[term.slug](term.at) if term.moves else _PICTURES[term.slug](*term.shows)


def moving_picture(term: Term) -> dict[str, Any] | None:
    """Return the sentence with the number to drag, and the picture after 0, 1, 2, … merges; None if it stands still."""
    if not term.moves:
        return None
    frames = [_MOVING[term.slug](step) for step in range(_MERGES + 1)]
    return {
        "sentence": sentence_pieces(term.moves, _trained_words(), term.at),
        "frames": frames,
        "at": term.at,
    }


@cache
def _trained_words() -> Trace:
    """Return the training of most pictures."""
    return bpe.train(_WORDS, merges=_MERGES)


def _row(items: Iterable[_Item], name: str = "", remark: str = "") -> Row:
    return {"name": name, "items": list(items), "remark": remark}


def _chip(symbol: Symbol, kind: str = "", trace: Trace | None = None) -> _Item:
    trace = _trained_words() if trace is None else trace
    return [chip_label(trace.variant, symbol), kind]


def _chips(symbols: Iterable[Symbol], trace: Trace | None = None) -> list[_Item]:
    return [_chip(symbol, trace=trace) for symbol in symbols]


def _text_chip(label: ChipLabel, kind: str = "") -> _Item:
    return [label, kind]


def _bytes(text: str) -> list[_Item]:
    return [_text_chip(("", f"{octet:02X}")) for octet in text.encode()]


def _walled(words: Iterable[Sequence[_Item]]) -> list[_Item]:
    """Return the items of several words, with a wall between each two."""
    items: list[_Item] = []
    for word in words:
        items += [_WALL] * bool(items)
        items += word
    return items


def _word(name: str, after: int, trace: Trace | None = None) -> list[_Item]:
    """Return a word of the training text as it is split after so many merges."""
    trace = _trained_words() if trace is None else trace
    return _chips(trace.words_at(after)[trace.pre_tokens.index(name)][0], trace)


def _encoded(text: str) -> list[_Item]:
    return _chips(_trained_words().tokenizer(_MERGES).tokens(text))


def _merge(rank: int, trace: Trace | None = None) -> list[_Item]:
    trace = _trained_words() if trace is None else trace
    left, right = trace.merges[rank]
    return [_chip(left, trace=trace), "+", _chip(right, trace=trace), "→", _chip(left + right, trace=trace)]


def _pairs(most: int) -> list[tuple[list[_Item], int]]:
    return [(_chips(pair), count) for pair, count in _trained_words().frequent_pairs(0, most).pairs]


def _count(number: int) -> str:
    return counted(number, "time")


def _bits_per_byte(text: str = "lowest") -> _Picture:
    """Return what a text costs a model for which all tokens are equally likely."""
    tokens, size = _encoded(text), len(_trained_words().vocabulary(_MERGES))
    needed = len(tokens) * log2(size) / len(text.encode())
    blindly = f"all {size} tokens equally likely"
    return [
        _row(tokens, blindly, f"{counted(len(tokens), 'token')} of {log2(size):.2f} bits"),
        _row([_text_chip(text, "plain")], "", f"{len(text.encode())} bytes: {needed:.2f} bits per byte"),
    ]


def _highest() -> _Picture:
    return [
        _row(items, remark=f"{_count(count)}{' ← merged' if number == 0 else ''}")
        for number, (items, count) in enumerate(_pairs(5))
        if number in (0, 3, 4)
    ]


def _tied(step: int) -> _Picture:
    pairs = _trained_words().frequent_pairs(step, _MOST_TIED).pairs
    tied = [(pair, count) for pair, count in pairs if count == pairs[0][1]]
    return [_row(_chips(pair), remark=_count(count)) for pair, count in tied]


def _seeds(rule: str) -> _Picture:
    traces = [bpe.train(_WORDS, tie_break=rule, seed=seed, merges=2) for seed in (0, 1, 0)]
    return [
        _row([*_merge(0, trace), ",", *_merge(1, trace)], f"seed {seed}")
        for seed, trace in zip((0, 1, 0), traces, strict=True)
    ]


def _rules(*slugs: str) -> _Picture:
    rows = []
    for slug in slugs:
        trace = bpe.train(_WORDS, tie_break=slug, merges=1)
        rows.append(_row(_merge(0, trace), TIE_BREAKS[slug].title))
    return rows


def _real_choice(variant: str, *slugs: str) -> _Picture:
    """Return the word in which two tied pairs want the same token, before the tie and after it under each rule."""
    text = from_sample("nowhere").training_text
    rows: _Picture = []
    for slug in slugs:
        trace = bpe.train(text, variant, tie_break=slug, merges=6)
        if not rows:
            rank = next(iter(reversed(trace.all_rivals())))
            rows.append(_row(_word("nowhere", rank, trace), f"{len(trace.tied_pairs(rank))} pairs tie"))
        rows.append(_row(_word("nowhere", len(trace.steps), trace), TIE_BREAKS[slug].title))
    return rows


def _overlapping(variant: str) -> _Picture:
    trace = bpe.train({"aaa": 1}, variant=variant, merges=1)
    count = trace.pair_counts(0)[trace.merges[0]]
    return [
        _row(_word("aaa", 0, trace), "before", f"{counted(count, 'pair')} a + a"),
        _row(_word("aaa", 1, trace), "after", "one was merged"),
    ]


def _in_use(step: int) -> _Picture:
    trace = _trained_words()
    counts = trace.token_counts(step)
    tokens = trace.vocabulary(step)
    used = [_chip(token) for token in tokens if counts.get(token)]
    gone = [_chip(token, "unused") for token in tokens if not counts.get(token)]
    return [_row(used, "in use"), *([_row(gone, "not in use")] if gone else [])]


def _stones() -> _Picture:
    left, right = _trained_words().merges[1]
    return [
        _row([_chip(left, "unused"), "+", _chip(right), "→", _chip(left + right)]),
        _row(_word("newest", 3), remark=f"{left.decode()} is no longer in use"),
    ]


def _vocabulary(step: int) -> _Picture:
    trace = _trained_words()
    learned = _chips(left + right for left, right in trace.merges[:step])
    return [_row(_chips(trace.alphabet), "first"), *([_row(learned, "learned")] if learned else [])]


def _ids() -> _Picture:
    tokenizer = _trained_words().tokenizer(_MERGES)
    return [_row([_chip(token), "→", str(tokenizer.ids[token])]) for token in tokenizer.tokens("lowest")]


def _superwords(variant: str, second: str) -> _Picture:
    text = "by the way, by the way"
    trace = bpe.train(text, variant=variant, merges=9, second_pattern=second, second_after=7)
    return [
        _row(_chips(trace.segment(text, step), trace), name)
        for name, step in (("words", 7), ("superword", 9))
    ]


def _frequency() -> _Picture:
    word, count = max(_WORDS.items(), key=lambda item: item[1])
    return [_row(_word(word, 0), f"{word} × {count}", f"adds {count} to each pair")]


def _pre_tokens(slug: str, text: str) -> list[_Item]:
    variant = VARIANTS[slug]
    return _walled([_text_chip(piece.replace(" ", "·"))] for piece in variant.split(text))


def _normalized() -> _Picture:
    trace = bpe.train("The", normalization="lower", merges=0)
    return [_row([_text_chip("The", "plain"), "→", _text_chip(trace.pre_tokens[0], "plain")])]


def _fertility(step: int) -> _Picture:
    words = [_word(name, step) for name in _WORDS]
    tokens = sum(map(len, words))
    remark = f"{counted(tokens, 'token')} / {len(words)} words = {tokens / len(words):.3g}"
    return [_row(_walled(words), remark=remark)]


def _compression(step: int) -> _Picture:
    text = " ".join(_WORDS)
    tokens = _trained_words().tokenizer(step).tokens(text)
    size = len(text.encode())
    remark = f"{size} bytes / {counted(len(tokens), 'token')} = {size / len(tokens):.1f}"
    return [_row(_chips(tokens), remark=remark)]


def _words(step: int) -> _Picture:
    return [_row(_word(word, step), f"{count} ×") for word, count in _WORDS.items()]


def _premium(variant: str) -> _Picture:
    tokenizer = bpe.train("good day good day good day", variant=variant, merges=5).tokenizer()
    texts = {"English": "good day", "Greek": "καλημέρα"}
    tokens = {name: tokenizer.tokens(text) for name, text in texts.items()}
    return [
        _row(_labelled(symbols, tokenizer.variant), name, counted(len(symbols), "token"))
        for name, symbols in tokens.items()
    ]


def _code_points() -> _Picture:
    whole = "é"
    return [
        _row([_text_chip(text, "plain"), "→", *(_text_chip(code_point(one)) for one in text)])
        for text in (whole, unicodedata.normalize("NFD", whole))
    ]


def _byte_level(variant: str, alphabet: str) -> _Picture:
    tokenizer = bpe.train(_WORDS, variant=variant, alphabet=alphabet, merges=_MERGES).tokenizer()
    return [_row(_labelled(tokenizer.tokens("low 😊"), tokenizer.variant))]


def _byte_fallback() -> _Picture:
    low, end = _chip(b"low"), _chip(END_OF_WORD)
    return [_row([low, _text_chip("€", "unknown"), end], "without"), _row([low, *_bytes("€"), end], "with")]


def _encoders(variant: str, *slugs: str) -> _Picture:
    trace = bpe.train({"ab": 5, "bcd": 3}, variant=variant, merges=3)
    return [
        _row(_chips(trace.tokenizer().tokens("abcd", slug), trace), ENCODERS[slug].title) for slug in slugs
    ]


def _tokenization() -> _Picture:
    ids = ", ".join(map(str, _trained_words().tokenizer(_MERGES).encode("lowest")))
    return [_row([_text_chip("lowest", "plain"), "→", *_encoded("lowest"), "→", ids])]


def _tokenizer() -> _Picture:
    tokenizer = _trained_words().tokenizer(_MERGES)
    ids = tokenizer.encode("lowest")
    there, back = ", ".join(map(str, ids)), tokenizer.decode(ids)
    return [
        _row([_text_chip("lowest", "plain"), "→", *_encoded("lowest"), "→", there], "encode"),
        _row([there, "→", *_encoded("lowest"), "→", _text_chip(back, "plain")], "decode"),
    ]


def _training() -> _Picture:
    return [
        _row([_text_chip(word, "plain") for word in _WORDS], "text"),
        _row(_merge(0), merge_name(0)),
        _row(_merge(1), merge_name(1)),
    ]


def _presets(*slugs: str) -> _Picture:
    rows = []
    for slug in slugs:
        preset = bpe.PRESETS[slug]
        trace = bpe.train(_WORDS, **{**preset.settings, "merges": 1})
        rows.append(_row(_merge(0, trace), preset.title))
    return rows


def _special(variant: str) -> _Picture:
    typed = "<|endoftext|>"
    tokens = Tokenizer(
        VARIANTS[variant], [typed.encode(), *(bytes([value]) for value in range(256))], special_tokens=[typed]
    )
    return [
        _row([_text_chip(typed)], "added", counted(len(tokens.tokens(typed, allow_special=True)), "token")),
        _row(
            _labelled(tokens.tokens(typed), tokens.variant),
            "typed",
            counted(len(tokens.tokens(typed)), "token"),
        ),
    ]


def _unknown() -> _Picture:
    known = _trained_words().alphabet
    return [
        _row(
            _chip(symbol) if symbol in known else _text_chip("<unk>", "unknown")
            for symbol in _trained_words().segment("foe", 0)
        )
    ]


def _unigram() -> _Picture:
    pieces = {"low": 0.2, "est": 0.2, "lo": 0.1, "west": 0.05}
    splits = [["low", "est"], ["lo", "west"]]
    chosen = max(splits, key=lambda split: prod(map(pieces.__getitem__, split)))
    rows = []
    for split in splits:
        likely = " × ".join(f"{pieces[piece]:g}" for piece in split)
        rows.append(
            _row(map(_text_chip, split), remark=f"{likely}{' ← more probable' if split == chosen else ''}")
        )
    return rows


def _lanes(*slugs: str) -> _Picture:
    rows = []
    for slug in slugs:
        trace = bpe.train(_WORDS, tie_break=slug, merges=2)
        rows.append(_row(_word("newest", 2, trace), TIE_BREAKS[slug].title))
    return rows


# Slug of a term -> its picture after so many merges
_MOVING: Mapping[str, Callable[[int], _Picture]] = {
    "byte-pair-encoding-bpe": _words,
    "compression": _compression,
    "fertility": _fertility,
    "in-use": _in_use,
    "tie": _tied,
    "vocabulary": _vocabulary,
}

# Slug of the term -> its picture, from what the term `shows`
_PICTURES: Mapping[str, Callable[..., _Picture]] = {
    "alphabet": lambda: [_row(_chips(_trained_words().alphabet))],
    "bits-per-byte": _bits_per_byte,
    "byte": lambda: [_row([_text_chip(letter, "plain"), "→", *_bytes(letter)]) for letter in "aé"],
    "byte-fallback": _byte_fallback,
    "byte-level": _byte_level,
    "code-point": _code_points,
    "corpus": lambda: [
        _row([_text_chip(word, "plain")], remark=_count(count)) for word, count in _WORDS.items()
    ],
    "decoding": lambda: [_row([*_encoded("low lowest"), "→", _text_chip("low lowest", "plain")])],
    "encoder": _encoders,
    "frequency": _frequency,
    "greedy": _highest,
    "held-out-text": lambda: [
        _row([_text_chip(word, "plain") for word in _WORDS], "learned from"),
        _row(_encoded("lowest"), "new"),
    ],
    "id": _ids,
    "lane": _lanes,
    "marker": lambda: [_row(_word("low", 0), "low"), _row(_word("low", _MERGES), "learned")],
    "merge": lambda: [
        _row(_word("newest", 0), "before"),
        _row(_merge(0), "merge"),
        _row(_word("newest", 1), "after"),
    ],
    "normalization": _normalized,
    "overlap": _overlapping,
    "pair": lambda: [_row(items, remark=_count(count)) for items, count in _pairs(5)[3:5]],
    "pattern": lambda *variants: [
        _row(_pre_tokens(slug, "in 12345"), VARIANTS[slug].title.split(", ")[1]) for slug in variants
    ],
    "pre-token": lambda variant: [_row(_pre_tokens(variant, "It's 12345 low"))],
    "premium": _premium,
    "preset": _presets,
    "rank": lambda: [_row(_merge(rank), f"rank {rank}") for rank in range(3)],
    "real-choice": _real_choice,
    "seed": _seeds,
    "special-token": _special,
    "stepping-stone": _stones,
    "subword": lambda: [_row(_encoded("lowest"), "lowest")],
    "superword": _superwords,
    "symbol": lambda: [_row(_word("lower", 0))],
    "tie-breaking-rule": _rules,
    "token": lambda: [_row(_walled(_word(name, _MERGES) for name in _WORDS))],
    "tokenization": _tokenization,
    "tokenizer": _tokenizer,
    "trainer": _training,
    "unicode": lambda: [_row([_text_chip(letter, "plain"), "→", code_point(letter)]) for letter in "aé😊"],
    "unigram": _unigram,
    "unknown-token": _unknown,
    "utf-8": lambda: [_row([_text_chip(letter, "plain"), "→", *_bytes(letter)]) for letter in "aé€😊"],
    "wall": lambda: [_row(_walled(_word(name, 0) for name in ("low", "lower")))],
    "wordpiece": lambda: [_row(map(_text_chip, ["low", "##est"]), "lowest")],
}


def _labelled(symbols: Iterable[Symbol], variant: Variant) -> list[_Item]:
    return [_text_chip(chip_label(variant, symbol)) for symbol in symbols]
