"""The gallery's pages, without a browser: every link leads somewhere, nothing is loaded from elsewhere."""

import ast
import base64
import hashlib
import html
import json
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

import bpe
from film.html_page import Link, Site
from film.textbook_code import training_lines
from gallery import notebook, take_home
from gallery.__main__ import _parser
from gallery.build import MOST_BYTES, build
from gallery.films import COMPARISONS, Film, all_films, film_of_lanes, film_of_lesson, film_of_text
from gallery.handout import handout
from gallery.index_page import index_page
from gallery.notes_page import notes_page
from gallery.page import LICENSE_ADDRESS, LICENSE_NAME, Addresses
from gallery.problem_sheet import problem_sheet, solution_sheet
from gallery.slides import IN_APP, MINUTES
from gallery.take_home import CONTEXTS, Problem, plain, problems
from tests import ROOT
from tests.film.readers import data_of
from ui.choices import corpus as corpora
from ui.exercises import KINDS
from ui.lessons.contents import lessons
from ui.lessons.curriculum import _minutes_of, paths

SITE = "https://example.org/bpe/"
LESSONS = ("count-merge-repeat", "the-first-tie")
SCRIPTED = ("index.html", "slides.html")  # pages with films inside


def some_films() -> list[Film]:
    """Return a film of each kind, and two lessons."""
    return [
        *(film_of_lesson(lessons()[slug]) for slug in LESSONS),
        film_of_lanes(*COMPARISONS[0]),
        film_of_text(corpora.samples()["aaabdaaabac"]),
    ]


