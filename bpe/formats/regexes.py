r"""Shared patterns: regular expressions of other libraries' files, and what they mean to the package `regex`.

Hugging Face's tokenizers reads the patterns in its files with Oniguruma. The two agree on literals, \s, \p{L}, plain
sets, groups, look-around and most repeats. Letters in any case and sets in sets are translated. What else differs is
refused: `$`, for example, ends a line in Oniguruma, and {1,3}+ is possessive in `regex` only. `shared_syntax` lists
every construct of both.

Source: Oniguruma, doc/RE and doc/SYNTAX.md.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

import regex

from bpe.checks import shortened_repr
from bpe.settings.pieces import SCRIPTS
from bpe.symbols import BPEError, Place
from bpe.text.patterns import MOST_GROUPS, compile_once, find_matches

# Sets of a shared pattern: read as Oniguruma reads them, and written so that `regex` reads the same.
#
# Oniguruma has sets in sets, their union and their intersection, which `regex` reads only in its version 1,
# where other parts change their meaning. So they are written with look-ahead:
#
#     [\p{L}&&[^a]]   ->   (?:(?=[\p{L}])[^a])
#     [^x[yz]]        ->   [^xyz]
#     [^x[^yz]]       ->   (?:(?![^yz])[^x])

# General categories, such as L and Lu, and scripts
_PROPERTY = rf"\\[pP]\{{\^?(?:[LMNPSZC][a-z]?|{'|'.join(SCRIPTS)})\}}"
_KIND = r"\\[sSdD]"  # of characters
_CONTROL = r"\\[rntf]"
_SIGN = r"\\[^\w\s]"  # an escaped one stands for itself
_ONE = rf"(?:{_CONTROL}|{_SIGN}|&(?!&)|[^\\\[\]&-])"
_ITEM = re.compile(
    rf"(?P<kind>{_PROPERTY}|{_KIND})|(?P<first>{_ONE})-(?P<last>{_ONE})(?!-)|(?P<one>{_ONE})", re.DOTALL
)
_CHARACTERS = {r"\r": "\r", r"\n": "\n", r"\t": "\t", r"\f": "\f"}
_ANY = r"[\s\S]"
_MOST_NESTED = 5


def read_set(pattern: str, start: int, *, any_case: bool) -> tuple[str, int]:
    r"""Return what `regex` reads as the set that begins at a position, and where the set ends.

    Raises BPEError, without a sentence, for a set that is not supported.

    >>> read_set(r"[a-z&&[^x]]+", 0, any_case=False)
    ('(?:(?=[a-z])[^x])', 11)
    """
    return _read_set(pattern, start, any_case, 0)


def _read_set(pattern: str, start: int, any_case: bool, depth: int) -> tuple[str, int]:
    if any_case and depth:  # Oniguruma looks for other cases before it takes the complement
        raise BPEError
    if depth == _MOST_NESTED or pattern.startswith("[:", start):
        raise BPEError
    position = start + 1
    negated = pattern.startswith("^", position)
    position += negated
    parts: list[tuple[str, list[str]]] = []  # of an intersection: the plain items, and the sets in it
    items, inner = "", list[str]()
    if pattern.startswith("-", position) and not pattern.startswith("--", position):
        items, position = r"\-", position + 1
    while not pattern.startswith("]", position):
        if pattern.startswith("[", position):
            one, position = _read_set(pattern, position, any_case, depth + 1)
            if one.startswith("[") and not one.startswith("[^"):  # plain: it is faster in one set
                items += one[1:-1]
            else:
                inner.append(one)
        elif pattern.startswith("&&", position):
            parts.append((items, inner))
            items, inner, position = "", [], position + 2
        elif pattern.startswith("-]", position):
            items, position = items + r"\-", position + 1
        else:
            item = _ITEM.match(pattern, position)
            if item is None:
                raise BPEError
            items, position = items + _written(item, any_case), item.end()
    parts.append((items, inner))
    return _joined(parts, negated), position + 1


def _joined(parts: list[tuple[str, list[str]]], negated: bool) -> str:
    """Return the intersection of parts, each of which is a union of items and sets."""
    if not all(items or inner for items, inner in parts):
        raise BPEError
    if len(parts) == 1 and not parts[0][1]:
        return f"[{'^' if negated else ''}{parts[0][0]}]"
    if len(parts) == 1 and negated:
        items, inner = parts[0]
        return f"(?:{''.join(f'(?!{one})' for one in inner)}{f'[^{items}]' if items else _ANY})"
    unions = [_union(items, inner) for items, inner in parts]
    both = "".join(f"(?={union})" for union in unions[:-1]) + unions[-1]
    return f"(?:(?!{both}){_ANY})" if negated else f"(?:{both})"


def _union(items: str, inner: list[str]) -> str:
    sets = [*([f"[{items}]"] if items else ()), *inner]
    return sets[0] if len(sets) == 1 else f"(?:{'|'.join(sets)})"


def _written(item: "re.Match[str]", any_case: bool) -> str:
    if item["kind"]:
        if any_case and item["kind"][1] not in "sSdD":
            raise BPEError  # the two disagree on which letters have another case
        return item["kind"]
    if item["one"]:
        return _in_any_case(item["one"]) if any_case else _literal(_character(item["one"]))
    first, last = _character(item["first"]), _character(item["last"])
    if any_case:
        if first > last or last > "\x7f":
            raise BPEError
        return "".join(_in_any_case(chr(number)) for number in range(ord(first), ord(last) + 1))
    return f"{_literal(first)}-{_literal(last)}"


def _character(spelled: str) -> str:
    r"""Return the character that one part of a pattern stands for, such as "a", "\n" or "\."."""
    return _CHARACTERS.get(spelled, spelled[-1])


def _in_any_case(spelled: str) -> str:
    """Return a character in all its cases, for a set. Raises BPEError if one of them is several characters.

    >>> _in_any_case("k"), _in_any_case("1")
    ('Kk\u212a', '1')
    """
    one = _character(spelled)
    folded = one.casefold()
    if len(folded) > 1 or one in "ıİ":  # only Turkish pairs those with i and I
        raise BPEError
    return "".join(map(_literal, _cases().get(folded, one)))


def _folds_to_one(text: str) -> bool:
    """Return whether a text without case holds what is one character elsewhere, as ss is ß."""
    return any(several in text.casefold() for several in _several())


def _literal(one: str) -> str:
    return re.escape(one) if one.isascii() else one


def _all() -> Iterator[str]:
    return (chr(number) for number in range(0x110000) if not 0xD800 <= number < 0xE000)


@cache
def _cases() -> dict[str, str]:
    """Return {character without case: all its cases}, where they are more than one."""
    cases: dict[str, str] = {}
    for one in _all():
        folded = one.casefold()
        if folded != one and len(folded) == 1:
            cases[folded] = cases.get(folded, folded) + one
    return {folded: "".join(sorted(ones)) for folded, ones in cases.items()}


@cache
def _several() -> frozenset[str]:
    return frozenset(folded for one in _all() if len(folded := one.casefold()) > 1)


_MOST_CHARACTERS = 4_000
_MOST_REPEATS = 1_000  # all numbers in braces, multiplied: a larger pattern takes too much memory to compile

_LOOKS = {"(?=", "(?!", "(?<=", "(?<!"}
_REPEAT = r"(?:[*+?][+?]?|\{(?:\d+,?\d*|,\d+)\}(?![+?]))"
# What both read the same, as a part of a pattern
_SAME = re.compile(
    rf"(?P<same>{_PROPERTY}|{_KIND})|(?P<literal>{_CONTROL}|{_SIGN}|[^\\\[\](){{}}*+?|.^$])"
    rf"|(?P<group>\((?!\?)|\(\?(?:[:=!>]|<[=!]))|(?P<any_case>\(\?i:)|(?P<end>\))|(?P<sign>[|.])|(?P<repeat>{_REPEAT})",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class _Group:
    """A group of a pattern that is open, or the whole pattern."""

    any_case: bool = False  # whether it matches letters in any case
    behind: bool = False  # whether it looks at what comes before
    looks: bool = False  # whether it looks at what comes before or after it, and matches none of that
    ahead: bool = False  # whether it looks at what must come after it


def compile_shared(pattern: str, place: Place) -> "regex.Pattern[str]":
    r"""Return the compiled pattern. Raises BPEError, with its place, if Oniguruma may read it differently.

    >>> compile_shared(r"\p{L}+|\s+(?!\S)", ("", "the file")).findall("ab  c")
    ['ab', ' ', 'c']
    """
    if len(pattern) > _MOST_CHARACTERS:
        raise BPEError(f"expected a pattern of at most {_MOST_CHARACTERS:,} characters.", *place)
    translated = translate(pattern, place)
    repeats = 1
    for number in re.findall(r"(\d+)\}", pattern):
        repeats *= max(int(number[:9]), 1)
    if repeats > _MOST_REPEATS:
        raise BPEError(f"expected repeats of at most {_MOST_REPEATS:,} in all, got {repeats:,}.", *place)
    try:
        compiled = compile_once(translated)
    except (regex.error, ValueError, OverflowError, RecursionError, MemoryError) as error:
        raise BPEError(f"the pattern does not compile: {error}.", *place) from None
    if compiled.groups > MOST_GROUPS:
        raise BPEError(
            f"expected a pattern of at most {MOST_GROUPS} capturing groups, got {compiled.groups}.", *place
        )
    return compiled


def shared_matches(pattern: "regex.Pattern[str]", text: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of every match.

    Raises BPEError where a match of nothing comes before a match at the same position: Oniguruma goes on after it.
    """
    before = -1  # where nothing was matched last
    for start, end in find_matches(pattern, text):
        if start == before and end > start:
            raise BPEError(
                f"{shortened_repr(pattern.pattern)} matches nothing where it could match {text[start:end][:20]!r}: "
                "other libraries may read this differently; it is not supported."
            )
        before = start if start == end else -1
        yield start, end


