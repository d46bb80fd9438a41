"""Random tokenizers, built of the parts that each library allows: the file, and the library that reads it."""

import base64
import io
import json
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import sentencepiece
import tiktoken
import tokenizers
from subword_nmt.apply_bpe import BPE
from subword_nmt.learn_bpe import learn_bpe
from tokenizers import AddedToken, Regex, decoders, models, normalizers, pre_tokenizers, trainers

from bpe import train
from bpe.text.patterns import GPT2_PATTERN, GPT4_PATTERN
from tests.material import texts
from tests.material.hostile_texts import STRINGS

N, P, D = normalizers, pre_tokenizers, decoders
LINES = [line for line in (texts.SENTENCES + texts.languages()).splitlines() if line.strip()]


@dataclass(frozen=True)
class RandomFile:
    """A file of a tokenizer, and what its own library makes of a text."""

    name: str
    content: bytes
    encode: Callable[[str], list[Any] | None]  # None: the library cannot
    decode: Callable[[list[int]], str | None] | None  # None: the library has no ids
    about: str  # the parts, to reproduce it by hand
    variant: str | None = None  # how text is split, if the file does not say
    alphabet: str = ""  # what texts are made of as well


# Hugging Face's tokenizer.json

NORMALIZERS: tuple[Callable[[], Any], ...] = (
    N.NFC, N.NFD, N.NFKC, N.NFKD, N.Lowercase, N.StripAccents, N.Strip, N.BertNormalizer,
    lambda: N.Strip(left=True, right=False), lambda: N.Strip(left=False, right=True),
    lambda: N.BertNormalizer(lowercase=False), lambda: N.BertNormalizer(clean_text=False, strip_accents=True),
    lambda: N.BertNormalizer(handle_chinese_chars=False, strip_accents=False),
    lambda: N.Replace(" ", "▁"), lambda: N.Replace(Regex(r"\s+"), " "), lambda: N.Replace("e", ""),
    lambda: N.Replace(Regex("[0-9]"), "<d>"), lambda: N.Replace(Regex(r"\p{S}"), ""), lambda: N.Prepend("▁"),
    lambda: N.Prepend(" "), lambda: N.Prepend("ab"),
)  # fmt: skip
BEHAVIORS = ("isolated", "removed", "merged_with_previous", "merged_with_next", "contiguous")
PATTERNS = (
    r"\s+",
    r"\p{N}{1,3}",
    r"[aeiou]+",
    r" ?\p{L}+",
    r"\p{P}",
    "low",
    GPT4_PATTERN.replace("?+", "?").replace("++", "+"),
)
PRE_TOKENIZERS: tuple[Callable[[random.Random], Any], ...] = (
    lambda draw: P.ByteLevel(add_prefix_space=draw.random() < 0.3, use_regex=draw.random() < 0.6),
    lambda draw: P.Metaspace(
        prepend_scheme=draw.choice(("always", "never", "first")), split=draw.random() < 0.7
    ),
    lambda draw: P.WhitespaceSplit(),
    lambda draw: P.Whitespace(),
    lambda draw: P.Digits(individual_digits=draw.random() < 0.5),
    lambda draw: P.Punctuation(draw.choice(BEHAVIORS)),
    lambda draw: P.BertPreTokenizer(),
    lambda draw: P.CharDelimiterSplit(draw.choice("-e ")),
    lambda draw: P.Split(draw.choice((" ", "e", "lo")), draw.choice(BEHAVIORS), draw.random() < 0.2),
    lambda draw: P.Split(Regex(draw.choice(PATTERNS)), draw.choice(BEHAVIORS), draw.random() < 0.3),
)
DECODERS: tuple[Callable[[], Any], ...] = (
    D.ByteLevel, D.Metaspace, D.BPEDecoder, D.WordPiece, D.ByteFallback, D.Fuse,
    lambda: D.Metaspace(prepend_scheme="never"), lambda: D.WordPiece("##", cleanup=False),
    lambda: D.Strip(" ", 1, 0), lambda: D.Strip("▁", 0, 1), lambda: D.Replace("▁", " "),
    lambda: D.Replace(Regex("[aeiou]"), "*"),
)  # fmt: skip
ADDED = ("<s>", "</s>", "[MASK]", "  ", "\n\n", "the", "THE", "low", "é", "<|x|>", "er fox", "▁", "Ġ", "ab")


