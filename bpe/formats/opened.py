"""Opened tokenizer: the tokenizer of a file, and notes on the parts of the file that are not used."""

from dataclasses import dataclass

from bpe.encoding.tokenizer import Tokenizer


@dataclass(frozen=True, slots=True)
class Opened:
    """A tokenizer read from a file."""

    tokenizer: Tokenizer
    ignored: tuple[str, ...] = ()  # one sentence for each part of the file that is not used here
    kind: str = "tokenizer.json"  # what the file is, in a word or two
    says_split: bool = True  # whether the file says how text is split; if not, a variant can be chosen
