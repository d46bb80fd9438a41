"""Compare encoding with the libraries, and time what works with published tokenizers: opening, measuring.

Run: python -m benchmarks.encoding [--text FILE] [--rounds N] [--published].

Times are CPU seconds of one thread, medians of interleaved rounds. A cold tokenizer has seen no text, a warm one has
seen this text: like Hugging Face's, it caches pre-tokens.
"""

import os

os.environ["RAYON_NUM_THREADS"] = "1"  # one thread each: set before the libraries are imported
os.environ["TOKENIZERS_PARALLELISM"] = "false"

import argparse
from base64 import b64decode
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import tiktoken
from tokenizers import ByteLevelBPETokenizer

from benchmarks import texts
from benchmarks.measure import interleaved, print_machine, print_table
from benchmarks.texts import MEGABYTE
from bpe import ENCODERS, PRESETS, Tokenizer, train
from bpe.analysis.languages import measured
from bpe.settings.alphabets import REMAPPED
from bpe.text.patterns import GPT2_PATTERN
from published.packing import open_published, original
from published.rows import PUBLISHED

LONG_WORD = 100_000  # characters; an encoder that looks at the whole word for each merge takes minutes


def hugging_face(tokenizer: Tokenizer) -> ByteLevelBPETokenizer:
    """Return Hugging Face's tokenizer with the same vocabulary and merges."""

    def spell(symbol: bytes) -> str:
        return "".join(REMAPPED[byte] for byte in symbol)

    vocabulary = {spell(symbol): number for number, symbol in enumerate(tokenizer.vocabulary)}
    return ByteLevelBPETokenizer(
        vocabulary, [(spell(left), spell(right)) for left, right in tokenizer.merges]
    )


def tiktoken_encoding(tokenizer: Tokenizer) -> tiktoken.Encoding:
    """Return tiktoken's encoding with the same ranks."""
    ranks = {symbol: number for number, symbol in enumerate(tokenizer.vocabulary)}
    return tiktoken.Encoding("learned", pat_str=GPT2_PATTERN, mergeable_ranks=ranks, special_tokens={})


def one_text(name: str, text: str, rounds: int) -> Iterator[Sequence[object]]:
    """Yield rows of (text, encoder, seconds, million tokens per second, ratio to Hugging Face's speed)."""
    trace = train(text, merges=10_000, **PRESETS["hf-bytelevel"].settings)
    warm = trace.tokenizer()
    rust, open_ai = hugging_face(warm), tiktoken_encoding(warm)
    tokens = len(warm.encode(text))
    assert rust.encode(text).ids == warm.encode(text) == open_ai.encode_ordinary(text)
    contestants: dict[str, Callable[[], object]] = {
        "ours, cold": lambda: trace.tokenizer().encode(text),
        "ours, warm": partial(warm.encode, text),
        "Hugging Face, cold": lambda: hugging_face(warm).encode(text),
        "Hugging Face, warm": partial(rust.encode, text),
        "tiktoken": partial(open_ai.encode_ordinary, text),
    }
    seconds = interleaved(contestants, rounds)
    for contestant, spent in seconds.items():
        yield name, contestant, spent, tokens / spent / MEGABYTE, seconds["Hugging Face, warm"] / spent


# Published tokenizers that are one pattern and a list of ranks.
AS_TIKTOKEN = (
    "gpt-4o",
    "gpt-4",
    "gpt-2",
    "qwen",
)
MEASURED = 42_000  # characters


def published_tiktoken(slug: str) -> tiktoken.Encoding:
    """Return tiktoken's encoding of a published tokenizer, with the patterns as tiktoken writes them today."""
    ranks = tiktoken_bpe(original(PUBLISHED[slug].path.read_bytes()))
    pattern = PATTERNS.get(slug) or open_published(slug).tokenizer.variant.split_pattern
    return tiktoken.Encoding(slug, pat_str=pattern, mergeable_ranks=ranks, special_tokens={})


PATTERNS = {
    "gpt-4": r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]"
    r"|\s+(?!\S)|\s",
    "gpt-2": r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s",
}


def tiktoken_bpe(content: bytes) -> dict[bytes, int]:
    """Return token -> rank of a .tiktoken file."""
    return {b64decode(token): int(rank) for token, rank in map(bytes.split, content.splitlines())}


