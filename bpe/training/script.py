"""A training as a script: a short Python file, without any package of ours, that learns the same merges.

It is what a teacher would write on the board: split the text, count the pairs, choose one, merge it, repeat. The lines
that split, spell and choose are those of the rows: `Variant.split_code`, `Variant.spell_code` and `TieBreak.code`.
"""

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice, pairwise, product
from textwrap import indent, wrap
from types import MappingProxyType

from bpe.checks import look_up
from bpe.encoding.tokenizer import Tokenizer
from bpe.settings.alphabets import alphabet_code
from bpe.settings.pieces import any_piece
from bpe.settings.request import Text, TrainingRequest
from bpe.symbols import BPEError, Pair, Symbol, Word, merge_pair
from bpe.text.display import counted, listed
from bpe.text.normalizing import NORMALIZATIONS
from bpe.text.variants import Variant
from bpe.trace.trace import Trace
from bpe.training.trainer import Training
from bpe.training.word_layout import spell_words

MARK = "\U0010ffff"  # stands for a marker: the last code point, which is no character
_MOST_CHECKED = 12  # merges that the check of an exercise compares
MOST_HELD = 20_000  # characters of a text that a script holds itself, where it could read them from a file
_MOST_LETTERS = 24  # of a word that a script encodes
_MOST_JOINED = 8  # words of a text, of which new ones are put together


def training_script(text: Text, request: TrainingRequest, *, beside: str = "", gap: str | None = None) -> str:
    """Return a Python file that learns the merges of a training and encodes a word with them.

    Run, or loaded by `runpy.run_path`, it leaves `merges`, the pairs in order: `bytes`, or `str` with markers spelled.
    `beside`: the name of a file next to the script, from which it reads a single text; by default it holds the text.
    `gap`: a slug of GAPS. A student writes these lines, and the script ends by saying what is wrong.

    Raises BPEError where `bpe.train` does, and for a training that no such script can show.
    """
    documents = text if isinstance(text, str | Mapping) else list(text)
    _check(documents, request)
    if gap and any(_left_out(request)):
        raise BPEError("An exercise cannot check a training of which its script leaves something out.")
    frequencies = request.count(documents)
    _, symbols = spell_words(tuple(frequencies), request.variant)
    request.most_merges(len(request.order_alphabet(symbols)))  # raises for a vocabulary that is too small
    exercise = None
    if gap:
        row = look_up("gap", GAPS, gap)
        if row.slug == "choose" and request.tie_break.seeded:
            raise BPEError(
                f"An exercise in choosing needs a rule that does not draw, got {request.tie_break.slug!r}: nobody can "
                "guess the lines of a draw."
            )
        exercise = _Exercise(row, Training(request, frequencies).finish().trace())
    body = "\n".join(_body(documents, request, beside, tuple(frequencies), exercise))
    return "\n".join([*_heading(request, exercise), *_beginning(request, body), body]) + "\n"


@dataclass(frozen=True, slots=True)
class _Gap:
    """One exercise: the lines of a script that a student writes."""

    slug: str
    title: str
    about: str  # the task, in a sentence
    blank: str  # what stands in their place


GAPS: Mapping[str, _Gap] = MappingProxyType(
    {
        row.slug: row
        for row in (
            _Gap("count", "Counting", "Add the word's frequency to the count of this pair.", "..."),
            _Gap("choose", "Choosing", "Choose the pair to merge.", "best = ..."),
            _Gap("merge", "Merging", "Join the pair wherever it occurs, from left to right.", "..."),
            _Gap("encode", "Encoding", "While a learned pair is left, merge the earliest one.", "..."),
        )
    }
)

_MERGE = '''
def merge(word, pair):
    """Return the word with every occurrence of the pair joined, from left to right."""'''
_MERGE_BODY = """\
    joined = []
    for symbol in word:
        if joined and (joined[-1], symbol) == pair:
            joined[-1] += symbol
        else:
            joined.append(symbol)
    return tuple(joined)
"""
_PAIRS_APART = '''
def pairs_of(word):
    """Return the pairs of a word, but none that overlaps an equal one before it."""
    apart = []
    for pair in zip(word, word[1:]):
        apart.append(None if apart and pair == apart[-1] else pair)
    return [pair for pair in apart if pair]

'''
_ENCODE = '''
ranks = {pair: rank for rank, pair in enumerate(merges)}


def encode(word):
    """Return the tokens of a word: of the learned pairs in it, merge the earliest, again and again."""
    tokens = spell(word)'''
