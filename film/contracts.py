"""The contracts between Python and the browser, as modules of JavaScript: constants, and shapes as types in JSDoc.

`python -m film` writes them.
"""

import ast
import inspect
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType, UnionType
from typing import (
    Any,
    Literal,
    NewType,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from bpe import sentences
from film import characters, feed, live

BROWSER = Path(__file__).parent / "browser"
# File of the browser -> the modules whose shapes it has. The others' shapes that they use are those of the first file.
CONTRACTS: Mapping[str, tuple[ModuleType, ...]] = {
    "shared/feed_types.js": (feed,),
    "shared/sentences.js": (sentences,),
    "trainer/live_types.js": (characters, live),
}


def javascript(path: str) -> str:
    """Return the contract of CONTRACTS that belongs into a file."""
    return "".join(_file(CONTRACTS[path]))


def _in_jsdoc(hint: Any, aliases: Mapping[str, Any]) -> str:
    """Return a Python type in JSDoc's notation. An alias stands for its type.

    >>> _in_jsdoc(dict[str, int | None], {})
    'Record<string, number | null>'
    """
    if is_typeddict(hint) or isinstance(hint, NewType):
        return str(hint.__name__)
    for name, alias in aliases.items():
        if hint == alias:
            return name
    origin, args = get_origin(hint), get_args(hint)
    if origin is NotRequired:
        return _in_jsdoc(args[0], aliases)
    if origin is Literal:
        return " | ".join(str(value).lower() if isinstance(value, bool) else f'"{value}"' for value in args)
    parts = [_in_jsdoc(arg, aliases) for arg in args if arg is not Ellipsis]
    if origin in (Union, UnionType):
        return " | ".join(parts)
    if origin in (list, tuple):
        return f"{parts[0]}[]"
    if origin is dict:
        return f"Record<{', '.join(parts)}>"
    return "unknown" if hint is Any else _PLAIN[hint]


_PLAIN: dict[object, str] = {
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    type(None): "null",
}
# A key in the source of a shape: comment lines above it, its name, and the comment behind it.
_KEY = re.compile(r"((?:^    # .*\n)*)^    (\w+): [^#\n]*(?:# (.*))?$", re.MULTILINE)


def _file(modules: tuple[ModuleType, ...]) -> Iterator[str]:
    names = " and ".join(f"{module.__name__.replace('.', '/')}.py" for module in modules)
    yield f"// What Python gives the browser: `python -m film` writes this file from {names}.\n"
    own = {name: value for module in modules for name, value in _definitions(module).items()}
    yield from _imports(own)
    shapes = [value for value, _ in own.values() if is_typeddict(value)]
    aliases = {name: value for name, (value, _) in own.items() if get_origin(value)}
    for name, (value, comment) in own.items():
        if isinstance(value, int | str):
            yield f"\n/** {comment} */\nexport const {name} = {json.dumps(value, ensure_ascii=False)};\n"
        elif isinstance(value, NewType):
            yield f"\n/** {comment} @typedef {{string}} {name} */\n"
        elif name in aliases:
            written = _in_jsdoc(value, {other: one for other, one in aliases.items() if other != name})
            yield f"\n/** {comment + ' ' if comment else ''}@typedef {{{written}}} {name} */\n"
        elif is_typeddict(value):
            yield from _shape(name, value, shapes, aliases)
    if not any(isinstance(value, int | str) for value, _ in own.values()):
        yield "\nexport {};\n"


def _definitions(module: ModuleType) -> dict[str, tuple[Any, str]]:
    """Return name -> (value, comment above it) of a module's own classes, types, numbers and sentences, in order."""
    source = inspect.getsource(module)
    own: dict[str, tuple[Any, str]] = {}
    for node in ast.parse(source).body:
        name = (
            node.name
            if isinstance(node, ast.ClassDef)
            else node.targets[0].id
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
            else "_"
        )
        value = getattr(module, name, None)
        is_type = is_typeddict(value) or isinstance(value, NewType)
        is_type = is_type or get_origin(value) in (Literal, Union, UnionType)
        if not name.startswith("_") and (is_type or isinstance(value, int | str)):
            above = re.search(rf"((?:^# .*\n)+){name} = ", source, re.MULTILINE)
            own[name] = value, _joined(above[1]) if above else ""
    return own


def _imports(own: Mapping[str, Any]) -> Iterator[str]:
    """Yield the line that imports the types of the first file which the shapes of another one use."""
    used = {
        part.__name__
        for value, _ in own.values()
        if is_typeddict(value)
        for hint in get_type_hints(value).values()
        for part in _parts(hint)
        if isinstance(part, NewType) and part.__name__ not in own
    }
    if used:
        yield f'\n/** @import {{{", ".join(sorted(used))}}} from "../shared/feed_types.js" */\n'


def _parts(hint: Any) -> Iterator[Any]:
    yield hint
    for arg in get_args(hint):
        yield from _parts(arg)


def _shape(name: str, shape: Any, shapes: Sequence[Any], aliases: Mapping[str, Any]) -> Iterator[str]:
    about = str(inspect.getdoc(shape)).splitlines()[0]
    yield f"\n/**\n * {about}\n * @typedef {{object}} {name}\n"
    bases = [base for base in shapes if base.__annotations__.keys() < shape.__annotations__.keys()]
    comments = {key: comment for base in (*bases, shape) for key, comment in _comments(base)}
    for key, hint in get_type_hints(shape, include_extras=True).items():
        shown = key if key in shape.__required_keys__ else f"[{key}]"
        comment = f"  {comments[key]}" if comments.get(key) else ""
        yield f" * @property {{{_in_jsdoc(hint, aliases)}}} {shown}{comment}\n"
    yield " */\n"


def _comments(shape: Any) -> Iterator[tuple[str, str]]:
    for above, key, behind in _KEY.findall(inspect.getsource(shape)):
        yield key, _joined(above) or behind


def _joined(comment: str) -> str:
    return " ".join(line.strip().removeprefix("# ") for line in comment.splitlines())