def translate(pattern: str, place: Place) -> str:
    r"""Return the pattern that means to `regex` what this one means to Oniguruma. Raises BPEError as `compile_shared`.

    >>> translate(r"(?i:'s)|[a[^b]]", ("", "the file"))
    "(?:'[Ssſ])|(?:(?:[a]|[^b]))"
    """
    parts: list[str] = []
    position, groups = 0, [_Group()]  # those that are open
    letters = ""  # in any case, one after the other
    looked = False  # whether a group that looks has just ended
    ahead = False  # whether nothing was matched since a group that looks at what must come after it
    while position < len(pattern):
        start, group, depth = position, groups[-1], len(groups)
        try:
            # Oniguruma may search for `.+` after it at begins of lines only.
            if ahead and pattern[start] == ".":
                raise BPEError
            part, position = _part(pattern, position, groups, looked=looked)
            has_ended = len(groups) < depth
            looked = group.looks and has_ended
            ahead = (group.ahead and has_ended) or (ahead and pattern[start] in "()")
            letters = _followed(letters, pattern[start:position], groups[-1].any_case)
        except BPEError:
            raise BPEError(
                f"the pattern has {pattern[start : start + 8]!r} at position {start}, "
                "which other libraries may read differently; it is not supported.",
                *place,
            ) from None
        parts.append(part)
    return "".join(parts)


