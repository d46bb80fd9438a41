"""Input becomes documents or word counts, or an error of one sentence."""

import codecs
import gzip
import io
import json
import random
import re
import time
import zipfile
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from bpe import BPEError
from bpe.comparison.held_out import EVERY, FEWEST
from tests.app import LONGEST_RUN, caption_text, captions, open_app, open_page, run, type_into, type_text
from tests.ui.compare.compare_page import page
from ui.choices import held_out_choice
from ui.choices.choices import _CHOICE
from ui.trainings import corpus as corpora
from ui.trainings.encodings import ENCODINGS, read_bytes

FRENCH = "Où êtes-vous allés cet été ? Le garçon a mangé une crêpe à la fête de Noël."
RUSSIAN = "Съешь же ещё этих мягких французских булок, да выпей чаю."
JAPANESE = "色は匂へど散りぬるを我が世誰ぞ常ならむ有為の奥山今日越えて浅き夢見じ酔ひもせず"

GERMAN = "Grüße aus der schönen Straße, wo Öl über Äpfel läuft.\n"
QUOTES = "it’s “quoted” – and … so"

ENCODED = {
    "plain UTF-8": (FRENCH, FRENCH.encode(), ""),
    "UTF-8 with a NUL": ("a\0b\0\0c", b"a\0b\0\0c", ""),
    "UTF-8 with a mark": (FRENCH, codecs.BOM_UTF8 + FRENCH.encode(), "byte-order mark (utf-8)"),
    "UTF-16 LE with a mark": (JAPANESE, codecs.BOM_UTF16_LE + JAPANESE.encode("utf-16-le"), "(utf-16-le)"),
    "UTF-16 BE with a mark": (JAPANESE, codecs.BOM_UTF16_BE + JAPANESE.encode("utf-16-be"), "(utf-16-be)"),
    "UTF-32 LE with a mark": (JAPANESE, codecs.BOM_UTF32_LE + JAPANESE.encode("utf-32-le"), "(utf-32-le)"),
    "UTF-16 without a mark": (
        "hello there, général",
        "hello there, général".encode("utf-16-le"),
        "every other byte is 0",
    ),
    "Windows, western": (FRENCH, FRENCH.encode("cp1252"), "Windows-1252"),
    "Windows, typographic quotes": (QUOTES, QUOTES.encode("cp1252"), "byte 3 (line 1) is not UTF-8"),
    "Windows, Cyrillic": (RUSSIAN, RUSSIAN.encode("cp1251"), "Windows-1251"),
    "KOI8": (RUSSIAN, RUSSIAN.encode("koi8-r"), "KOI8-R"),
    "Shift JIS": (JAPANESE, JAPANESE.encode("shift_jis"), "Shift JIS"),
    "UTF-8 with a bad byte": (
        GERMAN * 2 + "�" + GERMAN,
        (GERMAN * 2).encode() + b"\xff" + GERMAN.encode(),
        "(line 3) is not UTF-8. It is",
    ),
    "UTF-8 that was cut": ("中文文本�", "中文文本在".encode()[:-1], "byte 13 (line 1)"),
    "a cut character in ASCII": ("hello � there", b"hello \xf0\x9f\x98 there", "byte 7 (line 1)"),
    "half of the last character": ("caf�", b"caf\xc3", "byte 4 (line 1)"),
    "a bad byte in much ASCII": ("low " * 999 + "� low", b"low " * 999 + b"\xff low", "read as �"),
    "an overlong form": ("ok �� bad", b"ok \xc0\xaf bad", "the first of 2 parts that are not UTF-8"),
}


@pytest.mark.parametrize(("text", "content", "named"), ENCODED.values(), ids=ENCODED)
def test_a_file_is_read_in_its_encoding_and_the_encoding_is_named(
    text: str, content: bytes, named: str
) -> None:
    """Plain UTF-8 is not mentioned."""
    read = corpora.from_files([("a.txt", content)])
    assert read.documents == (text,)
    assert bool(read.notes) is bool(named)
    assert named in "".join(read.notes)