def hugging_face(draw: random.Random) -> RandomFile:
    """Return a tokenizer.json of random parts, trained on a few sentences and then changed as people change them."""
    model: dict[str, Any] = {
        "unk_token": draw.choice((None, "<unk>", "<unk>")),
        "fuse_unk": draw.random() < 0.3,
        "byte_fallback": draw.random() < 0.2,
        "ignore_merges": draw.random() < 0.2,
        **draw.choice(({}, {}, {}, {"end_of_word_suffix": "</w>"}, {"continuing_subword_prefix": "##"})),
    }
    theirs: Any = tokenizers.Tokenizer(models.BPE(**model))
    normalizer = _sequence(draw, N.Sequence, [make() for make in _some(draw, NORMALIZERS)])
    if normalizer:
        theirs.normalizer = normalizer
    pre_tokenizer = _sequence(draw, P.Sequence, [make(draw) for make in _some(draw, PRE_TOKENIZERS)])
    if pre_tokenizer:
        theirs.pre_tokenizer = pre_tokenizer
    special = ["<unk>"] if model["unk_token"] else []
    if model["byte_fallback"]:
        special += [f"<0x{value:02X}>" for value in range(256)]
    alphabet = P.ByteLevel.alphabet() if draw.random() < 0.6 else []
    options: dict[str, Any] = {
        key: model[key] for key in ("end_of_word_suffix", "continuing_subword_prefix") if key in model
    }
    theirs.train_from_iterator(
        _lines(draw),
        trainers.BpeTrainer(
            vocab_size=len(special) + len(alphabet) + draw.randint(60, 260),
            special_tokens=special, initial_alphabet=alphabet, show_progress=False, **options,
        ),
    )  # fmt: skip
    decoder = _sequence(draw, D.Sequence, [make() for make in _some(draw, DECODERS)])
    if decoder:
        theirs.decoder = decoder
    for text in draw.sample(ADDED, draw.choice((0, 0, 1, 3, 5))):
        flags = {name: draw.random() < 0.25 for name in ("single_word", "lstrip", "rstrip", "normalized")}
        add = theirs.add_special_tokens if draw.random() < 0.4 else theirs.add_tokens
        # Known to differ, and left out: text that is no added token here but reads like one, since the normalizer made
        # it, it is inside a word, or the model lacks its characters. Symbols of both are the same bytes.
        is_word = text.isascii() and not text.isspace()
        flags["single_word"] &= is_word and not model["fuse_unk"]
        # "THE" may be "the" then, and either may win.
        flags["normalized"] &= not model["fuse_unk"] and text != "THE"
        if (is_word or not normalizer) and (
            len(text) > 1 or (text in theirs.get_vocab() and "continuing_subword_prefix" not in model)
        ):
            add([AddedToken(text, **flags)])
    content = json.loads(theirs.to_str())
    changes = [change for change in CHANGES if draw.random() < 0.15]
    for change in changes:
        change(content, draw)
    text = json.dumps(content)
    theirs = tokenizers.Tokenizer.from_str(text)
    parts = {key: content[key] for key in ("normalizer", "pre_tokenizer", "decoder", "added_tokens")}
    about = json.dumps(
        {**parts, "model": model, "changes": [change.__name__ for change in changes]}, ensure_ascii=False
    )

    return RandomFile(
        "tokenizer.json",
        text.encode(),
        _unless_it_panics(lambda text: list(theirs.encode(text, add_special_tokens=False).ids)),
        _unless_it_panics(lambda ids: str(theirs.decode(ids, skip_special_tokens=False))),
        about,
        alphabet="".join(draw.sample(ADDED, 3)),
    )