_ENCODE_BODY = """\
    while pairs := [pair for pair in zip(tokens, tokens[1:]) if pair in ranks]:
        tokens = merge(tokens, min(pairs, key=ranks.get))"""
_MERGE_CHECK = """\
joined = merge(("a", "a", "a", "b", "a", "a", "c"), ("a", "a"))
if joined != ("aa", "a", "b", "aa", "c"):
    raise SystemExit(f"merge: for a a a b a a c return ('aa', 'a', 'b', 'aa', 'c'); yours returns {joined}.")"""
_COUNT_CHECK = """\
    if not merges and sum(counts.values()) != {pairs}:
        raise SystemExit(f"counts: all words have {pairs} pairs, yours add up to {{sum(counts.values())}}.")"""
_CHOICE_CHECK = """\
    if best not in list(counts):
        raise SystemExit(f"best: it must be one of the counted pairs, it is {best}.")"""
_CHECKS = """
expected = [
{expected}
]
for number, pair in enumerate(expected, start=1):
    if merges[number - 1 : number] != [pair]:
        raise SystemExit(f"Merge {{number}} should be {{pair}}, you get {{merges[number - 1 : number]}}.")"""
_ENCODE_CHECK = """\
right = {{
{encoded}
}}
for word, tokens in right.items():
    if {shown} != tokens:
        raise SystemExit(f"encode: {{word!r}} has the tokens {{tokens}}, you get {{{shown}}}.")"""
_Documents = str | Sequence[str] | Mapping[str, int]


def _heading(request: TrainingRequest, exercise: "_Exercise | None") -> Iterator[str]:
    """Yield comments: which training this is, and in which ways the script differs from it."""
    stops = [
        f"after {counted(request.merges, 'merge')}" if request.merges is not None else "",
        f"with {request.vocab_size:,} tokens" if request.vocab_size is not None else "",
        f"when no pair occurs {request.min_count:,} times" if request.min_count > 1 else "",
    ]
    end = listed(list(filter(None, stops)), "or") or "when no pair is left"
    sentences = {
        "Byte pair encoding, written out: ": f"each step counts all pairs again. {request.variant.brief} "
        f"It ends {end}.",
        "Not in this script: ": " ".join(_left_out(request)),
        "Your turn: ": f"replace the dots. {exercise.gap.about}" if exercise else "",
    }
    for title, sentence in sentences.items():
        if sentence:
            yield from wrap(title + sentence, 88, initial_indent="# ", subsequent_indent="# ")


def _left_out(request: TrainingRequest) -> Iterator[str]:
    """Yield a sentence on each setting that a script leaves out."""
    if request.picks:
        yield "the pairs picked by hand. The rule decides there, too, so the merges can differ."
    if request.may_merge is not any_piece:
        yield "the limits on what a token may be. The merges can differ."
    if request.limit_alphabet is not None or request.character_coverage < 1:
        yield "leaving out rare characters. The merges can differ."
    if request.second:
        first = counted(request.second_after, "merge")
        yield f"the second stage, which learns superwords. This is the first, of {first}."


def _beginning(request: TrainingRequest, body: str) -> Iterator[str]:
    """Yield the imports and the constants that the body needs."""
    used = {node.id for node in ast.walk(ast.parse(body)) if isinstance(node, ast.Name)}
    yield from (f"import {name}" for name in ("hashlib", "re", "unicodedata") if name in used)
    yield from ["from collections import Counter"] if "Counter" in used else []
    yield from ["from pathlib import Path"] if "Path" in used else []
    yield from ["", "import regex  # pip install regex"] if "regex" in used else []
    yield ""
    if request.variant.marker is not None:
        yield f'MARK = "\\U0010FFFF"  # stands for {request.variant.marker_text}: no text has this code point'
    if "PATTERN" in used:
        yield f"PATTERN = {pattern_literal(request.variant.split_pattern)}"
    if request.tie_break.seeded:
        yield f"SEED = {request.seed}"


