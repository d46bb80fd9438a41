"""The textbook's code as lines to show, read from its source: what is shown is what runs."""

import ast
import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from textwrap import dedent

from bpe import Trace, Variant, Word
from bpe.encoding import textbook
from bpe.sentences import filled
from bpe.settings.pieces import any_piece
from bpe.settings.request import TrainingRequest
from bpe.training.script import pattern_literal
from bpe.training.textbook import textbook_train
from film.feed import CodeBeat, CodeLine

# What comes before the loop. The feed of a training has these lines: they are those of its variant.
_BEFORE: tuple[tuple[CodeBeat, str], ...] = (
    ("split", "Split the text into words, and count how often each of them occurs."),
    ("spell", "Spell each word in symbols: no pair reaches from one word into another."),
)
# When a line is lit, and what it does, for each line of the loop.
_LOOP: tuple[tuple[CodeBeat, str], ...] = (
    ("rest", "Go on until there are as many merges as you asked for."),
    ("count", "Count from the start: no pair has been seen yet."),
    ("count", "Take each different word, and how often it occurs."),
    ("count", "Take every two neighbours in the word."),
    ("count", "The pair occurs once more in every copy of the word."),
    ("stop", "No pair is left when every word is one token."),
    ("", "Then there is nothing to merge."),
    ("select", "Take a pair with the highest count. Where several have it, this line decides."),
    ("fuse", "Join the pair everywhere: in each word, from left to right."),
    ("settle", "Write the pair down. The order of this list is all that a tokenizer learns."),
)

# What a variant and a stop rule write in place of lines of the loop, and a rule that compares ids before the
# last of them. Pages that train get these lines, too.
OWN_LINES: Mapping[str, str] = {
    "split": "frequencies = Counter({code})",
    "spell": "words = {{code}: n for word, n in frequencies.items()}",
    "stop": "if not counts or max(counts.values()) < {least}:",
    "number": "ids[best[0] + best[1]] = len(ids)",
}

_Sentences = tuple[tuple[CodeBeat, str], ...]
_BY_RANK: _Sentences = (
    ("", "Take a word, spelled in symbols, and the merges in the order they were learned."),
    ("", "Number the merges: the first one learned has rank 0."),
    ("rest", "Find all pairs of neighbours that have been learned. Go on until there is none."),
    ("select", "Of these, take the pair that was learned first."),
    ("fuse", "Join it everywhere in the word, from left to right."),
    ("", "The symbols that are left are the tokens."),
)
# The same for each line of the textbook's encoders.
_ENCODERS: Mapping[Callable[..., Word], _Sentences] = {
    textbook.lowest_rank_first: _BY_RANK,
    textbook.whole_word_first: (
        ("", "Take a word, the merges in the order they were learned, and the vocabulary."),
        ("", "Join all its symbols."),
        ("", "A word that is a token needs no merges. Any other one is encoded as below."),
    ),
    textbook.rules_in_order: (
        ("", "Take a word, spelled in symbols, and the merges in the order they were learned."),
        ("rest", "Go through all merges once, the first one learned first."),
        ("fuse", "Join the pair everywhere in the word, if it is there."),
        ("", "The symbols that are left are the tokens."),
    ),
    textbook.longest_first: (
        ("", "Take a word, spelled in symbols, and the tokens: the longest first, then the most frequent."),
        ("rest", "Try one token after the other."),
        ("select", "Look for it in the word, from left to right."),
        ("select", "It is here."),
        ("fuse", "What is left of it and what is right of it are words, too."),
        ("fuse", "Split them in the same way, and put the token in between."),
        ("", "No token is in it: its symbols are unknown."),
    ),
    textbook.longest_in_use: (
        ("", "Take a word, the tokens with the longest first, and how often each is in use."),
        ("", "Keep the tokens that the training text still uses at the end."),
        ("", "Split the word with these."),
    ),
    textbook.longest_prefix: (
        ("", "Take a word, spelled in symbols, and the vocabulary."),
        ("", "No token has been found yet."),
        ("rest", "Go on until nothing of the word is left."),
        ("select", "Try the whole rest first, then one symbol less, and so on."),
        ("select", "Join these symbols."),
        ("select", "Is it a token?"),
        (
            "select",
            "Then it is the longest one that begins here. A single symbol is taken even if it is unknown.",
        ),
        ("fuse", "Write the token down."),
        ("settle", "Go on behind it."),
        ("", "These are the tokens."),
    ),
    textbook.fewest_tokens: (
        ("", "Take a word, spelled in symbols, and the vocabulary."),
        ("", "Behind the end of the word nothing is needed: no unknown symbols, no tokens."),
        ("rest", "Go from the end of the word to its start."),
        ("rest", "Collect the ways to split the word from here on."),
        ("rest", "The first token may end anywhere: try the longest first."),
        ("rest", "Join these symbols."),
        ("rest", "It must be a token, or one symbol, which may be unknown."),
        ("rest", "The best way for the rest of the word is known already."),
        ("rest", "Add this token to it, and count."),
        (
            "select",
            "Keep the way with the fewest unknown symbols, then the fewest tokens, then the longest.",
        ),
        ("fuse", "The best way from the start of the word gives the tokens."),
    ),
    textbook.lowest_rank_with_dropout: (
        ("", "Take a word, the merges in the order they were learned, the probability of a drop and a seed."),
        ("", "The seed and the word decide the draws, so they can be repeated."),
        ("rest", "Go on until no place is kept."),
        ("rest", "Go through the merges, the first one learned first."),
        ("select", "Find the places at which the pair stands."),
        ("select", "Drop each of them with probability p."),
        ("select", "Is a place left?"),
        ("select", "Then this is the merge to apply."),
        ("", "All merges have been tried."),
        ("", "No place was kept: these are the tokens."),
        ("fuse", "Join the pair at the places that are left."),
    ),
    textbook.rare_tokens_undone: (
        ("", "Take a word, the merges, how often each token is in use, and the smallest count."),
        ("", "Each merged token has two parts."),
        ("", "First encode as below."),
        ("", "Find the tokens that are too rare. Go on until there is none."),
        ("", "Take the first of them."),
        ("", "Put its two parts in its place."),
        ("", "These are the tokens."),
    ),
}


