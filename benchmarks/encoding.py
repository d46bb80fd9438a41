"""Compare encoding with the libraries. Run: python -m benchmarks.encoding [--text FILE] [--rounds N].

Times are CPU seconds of one thread, medians of interleaved rounds. A cold tokenizer has seen no text, a warm one has
seen this text: like Hugging Face's, it caches pre-tokens.
"""

import os

os.environ["RAYON_NUM_THREADS"] = "1"  # one thread each: set before the libraries are imported
os.environ["TOKENIZERS_PARALLELISM"] = "false"

import argparse
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import tiktoken
from tokenizers import ByteLevelBPETokenizer

from benchmarks import texts
from benchmarks.measure import interleaved, print_machine, print_table
from benchmarks.texts import MEGABYTE
from bpe import ENCODERS, PRESETS, Tokenizer, train
from bpe.settings.alphabets import REMAPPED
from bpe.text.patterns import GPT2_PATTERN

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
    options = parser.parse_args()
    english = texts.english(MEGABYTE) if options.text is None else texts.real(options.text, MEGABYTE)
    print_machine()

    def rows() -> Iterator[Sequence[object]]:
        yield from one_text("English 1 MB", english, options.rounds)
        yield from one_text("Python source 1 MB", texts.source(MEGABYTE), options.rounds)

    columns = ("text", "encoder", "s", "million tokens/s", "times as fast as Hugging Face, warm")
    print_table("Encoding with 10,000 merges, one thread", columns, rows())
    print_table("One long word", ("word", "encoder", "s", "times half the word"), long_words(options.rounds))


if __name__ == "__main__":
    main()