def _part(pattern: str, position: int, groups: "list[_Group]", *, looked: bool) -> tuple[str, int]:
    """Return the next part, translated, and where it ends. Raises BPEError if it is not supported."""
    group = groups[-1]
    if pattern[position] == "[":
        return read_set(pattern, position, any_case=group.any_case)
    match = _SAME.match(pattern, position)
    if match is None or (match["same"] and group.any_case and match["same"][1] not in "sSdD"):
        raise BPEError
    if match["repeat"] and (
        group.behind or looked
    ):  # Oniguruma looks for fewer lengths, and for no look twice
        raise BPEError
    part = match[0]
    if match["group"]:
        behind, looks = match["group"].startswith("(?<"), match["group"] in _LOOKS
        groups.append(_Group(group.any_case, group.behind or behind, looks, match["group"] == "(?="))
    elif match["any_case"]:
        groups.append(_Group(True, group.behind))
        part = "(?:"
    elif match["end"] and len(groups) > 1:
        groups.pop()
    elif match["literal"] and group.any_case:
        cases = _in_any_case(part)
        part = f"[{cases}]" if cases != part else part
    return part, match.end()


def _followed(letters: str, part: str, any_case: bool) -> str:
    """Return the letters in any case so far. Raises BPEError if several of them are one character elsewhere."""
    if not any_case or part in ("(?i:", "(?:", ")"):
        return letters
    literal = _SAME.fullmatch(part)
    letters = letters + _character(part) if literal and literal["literal"] else ""
    if _folds_to_one(letters):
        raise BPEError
    return letters


