"""Every finding of an audit holds in Hugging Face's library, and so does a tokenizer without the tokens found."""

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import tokenizers

from bpe import BPEError, Tokenizer
from bpe.analysis.audit import KINDS, Finding, audit, remove_tokens
from bpe.formats.hugging_face.reading import read_tokenizer
from bpe.formats.hugging_face.writing import write_tokenizer
from command_line.commands import main
from tests.bpe.formats.hugging_face.model_files import MODEL_FILES
from tests.bpe.formats.hugging_face.pipelines import PIPELINES, ids_of, library
from tests.material import texts
from tests.material.many_strings import STRINGS

TEXTS = [texts.SENTENCES, texts.source()[:4_000]]
NAMES = ["gpt2", "llama 3", "llama 2", "gpt-neox", "hf characters", "metaspace"]


@cache
def content_of(name: str) -> str:
    """Return a file with two tokens more, of which no text leads to one: t + h comes before h + x."""
    content = json.loads((library(name) if name in PIPELINES else MODEL_FILES[name]()).to_str())
    model = content["model"]
    # The library numbers added tokens after a vocabulary that does not list them.
    model["vocab"] |= {token["content"]: token["id"] for token in content["added_tokens"]}
    for left, right in (("h", "x"), ("t", "hx")):
        model["merges"].append([left, right])
        model["vocab"][left + right] = 100_000 + len(model["vocab"])
    return json.dumps(content)


@cache
def audited(name: str) -> tuple[Any, Tokenizer, dict[str, list[Finding]]]:
    theirs = tokenizers.Tokenizer.from_str(content_of(name))
    theirs.encode_special_tokens = True
    tokenizer = read_tokenizer(content_of(name))
    return theirs, tokenizer, audit(tokenizer, TEXTS)


@pytest.mark.parametrize("name", NAMES)
def test_the_library_never_gives_what_is_unreachable_or_unused(name: str) -> None:
    theirs, tokenizer, findings = audited(name)
    is_found = b"thx" in [finding.symbol for finding in findings["unreachable"]]
    assert is_found != tokenizer.whole_words  # which takes thx as a word
    assert findings["never"]
    used = {number for text in TEXTS for number in ids_of(theirs, text)}
    for slug in ("unreachable", "never", "inside", "glitch"):
        assert used.isdisjoint(finding.id for finding in findings[slug]), slug
    everywhere = used | {number for text in STRINGS for number in ids_of(theirs, text)}
    for finding in findings["unreachable"]:
        own = set(ids_of(theirs, finding.symbol.decode("utf-8", "replace").replace("▁", " ")))
        assert finding.id not in everywhere | own


@pytest.mark.parametrize("name", NAMES)
def test_what_is_only_inside_others_is_there_when_the_longer_tokens_are_gone(name: str) -> None:
    _, tokenizer, findings = audited(name)
    inside = {finding.symbol for finding in findings["inside"]}
    assert inside
    stages = [step.token for text in TEXTS for step in tokenizer.encode_steps(text)]
    assert inside <= set(stages)
    last = Counter(token for text in TEXTS for token in tokenizer.tokens(text))
    assert inside.isdisjoint(last)
    never = {finding.symbol for finding in findings["never"]}
    assert never.isdisjoint(stages)
    learned = {left + right for left, right in tokenizer.merges} - tokenizer.variant.own_symbols
    unreachable = {finding.symbol for finding in findings["unreachable"]}
    assert learned <= inside | never | unreachable | set(last)  # nothing is left out


@pytest.mark.parametrize("name", NAMES)
def test_a_smaller_tokenizer_encodes_the_texts_as_before_here_and_in_the_library(name: str) -> None:
    theirs, tokenizer, findings = audited(name)
    ids = {finding.id for slug in ("unreachable", "never") for finding in findings[slug]}
    removal = remove_tokens(tokenizer, ids)
    assert removal.removed
    assert removal.needed == ()  # what nothing uses, nothing needs
    smaller = tokenizers.Tokenizer.from_str(write_tokenizer(removal.tokenizer))
    smaller.encode_special_tokens = True
    assert smaller.get_vocab_size() == theirs.get_vocab_size() - len(removal.removed)
    for text in TEXTS:
        assert ids_of(smaller, text) == ids_of(theirs, text) == removal.tokenizer.encode(text)
    for text in STRINGS:
        assert ids_of(smaller, text) == [n for n in removal.tokenizer.encode(text) if n >= 0], text


def test_what_others_are_made_of_stays() -> None:
    _, tokenizer, findings = audited("gpt2")
    removal = remove_tokens(tokenizer, [finding.id for finding in findings["inside"]])
    assert set(removal.needed) == {finding.symbol for finding in findings["inside"]}
    assert removal.tokenizer.encode(TEXTS[0]) == tokenizer.encode(TEXTS[0])


def test_tokens_that_were_not_learned_cannot_be_removed() -> None:
    _, tokenizer, _ = audited("gpt2")
    for number in (0, tokenizer.ids[b"a"], -1, 10**9):
        with pytest.raises(BPEError, match="Only learned tokens can be removed"):
            remove_tokens(tokenizer, [number])


def test_parts_of_characters_and_tokens_that_are_alike_are_listed() -> None:
    _, tokenizer, findings = audited("gpt2")
    broken = [finding.symbol for finding in findings["broken"]]
    assert broken
    for symbol in broken:
        with pytest.raises(UnicodeDecodeError):
            symbol.decode()
    alike = {
        tokenizer.variant.label(finding.symbol): finding.reason(tokenizer.variant.label).split()
        for finding in findings["alike"]
    }
    assert alike
    for label, others in alike.items():
        assert others
        for other in others:
            assert label in alike[other]
            assert label.strip("·↵").casefold() == other.strip("·↵").casefold()


def test_the_command_lists_and_removes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, text, output = tmp_path / "tokenizer.json", tmp_path / "text.txt", tmp_path / "small.json"
    file.write_text(content_of("gpt2"), "utf-8")
    text.write_text(TEXTS[0], "utf-8")
    assert main(["audit", "-t", str(file), str(text)]) == 0
    listed = capsys.readouterr().out
    assert all(f"{kind.title}: " in listed for kind in KINDS.values())
    assert main(["audit", "-t", str(file), str(text), "--list", "unreachable"]) == 0
    assert "\tthx\tth x\tthe merges make others\n" in capsys.readouterr().out
    assert main(["audit", "-t", str(file), str(text), "--json"]) == 0
    assert json.loads(capsys.readouterr().out).keys() == KINDS.keys()
    assert (
        main(["audit", "-t", str(file), str(text), "--remove", "unreachable,never", "-o", str(output)]) == 0
    )
    assert "Removed: " in capsys.readouterr().out
    smaller = read_tokenizer(output.read_text("utf-8"))
    assert smaller.encode(TEXTS[0]) == read_tokenizer(content_of("gpt2")).encode(TEXTS[0])
    assert main(["audit", "-t", str(file), str(text), "--remove", "inside", "-o", str(output)]) == 2
    assert "--remove needs kinds among unreachable, never, glitch; got 'inside'" in capsys.readouterr().err