POLISH = "Zażółć gęślą jaźń, gdzie jest mój miś?"


def test_the_likely_encodings_are_offered_beside_the_guess_with_some_characters() -> None:
    files = [("a.txt", b"low"), ("b.txt", POLISH.encode("cp1250"))]
    guess, doubt = corpora.read_files(files)
    assert doubt
    assert {"utf-8", "cp1252", "cp1250"} < set(doubt.previews)
    assert len(doubt.previews) <= 6
    assert doubt.previews["cp1250"] == POLISH[:14]
    assert doubt.previews["cp1252"] == "Za¿ó³æ gêœl¹ j"
    for encoding, preview in doubt.previews.items():
        read = corpora.from_files(files, encoding)
        assert read.documents[0] == "low"
        assert read.documents[1].startswith(preview)
    assert corpora.from_files(files, "cp037").documents == guess.documents  # no likely one
    assert corpora.read_files([("a.txt", FRENCH.encode())])[1] is None


def test_broken_utf8_is_never_read_in_a_wild_encoding() -> None:
    """Whatever it is, the guess is UTF-8 or one of the encodings that texts have."""
    draw = random.Random(1)
    for _ in range(300):
        content = bytes(draw.choices([*range(32, 127), *range(128, 256)], k=draw.randint(1, 40)))
        reading = read_bytes(content + b"x", "a.txt")
        assert not reading.likely or (reading.likely[0] in ENCODINGS and "utf-16" not in reading.likely[0])


BAD_FILES = {
    "an executable": (bytes(range(256)) * 4, "is not text"),
    "a mark of another encoding": (
        codecs.BOM_UTF16_LE + b"abc",
        "begins with the byte-order mark of utf-16-le",
    ),
    "white space": (b" \n ", "nothing but white space"),
    "nothing": (b"", "nothing but white space"),
}


@pytest.mark.parametrize(("content", "sentence"), BAD_FILES.values(), ids=BAD_FILES)
def test_what_cannot_be_read_gets_one_sentence_with_the_files_name(content: bytes, sentence: str) -> None:
    """There is no traceback and no guess."""
    with pytest.raises(BPEError, match=sentence) as error:
        corpora.from_files([("a.bin", content)])
    assert "a.bin" in str(error.value)
    assert "\n" not in str(error.value)


RECORDS = b'{"id": 1, "text": "low lower lowest", "by": "ann"}\n{"id": 2, "text": "low", "by": "bo"}\n'
TABLE = b'id,text\n1,"low, lower"\n2,low\n'


def test_records_are_read_by_a_field_and_a_table_as_it_is() -> None:
    read, doubt = corpora.read_files([("a.jsonl", RECORDS)])
    assert read.documents == ("low lower lowest", "low")
    assert (read.title, dict(read.named)) == ("a.jsonl · text", {"a.jsonl": "low lower lowest\nlow"})
    assert doubt
    assert doubt.field == "text"
    assert dict(doubt.fields) == {"text": "low lower lowest", "by": "ann", "": RECORDS.decode()}
    assert corpora.from_files([("a.jsonl", RECORDS)], field="by").documents == ("ann", "bo")
    assert corpora.from_files([("a.jsonl", RECORDS)], field="").documents == (RECORDS.decode(),)
    read, doubt = corpora.read_files([("a.csv", TABLE), ("b.txt", b"new")])
    assert read.documents == (TABLE.decode(), "new")
    assert doubt
    assert list(doubt.fields) == ["", "id", "text"]
    both = corpora.from_files([("a.csv", TABLE), ("b.txt", b"new")], field="text")
    assert both.documents == ("low, lower", "low", "new")
    assert corpora.read_files([("a.csv", b"one line")])[1] is None


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"{\n", "a.jsonl, line 1: expected a JSON object"), (b'{"id": 1}', "with a field that holds text")],
)
def test_json_lines_without_a_text_are_refused(content: bytes, message: str) -> None:
    with pytest.raises(BPEError, match=re.escape(message)):
        corpora.from_files([("a.jsonl", content)])


