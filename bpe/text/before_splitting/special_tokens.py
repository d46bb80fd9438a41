"""Special tokens: split a text at the special tokens that occur in it."""

from collections.abc import Iterable

import regex


def split_at_special_tokens(text: str, special_tokens: Iterable[str]) -> list[str]:
    """Return the text between special tokens at even indices and the special tokens at odd indices.

    If several special tokens begin at one character, the longest wins.

    >>> split_at_special_tokens("<a>b<ab>", ["<a", "<a>", "<ab>"])
    ['', '<a>', 'b', '<ab>', '']
    """
    longest_first = sorted(special_tokens, key=len, reverse=True)
    if not longest_first:
        return [text]
    return regex.split("(" + "|".join(map(regex.escape, longest_first)) + ")", text)
