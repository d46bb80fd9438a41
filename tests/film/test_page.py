"""A film file: what it holds, how large it is, and that nothing in it can become markup."""

import base64
import hashlib
import json
import re
import subprocess
import sys
import unicodedata
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
import regex

import bpe
from command_line.commands import main
from film import page
from film.characters import _EMPTY_PLANES
from film.characters import _every_character as every_character
from film.html_page import Site, embeds_of
from film.live import live_recipe, live_settings
from film.modules import short_sheet
from film.packing import feed_digest
from film.page import MOST_CHARACTERS, FilmLane, FilmOptions, film_page, lanes_page, notebook_frame
from film.training_feed import training_feed
from film.windows import FILM_WINDOW, class_of
from tests import ROOT
from tests.film.readers import data_of, text_of
from tests.material.texts import source

WORDS = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
HOSTILE = "</script><img src=x onerror=alert(1)> --> ]]> \u2028 & \" ' <!--"


class Elements(HTMLParser):
    """The start tags of a page, and the text of each script and style element."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[dict[str, str | None]] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes.append(dict(attrs))

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1] in ("script", "style", "title") and data.strip():
            self.texts.append((self.tags[-1], data))


def test_the_page_holds_the_feed_of_the_grid() -> None:
    trace = bpe.train(WORDS, merges=4)
    data = data_of(film_page(trace, WORDS, FilmOptions(title="Words", step=2)))
    assert data["lanes"][0]["feed"] == json.loads(
        json.dumps(training_feed(trace, WORDS, size=MOST_CHARACTERS))
    )
    assert (data["title"], data["step"]) == ("Words", 2)


def test_lanes_play_in_one_page() -> None:
    rules = ("first", "pair-max")
    feeds = [training_feed(bpe.train(WORDS, tie_break=rule, merges=4), WORDS) for rule in rules]
    data = data_of(lanes_page([FilmLane(feed, rule) for feed, rule in zip(feeds, rules, strict=True)]))
    assert [lane["title"] for lane in data["lanes"]] == list(rules)
    assert (data["step"], data["note"]) == (0, "")


def test_user_text_is_never_markup() -> None:
    plain = Elements(film_page(bpe.train("low", merges=1), "low", FilmOptions(title="t")))
    hostile = Elements(film_page(bpe.train(HOSTILE, merges=9), HOSTILE, FilmOptions(title=HOSTILE)))
    assert hostile.tags == plain.tags
    assert ("title", HOSTILE) in hostile.texts


def test_half_a_character_in_a_title_leaves_a_film_that_can_be_saved() -> None:
    site = Site("about\ud800", embeds=tuple(embeds_of("a\ud800.html", "a\ud800")))
    film = film_page(
        bpe.train("low", merges=1), "low", FilmOptions(title="a\ud800b", note="\udfff", site=site)
    )
    assert "<title>a\ufffdb</title>" in film
    assert film.encode()
    assert "".join(embed.code for embed in site.embeds).encode()


def test_the_policy_admits_the_page_s_own_scripts_only() -> None:
    page = film_page(bpe.train("low", merges=1), "low")
    elements = Elements(page)
    (policy,) = [row["content"] for row in elements.attributes if row.get("http-equiv")]
    assert policy
    directives = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert directives["default-src"] == "'none'"
    player = text_of(page, "player")
    code = [text for tag, text in elements.texts if tag in ("script", "style")] + [player]
    hashes = {
        "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'" for text in code
    }
    admitted = set(directives["script-src"].split())
    assert len(admitted) == 2  # the script and its loader; data and style sheets are no scripts
    assert admitted < hashes
    assert "style-src" not in directives
    styles = "".join(data_of(page)["styles"].values())
    visible = re.sub(r'<script type="text/plain".*?</script>', "", page)
    assert "http" not in re.sub(r"http-equiv|http://www\.w3\.org/2000/svg", "", visible + player + styles)


@pytest.mark.slow
def test_a_film_of_20_000_characters_and_1_000_merges_is_small() -> None:
    text = source()[:20_000]
    trace = bpe.train(text, merges=1_000, **bpe.PRESETS["hf-bytelevel"].settings)
    for fixed, most in ((True, 192_000), (False, 225_000)):
        assert len(film_page(trace, text, fixed=fixed).encode()) <= most, fixed


def test_a_fixed_film_holds_nothing_to_train_with() -> None:
    trace = bpe.train("low lower", merges=2)
    fixed, living = (film_page(trace, "low lower", fixed=fixed) for fixed in (True, False))
    assert data_of(fixed)["own"] is None
    assert "own-text" not in text_of(fixed, "player")
    own = data_of(living)["own"]
    assert own["text"] == "low lower"
    assert own["live"]["rules"][0]["slug"] == "first"
    assert "own-text" in text_of(living, "player")


def test_the_field_begins_with_the_film_s_text_unless_it_is_long_and_counted_words_are_written_out() -> None:
    few = {"low": 3, "lower": 2}
    assert data_of(film_page(bpe.train(few, merges=2), few))["own"]["text"] == "low low low lower lower"
    for long in ("low " * 1_000, {"low": 10**9}):
        assert data_of(film_page(bpe.train(long, merges=2), long))["own"]["text"] == ""


def test_a_lane_has_the_recipe_that_the_page_repeats() -> None:
    trace = bpe.train("low lower", tie_break="pair-max", merges=2)
    (lane,) = data_of(film_page(trace, "low lower"))["lanes"]
    assert (lane["recipe"]["tie_break"], lane["recipe"]["merges"]) == ("pair-max", 2)


def test_a_longer_text_is_cut_and_the_film_says_so() -> None:
    text = "low lower " * 3_000
    data = data_of(film_page(bpe.train(text, merges=2), text))
    assert data["note"] == f"This film shows the first {MOST_CHARACTERS:,} characters of the text."
    assert data_of(film_page(bpe.train("low", merges=1), "low"))["note"] == ""


def test_the_same_training_makes_the_same_file() -> None:
    trace = bpe.train(WORDS, merges=4)
    assert film_page(trace, WORDS) == film_page(trace, WORDS)


def test_a_notebook_shows_a_film_in_a_frame_that_reaches_nothing() -> None:
    elements = Elements(
        notebook_frame(film_page(bpe.train("low", merges=1), "low", FilmOptions(title=HOSTILE)))
    )
    assert elements.tags == ["iframe"]
    assert elements.attributes[0]["sandbox"] == "allow-scripts"


def test_of_a_style_sheet_comments_go_and_rules_stay() -> None:
    sheet = '/* a\n * b */\n.a :is(b, .c):hover {\n  color: red; /* why */\n  --x: "a: b";\n}\n'
    assert short_sheet(sheet) == '.a :is(b,.c):hover{color:red;--x:"a: b"}'


def test_the_command_line_writes_a_film(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus, output = tmp_path / "corpus.txt", tmp_path / "film.html"
    corpus.write_text("low low lower", "utf-8")
    assert main(["film", str(corpus), "--merges", "3", "--step", "1", "-o", str(output)]) == 0
    data = data_of(output.read_text("utf-8"))
    assert (data["title"], data["step"], data["lanes"][0]["feed"]["last"]) == ("corpus.txt", 1, 3)
    assert "3 merges" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "sentence"),
    [(b"\xff\xfe", "line 1: expected UTF-8, got the byte 0xFF"), (None, "cannot be read")],
    ids=["not UTF-8", "missing"],
)
def test_a_file_that_cannot_be_read_is_one_sentence(
    content: bytes | None, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus = tmp_path / "corpus.txt"
    if content is not None:
        corpus.write_bytes(content)
    assert main(["film", str(corpus), "-o", str(tmp_path / "film.html")]) == 2
    assert sentence in capsys.readouterr().err


def test_the_command_needs_regex_only(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("low low lower", "utf-8")
    program = (
        "import sys; from command_line.commands import main; code = main(sys.argv[1:]); "
        "print(sorted({'streamlit', 'pandas', 'plotly', 'numpy'} & sys.modules.keys())); sys.exit(code)"
    )
    command = [sys.executable, "-c", program, "film", str(corpus), "-o", str(tmp_path / "film.html")]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


# A trace in a notebook: a frame with its film, safe, bounded, and absent without the package `film`.

WITHOUT_FILM = """
import sys