def _body(
    documents: _Documents,
    request: TrainingRequest,
    beside: str,
    pre_tokens: Sequence[str],
    exercise: "_Exercise | None",
) -> Iterator[str]:
    """Yield the parts of the script below its imports."""
    variant, specials = request.variant, bool(request.special_tokens)
    blanks = exercise.part if exercise else _as_it_is
    yield from _reading(documents, request, beside)
    yield f'\n\ndef spell(word):\n    """Return the symbols of a word."""\n    return {variant.spell_code}\n'
    if variant.marker is not None:
        yield '\ndef spelled(symbol):\n    """Return a symbol with its marker written out."""'
        yield f'    return symbol.replace(MARK, "{variant.marker_text}")\n'
    yield _MERGE
    yield blanks("merge", _MERGE_BODY, _MERGE_CHECK)
    if not request.overlaps:
        yield _PAIRS_APART
    yield "\nwords = {spell(word): frequency for word, frequency in frequencies.items()}"
    assert request.alphabet is None or isinstance(request.alphabet, str)  # `_check` refuses a list
    alphabet = alphabet_code(request.alphabet, variant)
    if "symbols" in alphabet:
        yield "symbols = dict.fromkeys(symbol for word in words for symbol in word)"
    yield f"alphabet = {alphabet}"
    if specials:
        yield f"special_tokens = [{', '.join(map(_literal, request.special_tokens))}]  # they have the first ids"
    start = ", start=len(special_tokens)" if specials else ""
    yield f"ids = {{symbol: number for number, symbol in enumerate(alphabet{start})}}"
    yield f"merges = []\n\nwhile {_condition(request)}:"
    yield "    counts = {}\n    for word, frequency in words.items():"
    yield f"        for pair in {'zip(word, word[1:])' if request.overlaps else 'pairs_of(word)'}:"
    pairs = sum(exercise.trace.pair_counts(0).values()) if exercise else 0
    count = "            counts[pair] = counts.get(pair, 0) + frequency"
    yield blanks("count", count, _COUNT_CHECK.format(pairs=pairs))
    too_rare = f" or max(counts.values()) < {request.min_count}" if request.min_count > 1 else ""
    yield f"    if not counts{too_rare}:\n        break"
    yield f"    # {request.tie_break.brief}"
    yield blanks("choose", indent("\n".join(request.tie_break.code_for(variant)), "    "), _CHOICE_CHECK)
    yield "    words = {merge(word, best): frequency for word, frequency in words.items()}"
    yield "    merges.append(best)"
    yield f"    ids[best[0] + best[1]] = {'len(special_tokens) + ' if specials else ''}len(ids)"
    yield f"    print(len(merges), {_shown('best', request)}, counts[best])"
    yield _ENCODE
    yield blanks("encode", _ENCODE_BODY, "")
    yield "    return tokens\n"
    if example := _longest(pre_tokens, 1):
        yield f"\ntokens = encode({_literal(*example)})"
        yield f"print({_shown('tokens', request)}, [ids.get(token) for token in tokens])"
    if variant.marker is not None:
        yield "merges = [(spelled(left), spelled(right)) for left, right in merges]"
    if exercise:
        yield from exercise.checks()


def _as_it_is(slug: str, code: str, check: str) -> str:
    """Return the code of a part that nobody has to write."""
    return code


@dataclass(frozen=True, slots=True)
class _Exercise:
    """A script with a gap, and the training that tells what is right."""

    gap: _Gap
    trace: Trace

    def part(self, slug: str, code: str, check: str) -> str:
        """Return the code of a part or, in its place, a blank and the lines that say whether it is filled."""
        if slug != self.gap.slug:
            return code
        first = code.splitlines()[0]
        blank = indent(f"# {self.gap.about}\n{self.gap.blank}", first[: len(first) - len(first.lstrip())])
        # A function ends where the check begins.
        return "\n".join(filter(None, [blank, check if check.startswith(" ") else check and "\n\n" + check]))

    def checks(self) -> Iterator[str]:
        """Yield the lines at the end, which compare the merges and some encoded words with what is right."""
        variant = self.trace.variant
        text = variant.unit == "characters"

        def shown(symbol: Symbol) -> str:
            return repr(variant.spelled(symbol).decode() if text else symbol)

        pairs = [f"    ({shown(left)}, {shown(right)})," for left, right in self.trace.merges[:_MOST_CHECKED]]
        yield _CHECKS.format(expected="\n".join(pairs))
        tokenizer = self.trace.tokenizer()
        words = [*_longest(self.trace.pre_tokens, 3), *_telling_words(self.trace)]
        if not any(_is_merged(word, tokenizer, variant) for word in words):
            words += islice(_merged_words(self.trace), 1)
        encoded = "\n".join(
            f"    {_literal(word)}: ({', '.join(map(shown, tokenizer.word_tokens(word)))},),"
            for word in words
        )
        yield _ENCODE_CHECK.format(encoded=encoded, shown=_shown("encode(word)", self.trace.request))
        yield 'print("All of it is right.")'