@cache
def code_lines(source: str = "") -> list[CodeLine]:
    """Return the lines of a trainer, without types and comments. By default its loop is the textbook's.

    Lines of `training_code` stand in place of those at the same beat.
    """
    function = _function(source or inspect.getsource(textbook_train))
    (loop,) = (statement for statement in function.body if isinstance(statement, ast.While))
    return _lines([""] * len(_BEFORE) + ast.unparse(loop).splitlines(), _BEFORE + _LOOP)


def encoder_lines(functions: Sequence[Callable[..., Word]], source: str = "") -> list[CodeLine]:
    """Return the lines of the textbook's encoders, one after the other. By default the first has its own source."""
    return [
        line
        for number, function in enumerate(functions)
        for line in _function_lines((not number and source) or inspect.getsource(function), function)
    ]


def spelling_lines(variant: Variant) -> list[CodeLine]:
    """Return the lines in which a variant splits a text and spells its words; none for the variant of a file."""
    if not variant.split_code or not variant.spell_code:
        return []
    written = [f"words = {variant.split_code}", f"symbols = [{variant.spell_code} for word in words]"]
    marks = f" MARK stands for the marker {variant.marker_text}." if "MARK" in variant.spell_code else ""
    sentences: _Sentences = (
        ("split", "Split the text into words."),
        ("spell", f"Spell each word in symbols of one {_UNITS[variant.unit]} each.{marks}"),
    )
    if "PATTERN" in variant.split_code:
        written.insert(0, f"PATTERN = {pattern_literal(variant.split_pattern)}")
        sentences = (("", "What this pattern matches is a word."), *sentences)
    return _lines(written, sentences)


_UNITS = {"bytes": "byte of UTF-8", "characters": "character"}


