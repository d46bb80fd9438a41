"""Alternatives of a pattern: the parts between its top-level `|`, and which of them matched each pre-token."""

import regex

from bpe.checks import shortened_repr
from bpe.symbols import BPEError
from bpe.text.regexes.matches import find_matches
from bpe.text.regexes.patterns import compile_bounded, compile_typed


def alternatives(pattern: str) -> list[str]:
    r"""Split a pattern at every `|` that is in no group, no set and not escaped.

    Raises BPEError for a pattern with capturing groups, since further groups would number them anew, or with the flag
    x, since a comment may hold a `|`.

    >>> alternatives(r"'s| ?\p{L}+|[|]|(?:a|b)|\|")
    ["'s", ' ?\\p{L}+', '[|]', '(?:a|b)', '\\|']
    """
    matcher = compile_typed(pattern)
    if matcher.groups or matcher.flags & regex.VERBOSE:
        raise BPEError(
            f"The pattern must have neither capturing groups nor the flag x, got {shortened_repr(pattern)}."
        )
    parts, depth, at = [""], 0, 0
    while at < len(pattern):
        end = _end_of_unit(pattern, at)
        unit = pattern[at:end]
        depth += {"(": 1, ")": -1}.get(unit, 0)
        if unit == "|" and depth == 0:
            parts.append("")
        else:
            parts[-1] += unit
        at = end
    return parts


def _end_of_unit(pattern: str, at: int) -> int:
    """Return where the set, the escaped character or the plain character at a position ends."""
    if pattern[at] == "\\":
        return at + 2
    if pattern[at] != "[":
        return at + 1
    end = at + 1
    end += pattern.startswith("^", end)
    end += pattern.startswith("]", end)  # the first character of a set, and no end
    while pattern[end] != "]":
        nested = pattern.startswith("[:", end)
        end = pattern.index(":]", end) + 2 if nested else end + 1 + (pattern[end] == "\\")
    return end + 1


def matched_alternatives(pattern: str, text: str) -> list[tuple[str, int]]:
    r"""Return the pattern's pre-tokens in order, each with the number of the alternative that matched it, from 0.

    Raises BPEError where `alternatives` does, and if the alternatives in groups match another text.

    >>> matched_alternatives(r"'s| ?\p{L}+|\s+", "it's on")
    [('it', 1), ("'s", 0), (' on', 1)]
    """
    numbered = "|".join(f"({part})" for part in alternatives(pattern))
    spans = find_matches(compile_bounded(numbered), text)
    if spans.texts(text) != find_matches(compile_typed(pattern), text).texts(text):
        raise BPEError(
            f"The pattern must be the same with its alternatives in groups, got {shortened_repr(pattern)}."
        )
    return [
        (text[start:end], group - 1)
        for (start, end), group in zip(spans, spans.last_groups, strict=True)
        if start < end
    ]