def compile_literal(text: str) -> "regex.Pattern[str]":
    """Return a pattern that matches exactly this text."""
    return regex.compile(regex.escape(text))


# Every construct of Oniguruma's manual and of `regex`'s, and what becomes of it in the pattern of a tokenizer's
# file.
#
# A test asks Hugging Face's tokenizers, which splits with Oniguruma, and this package about each row. What both
# read the same is read, what differs is translated or refused. Sources: Oniguruma, doc/RE; `regex`, README.

_Verdict = Literal["same", "translated", "refused"]


@dataclass(frozen=True, slots=True)
class _Construct:
    """A construct, a pattern that has it, and a text on which the two libraries may differ."""

    name: str
    pattern: str
    text: str
    verdict: _Verdict
    differs: bool = (
        False  # whether the two match other parts of this text with this pattern, or one refuses it
    )


def _same(*rows: tuple[str, str, str]) -> list[_Construct]:
    return [_Construct(*row, "same") for row in rows]


def _translated(*rows: tuple[str, str, str]) -> list[_Construct]:
    return [_Construct(*row, "translated", differs=True) for row in rows]


def _refused(*rows: tuple[str, str, str], differs: bool) -> list[_Construct]:
    return [_Construct(*row, "refused", differs) for row in rows]


_CONSTRUCTS = (
    *_same(
        ("a literal", "ab c", "ab cab"),
        ("an escaped sign", r"\.\-\[\]\{\}\(\)", ".-[]{}()"),
        ("white space that is spelled", r"[\r\n\t\f]|\n", "a\r\nb\tc\f"),
        ("any character but a line end", ".+", "a\nb\r\u2028c\u0085d"),
        ("white space", r"\s+", "a\u0085\u00a0\u180e b\x1c\u2028"),
        ("no white space", r"\S+", "a\u0085\u00a0\u180e b\x1c\u2028"),
        ("digits", r"\d+", "1٣²½"),
        ("no digits", r"\D+", "1٣²½"),
        ("a category", r"\p{L}+|\p{Nd}|\p{S}", "aé中1٣²+€"),
        ("all but a category", r"\P{L}|\p{^N}", "a1 ²"),
        ("a script", r"\p{Han}|\p{Hangul}", "漢한a"),
        ("a set", r"[a\-z\].]+", "a-z]."),
        ("a range", "[!-/:-~]+", "a+b!:"),
        ("a set that begins or ends with a hyphen", "[-a]+|[b-]+", "-a-b"),
        ("a set without", r"[^\r\n\p{L}]", "a1\r\n"),
        ("a group", "(a|b)c|(?:d)", "acbcd"),
        ("an atomic group", "(?>a|ab)b", "abb"),
        ("what follows", r"\s+(?!\S)|a(?=b)", "ab  c  "),
        ("what comes before", "(?<=a)b|(?<!a)c", "abcac"),
        ("alternatives of which one is empty", "b|", "abc"),
        ("repeats", "a*b+c?d{2}e{1,2}f{,2}g{2,}", "abcddefgg"),
        ("lazy repeats", "a+?b|a*?c|d??e", "aabaace"),
        ("possessive repeats", "a++b|[^b]?+b", "aabb"),
        ("matches of nothing", "a*", "baac"),
        ("other letters in any case", "(?i:éσ)", "ÉςéΣ"),
    ),
    *_translated(
        ("in any case: k and i", "(?i:[a-z]+)", "kK\u212aİıiI1"),
        ("a set in a set", "[[a-c]x]+", "abcx]a["),
        ("without a set in a set", "[^x[yz]]+", "axyza]"),
        ("without what is not in a set", "[^x[^a-z]]+", "axyza]"),
        ("an intersection of sets", r"[\p{L}&&[^a]]+", "abcA1&["),
        ("three sets", "[a-z&&[^aeiou]&&[^x-z]]+", "helloxz&"),
        ("without an intersection", "[^a-c&&b-d]+", "abcde&"),
    ),
    *_refused(
        ("the begin of a line", "^a", "b\na"),
        ("the end of a line", "a$", "a\nb"),
        ("the end but for a line end", r"a\Z", "a\n"),
        ("characters in hexadecimal digits", r"\h", "0g \t"),
        ("none in hexadecimal digits", r"\H", "0g"),
        ("any character", r"\O", "a\n"),
        ("no line end", r"\N", "a\n"),
        ("a possessive repeat in braces", "a{2}+", "aaaaa"),
        ("an interval turned round", "a{2,1}", "aaa"),
        ("a repeat of a repeat", "a{2}{3}", "aaaaaaaaa"),
        ("two repeats", "a**", "aa"),
        ("the dot for all", "(?m).+", "a\nb"),
        ("the dot for all, in a group", "(?m:.+)", "a\nb"),
        ("several options", "(?im)A.b", "a\nb"),
        ("the dot for all, as Python has it", "(?s).+", "a\nb"),
        ("a named group, as Python has it", "(?P<n>a)", "a"),
        ("a call by name", r"(?<n>a|b)\g<n>", "ab"),
        ("a call of the whole", "a(?R)?b", "aabb"),
        ("a call by number", "(a)(?1)", "aa"),
        ("branches that share numbers", "(?|a|b)", "ab"),
        ("what is absent", "(?~ab)", "xxabyy"),
        ("backwards", "(?r)a", "aa"),
        ("version 1", "(?V1)a", "a"),
        ("fuzzy matching", "(?:ab){e<=1}", "ac"),
        ("named lists", r"\L<words>", "a"),
        ("a difference of sets", r"[\p{L}--a]", "ab-"),
        ("a range from a class", r"[\s-a]", " -a"),
        ("a class with a hyphen before a letter", r"[\p{L}-a]", "a-b"),
        ("letters that are one elsewhere", "(?i:ss)", "ß"),
        ("the same in groups", "(?i:(?:s)s)", "ß"),
        ("a letter that is two elsewhere", "(?i:ß)", "ss"),
        ("the same in a set", "(?i:[ß])", "ss"),
        ("the i of Turkish", "(?i:ı)", "Iı"),
        ("a category in any case", r"(?i:\p{Lu})", "aA"),
        ("a set in a set, in any case", "(?i:[[^a]b])", "aA"),
        ("any case from here", "(?i)i", "İi"),
        ("a property in words", r"\p{Script=Greek}", "α"),
        ("the start of a word", r"\m.", "ab"),
        ("a back reference by name", r"(?<n>a)\k<n>", "aab"),
        ("the letters of a category alone", r"\pL", "a1"),
        ("quoted text", r"\Q.\E", "."),
        ("a code point in braces", r"\x{41}", "A"),
        ("any characters after what must come next", r"(?=\p{Lu}).+[a-k]", "xBab"),
        ("what comes next or before, repeated", "(?=a){2}.|(?<!b)+.", "ab"),
        differs=True,
    ),
    # The two agree on these texts. They are refused since they differ on others, or no published tokenizer has them.
    *_refused(
        ("a repeat in what comes before", "(?<=a*b)c", "bc"),
        ("a back reference", r"(a)\1", "aab"),
        ("the end", r"a\z", "a\na"),
        ("vertical white space", r"\v", "\x0b\n\u2028"),
        ("a hyphen first, then a range", "[--a]", "-+a"),
        ("the position to begin", r"\G.", "ab"),
        ("a condition", "(a)?(?(1)b|c)", "abc"),
        ("words", r"\w+", "aé1_"),
        ("a boundary of words", r"\b.", "ab c"),
        ("a hexadecimal code", r"\x41", "A"),
        ("a code point", r"\u0041", "A"),
        ("the begin", r"\Aa", "aa"),
        ("a grapheme", r"\X", "e\u0301a"),
        ("a line end", r"\R", "a\r\nb\n"),
        ("a comment", "(?#c)a", "a"),
        ("free spacing", "(?x) a b", "ab"),
        ("options switched off", "(?-i)a", "aA"),
        ("a set of POSIX", "[[:alpha:]]+", "aé1"),
        ("what is kept", r"a\Kb", "cab"),
        ("an octal code", r"\012", "\n"),
        ("a bell and an escape", r"\a|\x1b", "\x07"),
        ("a category by its name", r"\p{Letter}", "a1"),
        differs=False,
    ),
)
