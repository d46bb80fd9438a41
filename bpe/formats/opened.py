"""Opened tokenizer: the tokenizer of a file, and notes on the parts of the file that are not used."""

from collections.abc import Iterable
from dataclasses import dataclass

from bpe.encoding.tokenizer import Tokenizer
from bpe.text.display import counted


@dataclass(frozen=True, slots=True)
class Opened:
    """A tokenizer read from a file."""

    tokenizer: Tokenizer
    ignored: tuple[str, ...] = ()  # one sentence for each part of the file that is not used here
    kind: str = "tokenizer.json"  # what the file is, in a word or two
    says_split: bool = True  # whether the file says how text is split; if not, a variant can be chosen

    @property
    def about(self) -> str:
        """What the file is, and how many merges and tokens it has, as a part of a sentence."""
        tokens = len(self.tokenizer.vocabulary) - len(self.tokenizer.gaps)
        return f"{self.kind}; {counted(len(self.tokenizer.merges), 'merge')}, {counted(tokens, 'token')}"


def title_of_files(names: Iterable[str]) -> str:
    """Return the names of the files of one tokenizer as its title.

    >>> title_of_files(["merges.txt", "vocab.json"])
    'vocab.json and merges.txt'
    """
    return " and ".join(sorted(names, key=lambda name: not name.endswith(".json")))