def decoding_lines(variant: Variant, source: str = "") -> list[CodeLine]:
    """Return the lines that make a text of ids, the second of which is the variant's own; none for that of a file.

    source: of the function that decodes, by default the variant's.
    """
    if not variant.split_code:
        return []
    written = [
        f"{name} = {_returned(text)}"
        for name, text in {
            "symbols": inspect.getsource(textbook.symbols_of),
            "text": source or inspect.getsource(variant.decode),
        }.items()
    ]
    marks = (
        "" if variant.marker is None else f" The marker {variant.marker_text} becomes a space, but for one."
    )
    return _lines(
        written,
        (
            ("select", "Look each id up in the vocabulary."),
            ("fuse", f"Join the bytes of all symbols, and read them as UTF-8.{marks}"),
        ),
    )


def _returned(source: str) -> str:
    """Return the expression that a function of one line returns."""
    (statement,) = _function(source).body
    assert isinstance(statement, ast.Return)
    assert statement.value is not None
    return ast.unparse(statement.value)


@cache
def _function_lines(source: str, function: Callable[..., Word]) -> list[CodeLine]:
    return _lines(ast.unparse(_function(source)).splitlines(), _ENCODERS[function])


def _function(source: str) -> ast.FunctionDef:
    """Return the one function of a source, without types and docstring."""
    (function,) = ast.parse(dedent(source)).body
    assert isinstance(function, ast.FunctionDef)
    if ast.get_docstring(function):
        del function.body[0]
    return _Untyped().visit(function)  # type: ignore[no-any-return]  # a node of the same kind


def _lines(written: Sequence[str], sentences: _Sentences) -> list[CodeLine]:
    return [
        {"depth": (len(line) - len(line.lstrip())) // 4, "text": line.lstrip(), "beat": beat, "about": about}
        for line, (beat, about) in zip(written, sentences, strict=True)
    ]


def training_code(trace: Trace, counted: bool) -> dict[str, list[str]]:
    """Return the lines of a training's variant, rule and stop rule.

    Where the textbook's loop does not tell what was done, {"none": [a sentence that says why]}.

    counted: whether it got words with their counts instead of a text.
    """
    request = trace.request
    why = _untold(trace)
    if why:
        return {"none": [why]}
    least = request.min_count
    too_rare = [filled(OWN_LINES["stop"], least=least)] if least > 1 else []
    select = list(trace.tie_break.code_for(request.variant))
    reads_ids = any("ids[" in line for line in select)
    settle = next(line["text"] for line in code_lines() if line["beat"] == "settle")
    numbered = [OWN_LINES["number"], settle] if reads_ids else []
    return {
        "split": [] if counted else _split_code(request),
        "spell": _spell_code(request),
        **({"stop": too_rare} if too_rare else {}),
        "select": select,
        **({"settle": numbered} if numbered else {}),
    }


def _untold(trace: Trace) -> str:
    """Return why the textbook's loop would not give a training's merges; "" if it would."""
    reasons = {
        "the merges of this tokenizer were learned elsewhere": not trace.origin.is_own,
        "these settings limit what a token may be, and the textbook’s code does not": (
            trace.request.may_merge is not any_piece
        ),
        "this training has two stages, and the textbook’s code has one": trace.second_stage is not None,
    }
    return next((f"There is no code here: {why}." for why, holds in reasons.items() if holds), "")


def _split_code(request: TrainingRequest) -> list[str]:
    """Return the line that splits a text into words; none where more than that is done."""
    is_all = not (request.lines or request.cut_special_tokens or request.normalization or request.word_order)
    variant = request.variant
    return [filled(OWN_LINES["split"], code=variant.split_code)] if variant.split_code and is_all else []


def _spell_code(request: TrainingRequest) -> list[str]:
    """Return the line that spells the words in symbols; none where rare characters are left out or put together."""
    is_all = not request.joins_unknown and request.limit_alphabet is None and request.character_coverage == 1
    code = request.variant.spell_code
    return [filled(OWN_LINES["spell"], code=code)] if code and is_all else []


class _Untyped(ast.NodeTransformer):
    """Leaves types out of assignments and parameters."""

    def visit_arg(self, node: ast.arg) -> ast.AST:  # the names that ast calls
        return ast.copy_location(ast.arg(node.arg), node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        assert node.value is not None
        return ast.copy_location(ast.Assign([node.target], node.value), node)
