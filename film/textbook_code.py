"""The textbook's code as lines to show, read from its source: what is shown is what runs."""

import ast
import inspect
from functools import cache
from textwrap import dedent

from bpe import Trace
from bpe.settings.pieces import any_piece
from bpe.settings.request import TrainingRequest
from bpe.training.script import choice_code
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


@cache
def code_lines(source: str = "") -> list[CodeLine]:
    """Return the lines of a trainer, without types and comments. By default its loop is the textbook's.

    Lines of `training_code` stand in place of those at the same beat.
    """
    (function,) = ast.parse(dedent(source or inspect.getsource(textbook_train))).body
    assert isinstance(function, ast.FunctionDef)
    (loop,) = (statement for statement in function.body if isinstance(statement, ast.While))
    written = ast.unparse(_Untyped().visit(loop)).splitlines()
    return [
        {"depth": (len(line) - len(line.lstrip())) // 4, "text": line.lstrip(), "beat": beat, "about": about}
        for line, (beat, about) in zip([""] * len(_BEFORE) + written, _BEFORE + _LOOP, strict=True)
    ]


def training_code(trace: Trace, counted: bool) -> dict[str, list[str]]:
    """Return the lines of a training's variant, rule and stop rule; none where the textbook's loop does not tell it.

    counted: whether it got words with their counts instead of a text.
    """
    request = trace.request
    if trace.replayed or request.may_merge is not any_piece or trace.second_stage is not None:
        return {}
    least = request.min_count
    too_rare = [f"if not counts or max(counts.values()) < {least}:"] if least > 1 else []
    return {
        "split": [] if counted else _split_code(request),
        "spell": _spell_code(request),
        **({"stop": too_rare} if too_rare else {}),
        "select": choice_code(trace.tie_break, request.variant),
    }


def _split_code(request: TrainingRequest) -> list[str]:
    """Return the line that splits a text into words; none where more than that is done."""
    is_all = not (request.lines or request.cut_special_tokens or request.normalization or request.word_order)
    variant = request.variant
    return [f"frequencies = Counter({variant.split_code})"] if variant.split_code and is_all else []


def _spell_code(request: TrainingRequest) -> list[str]:
    """Return the line that spells the words in symbols; none where rare characters are left out or put together."""
    is_all = not request.joins_unknown and request.limit_alphabet is None and request.character_coverage == 1
    code = request.variant.spell_code
    return [f"words = {{{code}: n for word, n in frequencies.items()}}"] if code and is_all else []


class _Untyped(ast.NodeTransformer):
    """Leaves types out of assignments."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:  # the name that ast calls
        assert node.value is not None
        return ast.copy_location(ast.Assign([node.target], node.value), node)
