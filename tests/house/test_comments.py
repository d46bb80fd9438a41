"""Comments and docstrings name files and modules that exist, so that a move cannot leave them behind."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

from tests import ROOT
from tests.house.test_architecture import FILES, OTHERS, read

SETTINGS = [
    ".oxlintrc.json",
    ".streamlit/config.toml",
    "jsconfig.json",
    "pyproject.toml",
    "requirements.txt",
    "requirements-dev.txt",
]
SETTINGS += [path.relative_to(ROOT).as_posix() for path in (ROOT / ".github" / "workflows").glob("*.yml")]
COMMENTED = [path for path in [*FILES, *OTHERS, *SETTINGS] if "/vendor/" not in path]
# Paths end with a file; a name alone may stand in any folder.
KNOWN = {*FILES, *OTHERS, *SETTINGS}
KNOWN |= {path.relative_to(ROOT).as_posix() for path in (ROOT / "ui").rglob("*.toml")}
KNOWN |= {path.relative_to(ROOT).as_posix() for path in (ROOT / "sample_corpora").glob("*.toml")}
FILE = re.compile(r"(?<![\w./-])(?:[\w.-]+/)*[\w-]+\.(?:py|js|css|toml|yml)\b(?![\w/(]|\.\w)")
MODULE = re.compile(r"`((?:bpe|film|ui|published|command_line|benchmarks)(?:\.\w+)+)`")
ELSEWHERE = {
    "clip/simple_tokenizer.py": "openai/CLIP",
    "convert_slow_tokenizer.py": "huggingface/transformers",
    "dashscope/tokenizers/qwen_tokenizer.py": "dashscope",
    "minbpe/regex.py": "karpathy/minbpe",
    "reveal.js": "slides, not a file",
    "src/encoder.py": "openai/gpt-2",
    "src/mistral_common/tokens/tokenizers/tekken.py": "mistralai/mistral-common",
    "tiktoken_ext/openai_public.py": "openai/tiktoken",
    "a.py": "made up, in an example",
}


def comments(path: str, text: str) -> Iterator[str]:
    """Yield the comments of a file, and the docstrings of Python."""
    if path.endswith(".py"):
        if any(
            FILE.search(line) or MODULE.search(line) for line in re.findall("#.*", text)
        ):  # finding ends takes long
            tokens = tokenize.generate_tokens(io.StringIO(text).readline)
            yield from (token.string for token in tokens if token.type == tokenize.COMMENT)
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
                yield ast.get_docstring(node) or ""
    elif path.endswith((".js", ".css", ".json", ".html")):
        yield from re.findall(r"/\*.*?\*/|(?<![:\"'`])//[^\n]*", text, re.DOTALL)
    else:
        yield from re.findall(r"#[^\n]*", text)


def names_a_file(name: str, beside: str) -> bool:
    """Return whether a name is that of a file of the repository, with as many of its folders as the comment gives."""
    return (
        name in ELSEWHERE
        or any(path == name or path.endswith(f"/{name}") for path in KNOWN)
        or (ROOT / beside).parent.joinpath(name).exists()
    )


def names_a_module(name: str) -> bool:
    """Return whether a dotted name is that of a module, a package, or of something that one of them holds."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        stem = "/".join(parts[:length])
        for path in (f"{stem}.py", f"{stem}/__init__.py"):
            if (ROOT / path).exists():
                return length == len(parts) or re.search(rf"\b{parts[length]}\b", read(path)) is not None
    return (ROOT / Path(*parts)).is_dir()


def absent(path: str, text: str) -> set[str]:
    """Return the files and modules that the comments of a file name and that do not exist."""
    if not FILE.search(text) and not MODULE.search(text):  # as in most files: taking comments out takes long
        return set()
    lines = list(comments(path, text))
    files = {name for line in lines for name in FILE.findall(line) if not names_a_file(name, path)}
    return files | {name for line in lines for name in MODULE.findall(line) if not names_a_module(name)}


def test_comments_name_files_and_modules_that_exist() -> None:
    assert {path: names for path in COMMENTED if (names := absent(path, read(path)))} == {}
