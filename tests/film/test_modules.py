import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path
from shutil import copytree

import pytest
import regex
import rjsmin

import film
from film.modules import (
    BROWSER,
    ModuleError,
    join_scripts,
    join_styles,
    part_styles,
    shipped_script,
    split_scripts,
)
from tests import ROOT
from tests.js.tools import node

ENTRIES = sorted((ROOT / "film/browser").glob("*/main.js")) + sorted((ROOT / "ui").rglob("main.js"))


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder / next(iter(files))


def test_each_module_comes_once_and_after_those_it_imports(tmp_path: Path) -> None:
    entry = write(
        tmp_path,
        {
            "page/main.js": 'import { b } from "./b.js";\nimport { c } from "../c.js";\n\nexport default b + c;\n',
            "page/b.js": 'import { c } from "../c.js";\n\nexport const b = c;\n',
            "c.js": "export const c = 1;\n",
        },
    )
    assert join_scripts(entry) == "const c = 1;\n\n\nconst b = c;\n\n\nexport default b + c;\n"


def test_an_absent_module_is_left_out_with_all_that_only_it_needs(tmp_path: Path) -> None:
    entry = write(
        tmp_path,
        {
            "main.js": 'import { b, d } from "./b.js";\nimport { c } from "./c.js";\n\nconsole.log(b, c, d);\n',
            "b.js": 'import { c } from "./c.js";\nimport { only } from "./only.js";\n\n'
            "export const b = only(c);\nexport function d() {}\n",
            "c.js": "export const c = 1;\n",
            "only.js": "export function only() {}\n",
        },
    )
    joined = "const b = null;\nconst d = null;\n\nconst c = 1;\n\n\nconsole.log(b, c, d);\n"
    assert join_scripts(entry, [tmp_path / "b.js"]) == joined


def test_only_imports_and_exports_are_taken_out(tmp_path: Path) -> None:
    shared = "// export it\nexport async function a() {}\nexport class B {}\nexport let c = `x`;\n"
    shared += "export function* d() {}\n"
    names = 'import {\n  B,\n  a,\n  c,\n  d,\n} from "./shared.js";\n'
    entry = write(tmp_path, {"main.js": names + 'f("import { x }");\n', "shared.js": shared})
    remaining = "// export it\nasync function a() {}\nclass B {}\nlet c = `x`;\nfunction* d() {}\n"
    assert join_scripts(entry) == remaining + '\nf("import { x }");\n'


def test_what_several_components_import_is_in_one_script_that_they_share(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "common.js": "export const all = 0;\n",
            "one.js": 'import { two } from "./two.js";\nimport { own } from "./own.js";\n\nexport default two + own;\n',
            "other.js": 'import { two } from "./two.js";\n\nexport default two;\n',
            "alone.js": "export default 3;\n",
            "two.js": 'import { inner } from "./inner.js";\n\nexport const two = inner;\n',
            "inner.js": "export const inner = 2;\n",
            "own.js": "export const own = 1;\n",
        },
    )
    entries = {name: tmp_path / f"{name}.js" for name in ("one", "other", "alone")}
    shared, scripts = split_scripts(entries, tmp_path / "common.js")
    exported = "export { all, inner, two };\n"
    assert shared == f"const all = 0;\n\nconst inner = 2;\n\n\nconst two = inner;\n\n{exported}"
    assert scripts == {
        "one": 'import { two } from "./shared.js";\n\nconst own = 1;\n\n\nexport default two + own;\n',
        "other": 'import { two } from "./shared.js";\n\n\nexport default two;\n',
        "alone": "export default 3;\n",
    }


def test_two_shared_modules_cannot_declare_one_name(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "common.js": "const name = 0;\n",
            "one.js": 'import { a } from "./a.js";\n\nexport default a;\n',
            "a.js": "const name = 1;\nexport const a = name;\n",
        },
    )
    entries = {"one": tmp_path / "one.js", "other": tmp_path / "one.js"}
    with pytest.raises(ModuleError, match="name is also declared in"):
        split_scripts(entries, tmp_path / "common.js")