# Wrong ways to choose the next pair. Each gets the learned pairs of a word, from left to right, and their ranks.
_WRONG_CHOICES: Sequence[Callable[[Sequence[Pair], Mapping[Pair, int]], Pair]] = (
    lambda pairs, ranks: max(pairs, key=ranks.__getitem__),
    lambda pairs, _: pairs[0],
    lambda pairs, _: max(pairs, key=lambda pair: len(pair[0] + pair[1])),
)


def _telling_words(trace: Trace) -> Iterator[str]:
    """Yield words, joined from words of the text, that some wrong choice splits differently."""
    tokenizer, variant = trace.tokenizer(), trace.variant
    ranks = {pair: rank for rank, pair in enumerate(trace.merges)}
    left = list(_WRONG_CHOICES)
    for one, other in product(trace.pre_tokens[:_MOST_JOINED], repeat=2):
        for word in _joined(one, other):
            if not left:
                return
            if variant.split(word) != [word]:
                continue
            right, spelled = tuple(tokenizer.word_tokens(word)), variant.spell(word)
            missed = [choose for choose in left if _encoded(spelled, ranks, choose) == right]
            if len(missed) < len(left):
                left = missed
                yield word


def _merged_words(trace: Trace) -> Iterator[str]:
    """Yield words in which something is merged: short parts of the text's words that are words, then whole ones."""
    tokenizer, variant = trace.tokenizer(), trace.variant
    parts = (
        word[start : start + _MOST_LETTERS]
        for word in trace.pre_tokens
        for start in range(0, len(word), _MOST_LETTERS // 2)
    )
    short = (part for part in parts if variant.split(part) == [part])
    for word in chain(short, sorted(trace.pre_tokens, key=len)):
        if _is_merged(word, tokenizer, variant):
            yield word


def _is_merged(word: str, tokenizer: Tokenizer, variant: Variant) -> bool:
    return tuple(tokenizer.word_tokens(word)) != variant.spell(word)


def _joined(one: str, other: str) -> Iterator[str]:
    """Yield each beginning of a word with each end of another one, if that has few enough letters."""
    for end in range(1, min(len(one), _MOST_LETTERS) + 1):
        for start in range(max(0, len(other) - (_MOST_LETTERS - end)), len(other)):
            yield one[:end] + other[start:]


def _encoded(
    word: Word, ranks: Mapping[Pair, int], choose: Callable[[Sequence[Pair], Mapping[Pair, int]], Pair]
) -> Word:
    while pairs := [pair for pair in pairwise(word) if pair in ranks]:
        word = merge_pair(word, choose(pairs, ranks))
    return word


def _shown(symbols: str, request: TrainingRequest) -> str:
    """Return an expression for a tuple of symbols as they are printed."""
    return symbols if request.variant.marker is None else f"tuple(map(spelled, {symbols}))"


def _longest(pre_tokens: Sequence[str], number: int) -> list[str]:
    """Return the longest of the first pre-tokens that are short enough to be read."""
    short = [word for word in pre_tokens[:1000] if len(word) <= _MOST_LETTERS]
    return sorted(short, key=len, reverse=True)[:number]


def _reading(documents: _Documents, request: TrainingRequest, beside: str) -> Iterator[str]:
    """Yield the lines that leave `frequencies`: how often each word occurs."""
    if isinstance(documents, Mapping):
        rows = (
            f"    {_literal(word)}: {frequency},\n" for word, frequency in request.count(documents).items()
        )
        yield f"frequencies = {{\n{''.join(rows)}}}"
        return
    texts = [documents] if isinstance(documents, str) else documents
    if beside and len(texts) == 1:
        yield f'text = (Path(__file__).parent / {_literal(beside)}).read_bytes().decode("utf-8-sig")'
    elif len(texts) == 1:
        yield f"text = {_literal(texts[0])}"
    else:
        yield f"texts = [\n{''.join(f'    {_literal(text)},{chr(10)}' for text in texts)}]"
    steps = list(_steps(request))
    if len(texts) == 1 and not steps:
        yield f"frequencies = Counter({request.variant.split_code})"
    else:
        yield f"documents = {'[text]' if len(texts) == 1 else 'texts'}"
        yield from steps
        yield f"frequencies = Counter(word for text in documents for word in {request.variant.split_code})"
    if request.word_order is not None:
        yield "frequencies = dict(sorted(frequencies.items(), key=lambda item: (-item[1], item[0].encode())))"


def _steps(request: TrainingRequest) -> Iterator[str]:
    """Yield the lines that make other documents of the texts."""
    if request.cut_special_tokens and request.special_tokens:
        longest_first = sorted(request.special_tokens, key=len, reverse=True)
        pattern = pattern_literal("|".join(map(re.escape, longest_first)))
        yield f"documents = [part for text in documents for part in re.split({pattern}, text)]"
    if request.normalization:
        yield f"documents = [{NORMALIZATIONS[request.normalization].code} for text in documents]"
    if request.lines == "bare":
        yield 'documents = [line.removesuffix("\\r") for text in documents for line in text.split("\\n")]'
    elif request.lines:
        yield 'documents = [line for text in documents for line in re.findall(r"[^\\n]*\\n|[^\\n]+", text)]'


def _condition(request: TrainingRequest) -> str:
    """Return the condition under which the script learns another merge."""
    given = [request.merges, request.second_after if request.second else None]
    least = min((limit for limit in given if limit is not None), default=None)
    conditions = [] if least is None else [f"len(merges) < {least}"]
    if request.vocab_size is not None:
        specials = "len(special_tokens) + " if request.special_tokens else ""
        conditions.append(f"{specials}len(ids) < {request.vocab_size}")
    return " and ".join(conditions) or "True"


def _literal(text: str) -> str:
    r"""Return the text as a literal of Python: on several lines if it is long, and readable.

    >>> _literal('say "low"'), _literal("low\\n")
    ('\'say "low"\'', '"low\\\\n"')
    """
    parts = [part for line in text.splitlines(keepends=True) for part in _PART.findall(line)]
    if len(parts) < 2:
        return _quoted(text)
    return "(\n" + "".join(f"    {_quoted(part)}\n" for part in parts) + ")"


_PART = re.compile(r"(?s).{1,76}(?:\s|\Z)|.{1,76}")


def pattern_literal(pattern: str) -> str:
    """Return a pattern as a raw literal where that is possible, so that its backslashes are not doubled."""
    return f'r"{pattern}"' if pattern.isprintable() and not re.search(r'"|\\$', pattern) else _quoted(pattern)


def _quoted(text: str) -> str:
    """Return the text in quotation marks, the double ones where it has none."""
    return repr(text) if '"' in text else '"' + repr("'" + text)[2:]


def _check(documents: _Documents, request: TrainingRequest) -> None:
    """Raise BPEError for a training that a script cannot show."""
    variant = request.variant
    if not variant.split_code or request.normalizer:
        raise BPEError("A tokenizer's file has no script: only a training on a text has one.")
    if not request.tie_break.code:
        raise BPEError(f"The rule {request.tie_break.slug!r} has no lines for a script.")
    if request.alphabet is not None and not isinstance(request.alphabet, str):
        raise BPEError("A script needs an alphabet by name, got a list of symbols.")
    texts: Iterable[str] = [documents] if isinstance(documents, str) else documents
    if variant.marker is not None and any(MARK in text for text in texts):
        raise BPEError(
            f"The text holds U+10FFFF, which stands for {variant.marker_text} in a script: remove it, or split the "
            "text into bytes."
        )