def test_the_page_asks_for_the_field_with_its_first_words() -> None:
    app = open_app(corpus_source="upload")
    app.file_uploader(key="corpus_upload").upload("a.jsonl", RECORDS)
    app = run(app)
    menu = app.selectbox(key="corpus_encoding_field")
    assert menu.label == "Read the field"
    assert menu.options[:2] == ["text: low lower lowest", "by: ann"]
    assert menu.options[2].startswith('The file as it is: {"id": 1, "text":')
    assert app.session_state["_choice"].corpus.documents == ("low lower lowest", "low")
    menu.set_value("by")
    app = run(app)
    assert app.session_state["_choice"].corpus.documents == ("ann", "bo")
    assert app.session_state["_choice"].corpus.title == "a.jsonl · by"
    app.file_uploader(key="corpus_upload").upload("b.jsonl", RECORDS.replace(b"ann", b"eve"))
    assert run(app).session_state["_choice"].corpus.title == "b.jsonl · text"


def test_another_encoding_names_the_fields_anew_and_reads_the_file_as_it_is() -> None:
    table = f'id,текст\n1,"{RUSSIAN}"\n2,"{RUSSIAN}"\n'
    app = open_app(corpus_source="upload")
    app.file_uploader(key="corpus_upload").upload("a.csv", table.encode("cp1251"))
    app = run(app)
    assert app.selectbox(key="corpus_encoding").value == "cp1251"
    app.selectbox(key="corpus_encoding_field").set_value("текст")
    app = run(app)
    assert app.session_state["_uploaded"].documents == (RUSSIAN, RUSSIAN)
    app.selectbox(key="corpus_encoding").set_value("koi8-r")
    app = run(app)
    other = table.encode("cp1251").decode("koi8-r")
    menu = app.selectbox(key="corpus_encoding_field")
    assert menu.proto.set_value  # the browser would go on showing the name that it has
    assert (menu.value, [option.partition(":")[0] for option in menu.options]) == (
        "",
        ["The file as it is", "id", "текст".encode("cp1251").decode("koi8-r")],
    )
    assert app.session_state["_uploaded"].documents == (other,)
    assert "cp1251" in app.session_state["_upload_doubt"].previews
    app.selectbox(key="corpus_encoding_field").set_value("id")
    run(app).selectbox(key="corpus_encoding").set_value("cp1251")
    assert run(app).selectbox(key="corpus_encoding_field").value == "id"  # a name that stays is still chosen
    assert app.session_state["_uploaded"].documents == ("1", "2")
    app.selectbox(key="corpus_encoding_field").set_value("текст")
    assert run(app).session_state["_uploaded"].documents == (RUSSIAN, RUSSIAN)
    assert not app.exception


def test_a_table_without_the_chosen_field_is_refused() -> None:
    files = [("a.csv", TABLE), ("b.csv", b"id,words\n1,low\n")]
    with pytest.raises(BPEError, match=r"b\.csv: no record has a text in the field 'text'"):
        corpora.from_files(files, field="text")
    beside = corpora.from_files([("a.jsonl", RECORDS), files[1]])  # where nobody has chosen it
    assert beside.documents == ("low lower lowest", "low", "id,words\n1,low\n")


def test_the_page_offers_another_encoding_and_reads_the_file_again() -> None:
    app = open_app(corpus_source="upload")
    app.file_uploader(key="corpus_upload").upload("a.txt", POLISH.encode("cp1250"))
    run(app)
    assert app.session_state["_uploaded"].documents == (POLISH,)
    app.selectbox(key="corpus_encoding").set_value("cp1252")
    run(app)
    assert app.session_state["_uploaded"].documents[0].startswith("Za¿ó³æ")
    app.file_uploader(key="corpus_upload").upload("c.txt", POLISH.encode("cp1250"))
    run(app)
    menu = app.selectbox(key="corpus_encoding")
    assert (menu.value, menu.proto.set_value) == (
        "cp1250",
        True,
    )  # else the browser would go on showing the one before
    assert app.session_state["_uploaded"].documents == (POLISH,)
    app.file_uploader(key="corpus_upload").upload("b.txt", POLISH.encode())
    run(app)
    assert not [box for box in app.selectbox if box.key == "corpus_encoding"]