class NoFilm:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "film":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, NoFilm())
import bpe
trace = bpe.train("low lower", merges=2)
print(trace._repr_html_(), repr(trace))
"""


def film_of(trace: bpe.Trace) -> str:
    """Return the page in the frame of a trace."""
    (attributes,) = Elements(trace._repr_html_() or "").attributes
    return attributes["srcdoc"] or ""


def test_a_trace_is_one_frame_that_reaches_nothing_and_holds_no_markup_of_the_text() -> None:
    trace = bpe.train(HOSTILE, merges=9)
    elements = Elements(trace._repr_html_() or "")
    assert elements.tags == ["iframe"]
    assert elements.attributes[0]["sandbox"] == "allow-scripts"
    assert Elements(film_of(trace)).tags == Elements(film_of(bpe.train("low", merges=1))).tags


def test_the_film_shows_every_distinct_word_with_its_frequency() -> None:
    feed = data_of(film_of(bpe.train("low low lower", merges=2)))["lanes"][0]["feed"]
    assert (feed["whole"], feed["rows"], feed["last"]) == (True, True, 2)


def test_a_large_corpus_shows_its_most_frequent_words_and_says_so() -> None:
    trace = bpe.train(source()[:5_000], merges=10)
    (attributes,) = Elements(page.trace_frame(trace, most_characters=100) or "").attributes
    note = data_of(attributes["srcdoc"] or "")["note"]
    assert note.endswith(f"most frequent of {len(trace.pre_tokens):,} distinct words.")


def test_a_film_too_large_for_a_notebook_is_left_out() -> None:
    trace = bpe.train("low", merges=1)
    assert page.trace_frame(trace, most_page=1_000) is None
    assert page.trace_frame(trace)


def test_without_the_films_a_trace_is_a_line_of_text() -> None:
    command = [sys.executable, "-c", WITHOUT_FILM]
    done = subprocess.run(command, cwd=Path(ROOT), capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "None <Trace: 2 merges, char-eow, first, merges>"


# What a page needs to train: tables of characters, and recipes of traces.


def test_planes_that_the_table_does_not_look_at_hold_no_character() -> None:
    for plane in _EMPTY_PLANES:
        codes = [*range(plane.start, plane.stop, 97), plane.stop - 1]
        assert {class_of(chr(code)) for code in codes} == {"hidden"}
        assert {unicodedata.category(chr(code)) for code in codes} <= {"Cn", "Co"}
        assert not any(regex.match(r"[\p{L}\p{N}\s]", chr(code)) for code in codes)


def test_the_table_says_the_class_of_every_character() -> None:
    table = live_settings()["characters"]
    runs = regex.findall("([0-9a-z]*)([A-Z])", table["runs"])
    lengths = [int(length or "1", 36) for length, _ in runs]
    assert sum(lengths) == 0x110000
    code, classes = 0, dict[int, str]()
    for length, (_, letter) in zip(lengths, runs, strict=True):
        classes |= dict.fromkeys(range(code, min(code + length, 0x40000)), table["classes"][ord(letter) - 65])
        code += length
    for character in every_character()[::7]:
        if ord(character) in classes:
            names = {class_of(character)} | {
                name for name in ("L", "N") if regex.match(rf"\p{{{name}}}", character)
            }
            assert set(classes[ord(character)].split()) == names - {""}, hex(ord(character))


def test_equal_values_have_equal_names() -> None:
    assert feed_digest("a", [1], {"b": None}) == feed_digest("a", (1,), {"b": None})
    assert feed_digest("a", "b") != feed_digest("ab")
    assert feed_digest(b"\xff") == feed_digest("ff")


@pytest.mark.parametrize(
    "given",
    [
        {"variant": "custom", "pattern": "a+"},
        {"normalization": "NFC"},
        {"variant": "char-metaspace", "pieces": "sentencepiece"},
        {"alphabet": [b"b", b"a"]},
        {"special_tokens": ["b"], "cut_special_tokens": True},
        {"second_pattern": "lines", "second_after": 1},
    ],
)
def test_a_training_that_a_page_cannot_repeat_has_no_recipe(given: dict[str, Any]) -> None:
    assert live_recipe(bpe.train("ab ab", merges=2, **given)) is None


def test_a_replay_has_no_recipe() -> None:
    known = bpe.train("ab ab", merges=1).tokenizer()
    assert live_recipe(bpe.replay("ab ab", known)) is None


def test_a_recipe_has_the_names_of_the_settings() -> None:
    trace = bpe.train("low lower", "bytes-gpt2", "pair-max", merges=3, picks={0: 1})
    assert live_recipe(trace) == {
        "variant": "bytes-gpt2",
        "tie_break": "pair-max",
        "merges": 3,
        "picks": {0: 1},
    }


def test_the_readme_says_how_large_a_film_is() -> None:
    film = film_page(bpe.train(WORDS, "char-eow", merges=12), WORDS)
    said = re.search(
        r"\| a film from disk \| (\d+) kB for the four words of README",
        (ROOT / "docs/hosting.md").read_text("utf-8"),
    )
    assert said
    assert 0.95 < len(film.encode()) / 1_000 / int(said[1]) < 1.05


def test_the_readme_names_the_limits_of_a_film() -> None:
    script = (ROOT / "film/browser/film/own_settings.js").read_text("utf-8")
    merges = regex.search(r"MOST_MERGES = ([\d_]+);", script)
    assert merges
    limits = f"up to {FILM_WINDOW:,} characters and {int(merges[1]):,} merges"
    assert limits in " ".join((ROOT / "docs/api.md").read_text("utf-8").split())
