"""Join ES modules or style sheets into one text, for pages that load a single script: no bundler, no build step.

The files stay ordinary modules, which browsers, node and the TypeScript compiler resolve by their relative paths. Only
the forms of import and export used here are understood; everything else is refused.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import rjsmin

__all__ = ["BROWSER", "ModuleError", "join_scripts", "join_styles", "short_sheet", "split_scripts"]

BROWSER = Path(__file__).parent / "browser"  # the JavaScript that draws feeds; each folder is one component

# Statements of a module begin in the first column; the formatter ensures that.
_IMPORT = re.compile(r'^import \{([^}]*)\} from "([^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|const|let|class) [\w$]+)", re.MULTILINE)
_DEFAULT = re.compile(r"^export default ", re.MULTILINE)
_NAME = re.compile(r"^(export )?(?:async )?(?:function\*?|const|let|class) ([\w$]+)", re.MULTILINE)
_OTHER = re.compile(r"^(?:import|export)\b.*|^(?:const|let|var) *[{\[].*|^var .*", re.MULTILINE)

# A function over several lines; the formatter ensures that it ends with a brace in the first column.
_FUNCTION = re.compile(
    r"^(?:async )?function\*? ([\w$]+)\((?:[^\n]*[^}\n])?\n(?:(?!\})[^\n]*\n)*\}\n", re.MULTILINE
)
_SHEET = re.compile(r'\bsheetText\("([^"]+)"\)')  # a style sheet whose text stands in a script

# The end of another project's script, which a bundler has written in one piece.
_BUNDLE_END = re.compile(r"export ?\{([^{}]*)\};?\s*(?://# sourceMappingURL=.*)?\s*$")

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_STRING = re.compile(r'("[^"\n]*")')
_SPACE = re.compile(r"\s+")
_SPACED_SIGN = re.compile(r" ?([{};,]) ?|(?<=:) ")
_BASE = BROWSER / "shared" / "base.css"  # of all parts
_STYLE_IMPORT = re.compile(r'^@import "([^"]+)"(?: layer\((\w+)\))?;\n', re.MULTILINE)

# The formatter ensures that a block at the top level ends with a brace in the first column.
_LAYER_ORDER = re.compile(r"^@layer \w+(?:, \w+)*;\n", re.MULTILINE)
_LAYER_BLOCK = re.compile(r"^@layer (\w+) \{\n(.*?)^\}\n", re.MULTILINE | re.DOTALL)
_OWN_LAYER = "component"  # of the rules of a sheet that no layer is named for

# The numbers that a module gives to style sheets: export const CHIP_LOOK = { curve: 0.38 } is var(--chip-curve).
_NUMBERS = re.compile(r"^export const ([A-Z]+)_LOOK = \{ ((?:\w+: [\d.]+,? )+)\};", re.MULTILINE)
_NUMBER_USED = re.compile(r"calc\(var\((--[a-z]+-[a-z]+)\) \* 1(em|px)\)|var\((--[a-z]+-[a-z]+)\)")


def join_scripts(entry: Path, absent: Collection[Path] = ()) -> str:
    """Return the entry module and all it imports as one script, each module after those it needs.

    absent: modules that are left out, with all that only they need. What others import of them is null there.

    Only the entry may have a default export, which stays. `sheetText("…")` becomes the text of the style sheet at this
    path and of those it imports. Raises ModuleError for a missing file or name, a cycle, a name that two modules
    declare, and any other form of import or export.
    """
    return "\n".join(module.text for module in _modules_of(entry, absent).values())


def shipped_script(entry: Path, absent: Collection[Path] = ()) -> str:
    """Return what `join_scripts` returns, without functions that nothing names, comments and needless white space."""
    return short_script(_without_unused(join_scripts(entry, absent)))


def _without_unused(script: str) -> str:
    r"""Return a script without the functions that it names only where they begin: other pages use them.

    >>> _without_unused("function one() {\n  two();\n}\nfunction two() {\n}\nthree();\n")
    'three();\n'
    """
    named = Counter(re.findall(r"[\w$]+", script))
    shorter = _FUNCTION.sub(lambda found: "" if named[found[1]] == 1 else found[0], script)
    return script if shorter == script else _without_unused(shorter)


def split_scripts(entries: Mapping[str, Path], common: Path) -> tuple[str, dict[str, str]]:
    """Return a script of all modules that several entries need, and the script of each entry by its name.

    The first begins with the module `common` and what that imports, and exports all that its modules export. The others
    import from it as the file "shared", so that what they share is on a page once. Raises ModuleError as `join_scripts`
    does, and for a name that two modules of the first script declare.
    """
    all_modules = {name: _modules_of(entry) for name, entry in entries.items()}
    users = Counter(path for modules in all_modules.values() for path in modules)
    shared = _modules_of(common)
    for modules in all_modules.values():
        shared |= {path: module for path, module in modules.items() if users[path] > 1}
    _refuse_two_owners(shared)
    names = sorted(name for module in shared.values() for name in module.exports)
    texts = [module.text for module in shared.values()]
    return "\n".join([*texts, f"export {{ {', '.join(names)} }};\n"]), {
        name: _rest(modules, shared) for name, modules in all_modules.items()
    }


def _rest(modules: Mapping[Path, _Module], shared: Mapping[Path, _Module]) -> str:
    own = {path: module for path, module in modules.items() if path not in shared}
    taken = {
        name for module in own.values() for path, names in module.imports if path in shared for name in names
    }
    before = [f'import {{ {", ".join(sorted(taken))} }} from "./shared.js";\n'] if taken else []
    return "\n".join([*before, *(module.text for module in own.values())])


def short_script(script: str) -> str:
    """Return a script without comments and needless white space."""
    return str(rjsmin.jsmin(script))


class ModuleError(ValueError):
    """The error for a module that cannot be joined. It says which one and why."""


def part_styles(entry: Path) -> str:
    """Return the style sheet of a part, shortened, without what all parts look like: `sheet.js` adds that sheet."""
    return short_sheet(join_styles(entry, apart=_BASE))


def join_styles(entry: Path, apart: Path | None = None) -> str:
    """Return the entry style sheet and all it imports as one text, each sheet once and after those it imports.

    apart: a sheet that is left out with all it imports, unless it is the entry.

    Where `shared/layers.css` is among them, every rule stands in one of the layers that it declares: that of the block
    `@layer presenting {` around the rule, else the one that an import names, `@import "path" layer(base);`, for a sheet
    and what that imports, else `component`. Unlike in a browser, a layer is never within another one.

    A sheet may import a module of JavaScript. Then the numbers of its constants stand in place of their names in the
    sheets: `calc(var(--chip-curve) * 1em)` is 0.38em if the module has `export const CHIP_LOOK = { curve: 0.38 };`.
    """
    texts: dict[Path, str] = {}
    layers: dict[Path, str] = {}
    numbers: dict[str, str] = {}

    def read(path: Path) -> Iterator[Path]:
        source = _read(path)
        if path.suffix == ".js":
            for constant, items in _NUMBERS.findall(source):
                pairs = re.findall(r"(\w+): ([\d.]+)", items)
                numbers.update({f"--{constant.lower()}-{name}": number for name, number in pairs})
            return iter(())
        texts[path] = _STYLE_IMPORT.sub("", source)
        if "@import" in texts[path]:
            raise ModuleError(
                f'{path}: an import must be a line @import "path"; or @import "path" layer(name);'
            )
        imports = [
            ((path.parent / target).resolve(), layer) for target, layer in _STYLE_IMPORT.findall(source)
        ]
        for target, layer in imports:
            layers.setdefault(target, layer or layers.get(path, _OWN_LAYER))
        return (target for target, _ in imports)

    def number(use: re.Match[str]) -> str:
        if value := numbers.get(use[1] or use[3]):
            return value + (use[2] or "")
        return use[0]  # a property of the page

    order = [path for path in _depth_first(entry.resolve(), read) if path in texts]
    if apart in order and order[-1] != apart:
        for path in _depth_first(apart, read):
            texts[path] = "".join(_LAYER_ORDER.findall(texts.get(path, "")))
    sheets = [(layers.get(path, _OWN_LAYER), texts[path]) for path in order]
    return _NUMBER_USED.sub(number, _in_layers(sheets, entry))


def _in_layers(sheets: list[tuple[str, str]], entry: Path) -> str:
    """Return the sheets, each with its layer, as one text; without layers if none of them declares any."""
    declared = "".join(_LAYER_ORDER.findall("".join(text for _, text in sheets)))
    if not declared:
        return "\n".join(text for _, text in sheets)
    rules: dict[str, list[str]] = {name: [] for name in re.findall(r"\w+", declared)[1:]}
    for layer, text in sheets:
        blocks = _LAYER_BLOCK.findall(text)
        for name, block in [(layer, _LAYER_ORDER.sub("", _LAYER_BLOCK.sub("", text))), *blocks]:
            if name not in rules:
                raise ModuleError(f"{entry}: no layer has the name {name}")
            rules[name].append(block)
    filled = ((name, "\n".join(blocks)) for name, blocks in rules.items())
    return declared + "".join(f"@layer {name} {{\n{text}}}\n" for name, text in filled if text.strip())


def short_sheet(sheet: str) -> str:
    """Return a style sheet without comments, needless white space and the last semicolon of a block.

    >>> short_sheet('.tie, .way { /* orange */ content: "a: b"; }')
    '.tie,.way{content:"a: b"}'
    """
    parts = _STRING.split(_COMMENT.sub("", sheet))
    for number, part in enumerate(parts[::2]):
        spaced = _SPACED_SIGN.sub(lambda sign: sign[1] or "", _SPACE.sub(" ", part))
        parts[2 * number] = spaced.replace(";}", "}")
    return "".join(parts).strip()


@dataclass(frozen=True, slots=True)
class _Module:
    imports: list[tuple[Path, list[str]]]  # (module, the names taken from it)
    exports: set[str]
    names: list[str]  # declared at the top level, exported or not
    text: str  # without imports and exports


def _modules_of(entry: Path, absent: Collection[Path] = ()) -> dict[Path, _Module]:
    """Return the entry module and all it imports, each after those it needs."""
    modules: dict[Path, _Module] = {}
    left_out = {path.resolve() for path in absent}

    def read(path: Path) -> Iterator[Path]:
        module = _read_module(path)
        if path in left_out:
            names = sorted(module.exports)
            text = "".join(f"const {name} = null;\n" for name in names)
            module = _Module([], module.exports, names, text)
        modules[path] = module
        if path != entry.resolve() and _DEFAULT.search(module.text):
            raise ModuleError(f"{path}: only the entry may have a default export")
        return (needed for needed, _ in module.imports)

    order = _depth_first(entry.resolve(), read)
    for path in order:
        for needed, names in modules[path].imports:
            for name in names:
                if name not in modules[needed].exports:
                    raise ModuleError(f"{path}: {needed} does not export {name}")
    ordered = {path: modules[path] for path in order}
    _refuse_two_owners(ordered)
    return ordered


def _refuse_two_owners(modules: Mapping[Path, _Module]) -> None:
    """Raise ModuleError for a name that two of these modules declare."""
    owners: dict[str, Path] = {}
    for path, module in modules.items():
        for name in module.names:
            if name in owners:
                raise ModuleError(f"{path}: {name} is also declared in {owners[name]}")
            owners[name] = path


def _read_module(path: Path) -> _Module:
    if "vendor" in path.parts:  # the folder of scripts by other projects
        return _bundle(path, _read(path))
    module = _module(path, _read(path))

    def sheet(use: re.Match[str]) -> str:
        return json.dumps(part_styles((path.parent / use[1]).resolve()))

    return replace(module, text=_SHEET.sub(sheet, module.text))


@cache  # components share modules
def _module(path: Path, source: str) -> _Module:
    imports: list[tuple[Path, list[str]]] = []
    for names, target in _IMPORT.findall(source):
        if not target.startswith("."):
            raise ModuleError(f"{path}: {target} is not a relative path")
        imported = [name.strip() for name in names.split(",") if name.strip()]
        if renamed := next((name for name in imported if " " in name), None):
            raise ModuleError(f"{path}: {renamed} renames what it imports")
        imports.append(((path.parent / target).resolve(), imported))
    declared = _NAME.findall(source)
    text = _EXPORT.sub("", _IMPORT.sub("", source))
    for statement in _OTHER.findall(text):
        if not _DEFAULT.match(statement):
            raise ModuleError(f"{path}: cannot join {statement!r}")
    if len(_DEFAULT.findall(text)) > 1:
        raise ModuleError(f"{path}: has two default exports")
    exports = {name for export, name in declared if export}
    return _Module(imports, exports, [name for _, name in declared], text)


@cache
def _bundle(path: Path, source: str) -> _Module:
    """Return another project's script. A function of its own keeps its names apart from ours."""
    end = _BUNDLE_END.search(source)
    if end is None:
        raise ModuleError(f"{path}: a script of another project must end with its list of exports")
    pairs = [entry.split(" as ") for entry in end[1].split(",")]
    names = {pair[-1].strip(): pair[0].strip() for pair in pairs if pair[-1].strip() != "default"}
    returned = ", ".join(f"{name}: {inner}" for name, inner in names.items())
    text = (
        f"const {{{', '.join(names)}}} = (() => {{\n{source[: end.start()]}\nreturn {{{returned}}};\n}})();\n"
    )
    return _Module([], set(names), list(names), text)


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except OSError as error:
        raise ModuleError(f"{path}: cannot be read: {error.strerror}") from error


def _depth_first(entry: Path, read: Callable[[Path], Iterator[Path]]) -> list[Path]:
    """Return every file that can be reached from the entry, each after those that `read` says it needs."""
    order: list[Path] = []
    done: set[Path] = set()

    def visit(path: Path, above: tuple[Path, ...]) -> None:
        if path in above:
            names = [step.name for step in (*above[above.index(path) :], path)]
            raise ModuleError(f"{path}: imports itself: {' -> '.join(names)}")
        if path in done:
            return
        for needed in read(path):
            visit(needed, (*above, path))
        done.add(path)
        order.append(path)

    visit(entry, ())
    return order