def test_another_project_s_script_keeps_its_names_to_itself(tmp_path: Path) -> None:
    entry = write(
        tmp_path,
        {
            "main.js": 'import { b } from "./vendor/b.js";\n\nconst a = 2;\nconsole.log(a, b);\n',
            "vendor/b.js": "var a=1;var c=a;export{a as b,c as default};\n//# sourceMappingURL=b.js.map\n",
        },
    )
    joined = "const {b} = (() => {\nvar a=1;var c=a;\nreturn {b: a};\n})();\n\n\nconst a = 2;\nconsole.log(a, b);\n"
    assert join_scripts(entry) == joined
    (tmp_path / "vendor/b.js").write_text("var a = 1;\n", "utf-8")
    with pytest.raises(ModuleError, match="must end with its list of exports"):
        join_scripts(entry)


@pytest.mark.parametrize(
    "path", sorted((ROOT / "film/browser/vendor").glob("*/*.js")), ids=lambda path: path.stem
)
def test_a_script_of_another_project_is_as_its_readme_says(path: Path) -> None:
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert f"| `{path.name}` | `{digest}` |" in (path.parent / "README.md").read_text("utf-8")
    assert "MIT" in (path.parent / "LICENSE.md").read_text("utf-8")


def test_a_script_holds_the_text_of_a_style_sheet_that_it_names(tmp_path: Path) -> None:
    (tmp_path / "a.css").write_text('.a { content: "\\201C"; }\n')
    (tmp_path / "b.css").write_text('@import "./a.css";\n.b {\n  /* why */\n  top: 0;\n}\n')
    entry = tmp_path / "main.js"
    entry.write_text('const RULES = sheetText("./b.css");\nfunction sheetText(path) {\n  return path;\n}\n')
    script = join_scripts(entry)
    assert json.loads(script.split("\n")[0].removeprefix("const RULES = ").rstrip(";")) == (
        '.a{content:"\\201C"}.b{top:0}'
    )
    assert "function sheetText(path)" in script
    entry.write_text('sheetText("./c.css");\n')
    with pytest.raises(ModuleError, match=r"c\.css: cannot be read"):
        join_scripts(entry)


