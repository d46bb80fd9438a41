"""How a grid is drawn at first: a list of words is drawn without the running text, which would repeat each of them."""

_REPEATED = 2  # times that each word of a list occurs, on average
_PART = 100_000  # characters of a text that are split into words at once
_MOST_WORDS = 16  # different words that the grid shows without its text; `room.js` has the same number


def first_view(text: str, *, is_list: bool) -> dict[str, str | bool]:
    """Return the options of the text's grid. is_list: whether the text was given as a list of words."""
    words = _few_words(text)
    if words is None:
        return {}
    number, different = words
    return {"view": "words"} if is_list or number >= _REPEATED * different else {}


def _few_words(text: str, size: int = _PART) -> tuple[int, int] | None:
    """Return how many words a text has and how many of them differ; None if more than _MOST_WORDS do.

    The words of a text of 20 MB would take 200 MB at once, so it is read in parts of so many characters.
    """
    number, rest = 0, ""
    different: set[str] = set()
    for begin in range(0, len(text), size):
        part = rest + text[begin : begin + size]
        words = part.split()
        rest = words.pop() if words and not part[-1].isspace() else ""
        different.update(words)
        number += len(words)
        if len(different) > _MOST_WORDS or len(rest) > size:
            return None
    different.update([rest] if rest else [])
    return (number + bool(rest), len(different)) if len(different) <= _MOST_WORDS else None
