"""Short scripts: no comments, no needless white space and signs, and short names for what modules declare.

This is no minifier: it knows tokens and no scopes. So it gives a new name only to what a module declares at its top
level, everywhere alike, and to no name that is also a property's.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, product
from string import ascii_letters, digits

_TOKEN = re.compile(
    r"""(?P<space>\s+|//[^\n]*|/\*.*?\*/)
    |(?P<name>[A-Za-z_$][\w$]*)
    |(?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\d[\w.]*)
    |(?P<sign>=>|\.\.\.|\?\.|.)""",
    re.VERBOSE | re.DOTALL,
)
_TEMPLATE = re.compile(r"[`}](?:[^`\\$]|\\.|\$(?!\{))*(?:`|\$\{)", re.DOTALL)
_PATTERN = re.compile(r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/\w*")
_WORD = re.compile(r"[\w$]")
_KEYWORDS = frozenset(
    re.findall(
        r"\w+",
        """async await break case catch class const continue default delete do else export extends finally for function
        get if import in instanceof let new of return set static super switch this throw try typeof var void while yield
        """,
    )
)
# Words that are no value: a slash behind them begins a pattern.
_OPERATORS = _KEYWORDS - {"super", "this"}
# A line may end behind, or begin with, these signs in the middle of a statement only.
_OPEN = frozenset(["{", "(", "[", ",", ";", ":", "?", "=", "=>", "&", "|"])
_GOES_ON = frozenset(["}", ")", "]", ".", "?.", "?", ":", "=", "&", "|"])

_Token = tuple[str, str]  # its kind ("space", "name", "text" or "sign") and its text


@dataclass(frozen=True, slots=True)
class ShortScript:
    """A script without comments and needless space, cut at the names that could be others."""

    pieces: Sequence[str]  # every second one is a name
    fixed: frozenset[str]  # names that are a property's, or may be


def short_script(source: str) -> ShortScript:
    """Return a script of ours: statements and names are recognized as our formatter and linter let them be."""
    pieces = [""]
    fixed: set[str] = set()
    for text, is_free in _placed(_spaced(_unended(_tokens(source)))):
        if is_free:
            pieces += [text, ""]
        else:
            pieces[-1] += text
            fixed.add(text)
    return ShortScript(pieces, frozenset(fixed))


def foreign_script(source: str) -> ShortScript:
    """Return another project's script, as it is."""
    return ShortScript([source], frozenset(re.findall(r"[\w$]+", source)))


def joined(scripts: Sequence[ShortScript], declared: Collection[str]) -> str:
    """Return the scripts as one, in which names that they declare at their top level are short."""
    uses = Counter(name for script in scripts for name in script.pieces[1::2])
    fixed = frozenset().union(*(script.fixed for script in scripts))
    free = sorted(uses.keys() & set(declared) - fixed, key=lambda name: (-uses[name], name))
    names = _new_names(uses.keys() | fixed)
    short = {name: new for name, new in zip(free, names, strict=False) if len(new) < len(name)}
    return "\n".join("".join(short.get(piece, piece) for piece in script.pieces) for script in scripts)


def _new_names(taken: Collection[str]) -> Iterator[str]:
    """Yield a, b, …, aa, ab, … without those that are taken."""
    letters = ascii_letters + "$_"
    for length in count(1):
        for first, *others in product(letters, *[letters + digits] * (length - 1)):
            name = "".join([first, *others])
            if name not in taken and name not in _KEYWORDS:
                yield name


def _tokens(source: str) -> Iterator[_Token]:
    """Yield all tokens. A template is cut at the code in its gaps."""
    at = 0
    gaps: list[int] = []  # for each gap of a template that is open: how many braces are open in it
    ends_value = False  # whether a slash divides what is before it
    while at < len(source):
        match: re.Match[str] | None
        kind: str | None = "text"
        if source[at] == "`" or (source[at] == "}" and gaps and not gaps[-1]):
            match = _TEMPLATE.match(source, at)
        elif source[at] == "/" and not ends_value and source[at + 1] not in "/*":
            match = _PATTERN.match(source, at)
        else:
            match = _TOKEN.match(source, at)
            kind = match and match.lastgroup
        if match is None or kind is None:
            raise ValueError(f"cannot read the script at {source[at : at + 40]!r}")
        token = match[0]
        if kind == "text":
            ends_value = not token.endswith("${")
            if token[0] == "}":
                gaps.pop()
            if token[0] in "`}" and not ends_value:
                gaps.append(0)
        elif kind == "name":
            ends_value = token not in _OPERATORS
        elif kind == "sign":
            ends_value = token in (")", "]", "}")
            if gaps:
                gaps[-1] += (token == "{") - (token == "}")
        yield kind, token
        at = match.end()


def _unended(tokens: Iterator[_Token]) -> Iterator[_Token]:
    """Yield the tokens without the last comma of a list and the last semicolon of a block.

    An empty statement needs its semicolon; the linter allows none.
    """
    held: list[_Token] = []  # a comma or a semicolon, and the white space behind it
    before = ""
    for kind, token in tokens:
        if held and kind != "space":
            is_last = kind == "sign" and token in (")]}" if held[0][1] == "," else "}")
            yield from held[1:] if is_last else held
            held = []
        if held or (kind == "sign" and token in ",;" and before not in ",[("):
            held.append((kind, token))
        else:
            yield kind, token
        if kind != "space":
            before = token
    yield from held


def _spaced(tokens: Iterator[_Token]) -> Iterator[_Token]:
    """Yield the tokens with white space only where two would become one, or where a line ends a statement."""
    before = "{"
    gap = ""
    for kind, token in tokens:
        if kind == "space":
            gap = "\n" if "\n" in token else gap or " "
            continue
        if gap == "\n":
            if before not in _OPEN and token not in _GOES_ON:
                yield "space", gap
        elif gap:
            edges = before[-1] + token[0]
            if edges in ("++", "--", "//", "/*") or (_WORD.match(edges[0]) and _WORD.match(edges[1])):
                yield "space", gap
        gap = ""
        before = token
        yield kind, token


def _placed(spaced: Iterator[_Token]) -> Iterator[tuple[str, bool]]:
    """Yield each token, and whether it is a name that cannot be a property's."""
    tokens = list(spaced)
    places = [number for number, (kind, _) in enumerate(tokens) if kind != "space"]
    free: set[int] = set()
    frames: list[str] = []  # the brackets that are open
    before = ";"
    for number, following in zip(places, [*places[1:], -1], strict=True):
        kind, token = tokens[number]
        if kind == "name":
            after = tokens[following][1]
            if token not in _KEYWORDS and not _may_be_property(before, after, frames[-1] if frames else ""):
                free.add(number)
        elif kind == "sign" and token in ("(", "["):
            frames.append(token)
        elif token == "{":
            frames.append(_frame(before))
        elif token[0] in ")]}":
            frames.pop()
        if kind == "text" and token.endswith("${"):
            frames.append("gap")
        before = token
    return ((token, number in free) for number, (_, token) in enumerate(tokens))


def _frame(before: str) -> str:
    """Return what a brace opens, by the token before it."""
    if before in (")", "=>", ";", "{", "}", "else", "do", "try", "finally"):
        return "block"
    return "class" if _WORD.match(before) and before not in _KEYWORDS else "object"


def _may_be_property(before: str, after: str, frame: str) -> bool:
    if before in (".", "?.", "#"):
        return True
    if frame == "class":
        return before in ("{", "}", ";", "static", "get", "set", "async", "*")
    if frame != "object":
        return False
    if before in ("{", ","):
        return after in (",", "}", ":", "=", "(")
    return before in ("get", "set", "async", "*") and after == "("
