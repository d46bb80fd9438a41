"""Whole words first: a pre-token that is in the vocabulary becomes one token, whatever the merges would give.

tiktoken encodes like this, and Hugging Face's tokenizers where a file says `ignore_merges`, as Llama 3's does.
"""

from collections.abc import Container, Iterator, Sequence

from bpe.encoding.algorithms.encoder_input import WordEncoder, WordStep
from bpe.symbols import Symbol, Word


def whole_words_first(by_merges: WordEncoder, tokens: Container[Symbol]) -> WordEncoder:
    """Return the encoder that looks a word up before it applies merges.

    Its steps are the merges if they lead to the same token, otherwise one step that looks up the token.
    """

    def encode(word: Word) -> Sequence[Symbol]:
        whole = b"".join(word)
        return [whole] if whole in tokens else by_merges.encode(word)

    def steps(word: Word) -> Iterator[WordStep]:
        whole = b"".join(word)
        if whole in tokens and len(by_merges.encode(word)) > 1:
            return iter([WordStep(whole, None, [0], range(len(word) - 1), (0,))])
        return by_merges.steps(word)

    return WordEncoder(encode, steps)