def test_each_file_is_a_document() -> None:
    """No pair crosses from one file into the next."""
    read = corpora.from_files([("a.txt", b"low"), ("b.txt", b"lower")])
    assert read.training_text == ("low", "lower")
    assert read.title == "2 files"
    assert corpora.from_files([("a.txt", b"low")]).training_text == "low"


def test_too_much_is_refused_with_both_sizes() -> None:
    """The sentence gives the limit and the actual size."""
    too_large = [("a.txt", bytes(corpora.MOST_UPLOADED - 5)), ("b.txt", bytes(10))]
    most = corpora.MOST_UPLOADED // 10**6
    with pytest.raises(BPEError, match=f"at most {most} MB at a time. This upload is {most}.0 MB"):
        corpora.from_files(too_large)
    with pytest.raises(BPEError, match="at most 10 characters, and this text has 11"):
        corpora.from_text("x" * 11, most=10)


def test_files_that_do_not_fit_into_memory_get_a_sentence() -> None:
    class Content(bytes):
        """Bytes that need more memory than there is when somebody looks at them."""

        def startswith(self, *_: object) -> bool:
            raise MemoryError

    with pytest.raises(BPEError, match="upload less text"):
        corpora.read_files([("a.txt", Content(b"low"))])


@pytest.mark.parametrize("text", ["", "  \n", "\u3000"])
def test_an_empty_text_says_what_to_do(text: str) -> None:
    """The introduction says how to go on."""
    with pytest.raises(BPEError, match="No text yet"):
        corpora.from_text(text)


def test_a_lone_surrogate_is_refused_by_place_and_name() -> None:
    """It is half a character and could be neither drawn nor saved."""
    with pytest.raises(BPEError, match=r"character 2 is a lone surrogate \(U\+D83D\)"):
        corpora.from_text("ab\ud83d")
    with pytest.raises(BPEError, match="line 2"):
        corpora.from_words("low 5\n\ud83d 1")


WORDS = {
    "counts": ("low 5\nlower 2", {"low": 5, "lower": 2}),
    "a word alone counts once": ("low\nlower 2", {"low": 1, "lower": 2}),
    "equal words add up": ("low 5\nlow 2", {"low": 7}),
    "empty lines and any white space": ("\n low\t5 \r\n\r\nlower  2\n", {"low": 5, "lower": 2}),
    "a number is a word, too": ("7 3", {"7": 3}),
    "first appearance decides the order": ("b 1\na 9", {"b": 1, "a": 9}),
}


@pytest.mark.parametrize(("text", "frequencies"), WORDS.values(), ids=WORDS)
def test_word_lists(text: str, frequencies: dict[str, int]) -> None:
    """Each line is a word and its count."""
    read = corpora.from_words(text).frequencies
    assert read is not None
    assert list(read.items()) == list(frequencies.items())


BAD_WORDS = {
    "no number": ("low 5\nlower x", "line 2: the count must be a whole number from 1 to .*, got “x”"),
    "zero": ("low 0", "line 1: the count"),
    "negative": ("low -1", "line 1: the count"),
    "a fraction": ("low 1.5", "line 1: the count"),
    "digits of another script": ("low ٣", "line 1: the count"),
    "far too many": ("low " + "9" * 40, "line 1: the count"),
    "three parts": ("low 5\n\nlow lower 2", "line 3: expected a word and its count, got 3 parts"),
    "nothing": (" \n", "No words yet"),
}