@pytest.fixture(scope="module")
def gallery(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a small gallery without pictures."""
    folder = tmp_path_factory.mktemp("gallery")
    assert build(some_films(), folder, Addresses(SITE), None) == []
    return folder


def test_on_paper_a_sentence_has_its_first_numbers(gallery: Path) -> None:
    pages = {path.name: path.read_text("utf-8") for path in gallery.glob("*.html")}
    assert [name for name, page in pages.items() if "{merges" in page or "{tokens" in page] == []
    assert "all the words together need 50 tokens" in pages["slides.html"]


def test_every_link_leads_to_a_file_of_the_gallery(gallery: Path) -> None:
    links = [
        (page, href)
        for page in gallery.glob("*.html")
        for href in re.findall(r'(?:href|src|srcset)="([^"]+)"', page.read_text("utf-8"))
    ]
    for page in gallery.glob("films/*.html"):
        site = data_of(page.read_text("utf-8"))["site"]
        links += [(page, site[name]["address"]) for name in ("home", "before", "after") if site[name]]
    ours = [(page, href) for page, href in links if not href.startswith(("http", "#"))]
    assert len(ours) > 20
    missing = [href for page, href in ours if not (page.parent / href.partition("#")[0]).resolve().is_file()]
    assert missing == []
    index = (gallery / "index.html").read_text("utf-8")
    anchors = {
        href.partition("#")[2] for page, href in ours if page.parent.name == "films" and "index" in href
    }
    within = {href[1:] for page, href in links if page.name == "index.html" and href.startswith("#")}
    anchors |= {anchor for anchor in within if not anchor.startswith("text=")}  # puts a text into the field
    assert "paths" in anchors
    assert all(f'id="{anchor}"' in index for anchor in anchors)


def test_every_page_admits_only_its_own_style_sheets_and_scripts_only_with_films(gallery: Path) -> None:
    for page in gallery.glob("*.html"):
        text = page.read_text("utf-8")
        sheets = re.findall(r"<style[^>]*>(.+?)</style>", text, re.DOTALL)
        hashes = {
            f"'sha256-{base64.b64encode(hashlib.sha256(sheet.encode()).digest()).decode()}'"
            for sheet in sheets
        }
        (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]+)"', text)
        directives = dict(part.strip().split(" ", 1) for part in policy.split(";"))
        assert set(directives.pop("style-src").split()) == hashes
        assert ("script-src" in directives) == ("<script" in text) == (page.name in SCRIPTED)
        scripts = directives.pop("script-src", "'sha256-")
        assert all(source.startswith("'sha256-") for source in scripts.split())
        assert directives == dict.fromkeys(("default-src", "base-uri", "form-action"), "'none'") | {
            "img-src": "'self'"
        }
        assert not re.search(r' style="| on\w+="', text)


def test_the_first_page_is_light_enough_for_the_first_merge_of_ones_own_words(gallery: Path) -> None:
    assert len((gallery / "index.html").read_bytes()) < MOST_BYTES
    said = re.search(
        r"\| the gallery on a web server \| (\d+) kB, to", (ROOT / "docs/hosting.md").read_text("utf-8")
    )
    assert said
    assert (
        0.95 < len(index_page(all_films(), Addresses(), pictures=True).encode()) / 1_000 / int(said[1]) < 1.05
    )


def test_an_exercise_in_code_runs_until_its_gap_and_says_what_is_missing(gallery: Path) -> None:
    notes = (gallery / "notes.html").read_text("utf-8")
    for file, title in take_home.EXERCISES.values():
        assert f'<a href="{file}" download>{title.lower()}</a>' in notes
        run = subprocess.run([sys.executable, gallery / file], capture_output=True, text=True, check=False)
        assert run.returncode == 1
        assert "Traceback" not in run.stderr
        assert run.stderr.startswith(("counts:", "best:", "merge:", "encode:"))


def test_a_film_says_what_it_is_where_it_is_linked(gallery: Path) -> None:
    film = film_of_lesson(lessons()[LESSONS[0]])
    text = (gallery / film.file).read_text("utf-8")
    assert f"<title>{film.title}</title>" in text
    assert f'<meta name="description" content="{film.about}">' in text
    assert f'<meta property="og:url" content="{SITE}{film.file}">' in text
    assert "og:image" not in text  # there are no pictures here
    codes = {embed["name"]: embed["code"] for embed in data_of(text)["site"]["embeds"]}
    assert set(codes) == {"Web page", "reveal.js", "Quarto", "Jupyter", "Moodle"}
    assert all(f"{SITE}{film.file}#" in code for code in codes.values())
    assert len(text.encode()) < MOST_BYTES


def test_the_cards_have_the_minutes_of_the_curriculum_and_the_paths_are_all_there(gallery: Path) -> None:
    index = (gallery / "index.html").read_text("utf-8")
    for slug in LESSONS:
        lesson = lessons()[slug]
        assert f'<strong>{lesson.title}</strong> <span class="minutes">{_minutes_of(lesson)} min' in index
    notes = (gallery / "notes.html").read_text("utf-8")
    for path in paths():
        assert path.title in index
        assert path.title in notes
    exercises = sum(beat.exercise is not None for lesson in lessons().values() for beat in lesson.beats)
    assert exercises == notes.count("<summary>Answer</summary>") > 20


def test_the_notes_link_to_the_app_only_if_its_address_is_given(gallery: Path) -> None:
    exercises = sum(beat.exercise is not None for lesson in lessons().values() for beat in lesson.beats)
    with_app = notes_page({}, Addresses(SITE, "https://app.example.org"))
    assert with_app.count("https://app.example.org/lessons?lesson=") == exercises
    assert not any("localhost" in page.read_text("utf-8") for page in gallery.glob("*.html"))


def test_the_kit_names_its_licence_and_so_does_the_readme(gallery: Path) -> None:
    pages = [(gallery / name).read_text("utf-8") for name in ("index.html", "handout.html", "notes.html")]
    readme, licence = ((ROOT / name).read_text("utf-8") for name in ("README.md", "LICENSE-lessons.md"))
    assert "(LICENSE-lessons.md)" in readme
    for text in (*pages, f"{readme}{licence}"):
        assert LICENSE_NAME in " ".join(text.split())
        assert LICENSE_ADDRESS in text


def test_what_only_the_app_has_is_said_on_the_page_of_a_film_and_not_on_a_slide() -> None:
    film = film_of_lesson(lessons()["the-first-tie"])
    assert data_of(film.write(Site(home=Link("All films", "../index.html"))))["note"]
    assert data_of(film.write(Site()))["note"] == ""


def test_the_handout_says_on_paper_where_the_films_are() -> None:
    at_an_address, in_a_folder = handout(Addresses(SITE)), handout(Addresses())
    assert f">{SITE}films/count-merge-repeat.html</a>" in at_an_address
    assert ">films/count-merge-repeat.html</a> in the gallery" in in_a_folder
    assert ('class="code"' in at_an_address, 'class="code"' in in_a_folder) == (True, False)
    assert '<a href="index.html">the gallery</a>' in in_a_folder


def test_the_folder_is_an_argument_or_an_option() -> None:
    assert (
        _parser().parse_args(["site"]).folder == _parser().parse_args(["-o", "site"]).output == Path("site")
    )
    with pytest.raises(SystemExit):
        _parser().parse_args(["site", "-o", "other"])


@pytest.mark.parametrize(
    "address", ["https://a b", 'https://a"b', "https://a/<b>", "https://\udcff", "javascript:alert(1)"]
)
def test_an_address_that_no_page_can_hold_is_refused(address: str) -> None:
    with pytest.raises(SystemExit):
        _parser().parse_args(["--url", address])
    assert _parser().parse_args(["--url", "https://[::1]:80/~bpe/"]).url == "https://[::1]:80/~bpe/"


MOST_OF_SLIDES = 1_800_000  # bytes


def test_the_slides_hold_every_stop_of_the_path_and_the_films_of_its_lessons(gallery: Path) -> None:
    text = (gallery / "slides.html").read_text("utf-8")
    path = next(path for path in paths() if path.minutes == MINUTES)
    assert text.count('<section class="slide') == len(path.stops) + 2  # and the first and the last slide
    for number, stop in enumerate(path.stops, start=1):
        assert f"<h2>{number}. {html.escape(stop.title)}</h2>" in text
    named = {
        f"{number}-{stop.page or stop.lesson.slug}": stop for number, stop in enumerate(path.stops, start=1)
    }
    held = {name: stop for name, stop in named.items() if stop.page or stop.lesson.slug in LESSONS}
    assert set(re.findall(r'id="film-([^"]+)"', text)) == held.keys()
    assert {stop.page for stop in held.values()} > {""}
    assert text.count(html.escape(IN_APP)) == len(named) - len(held)  # the lessons that this gallery lacks
    for name, stop in held.items():
        (data,) = re.findall(rf'id="film-{name}">(.+?)</script>', text)
        film = json.loads(data)
        assert film["title"] == html.escape(stop.title)
        (shell,) = re.findall(rf'id="shell-{film["shell"]}">(.+?)</script>', text)
        assert "<title>{title}</title>" in json.loads(shell)
    assert text.count('id="shell-') == 1  # all lessons have one player
    assert len(text.encode()) < MOST_OF_SLIDES
    assert "merges the most frequent pair of neighbours" in text  # what is printed in place of a film


# What a lecturer hands out: problems of the engine, questions that Moodle reads, a notebook that checks itself.


@pytest.fixture(scope="module")
def on_paper() -> list[Problem]:
    return list(problems())


QUESTION = re.compile(
    r"::(?P<title>(?:\\.|[^\\])*?)::\[plain\](?P<asks>(?:\\.|[^\\{])*)\{(?P<answers>(?:\\.|[^\\}])*)\}"
)


def unquoted(text: str) -> str:
    """Return a text of GIFT without its backslashes."""
    return re.sub(r"\\(.)", lambda sign: "\n" if sign[1] == "n" else sign[1], text)


def test_the_problems_are_of_every_kind_and_hold_what_a_reader_needs(on_paper: list[Problem]) -> None:
    on_screen_only = {"training"}  # 400 merges
    kinds = {kind.drawn_as for kind in KINDS.values()}
    assert {problem.drawn_as for problem in on_paper} == kinds - on_screen_only
    assert len(on_paper) >= 25
    for problem in on_paper:
        assert problem.right
        assert not set(problem.right) & set(problem.wrong)
        assert len(problem.context) >= 2 or problem.code
        assert plain(problem.question).endswith("?")


def test_moodle_reads_each_question_as_it_was_written(on_paper: list[Problem]) -> None:
    for problem in on_paper:
        check_question(problem)


def check_question(problem: Problem) -> None:
    match = QUESTION.fullmatch(take_home.question(problem).strip())
    assert match
    assert unquoted(match["title"]) == problem.title
    assert unquoted(match["asks"]).strip().endswith(plain(problem.question))
    *answers, feedback = [line.strip() for line in match["answers"].strip().splitlines()]
    assert unquoted(feedback.removeprefix("####")) == plain(problem.solution)
    right = tuple(unquoted(line[1:]) for line in answers if line[0] in "=#")
    if problem.drawn_as == "order":
        right = tuple(answer.partition(" -> ")[2] for answer in right)
    assert right == (() if problem.drawn_as == "text" else tuple(map(plain, problem.right)))
    assert tuple(unquoted(line[1:]) for line in answers if line[0] == "~") == tuple(map(plain, problem.wrong))


def test_text_that_gift_would_interpret_stays_in_its_place(on_paper: list[Problem]) -> None:
    hostile = "~=#{}::x:: \\n \ud800\0\n\n// }\n\n$CATEGORY: a </script>"
    shown = hostile.replace("\ud800", "\ufffd").replace("\0", "\ufffd")
    problem = next(problem for problem in on_paper if problem.drawn_as == "choice")
    said, other = (((text, False),) for text in (hostile, f"{hostile}."))
    problem = replace(problem, question=said, right=(said,), wrong=(other,), solution=said)
    written = take_home.question(problem)
    match = QUESTION.fullmatch(written.strip())
    assert match
    assert "\n\n" not in written.strip()  # an empty line ends a question
    assert unquoted(match["asks"]).strip().endswith(shown)
    answers = [unquoted(line.strip()) for line in match["answers"].strip().split("\n")]
    assert answers == [f"={shown}", f"~{shown}.", f"####{shown}"]


def test_each_problem_on_the_sheet_has_its_lines_and_no_answer_and_its_solution_is_apart(
    on_paper: list[Problem],
) -> None:
    articles = articles_of(problem_sheet(on_paper, Addresses()))
    solutions = articles_of(solution_sheet(on_paper, Addresses()))
    assert len(articles) == len(solutions) == len(on_paper)
    for number, (problem, article, solution) in enumerate(zip(on_paper, articles, solutions, strict=True), 1):
        assert article.startswith(f"<em>{number}</em>")
        assert solution.startswith(f"<em>{number}</em>")
        blanks = article.count("<i></i>")
        needed = {"order": len(problem.right), "tokens": len(problem.words)}
        assert blanks >= needed.get(problem.drawn_as, 1), problem.title
        assert article.count("<u></u>") == (
            len(problem.right) + len(problem.wrong) if problem.drawn_as in {"pair", "choice"} else 0
        )
        said = text_of(article)
        assert unspaced(plain(problem.question)) in said
        assert unspaced(plain(problem.solution)) not in said
        assert unspaced(plain(problem.solution)) in text_of(solution)
        assert all(unspaced(plain(answer)) in text_of(solution) for answer in problem.right)


def test_the_chips_on_the_sheet_are_the_tokens_that_the_training_has_made(on_paper: list[Problem]) -> None:
    seen = 0
    for problem, article in zip(on_paper, articles_of(problem_sheet(on_paper, Addresses())), strict=True):
        lesson, beat = problem.lesson, problem.lesson.beats[problem.number - 1]
        assert beat.exercise
        trace = bpe.train(lesson.corpus.training_text, **lesson.recipe.settings)
        step = beat.step if beat.exercise.step is None else beat.exercise.step
        if problem.code:
            continue
        (given,) = re.findall(r'<p class="given">(.*?)</p>', article)
        chips = [
            html.unescape(chip) for chip in re.findall("<b>(.*?)</b>", given.partition("The ids are")[0])
        ]
        label = trace.variant.label
        if problem.kind not in CONTEXTS or problem.kind == "rule":
            assert chips == [label(token) for word, _ in trace.words_at(step) for token in word]
        elif problem.kind != "build" and not lesson.vocabulary:
            assert chips == [label(token) for pair in trace.merges[:step] for token in pair]
        else:
            continue
        seen += 1
    assert seen > 40


def test_a_problem_about_a_rule_says_the_rule_and_the_ids_that_it_compares(on_paper: list[Problem]) -> None:
    compared = 0
    for problem in (problem for problem in on_paper if problem.kind == "rule"):
        trace = bpe.train(problem.lesson.corpus.training_text, **problem.lesson.recipe.settings)
        said = [plain(line) for line in problem.context]
        assert any(trace.tie_break.title in line and trace.tie_break.about in line for line in said)
        compares_ids = "left id" in [term.removeprefix("-") for term in trace.tie_break.order]
        left, _ = trace.merges[problem.lesson.beats[problem.number - 1].step]
        named = f"{trace.variant.label(left)} {trace.id_of(left)}"
        assert compares_ids is any(line.startswith("The ids are: ") and named in line for line in said)
        compared += compares_ids
    assert compared >= 2


def test_a_problem_about_a_line_has_the_code_with_numbers_on_paper_and_in_moodle(
    on_paper: list[Problem],
) -> None:
    articles = articles_of(problem_sheet(on_paper, Addresses()))
    solutions = articles_of(solution_sheet(on_paper, Addresses()))
    asked = [at for at, problem in enumerate(on_paper) if problem.kind == "line"]
    beats = [beat for lesson in lessons().values() for beat in lesson.beats]
    assert len(asked) == len([beat for beat in beats if beat.exercise and beat.exercise.kind == "line"]) >= 3
    for at in asked:
        problem = on_paper[at]
        trace = bpe.train(problem.lesson.corpus.training_text, **problem.lesson.recipe.settings)
        lines = training_lines(trace, isinstance(problem.lesson.corpus.training_text, Mapping))
        rows = ["    " * line["depth"] + line["text"] for line in lines]
        ast.parse("\n".join(rows))  # as it stands on paper, it is Python
        listed = re.findall(r"<li(?: class=(lit))?><code>(.*?)</code>", articles[at])
        if on_paper[at - 1].code == problem.code:
            assert listed == []
            assert f"Use the code of problem {at}." in articles[at]
            continue
        assert [html.unescape(row) for _, row in listed] == rows
        lit = problem.lesson.beats[problem.number - 1].shown["code"]
        assert [line["beat"] for line, (mark, _) in zip(lines, listed, strict=True) if mark] == (
            [] if lit == "all" else [lit]
        )
        (right,) = problem.right
        number, _, text = plain(right).removeprefix("Line ").partition(": ")
        assert rows[int(number) - 1].strip() == text
        assert len(problem.wrong) == len(rows) - 1
        assert text not in re.sub("<ol>.*</ol>", "", articles[at])
        assert f"Line {number} becomes: " in html.unescape(solutions[at])
        match = QUESTION.fullmatch(take_home.question(problem).strip())
        assert match
        told = unquoted(match["asks"]).split("\n")
        assert told[-1 - len(rows) : -1] == [
            f"{number:2} {'▸' if mark else ' '} {row}"
            for number, (row, (mark, _)) in enumerate(zip(rows, listed, strict=True), start=1)
        ]
        assert any("▸" in row for row in told) is (lit != "all")


def test_walls_that_no_merge_crosses_stand_on_the_sheet_until_the_second_stage(
    on_paper: list[Problem],
) -> None:
    before, after, *_ = [problem for problem in on_paper if problem.lesson.slug == "superwords"]
    assert plain(before.context[2]).count(" | ") == 11
    assert "|" not in "".join(map(plain, after.context))


def articles_of(page: str) -> list[str]:
    """Return the problems of a page, without the titles of their lessons."""
    articles = re.findall("<article>(.*?)</article>", page, re.DOTALL)
    return [re.sub("<h3>.*?</h3>", "", article) for article in articles]


def text_of(markup: str) -> str:
    """Return what is read in markup, without spaces."""
    return unspaced(html.unescape(re.sub("<[^>]*>", "", markup)))


def unspaced(text: str) -> str:
    return re.sub(r"\s", "", text)


def run_notebook(**cells: str) -> str:
    """Return what the notebook prints, with these cells in the place of those to fill in."""
    code = [
        cell["source"] for cell in json.loads(notebook.notebook())["cells"] if cell["cell_type"] == "code"
    ]
    script = "\n".join(cells.get(cell.partition("(")[0].removeprefix("def "), cell) for cell in code)
    run = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, encoding="utf-8", check=True
    )
    return run.stdout


def test_the_notebook_s_own_solution_is_right() -> None:
    answers = {
        "count_pairs": notebook.COUNT_SOLUTION,
        "merge": notebook.MERGE_SOLUTION,
        "train": notebook.TRAIN_SOLUTION,
    }
    printed = run_notebook(**answers).splitlines()
    assert len(printed) == 5
    assert all(line.startswith("Right") for line in printed)


def test_the_notebook_says_what_is_missing_and_never_fails_with_an_error() -> None:
    printed = run_notebook()
    assert "Right" not in printed.replace("Right: ['l', 'o']", "")
    assert printed.count("Not yet") >= 4