def _encode_cold(fresh: list[Tokenizer], text: str) -> None:
    fresh.pop().encode(text)


def with_published(name: str, text: str, rounds: int) -> Iterator[Sequence[object]]:
    """Yield rows of (text, tokenizer, seconds cold, warm, tiktoken's, and both as multiples of it)."""
    for slug in AS_TIKTOKEN:
        tokenizer, open_ai = open_published(slug).tokenizer, published_tiktoken(slug)
        tokenizer.encode("")
        assert tokenizer.encode(text) == open_ai.encode_ordinary(text)
        fresh = [replace(tokenizer) for _ in range(rounds)]  # prepared, but they have seen no text
        for one in fresh:
            one.encode("")
        contestants: dict[str, Callable[[], object]] = {
            "cold": partial(_encode_cold, fresh, text),
            "warm": partial(tokenizer.encode, text),
            "tiktoken": partial(open_ai.encode_ordinary, text),
        }
        seconds = interleaved(contestants, rounds)
        cold, warm, theirs = seconds.values()
        yield name, slug, cold, warm, theirs, cold / theirs, warm / theirs


def work_with_published(text: str, rounds: int) -> Iterator[Sequence[object]]:
    """Yield rows of (work, seconds): opening, the first encoding, and measuring with all that are shipped."""

    def opened(slug: str) -> None:
        open_published(slug).tokenizer.encode("")

    def all_measured() -> None:
        for slug in PUBLISHED:
            measured(open_published(slug).tokenizer, slug, "text", text[:MEASURED])

    work: dict[str, Callable[[], object]] = {
        **{
            f"open {slug} and encode nothing": partial(opened, slug)
            for slug in ("gpt-4o", "gpt-4", "deepseek")
        },
        f"open all {len(PUBLISHED)} and measure {MEASURED:,} characters": all_measured,
    }
    yield from interleaved(work, rounds).items()


def long_words(rounds: int) -> Iterator[Sequence[object]]:
    """Yield rows of (word, encoder, seconds, ratio to half the word) for every encoder."""
    for name, make in (
        ("a × 100,000", lambda size: "a" * size),
        ("random letters × 100,000", texts.random_letters),
    ):
        tokenizer = train(make(LONG_WORD), "bytes", merges=200).tokenizer()
        for encoder in ENCODERS:
            cold = {
                "half": lambda tokenizer=tokenizer, make=make, encoder=encoder: tokenizer.encode(
                    make(LONG_WORD // 2), encoder
                ),
                "whole": lambda tokenizer=tokenizer, make=make, encoder=encoder: tokenizer.encode(
                    make(LONG_WORD), encoder
                ),
            }
            seconds = interleaved(cold, min(rounds, 3))
            yield name, encoder, seconds["whole"], seconds["whole"] / max(seconds["half"], 1e-9)


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.encoding", description=__doc__)
    parser.add_argument("--text", type=Path, help="English of your own; by default words like a sample's")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--published", action="store_true", help="only what works with published tokenizers")
    options = parser.parse_args()
    english = texts.english(MEGABYTE) if options.text is None else texts.real(options.text, MEGABYTE)
    print_machine()

    def rows() -> Iterator[Sequence[object]]:
        yield from one_text("English 1 MB", english, options.rounds)
        yield from one_text("Python source 1 MB", texts.source(MEGABYTE), options.rounds)

    def published_rows() -> Iterator[Sequence[object]]:
        yield from with_published("English 1 MB", english, options.rounds)
        yield from with_published("Python source 1 MB", texts.source(MEGABYTE), options.rounds)

    columns: tuple[str, ...] = (
        "text",
        "tokenizer",
        "cold, s",
        "warm, s",
        "tiktoken, s",
        "cold, ratio",
        "warm, ratio",
    )
    print_table("Encoding with published tokenizers, beside tiktoken", columns, published_rows())
    print_table(
        "Work with published tokenizers", ("work", "s"), work_with_published(english, min(options.rounds, 3))
    )
    if options.published:
        return
    columns = ("text", "encoder", "s", "million tokens/s", "times as fast as Hugging Face, warm")
    print_table("Encoding with 10,000 merges, one thread", columns, rows())
    print_table("One long word", ("word", "encoder", "s", "times half the word"), long_words(options.rounds))


if __name__ == "__main__":
    main()