@pytest.mark.parametrize(("text", "sentence"), BAD_WORDS.values(), ids=BAD_WORDS)
def test_a_wrong_word_list_names_its_line(text: str, sentence: str) -> None:
    """The error is one sentence with the line."""
    with pytest.raises(BPEError, match=sentence):
        corpora.from_words(text)


def test_the_digest_tells_corpora_apart_and_nothing_else() -> None:
    """It is the key of the cache that sessions share, so it must be unique."""
    assert corpora.from_text("low lower").digest == corpora.from_text("low lower", "another title").digest
    apart = [
        corpora.from_text("low lower"),
        corpora.from_documents(["low", " lower"], "t"),
        corpora.from_documents(["low ", "lower"], "t"),
        corpora.from_words("low 1\nlower 1"),
        corpora.from_words("lower 1\nlow 1"),
    ]
    assert len({one.digest for one in apart}) == len(apart)


def popovers(app: AppTest) -> list[str]:
    """Return what the buttons say that open a menu."""
    return [node.proto.popover.label for node in app.get("popover")]


@pytest.mark.parametrize(("source", "title"), [("paste", "Your text"), ("words", "Your word list")])
def test_what_is_typed_has_one_name_on_the_pages_and_its_first_words_in_files(
    source: str, title: str
) -> None:
    app = type_text(open_app(), "low 5", source)
    opened = app.session_state[_CHOICE.key].corpus
    assert opened.title == title
    assert any(label.startswith(f"Text\n{title}") for label in popovers(app))
    assert opened.name_elsewhere == ("“low 5”" if source == "paste" else "“low”")


def test_files_and_the_lines_of_a_sample_have_names() -> None:
    files = [("en.txt", b"low"), ("de.txt", b""), ("en.txt", b"lower"), ("en.txt (2)", b"lowest")]
    named = corpora.from_files(files).named
    assert named == {"en.txt": "low", "de.txt": "", "en.txt (2)": "lower", "en.txt (2) (2)": "lowest"}
    languages = corpora.from_sample("languages")
    assert "\n".join(languages.named.values()) == languages.documents[0].rstrip("\n")
    assert [len(languages.named), *languages.named][:3] == [14, "English", "German"]
    assert not corpora.from_text("low\nlower").named
    assert not corpora.from_words("low 5").named


def test_a_name_that_comes_thousands_of_times_costs_no_more_than_others() -> None:
    number = 20_000
    texts = corpora.from_documents(["low"] * number, "Shared")
    begin = time.process_time()
    named = corpora.with_names(["{0}", *["a"] * (number - 1)], texts).named
    # Milliseconds. It took minutes when every text tried all numbers anew.
    assert time.process_time() - begin < 20
    assert list(named)[:3] == ["{0}", "a", "a (2)"]
    assert list(named)[-1] == f"a ({number - 1})"


def test_every_sample_can_be_read() -> None:
    """Each has a text and a sentence on what it shows."""
    for slug, sample in corpora.samples().items():
        read = corpora.from_sample(slug)
        assert read.characters > 0
        assert sample.about.endswith((".", "?"))
        assert read.title == sample.title


def test_a_paste_that_is_too_long_gets_a_sentence() -> None:
    """A field with less room would drop it in the browser, and say nothing."""
    text = "low " * 255_000
    for source in ("paste", "words"):
        app = open_app(corpus_source=source, corpus_text=text)
        assert "1,020,000" in app.error[0].value
    app = open_page("encode", encode_text=text)
    assert "1,020,000" in app.error[0].value


def test_an_archive_is_named_and_not_read_as_text() -> None:
    archive = gzip.compress(b"low lower " * 1_000)
    with pytest.raises(BPEError, match=r"a\.txt: expected text, got a gzip archive: unpack it first"):
        corpora.from_files([("a.txt", archive)])
    assert corpora.from_files([("a.txt", b"PK is a text")]).documents == ("PK is a text",)


