"""Records: the texts of one field of JSON Lines or of a table, and never their keys and quotes."""

import io
import json
from pathlib import Path

import pytest

import bpe
from bpe import BPEError
from bpe.formats.hugging_face.writing import write_tokenizer
from bpe.text.records import is_records, only_field, text_fields, texts_of
from command_line.commands import main

JSON_LINES = (
    '{"id": 1, "text": "low \\u00e9\\nlower", "by": "ann"}\n\n'
    '{"text": null, "by": "bo"}\n{"id": 2, "text": "the\u2028end"}'
)
CSV = 'id,"the text"\r\n1,"low, ""lower"""\r\n2,\r\n3,"new\r\nest"\r\n'


def lines(text: str) -> io.StringIO:
    return io.StringIO(text, newline="")


def test_a_record_is_a_document() -> None:
    assert list(texts_of(lines(JSON_LINES), "text", "a.jsonl")) == ["low é\nlower", "the\u2028end"]
    assert list(texts_of(lines(CSV), "the text", "a.csv")) == ['low, "lower"', "new\r\nest"]
    assert list(texts_of(lines("a\tb\nlow\tlower"), "b", "a.TSV")) == ["lower"]


def test_the_fields_that_hold_text_are_listed_with_their_first_text() -> None:
    assert text_fields(lines(JSON_LINES), "a.jsonl") == {"text": "low é\nlower", "by": "ann"}
    assert text_fields(lines(CSV), "a.csv") == {"id": "1", "the text": 'low, "lower"'}
    assert only_field({"text": "low"}, "a.jsonl") == "text"
    assert [is_records(name) for name in ("a.jsonl", "A.NDJSON", "a.json", "a.csv")] == [
        True,
        True,
        False,
        False,
    ]


REFUSED = {
    "no JSON": ('{"text": "low"}\n{"text', "text", "a.jsonl, line 2: expected a JSON object on the line"),
    "a list": ("[1]", "text", "a.jsonl, line 1: expected a JSON object, got [1]"),
    "too deep": ("[" * 9_000, "text", "a.jsonl, line 1: expected a JSON object on the line"),
    "a number": ('{"text": "low"}\n{"text": 5}', "text", "line 2: the field 'text' must hold text, got 5"),
    "messages": ('{"text": [{"role": "user"}]}', "text", "must hold text, got [{'role': 'user'}]"),
    "another field": (
        JSON_LINES,
        "body",
        "no record has a text in the field 'body': the fields are id, text and by.",
    ),
    "nothing": ("\n", "text", "a.jsonl: no record has a text in the field 'text'."),
}


@pytest.mark.parametrize(("content", "field", "message"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_text_gets_a_sentence_with_the_line(content: str, field: str, message: str) -> None:
    with pytest.raises(BPEError) as error:
        list(texts_of(lines(content), field, "a.jsonl"))
    assert message in str(error.value)


# What a command writes of a.jsonl with the field "text", and of a file for each record
COMMANDS = {
    "count": ["count", "FILES", "-o", "out.json"],
    "train": ["train", "FILES", "--merges", "5", "-o", "out.json"],
    "train like": ["train", "FILES", "--like", "own.json", "--merges", "5", "-o", "out.json"],
    "continue": ["continue", "-t", "own.json", "FILES", "--merges", "1", "-f", "tokenizer-json", "-o", "out.json"],
    "superwords": ["train", "FILES", "--merges", "5", "--second-after=2", "--second-pattern=lines", "-o", "out.json"],
    "script": ["script", "FILES", "--merges", "5", "-o", "out.py"],
    "film": ["film", "FILES", "--merges", "5", "--title", "x", "-o", "out.html"],
    "ties": ["ties", "FILES", "--merges", "5", "-o", "out.json"],
    "compare": ["compare", "FILES", "--lanes", "first,last", "--held-out", "2.txt", "--draws", "0", "--merges", "5"],
    "encode": ["encode", "-t", "own.json", "FILES"],
    "measure": ["measure", "-t", "own.json", "FILES"],
}  # fmt: skip


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write records, the text of each in a file of its own, and a small tokenizer beside them; work there."""
    monkeypatch.chdir(tmp_path)
    texts = ["low lower", "lowest low newest"]
    records = [{"id": number, "text": text, "by": "ann"} for number, text in enumerate(texts)]
    Path("a.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    for number, text in enumerate([*texts, "lower newest"]):
        Path(f"{number}.txt").write_text(text, "utf-8")
    trained = bpe.train(texts, merges=3, **bpe.PRESETS["hf-bytelevel"].settings)
    Path("own.json").write_text(write_tokenizer(trained.tokenizer()), "utf-8")
    return tmp_path


@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS)
@pytest.mark.usefixtures("here")
def test_every_command_that_reads_text_reads_a_field(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    at = arguments.index("FILES")

    def written(*files: str) -> str:
        assert main([*arguments[:at], *files, *arguments[at + 1 :]]) == 0
        is_file = arguments[-1].startswith("out")
        return Path(arguments[-1]).read_text("utf-8") if is_file else capsys.readouterr().out

    by_field = written("a.jsonl", "--field", "text")
    if arguments[0] == "encode":
        assert by_field == written("0.txt") + written("1.txt")
    elif arguments[0] == "measure":
        Path("b.txt").write_text("low lower\nlowest low newest", "utf-8")
        assert by_field.replace("a.jsonl", "b.txt").split() == written("b.txt").split()
    else:
        assert by_field == written("0.txt", "1.txt")


@pytest.mark.usefixtures("here")
def test_without_a_field_the_only_one_is_read_and_others_are_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["count", "a.jsonl", "-o", "c.json"]) == 2
    error = capsys.readouterr().err
    assert (
        error
        == "python -m bpe: a.jsonl: its records have 2 fields of text; choose one with --field: text or by.\n"
    )
    Path("one.jsonl").write_text('{"id": 1, "text": "low"}\n', "utf-8")
    assert main(["count", "one.jsonl", "-o", "c.json"]) == 0
    assert "one.jsonl: only the field 'text' holds text, so it is read." in capsys.readouterr().err
    assert json.loads(Path("c.json").read_text()) == {"low": 1}
    Path("t.csv").write_text("id,text\n1,low\n", "utf-8")
    assert main(["count", "t.csv", "-o", "c.json"]) == 0
    assert "t.csv: read as one text. --field reads one column: id or text." in capsys.readouterr().err
    assert main(["encode", "-t", "own.json", "t.csv"]) == 0
    assert "t.csv: read as one text. --field reads one column: id or text." in capsys.readouterr().err
    assert main(["count", "0.txt", "--field", "text", "-o", "c.json"]) == 0
    assert "0.txt: read as one text; --field is for JSON Lines and tables." in capsys.readouterr().err
    assert main(["count", "t.csv", "--field", "text", "-o", "c.json"]) == 0
    assert json.loads(Path("c.json").read_text()) == {"low": 1}
