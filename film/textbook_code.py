"""The loop of the textbook's trainer as lines to show, read from its source: what is shown is what runs."""

import ast
import inspect
from functools import cache
from textwrap import dedent
from typing import Literal

from bpe import Trace
from bpe.settings.pieces import any_piece
from bpe.training.script import choice_code
from bpe.training.textbook import textbook_train
from film.feed import CodeLine

_Beat = Literal["rest", "count", "select", "fuse", "settle", ""]
# When a line is lit, and what it does, for each line of the loop.
_LINES: tuple[tuple[_Beat, str], ...] = (
    ("rest", "Go on until there are as many merges as you asked for."),
    ("count", "Count from the start: no pair has been seen yet."),
    ("count", "Take each different word, and how often it occurs."),
    ("count", "Take every two neighbours in the word."),
    ("count", "The pair occurs once more in every copy of the word."),
    ("", "No pair is left when every word is one token."),
    ("", "Then there is nothing to merge."),
    ("select", "Take a pair with the highest count. Where several have it, this line decides."),
    ("fuse", "Join the pair everywhere: in each word, from left to right."),
    ("settle", "Write the pair down. The order of this list is all that a tokenizer learns."),
)


@cache
def code_lines(source: str = "") -> list[CodeLine]:
    """Return the lines of a trainer's loop, without types and comments. By default it is the textbook's."""
    (function,) = ast.parse(dedent(source or inspect.getsource(textbook_train))).body
    assert isinstance(function, ast.FunctionDef)
    (loop,) = (statement for statement in function.body if isinstance(statement, ast.While))
    written = ast.unparse(_Untyped().visit(loop)).splitlines()
    return [
        {"depth": (len(line) - len(line.lstrip())) // 4, "text": line.lstrip(), "beat": beat, "about": about}
        for line, (beat, about) in zip(written, _LINES, strict=True)
    ]


def choice_lines(trace: Trace) -> list[str]:
    """Return the lines in which the rule of a trace chooses; none where the textbook's loop is not what was done."""
    is_textbook = not trace.replayed and trace.request.may_merge is any_piece and trace.second_stage is None
    return choice_code(trace.tie_break) if is_textbook else []


class _Untyped(ast.NodeTransformer):
    """Leaves types out of assignments."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:  # the name that ast calls
        assert node.value is not None
        return ast.copy_location(ast.Assign([node.target], node.value), node)