# The choice of a held-out text: on Compare, in its link and in a share file.


@pytest.mark.slow
def test_a_long_text_is_divided_unless_the_viewer_chooses_otherwise_and_the_link_holds_that() -> None:
    lines = [f"line {number} has the word {number * 7} in it" for number in range(FEWEST * EVERY)]
    app = type_text(page(lanes="first~last", merges="30"), "\n".join(lines))

    def held_out() -> str:
        assert not app.exception
        return next(caption for caption in captions(app) if caption.startswith("Tested on "))

    assert held_out().startswith("Tested on every tenth part of your text, which is set aside.")
    assert "set_aside" not in app.query_params
    app.session_state["compare_details"] = "Encode under each"
    assert app.run().toggle(key="test_set_aside").value
    type_into(app, "test_text", "a line of words")
    assert held_out().startswith("Tested on the text that you typed.")
    assert not app.toggle(key="test_set_aside").value
    app.toggle(key="test_set_aside").set_value(True).run()
    assert "every tenth part" in held_out()
    type_into(app, "test_text", "")
    app.toggle(key="test_set_aside").set_value(False).run()
    assert "every tenth part" not in held_out()
    assert app.query_params["set_aside"] == "no"


def test_a_link_sets_a_part_of_a_short_text_aside() -> None:
    app = page(corpus_sample="ties", lanes="first~last", merges="30", set_aside="yes")
    assert "Tested on every tenth part" in caption_text(app)
    assert app.query_params["set_aside"] == "yes"


@pytest.mark.slow
def test_a_held_out_file_that_is_not_utf_8_has_a_menu_of_encodings() -> None:
    app = page(corpus_sample="ties", lanes="first~last", merges="30")
    app.session_state["compare_details"] = "Encode under each"
    text = "Съешь ещё этих мягких французских булок, да выпей чаю. " * 5
    app.run().file_uploader(key="test_upload").upload("words.txt", text.encode("koi8-r"))
    app.run()
    menu = app.selectbox(key="test_encoding")
    assert "koi8-r" in [slug for slug in ENCODINGS if any(ENCODINGS[slug] in one for one in menu.options)]
    menu.set_value("cp1251").run()
    files = app.session_state["_test_files"]
    assert files.documents[0] == text.encode("koi8-r").decode("cp1251")
    app.selectbox(key="test_encoding").set_value("koi8-r").run()
    assert app.session_state["_test_files"].documents == (text,)
    app.button(key="test_remove").click().run()
    assert not [box for box in app.selectbox if box.key == "test_encoding"]


def test_the_encoding_chosen_for_one_file_is_not_that_of_the_next() -> None:
    app = page(corpus_sample="ties", lanes="first~last", merges="30")
    app.session_state["compare_details"] = "Encode under each"
    text = "Съешь ещё этих мягких французских булок, да выпей чаю. " * 5
    app.run().file_uploader(key="test_upload").upload("words.txt", text.encode("koi8-r"))
    guess = str(app.run().selectbox(key="test_encoding").value)
    other = "cp1251" if guess == "koi8-r" else "koi8-r"
    app.selectbox(key="test_encoding").set_value(other).run()
    again = text.upper().encode("koi8-r")
    app.file_uploader(key="test_upload").upload("again.txt", again).run()
    assert app.selectbox(key="test_encoding").value == guess
    assert app.session_state["_test_files"].documents == (again.decode(guess),)
    assert not app.exception


HELD_OUT: list[dict[str, Any]] = [
    {"set_aside": "yes"},
    {"text": "low towers"},
    {"title": "2 files", "documents": ["low towers", "newest hills"]},
    {"set_aside": "no", "text": "low towers"},
]