OTHER = "export const a = 1;\nconst hidden = 1;\n"
REFUSED = {
    "cycle": ('import { a } from "./a.js";\n', 'import { b } from "./main.js";\n', "main.js -> a.js -> main.js"),
    "itself": ('import { a } from "./main.js";\nexport const a = 1;\n', OTHER, "imports itself"),
    "missing file": ('import { a } from "./b.js";\n', OTHER, "b.js: cannot be read"),
    "missing name": ('import { b } from "./a.js";\n', OTHER, "does not export b"),
    "private name": ('import { hidden } from "./a.js";\n', OTHER, "does not export hidden"),
    "package": ('import { a } from "a";\n', OTHER, "not a relative path"),
    "renamed": ('import { a as b } from "./a.js";\n', OTHER, "a as b renames"),
    "same name": ('import { a } from "./a.js";\nconst hidden = 2;\n', OTHER, "hidden is also declared in"),
    "default import": ('import a from "./a.js";\n', OTHER, "cannot join 'import a from"),
    "namespace": ('import * as a from "./a.js";\n', OTHER, "cannot join"),
    "import for its effect": ('import "./a.js";\n', OTHER, "cannot join"),
    "export list": ("const b = 1;\nexport { b };\n", OTHER, "cannot join 'export { b };'"),
    "export from": ('export * from "./a.js";\n', OTHER, "cannot join"),
    "destructuring": ("const { b } = {};\n", OTHER, "cannot join"),
    "var": ("var b = 1;\n", OTHER, "cannot join"),
    "two defaults": ("export default 1;\nexport default 2;\n", OTHER, "two default exports"),
    "default of another": (
        'import { a } from "./a.js";\n',
        "export const a = 1;\nexport default a;\n",
        "only the entry may have a default export",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("main", "other", "message"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_joined_is_refused(tmp_path: Path, main: str, other: str, message: str) -> None:
    entry = write(tmp_path, {"main.js": main, "a.js": other})
    with pytest.raises(ModuleError, match=re.escape(message)) as error:
        join_scripts(entry)
    assert str(tmp_path) in str(error.value)


def test_style_sheets_are_joined_in_the_order_of_their_imports(tmp_path: Path) -> None:
    entry = write(
        tmp_path,
        {
            "main.css": '@import "./b.css";\n@import "./a.css";\n.main {}\n',
            "a.css": ".a {}\n",
            "b.css": '@import "./a.css";\n.b {}\n',
        },
    )
    assert join_styles(entry) == ".a {}\n\n.b {}\n\n.main {}\n"


def test_a_chip_looks_alike_in_markup_on_the_grid_in_pictures_and_in_reports(tmp_path: Path) -> None:
    """Other numbers in `shared/chip.js` are read by all who draw a chip."""
    browser = tmp_path / "browser"
    copytree(BROWSER, browser)
    module = browser / "shared" / "chip.js"
    numbers = {
        "CHIP": "export const CHIP_LOOK = { height: 2, pad: 0.6, curve: 0.5, weight: 450 };",
        "TAB": "export const TAB_LOOK = { width: 0.7, beside: 0.3, pale: 0.4 };",
    }
    changed = module.read_text("utf-8")
    for name, line in numbers.items():
        changed, times = re.subn(rf"^export const {name}_LOOK = .*", line, changed, flags=re.MULTILINE)
        assert times == 1
    module.write_text(changed, "utf-8")
    rules = [
        rule(join_styles(browser / "pair_table" / "main.css"), ".chip"),
    ]
    for text in rules:
        for look in ("border-radius: 0.5em;", "font-weight: 450;", " 0.6em;"):
            assert look in text
    assert "min-height: 2em;" in rules[0]
    script = f"""
        import {{ measureByLetters }} from "{(ROOT / "tests/js/letters.js").as_uri()}";
        import {{ metricsOf }} from "{(browser / "token_grid/layout.js").as_uri()}";
        import {{ chipPiece }} from "{(browser / "picture/shapes.js").as_uri()}";
        measureByLetters();
        const {{ height, pad, curve, letter, tab, beside }} = metricsOf(20, "mono");
        const chip = (label) => chipPiece(label, {{}}, 20, {{ code: "mono" }}, 100, "#ffffff").draw(0, 0)[0];
        const [box, marked, marker] = [chip("ab"), chip("ab\\ufffe</w>\\uffff"), chip("\\ufffe</w>\\uffff")];
        console.log(JSON.stringify([height, pad, curve, letter, tab, beside, box.h, box.w, box.curve]));
        console.log(JSON.stringify([marked.w, marker.w]));
    """
    run = subprocess.run(
        [node(), "--input-type=module"], input=script, capture_output=True, check=True, text=True
    )
    lines = run.stdout.splitlines()
    assert json.loads(lines[0]) == [40, 12, 10, "450 20px mono", 14, 6, 40, 20 + 2 * 12, 10]
    assert json.loads(lines[1]) == [12 + 20 + 6 + 14, 14]


def rule(sheet: str, selector: str) -> str:
    """Return the rule of a style sheet with this selector."""
    _, _, after = sheet.partition(f"\n{selector} {{\n")
    return after.partition("}")[0]


def test_each_rule_stands_in_one_layer(tmp_path: Path) -> None:
    files = {
        "main.css": '@import "./base.css" layer(base);\n.own {}\n@layer late {\n  .l {}\n}\n.too {}\n',
        "base.css": '@import "./layers.css";\n@import "./chip.css";\n.b {}\n',
        "chip.css": ".chip {}\n@layer late {\n  .tab {}\n}\n",
        "layers.css": "@layer base, component, late, unused;\n",
    }
    layers = {
        line[7:-2]: block.split()
        for line, block in re.findall(
            r"^(@layer \w+ \{)\n(.*?)^\}\n", join_styles(write(tmp_path, files)), re.MULTILINE | re.DOTALL
        )
    }
    assert layers == {
        "base": [".chip", "{}", ".b", "{}"],
        "component": [".own", "{}", ".too", "{}"],
        "late": [".tab", "{}", ".l", "{}"],
    }
    with pytest.raises(ModuleError, match="no layer has the name first"):
        join_styles(write(tmp_path, {**files, "main.css": '@import "./base.css" layer(first);\n'}))


def test_the_sheet_of_a_part_lacks_what_all_parts_share() -> None:
    base, table = (BROWSER / name for name in ("shared/base.css", "pair_table/main.css"))
    shared, own = part_styles(base), part_styles(table)
    assert all(rule in shared for rule in (".chip{", ".card{", "--accent:"))
    assert own.startswith("@layer base,component,")
    assert ".pairs .chip{" in own
    assert all(rule not in own for rule in (".chip{position:", "--accent:"))
    assert "var(--tab-width)" not in shared + own


def test_a_style_sheet_imported_otherwise_is_refused(tmp_path: Path) -> None:
    entry = write(tmp_path, {"main.css": "@import url(a.css);\n"})
    with pytest.raises(ModuleError, match="an import must be a line"):
        join_styles(entry)


LITERAL = re.compile(r'"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`', re.DOTALL)


def test_no_template_stands_in_the_gap_of_another() -> None:
    """The minifier takes the second one for the end of the first, and its blanks for needless ones."""
    nested = {}
    for path in [*(ROOT / "film").rglob("*.js"), *(ROOT / "ui").rglob("*.js")]:
        texts = LITERAL.findall(rjsmin.jsmin(path.read_text("utf-8")))
        nested[path.name] = [text for text in texts if text[0] == "`" and gap_is_open(text)]
    assert {name: texts for name, texts in nested.items() if texts} == {}
    assert gap_is_open("`${[{}].map(({ a }) => `")


def gap_is_open(template: str) -> bool:
    """Return whether a template ends in the middle of a gap."""
    depth = 0
    for brace in re.findall(r"\$\{|[{}]", template):
        depth += 1 if brace == "${" or (brace == "{" and depth) else -bool(depth and brace == "}")
    return depth > 0


PARSE = """
for (const file of process.argv.slice(1))
  new vm.SourceTextModule(fs.readFileSync(file, "utf8"), { identifier: file });
"""


def test_every_component_is_one_script_that_node_can_parse(tmp_path: Path) -> None:
    for entry in ENTRIES:
        script = join_scripts(entry)
        exports = len(re.findall(r"^export default ", script, re.MULTILINE))
        # Pages of their own, no components.
        assert exports == (entry.parent.name not in ("film", "lesson_film")), entry
        assert not re.search(r"^import\b", script, re.MULTILINE), entry
        name = "-".join(entry.parent.relative_to(ROOT).parts)
        (tmp_path / f"{name}.mjs").write_text(script, "utf-8")
        (tmp_path / f"{name}-shipped.mjs").write_text(shipped_script(entry), "utf-8")
    files = sorted(tmp_path.iterdir())
    assert len(files) == 2 * len(ENTRIES)
    subprocess.run([node(), "--experimental-vm-modules", "--no-warnings", "-e", PARSE, *files], check=True)


# The film layer is independent: it imports only the core, two packages and the standard library.

# Imports every module of the layer and makes both feeds; refuses any module from elsewhere.
ALONE = """
import sys

NEEDED = {"regex", "_regex", "rjsmin", "_rjsmin"}

class OnlyOurs:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in {*sys.stdlib_module_names, "bpe", "film", *NEEDED}:
            raise ImportError(f"the film layer imports {name}")

sys.meta_path.insert(0, OnlyOurs())

import importlib, json, pkgutil
import bpe, film

for module in pkgutil.walk_packages(film.__path__, "film."):
    importlib.import_module(module.name)
trace = bpe.train("low lower lowest", merges=3)
window = film.encoding_window("lowest", trace.tokenizer())
json.dumps([
    film.training_feed(trace, "low lower lowest"),
    film.encoding_feed(trace.tokenizer(), window, "rank")[0],
    film.pair_table(trace, 3),
    film.film_page(trace, "low lower lowest"),
])
"""


def alone(script: str) -> subprocess.CompletedProcess[str]:
    """Run a script with the repository and installed packages on the path, but no start-up files."""
    paths = [str(ROOT), str(Path(regex.__file__).parents[1])]
    setup = f"import sys\nsys.path += {paths!r}\n"
    return subprocess.run([sys.executable, "-I", "-S", "-c", setup + script], capture_output=True, text=True)


def test_films_are_made_with_regex_and_rjsmin_only() -> None:
    result = alone(ALONE)
    assert (result.returncode, result.stderr) == (0, "")


def test_another_package_would_be_refused() -> None:
    result = alone(ALONE + "\nimport pandas\n")
    assert "the film layer imports pandas" in result.stderr


def test_the_public_names_are_there() -> None:
    assert all(hasattr(film, name) for name in film.__all__)
    assert film.__all__ == sorted(film.__all__)