def _unless_it_panics(call: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a function that returns None where the library, which is written in Rust, panics."""

    def guarded(argument: Any) -> Any:
        try:
            return call(argument)
        except BaseException as error:
            if type(error).__name__ != "PanicException":
                raise
            return None

    return guarded


def _some(draw: random.Random, makers: tuple[Any, ...]) -> list[Any]:
    return draw.sample(makers, draw.choice((0, 1, 1, 1, 2, 3)))


def _lines(draw: random.Random) -> list[str]:
    return draw.sample(LINES, draw.randint(5, 30))


def _sequence(draw: random.Random, join: Any, parts: list[Any]) -> Any:
    if not parts:
        return None
    return parts[0] if len(parts) == 1 and draw.random() < 0.8 else join(parts)


def merges_as_texts(content: dict[str, Any], draw: random.Random) -> None:
    if not any(" " in part for merge in content["model"]["merges"] for part in merge):
        content["model"]["merges"] = list(map(" ".join, content["model"]["merges"]))


def merges_repeated(content: dict[str, Any], draw: random.Random) -> None:
    merges = content["model"]["merges"]
    content["model"]["merges"] = merges + draw.sample(merges, len(merges) // 4)


def merges_shuffled(content: dict[str, Any], draw: random.Random) -> None:
    draw.shuffle(content["model"]["merges"])


def merges_left_out(content: dict[str, Any], draw: random.Random) -> None:
    content["model"]["merges"] = [merge for merge in content["model"]["merges"] if draw.random() < 0.8]


def type_left_out(content: dict[str, Any], draw: random.Random) -> None:
    del content["model"]["type"]


def ids_of_added_tokens_changed(content: dict[str, Any], draw: random.Random) -> None:
    for entry in content["added_tokens"]:
        if draw.random() < 0.5:
            entry["id"] = draw.randint(0, 2_000)


def added_tokens_repeated(content: dict[str, Any], draw: random.Random) -> None:
    content["added_tokens"] += [
        {**entry, "lstrip": draw.random() < 0.5} for entry in content["added_tokens"] if draw.random() < 0.3
    ]


def added_tokens_deleted(content: dict[str, Any], draw: random.Random) -> None:
    content["added_tokens"] = [
        entry for entry in content["added_tokens"] if entry["content"] == "<unk>" or draw.random() < 0.6
    ]


def fields_left_out(content: dict[str, Any], draw: random.Random) -> None:
    for field in ("dropout", "fuse_unk", "byte_fallback", "ignore_merges", "continuing_subword_prefix"):
        if not content["model"].get(field) and draw.random() < 0.5:
            content["model"].pop(field, None)


CHANGES = (
    merges_as_texts, merges_repeated, merges_shuffled, merges_left_out, type_left_out, ids_of_added_tokens_changed,
    added_tokens_repeated, added_tokens_deleted, fields_left_out,
)  # fmt: skip


# SentencePiece's .model


def sentence_piece(draw: random.Random) -> RandomFile:
    """Return a BPE model with random options, some with further pieces of equal scores behind."""
    options: dict[str, Any] = {
        "model_type": "bpe",
        "normalization_rule_name": draw.choice(("identity", "nfkc", "nmt_nfkc", "nmt_nfkc_cf")),
        "character_coverage": draw.choice((0.98, 0.995, 1.0)),
        "max_sentencepiece_length": draw.choice((4, 16)),
    }
    for name in (
        "byte_fallback", "split_digits", "treat_whitespace_as_suffix", "allow_whitespace_only_pieces",
        "add_dummy_prefix", "remove_extra_whitespaces", "split_by_whitespace", "split_by_unicode_script",
    ):  # fmt: skip
        if draw.random() < 0.4:
            options[name] = draw.random() < 0.5
    own = ["ab", "<s2>", "1", "▁▁", "low", "\n", "é"]
    if draw.random() < 0.3:
        options["user_defined_symbols"] = draw.sample(own, 2)
    if draw.random() < 0.2:
        options["control_symbols"] = ["[INST]"]
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(_lines(draw)), model_writer=model, hard_vocab_limit=False, minloglevel=2,
        vocab_size=draw.randint(330, 500) + 256 * bool(options.get("byte_fallback")), **options,
    )  # fmt: skip
    content = model.getvalue()
    library: Any = sentencepiece.SentencePieceProcessor(model_proto=content)
    pieces = {library.id_to_piece(number) for number in range(library.vocab_size())}
    letters = sorted(piece for piece in pieces if len(piece) == 1 and piece not in own)
    more: list[str] = []
    if draw.random() < 0.5:
        some = draw.sample(letters, min(3, len(letters)))
        more = sorted({"".join(draw.choices(some, k=draw.randint(2, 5))) for _ in range(12)} - pieces)
        score = draw.choice((b"\x00\x00\x00\x00", b"\x28\x6b\x6e\xce"))  # 0, or below every other score
        content += b"".join(_field(1, _field(1, one.encode()) + b"\x15" + score) for one in more)
        library = sentencepiece.SentencePieceProcessor(model_proto=content)
    return RandomFile(
        "tokenizer.model",
        content,
        lambda text: list(library.encode(text)),
        lambda ids: str(library.decode(ids)),
        json.dumps({**options, "more": more}, ensure_ascii=False),
        alphabet="".join(more) or "low",
    )


def _field(number: int, value: bytes) -> bytes:
    return bytes([number << 3 | 2, len(value)]) + value


# subword-nmt's codes


def subword_nmt(draw: random.Random) -> RandomFile:
    """Return codes that the library learned, changed as people change them: joined, repeated, with spaces."""
    lines: list[str] = []
    has_version = draw.random() < 0.7
    for _ in range(draw.choice((1, 1, 2))):
        codes = io.StringIO()
        learn_bpe(io.StringIO("\n".join(_lines(draw))), codes, draw.randint(20, 120))
        lines += codes.getvalue().rstrip("\n").split("\n")
    if not has_version:
        lines = [line.replace("</w>", "") for line in lines if not line.startswith("#version")]
        lines = [line for line in lines if len(line.split(" ")) == 2 and all(line.split(" "))]
        lines += ["e </w>", "s </w>"]
    if draw.random() < 0.4:
        lines += draw.sample(lines[1:], 8)
    if draw.random() < 0.3:
        lines = [line + " " * (number % 3 == 0) for number, line in enumerate(lines)]
    content = "\n".join(lines) + "\n"
    library = BPE(io.StringIO(content))
    return RandomFile(
        "codes.txt",
        content.encode(),
        lambda text: library.process_line(" ".join(text.split())).split(),
        None,
        content[:300],
        variant="char-eow-lines" if has_version else "char-eow",
    )


# tiktoken's ranks


def ranks(draw: random.Random) -> RandomFile:
    """Return ranks: learned tokens, random ones between them, and sometimes another order."""
    letters = draw.choice(("ab", "abc", "low er"))
    learned = [
        left + right
        for left, right in train("\n".join(_lines(draw)), "bytes-gpt2", merges=draw.randint(0, 80)).merges
    ]
    typed = [
        "".join(draw.choices(letters, k=draw.randint(2, 8))).encode() for _ in range(draw.randint(0, 25))
    ]
    at = draw.randint(0, len(learned))
    tokens = list(dict.fromkeys([*learned[:at], *typed, *learned[at:]]))
    if draw.random() < 0.3:
        draw.shuffle(tokens)
    numbers = {token: rank for rank, token in enumerate([*(bytes([value]) for value in range(256)), *tokens])}
    variant = draw.choice(("bytes", "bytes-gpt2", "bytes-gpt4"))
    pattern = {"bytes": r"[\s\S]+", "bytes-gpt2": GPT2_PATTERN, "bytes-gpt4": GPT4_PATTERN}[variant]
    library = tiktoken.Encoding("random", pat_str=pattern, mergeable_ranks=numbers, special_tokens={})
    content = "".join(f"{base64.b64encode(token).decode()} {rank}\n" for token, rank in numbers.items())
    return RandomFile(
        "ranks.tiktoken",
        content.encode(),
        library.encode_ordinary,
        library.decode,
        f"{variant} {typed}",
        variant=variant,
        alphabet=letters,
    )


KINDS: Mapping[str, Callable[[random.Random], RandomFile]] = {
    "tokenizer.json": hugging_face,
    "SentencePiece": sentence_piece,
    "subword-nmt": subword_nmt,
    "tiktoken": ranks,
}


def random_texts(draw: random.Random, alphabet: str, number: int = 50) -> list[str]:
    """Return texts to encode: hostile ones, sentences, and random ones of the letters that the tokens have."""
    made = ["".join(draw.choices(alphabet + "low er", k=draw.randint(1, 40))) for _ in range(number // 3)]
    words = [*ADDED, "low", "lower", " ", "\n", "12", "-", "é", "標"]
    joined = ["".join(draw.choices(words, k=draw.randint(1, 9))) for _ in range(number // 3)]
    rest = number - len(made) - len(joined)
    return [*made, *joined, *draw.sample([*STRINGS, *LINES], rest)]