def test_a_share_file_holds_the_held_out_text_of_compare() -> None:
    def page() -> None:
        import json

        import streamlit as st

        from ui.choices import held_out_choice

        for field in json.loads(st.query_params["fields"]):
            held_out_choice.read_shared(field)()
            st.text(json.dumps(held_out_choice.write_shared()))
        held_out_choice.read_shared(None)()
        st.text(json.dumps(held_out_choice.write_shared()))

    app = AppTest.from_function(page, default_timeout=LONGEST_RUN)
    app.query_params["fields"] = json.dumps(HELD_OUT)
    assert [json.loads(text.value) for text in app.run().text] == [*HELD_OUT, None]


@pytest.mark.parametrize(
    "field",
    [[], "yes", {"set_aside": "<b>"}, {"set_aside": []}, {"text": 5}, {"text": "a" * 100_001}, {"documents": "low"},
     {"documents": [5]}, {"documents": []}, {"documents": [" "]}],
)  # fmt: skip
def test_a_held_out_text_that_is_none_is_refused_with_the_share_file(field: object) -> None:
    with pytest.raises(BPEError) as caught:
        held_out_choice.read_shared(field)
    assert "\n" not in str(caught.value)


def _packed(*names: str, first: bytes = b"") -> bytes:
    """Return a zip archive with these empty files; `first` is the content of the first one."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for number, name in enumerate(names):
            archive.writestr(name, first if number == 0 else b"")
    return buffer.getvalue()


MISTAKEN = {
    "essay.docx": (_packed("[Content_Types].xml", "word/document.xml"), "a Word file: save it as plain text"),
    "talk.pptx": (
        _packed("[Content_Types].xml", "ppt/slides/slide1.xml"),
        "a PowerPoint file: save it as plain",
    ),
    "sums.xlsx": (_packed("[Content_Types].xml", "xl/workbook.xml"), "an Excel file: save the sheet as CSV"),
    "essay.odt": (
        _packed("mimetype", "content.xml", first=b"application/vnd.oasis.opendocument.text"),
        "an OpenDocument text: save it as plain text",
    ),
    "novel.epub": (
        _packed("mimetype", "a.xhtml", first=b"application/epub+zip"),
        "an e-book (EPUB): open it",
    ),
    "essay.pages": (_packed("Index/Document.iwa"), "a Pages, Numbers or Keynote file: save it as plain text"),
    "paper.pdf": (b"%PDF-1.7\n%\xe2\xe3", "a PDF file: select its text"),
    "letter.rtf": (rb"{\rtf1\ansi low}", "a rich text file (RTF): save it as plain text"),
    "old.doc": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(64), "an old Office file: save it as plain text"),
    "cat.png": (b"\x89PNG\r\n\x1a\n", "a picture: type the words that you see in it"),
    "cat.jpg": (b"\xff\xd8\xff\xe0" + bytes(8), "a picture: type the words that you see in it"),
    "cat.webp": (b"RIFF\0\0\0\0WEBP", "a picture: type the words that you see in it"),
    "cat.bmp": (b"BM\x36\x10" + bytes(20), "a picture: type the words that you see in it"),
    "cat.ico": (b"\0\0\1\0\1\0 ", "a picture: type the words that you see in it"),
    "cat.psd": (b"8BPS\0\1" + bytes(6), "a picture: type the words that you see in it"),
}


@pytest.mark.parametrize(("name", "case"), MISTAKEN.items(), ids=list(MISTAKEN))
def test_a_document_that_is_no_text_is_named_with_what_to_do(name: str, case: tuple[bytes, str]) -> None:
    content, sentence = case
    for called in (name, "notes.txt"):  # also if it has another name
        with pytest.raises(BPEError) as error:
            read_bytes(content, called)
        assert str(error.value).startswith(f"{called} is {sentence}")


@pytest.mark.parametrize("name", ["page.html", "README.md", "table.csv", "data.json", "main.py", "notes.pdf"])
def test_markup_tables_and_source_code_are_texts(name: str) -> None:
    assert read_bytes(b"<p>low, lower</p>", name).text == "<p>low, lower</p>"
    assert read_bytes(b"BMX racers", name).text == "BMX racers"  # so does a bitmap begin
