"""A short script does what the script did."""

import subprocess
from pathlib import Path

import pytest

from film.modules import shipped_script
from tests.js.tools import node

# A script, and how it is shipped.
SHORT = {
    "comments": ("/**\n * a\n */\nf(1); // one\nf(/** @type {A} */ (2));\n", "f(1);f((2));"),
    "white space": ("f({\n  a: [1, 2],\n  b: -1 - +1,\n});\nf(0);\n", "f({a:[1,2],b:-1-+1});f(0);"),
    "signs that would become others": ("f(1 + +1, 1 - -1, 8 / /8/.exec(8));\n", "f(1+ +1,1- -1,8/ /8/.exec(8));"),
    "words": ("f(typeof 1 in { number: 1 });\n", "f(typeof 1 in{number:1});"),
    "texts": ("""f("a  // b", 'c  /* d');\n""", """f("a  // b",'c  /* d');"""),
    "templates": ("f(`a  ${1 + 1}  }  ${`b  ${{ c: 2 }.c}`}`);\n", "f(`a  ${1+1}  }  ${`b  ${{c:2}.c}`}`);"),
    "patterns": (r'f(/a  [/"] \/ `/.test(""), 4 / 2 / 1);', r'f(/a  [/"] \/ `/.test(""),4/2/1);'),
    "last commas": ("f([1, 2, ], { a: 1, b: [3,], }, );\n", "f([1,2],{a:1,b:[3]});"),
    "holes": ("f([,].length, [1,,].length, [, 2, ].length);\n", "f([,].length,[1,,].length,[,2].length);"),
    "last semicolons": ("for (let i = 0; i < 1; ) { f(i); i++; }\nclass A { b = 1; }\nf(new A().b);\n",
                        "for(let i=0;i<1;){f(i);i++}\nclass A{b=1}\nf(new A().b);"),
    "no semicolons": ("let long = 1\nlong++\nf(long)\n", "let a=1\na++\nf(a)"),
    "names": ("const long = 1;\nfunction twice(n) {\n  return n * 2;\n}\nf(twice(long));\n",
              "const a=1;function b(n){return n*2}\nf(b(a));"),
    "names that are taken": ("const long = (a) => a;\nf(long(2));\n", "const b=(a)=>a;f(b(2));"),
    "names that are hidden": ("const long = 1;\nconst same = (long) => long;\nf(same(2), long);\n",
                              "const a=1;const b=(a)=>a;f(b(2),a);"),
}  # fmt: skip
# Scripts in which a name is a property's in one place.
PROPERTIES = {
    "members": "const one = 1;\nf({ one: 2 }.one, { one: 3 }?.one, one);",
    "short forms": "const one = 1;\nconst two = 2;\nf({ one, two });",
    "methods": "const one = 1;\nconst two = 2;\nf({ one() { return two; }, get two() { return one; } }.one(), one);",
    "patterns": "const one = 1;\nconst two = ({ one: other = one }, [three = one]) => other + three;\nf(two({}, []));",
    "fields": "const one = 1;\nclass Two { one = one + 1; two() { return this.one; } }\nf(new Two().two());",
    "choices": "const one = 1;\nconst two = 2;\nswitch (two) { case one: f(2); break; default: f(one ? two : one); }",
    "labels": "const one = [1, 2];\nlabel: for (const each of one) { for (;;) { f(each); continue label; } }",
    "gaps": "const one = 1;\nconst two = 2;\nf(`${one} ${{ one }.one} ${[two].map((one) => one + two)}`);",
}
SEEN = "const f = (...values) => console.log(JSON.stringify(values));\n"


def shipped(folder: Path, script: str) -> str:
    (folder / "main.js").write_text(script, "utf-8")
    return shipped_script(folder / "main.js")


def output(folder: Path, script: str) -> str:
    path = folder / "run.mjs"
    path.write_text(SEEN + script, "utf-8")
    return subprocess.run([node(), path], check=True, capture_output=True, encoding="utf-8").stdout


@pytest.mark.parametrize(("script", "short"), SHORT.values(), ids=SHORT)
def test_a_script_has_no_comments_and_spaces_and_short_names(tmp_path: Path, script: str, short: str) -> None:
    assert shipped(tmp_path, script).rstrip("\n") == short
    assert output(tmp_path, short) == output(tmp_path, script) != ""


@pytest.mark.parametrize("script", PROPERTIES.values(), ids=PROPERTIES)
def test_a_name_that_may_be_a_property_s_stays(tmp_path: Path, script: str) -> None:
    short = shipped(tmp_path, script)
    assert len(short) < len(script)
    assert output(tmp_path, short) == output(tmp_path, script) != ""
