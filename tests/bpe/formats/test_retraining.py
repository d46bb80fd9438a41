"""A training like another tokenizer: new merges, and everything else is kept, as in `train_new_from_iterator`."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import tokenizers
from tokenizers import AddedToken, decoders, models, normalizers, pre_tokenizers, processors, trainers

import bpe
from bpe import BPEError, Tokenizer
from bpe.formats.hugging_face.reading import read_tokenizer
from bpe.formats.hugging_face.writing import write_tokenizer
from command_line.commands import main
from published.packing import open_published
from tests.bpe.formats.hugging_face_files import PIPELINES, library
from tests.material import texts
from tests.naive import naive_train

DOCUMENTS = [line for line in texts.source()[:2_000].split("\n") + texts.SENTENCES.split("\n") if line]
MERGES = 60


def of_library(theirs: Any, documents: Sequence[str], size: int) -> Mapping[str, Any]:
    """Return the model that the library trains, as `train_new_from_iterator` of huggingface/transformers asks it to."""
    content = json.loads(theirs.to_str())
    added, post_processor = content.pop("added_tokens"), content.pop("post_processor")
    content["model"] |= {"vocab": {}, "merges": []}
    names = ("continuing_subword_prefix", "end_of_word_suffix")
    options = {name: content["model"][name] for name in names if content["model"].get(name)}
    if "ByteLevel" in json.dumps(content["pre_tokenizer"]):
        options["initial_alphabet"] = pre_tokenizers.ByteLevel.alphabet()
    special = [
        AddedToken(**{name: value for name, value in token.items() if name not in ("id", "special")})
        for token in added
        if token["special"]
    ]
    again = tokenizers.Tokenizer.from_str(json.dumps(content))
    trainer = trainers.BpeTrainer(vocab_size=size, special_tokens=special, show_progress=False, **options)
    again.train_from_iterator(documents, trainer)
    assert post_processor is None
    model: Mapping[str, Any] = json.loads(again.to_str())["model"]
    return model


# The library numbers characters at the ends of words, and those inside, in the order of a hash.
MARKED = {"end_of_word_suffix", "continuing_subword_prefix"}
OTHER_ORDER = {name for name, (_, _, model, _) in PIPELINES.items() if MARKED & model.keys()}
WITHOUT_BYTES = {name for name, (_, _, model, _) in PIPELINES.items() if model.get("byte_fallback")}


@pytest.mark.parametrize("name", PIPELINES)
def test_merges_and_ids_are_those_that_the_library_trains(name: str) -> None:
    theirs = library(name)
    like = read_tokenizer(theirs.to_str())
    tie_break = "first" if name in OTHER_ORDER else "ids-min"
    trace = bpe.train_like(DOCUMENTS, like, merges=MERGES, tie_break=tie_break)
    content = json.loads(written := write_tokenizer(trace.tokenizer()))
    if name in OTHER_ORDER | WITHOUT_BYTES:
        variant = (
            trace.variant
        )  # a file without an unknown token leaves out what its own vocabulary cannot spell
        words = {variant.spell(one): count for one, count in counts(trace.tokenizer()).items()}
        learned = naive_train(words, tie_break, MERGES, variant=variant, alphabet=trace.vocabulary(0))
        assert trace.merges == [pair for pair, _, _ in learned]
    else:
        model = of_library(theirs, DOCUMENTS, len(content["model"]["vocab"]))
        assert content["model"]["merges"] == model["merges"]
        assert content["model"]["vocab"] == model["vocab"]
    before = json.loads(theirs.to_str())
    for part in ("normalizer", "pre_tokenizer", "decoder"):
        assert content[part] == before[part]
    again = tokenizers.Tokenizer.from_str(written)
    for text in (*DOCUMENTS[:20], *texts.SENTENCES.split("\n")):
        known = [number for number in trace.tokenizer().encode(text, allow_special=True) if number >= 0]
        assert again.encode(text, add_special_tokens=False).ids == known


def counts(tokenizer: Tokenizer) -> Mapping[str, int]:
    """Return the pre-tokens of the documents, in order of first appearance."""
    split = tokenizer.variant.split
    return Counter(one for text in DOCUMENTS for one in split(tokenizer.normalise(text).text))


def with_everything() -> Any:
    """Return a tokenizer with added tokens of both kinds, a post-processor and padding, whose ids are in no order."""
    vocab = {"l": 0, "o": 1, "w": 2, "lo": 3, "<unk>": 4, "[PAD]": 5, "</s>": 6, "<s>": 7, "  ": 8}
    theirs = tokenizers.Tokenizer(models.BPE(vocab, [("l", "o")], unk_token="<unk>"))
    theirs.add_special_tokens(["<s>", "</s>", "[PAD]"])
    theirs.add_tokens([AddedToken("  ", normalized=False)])
    theirs.normalizer = normalizers.Lowercase()
    theirs.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    theirs.decoder = decoders.Fuse()
    theirs.enable_padding(pad_id=5, pad_token="[PAD]")
    theirs.enable_truncation(9)
    return theirs


POST_PROCESSORS: dict[str, Any] = {
    "template": processors.TemplateProcessing("<s> $A </s>", "<s> $A </s> $B", [("<s>", 7), ("</s>", 6)]),
    "BERT": processors.BertProcessing(("</s>", 6), ("<s>", 7)),
    "a sequence": processors.Sequence(
        [processors.ByteLevel(), processors.RobertaProcessing(("</s>", 6), ("<s>", 7))]
    ),
}


@pytest.mark.parametrize("post_processor", POST_PROCESSORS.values(), ids=POST_PROCESSORS)
def test_the_ids_of_post_processor_and_padding_are_the_new_ones(post_processor: Any) -> None:
    theirs = with_everything()
    theirs.post_processor = post_processor
    trace = bpe.train_like(["Newer new", "</s> </s> </s>"], read_tokenizer(theirs.to_str()), merges=9)
    written = write_tokenizer(trace.tokenizer())
    again = tokenizers.Tokenizer.from_str(written)
    longer, shorter = again.encode_batch(["New newer", "new"])
    assert longer.tokens == ["<s>", "new", "newer", "</s>"]
    assert shorter.tokens == ["<s>", "new", "</s>", "[PAD]"]
    assert shorter.ids == [again.token_to_id(token) for token in shorter.tokens]
    before, after = json.loads(theirs.to_str()), json.loads(written)
    assert [one["content"] for one in after["added_tokens"]] == [
        one["content"] for one in before["added_tokens"]
    ]
    assert after["truncation"] == before["truncation"]
    # The trainer reads </s> as text, and learns no second token of that name.
    assert after["model"]["vocab"]["</s>"] < 5


def test_the_rule_for_ties_is_free_and_text_is_read_as_the_tokenizer_reads_it() -> None:
    like = read_tokenizer(library("deepseek").to_str())
    words = {like.variant.spell(one): count for one, count in counts(like).items()}
    for rule in ("first", "pair-max", "shortest"):
        trace = bpe.train_like(DOCUMENTS, like, merges=30, tie_break=rule, min_count=3)
        learned = naive_train(
            words, rule, 30, variant=like.variant, alphabet=trace.vocabulary(0), min_count=3
        )
        assert trace.merges == [pair for pair, _, _ in learned]


def test_any_tokenizer_that_a_tokenizer_json_describes_can_be_the_model(tmp_path: Path) -> None:
    trained = bpe.train("low lower", "bytes-gpt2", merges=3).tokenizer()
    for like in (open_published("gpt-2").tokenizer, open_published("mistral-7b").tokenizer, trained):
        tokenizer = bpe.train_like("lower lowest newest", like, merges=4).tokenizer()
        tokenizer.save(tmp_path / "tokenizer.json")
        theirs = tokenizers.Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
        assert theirs.encode("the lowest", add_special_tokens=False).ids == tokenizer.encode("the lowest")
    with pytest.raises(BPEError, match=r"tokenizer\.json has no end-of-word symbol"):
        bpe.train_like("low", bpe.train("low", "char-eow").tokenizer(), merges=1)


def test_merges_are_spelled_as_the_file_spells_them() -> None:
    content = json.loads(library("gpt2").to_str())
    content["model"]["merges"] = [" ".join(merge) for merge in content["model"]["merges"]]
    tokenizer = bpe.train_like("low low", read_tokenizer(json.dumps(content)), merges=1).tokenizer()
    assert json.loads(write_tokenizer(tokenizer))["model"]["merges"] == ["l o"]


def test_texts_and_counted_words_can_be_trained_on() -> None:
    like = open_published("gpt-2").tokenizer
    counted = bpe.train_like({"low": 2, " lower": 1}, like, merges=3)
    assert counted.merges == bpe.train_like("low lower", like, merges=2).merges[:2] + counted.merges[2:]
    metaspace = read_tokenizer(library("metaspace").to_str())
    words = bpe.train_like({" low": 2, " lower": 1}, metaspace, merges=9)
    assert words.merges == bpe.train_like("low low lower", metaspace, merges=9).merges
    with pytest.raises(BPEError, match="must be a str, documents or counted words, got bytes"):
        bpe.train_like(b"low", like)  # type: ignore[arg-type]  # the very mistake
    with pytest.raises(BPEError, match="has its own special_tokens"):
        bpe.train_like("low", like, special_tokens=["<s>"])


def test_the_command_trains_like_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("like.json").write_text(library("llama 3").to_str(), "utf-8")
    Path("domain.txt").write_text("\n".join(DOCUMENTS), "utf-8")
    command = ["train", "domain.txt", "--like", "like.json", "-o", "new.json"]
    assert main([*command, "--merges", "40", "--lines"]) == 0
    documents = [f"{line}\n" for line in DOCUMENTS]
    documents[-1] = documents[-1].rstrip("\n")
    like = Tokenizer.from_file("like.json")
    assert Tokenizer.from_file("new.json").merges == tuple(bpe.train_like(documents, like, merges=40).merges)
    capsys.readouterr()
    Path("counts.json").write_text('{"a": 1}')
    refused = {
        "leave --preset out": [*command, "--preset", "paper"],
        "leave --special-token out": [*command, "--special-token", "<s>"],
        "leave --limit-alphabet out": [*command, "--limit-alphabet", "9"],
        "needs texts, got the counted words of counts.json": ["train", "counts.json", *command[2:]],
    }
    for message, arguments in refused.items():
        assert main(arguments) == 2
        assert message in capsys.readouterr().err
