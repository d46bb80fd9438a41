"""The shared choices above every page: text, tokenizer, ties, merges. They survive reruns, page changes and reloads.

`app.py` lets them be drawn before every page that uses them; a page calls `required()` and gets a text and a recipe.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from bpe import BPEError
from bpe.text.display import counted
from film.split_rows import split_row
from published.rows import PUBLISHED
from ui.choices import (
    corpus_controls,
    expected_tokenizer,
    link,
    read_start_file,
    recipe_controls,
    recipe_source,
    share_file,
    start_file,
)
from ui.choices.text_link import (
    LINES,
    MOST_FRAGMENT,
    PAGE_TEXTS,
    SOURCE_OF,
    fragment_of,
    joined,
    read_fragment,
    read_texts,
    texts_part,
)
from ui.gaps.first_frame import later
from ui.trainings import corpus as corpora
from ui.trainings import picks, tokenizer_files
from ui.trainings.corpus import Corpus
from ui.trainings.recipe import Recipe, signature
from ui.trainings.tokenizer_files import TokenizerFile
from ui.view import component as message
from ui.view import visit
from ui.view.component import component
from ui.view.text import in_markdown
from ui.view.text_field import Beside, begin_page, page_text, put_dropped, takes_texts
from ui.view.visit import Slot, large, nothing


@dataclass(frozen=True, slots=True)
class Choice:
    """The values of the choices: what to train on, and how."""

    source: str
    corpus: Corpus
    recipe: Recipe
    base: str  # equal for equal corpus, variant and rule, whatever the stop rules and the picks by hand
    step: int | None  # from the link
    fragment: str | None  # of a link to this text and to typed settings; None if no link can hold the text
    file: TokenizerFile | None = None  # whose merges are replayed; None for a training

    @property
    def finished(self) -> TokenizerFile | None:
        """The tokenizer whose merges are replayed, if nothing is learned after them."""
        return None if self.recipe.goes_on else self.file


# What the controls say, or that they lack a tokenizer; None before they are drawn
_CHOICE: Slot[Choice | recipe_source.Missing | None] = Slot("_choice", nothing)


def draw(*, plays: bool = False, has_menu: bool = False) -> DeltaGenerator | None:
    """Draw the row of choices: the field for the training text, and the buttons Text, Tokenizer, Ties and Merges.

    The menus that the buttons open reach the browser after the first screen. Stores what the controls hold. Returns the
    place of the page's own menu, the first of the row.

    plays: whether Space plays what the page shows.
    has_menu: whether the page has a menu of its own.
    """
    begin_page()
    titles = _begin()
    with st.container(key=_ROW):
        corpus_controls.draw_field("Type or paste your own text", _beside(), plays=plays)
        own = st.container(key="page_menu") if has_menu else None
        menus = _draw_buttons(titles)
    _draw_menus(menus, trains=True, reads=True)
    return own


def draw_line(key: str) -> None:
    """Draw what the merges are learned from as one line, on a page about another text. It opens to the row of choices.

    key: of its container.
    """
    begin_page()
    titles = _begin()
    with st.container(key=key):
        line = st.expander(f"Merges from: {in_markdown(_learned_from(titles), 160)}", key=f"{key}_details")
    with line, st.container(key=_ROW):
        corpus_controls.draw_field("Text to train on", _beside(), is_pages=False)
        menus = _draw_buttons(titles)
    _draw_menus(menus, trains=False, reads=key != LINE_IF_TRAINED)  # where the page's rows say it all


def _begin() -> dict[str, str]:
    """Read the link, once. Return what each button says, before the controls are drawn that it opens."""
    link.begin()
    start_file.begin()
    shown = corpus_controls.shown_source()
    recipe_controls.suggest(shown)
    titles: dict[str, str] = {"text": corpus_controls.title()}
    return titles | dict(recipe_source.titles(shown).items())


def _learned_from(titles: Mapping[str, str]) -> str:
    """Return where the merges come from, in a few words: the text and the recipe, or the tokenizer that is replayed."""
    if recipe_source.is_replay():
        return titles["tokenizer"]
    typed = corpus_controls.shown_source() in corpus_controls.TYPED
    text = f"“{corpus_controls.first_words(28)}”" if typed else titles["text"]
    ties = titles["ties"]
    return " · ".join([text, titles["tokenizer"], ties[:1].lower() + ties[1:], titles["merges"]])


def _draw_buttons(titles: Mapping[str, str]) -> dict[str, DeltaGenerator]:
    """Draw the four buttons. Return the menus that they open."""
    return {name: menu(name, titles[name]) for name in _BUTTONS}


def menu(name: str, value: str) -> DeltaGenerator:
    """Draw the button of a choice, with its value on the second line, and return the menu that it opens."""
    opened = st.popover(f"{name.title()}\n{in_markdown(value, 80)}", key=_button_key(name), width="stretch")
    return opened.container(key=f"menu_{name}")


def _draw_menus(menus: Mapping[str, DeltaGenerator], *, trains: bool, reads: bool) -> None:
    """Draw the menus, and store what they hold."""
    notes = st.container(key="choice_notes")  # in sight when the menus are closed
    with later():
        _fill_menus(menus, notes, trains=trains, reads=reads)


def _fill_menus(
    menus: Mapping[str, DeltaGenerator], notes: DeltaGenerator, *, trains: bool, reads: bool
) -> None:
    with menus["text"]:
        source, corpus, problem = corpus_controls.draw()
    if problem:
        notes.error(in_markdown(problem, most=500), icon=":material/error:")
    places: recipe_controls.Places = {
        "tokenizer": menus["tokenizer"],
        "ties": menus["ties"],
        "merges": menus["merges"],
    }
    recipe, missing = recipe_source.draw(source, places, notes)
    suggested = recipe_controls.unnamed(source, recipe)
    fragment = fragment_of(source, corpus)
    if fragment is not None:
        fragment = joined(fragment, texts_part(LINES, link.lines(recipe, suggested)))
    if missing:
        _CHOICE.write(missing)
    else:
        base = signature(corpus, recipe.without_end)
        recipe = recipe.changed(picks=picks.picks_for(base))
        step = link.linked_step()
        _CHOICE.write(
            Choice(source, corpus, recipe, base, step, fragment, tokenizer_files.by_id(recipe.file))
        )
        with menus["ties"]:
            _draw_undo(base, len(recipe.picks))
    link.write(corpus_controls.chosen_source(), recipe, suggested, recipe_controls.unnamed_sample())
    with menus["text"]:
        share_file.draw(corpus, recipe)
    with notes:
        most = max(corpora.MOST_UPLOADED, tokenizer_files.MOST_BYTES)
        _listen(corpus_controls.chosen_source(), most, trains=trains, reads=reads)
        _draw_dropped()


def keep() -> None:
    """Keep the values of the controls on a page that does not draw them."""
    link.begin()
    start_file.begin()
    link.write_again()
    if not was_drawn():
        _CHOICE.write(recipe_source.Missing(""))


def was_drawn() -> bool:
    """Return whether the controls were drawn in this session."""
    return _CHOICE.read() is not None


def last_choice() -> Choice | None:
    """Return the values as the controls were last drawn; None if there was no text, or no tokenizer."""
    choice = _CHOICE.read()
    return choice if isinstance(choice, Choice) else None


def required() -> Choice:
    """Return the values of the choices. While a tokenizer's file is missing, say which ones can be opened, and stop."""
    choice = _CHOICE.read()
    if not isinstance(choice, Choice):
        _ask_for_file(choice or recipe_source.Missing(""))
        st.stop()
    return choice


def offer_sample(problem: str) -> None:
    """Draw why the text cannot be split, and a button that chooses a sample."""
    st.error(in_markdown(problem, most=500), icon=":material/error:")
    st.button("Use a sample instead", on_click=lambda: st.session_state.update(corpus_source="sample"))


def _ask_for_file(missing: recipe_source.Missing) -> None:
    """Draw what is missing, which files can be opened and where people have them, and the way back to training."""
    if not missing.is_file:
        st.error(in_markdown(missing.sentence, most=600), icon=":material/error:")
        st.button("Train on the text instead", key="train_instead", on_click=recipe_source.train_instead)
        return
    st.info(in_markdown(missing.sentence, most=500), icon=":material/folder_open:")
    st.markdown(
        "Then this page applies the tokenizer's merges to your text, one after the other. You can open:\n"
        "- **tokenizer.json**: on a model's page at Hugging Face, among its files. `tokenizer.save` writes it too.\n"
        "- **vocab.json** and **merges.txt**, both at once: older models such as GPT-2 and RoBERTa have them. If there "
        "is an **added_tokens.json**, open it with them.\n"
        "- **.tiktoken**: the encodings of OpenAI's models. Llama 3's `tokenizer.model` has this format too, and the "
        "JSON of js-tiktoken holds the same tokens.\n"
        "- **tokenizer.model**: SentencePiece's BPE models, such as those of Llama 2, Mistral 7B and Gemma. Share "
        "writes one again.\n"
        "- **tekken.json**: Mistral's models since 2024.\n"
        "- **Codes**: the file that `subword-nmt learn-bpe` or fastBPE writes.\n"
        "- **.model** of minbpe, or a list of pairs of ids, such as `108 111`.\n"
        "- What **Share** saves as a tokenizer on Watch, Encode or Vocabulary."
    )
    with st.container(horizontal=True):
        st.button("Train on the text instead", key="train_instead", on_click=recipe_source.train_instead)
        expected_tokenizer.draw_way_out()


def _draw_undo(base: str, number: int) -> None:
    if number:
        merges = counted(number, "merge")
        st.button(f"Undo your picks for {merges}", key="no_picks", on_click=picks.undo, args=(base, 0))


def _beside() -> Beside:
    """Return what the field for the training text brings beside its own: typed settings, and the texts of a link."""
    return Beside(
        recipe_controls.lines(),
        recipe_controls.restore,
        (*SOURCE_OF, LINES, PAGE_TEXTS),
        3 * MOST_FRAGMENT,
        _open_fragment,
    )


def _open_fragment(fragment: str) -> None:
    """Take the texts of a link. A callback, since the controls are drawn already."""
    for part in fragment.split("&", 2):
        try:
            if part.startswith(f"{LINES}="):
                link.open_lines(read_texts(part))
            elif part.startswith(f"{PAGE_TEXTS}="):
                visit.open_texts(read_texts(part))
            else:
                corpus_controls.put_text(*read_fragment(part))
                link.let_step_wait()
        except BPEError as error:
            link.warn(str(error))


# What listens for the row of choices: the field takes the cursor, and what is pasted or dropped on the page is taken.
# It draws nothing. It also names the parts of the row, which are Streamlit's own, for tests.

_ROW = "choices"  # key of the container
LINE = "merges_from"  # key of the line that opens to the row
# of the line on a page that shows it only while it uses the training
LINE_IF_TRAINED = "merges_from_if_trained"
_DROPPED = "dropped_files"  # begins the key of the uploader that takes what is dropped; it is out of sight
_BUTTONS = ("text", "tokenizer", "ties", "merges")
LANES = "lanes"  # the button of Compare, the first of its row

_LISTENER = "choices_row"  # key of what listens
_COMPONENT = component("choices", Path(__file__).parent)

# The text as the controls were drawn last, and as it was before the field was opened on stage
_DRAWN: Slot[corpus_controls.Texts | None] = Slot("_drawn_texts", nothing)
_BEFORE_STAGE: Slot[corpus_controls.Texts | None] = large(Slot("_texts_before_stage", nothing))
# Whether the page's field is open on stage
_IS_OPEN_ON_STAGE: Slot[bool] = Slot("_is_open_on_stage", bool)
_MOST_READ = 4_000  # characters of a text that a published tokenizer reads at once
_MOST_TOKENS = 40  # that fit on a line


def _button_key(choice: str) -> str:
    """Return the key of a choice's button."""
    return f"choice_{choice}"


def _listen(source: str, most: int, *, trains: bool, reads: bool) -> None:
    """Listen. `source` is that of the text: the cursor goes into the field when it becomes one that is typed.

    trains: whether the field for the training text is the page's.
    most: bytes of all files that may be dropped at once.
    reads: whether a published tokenizer reads the page's text while its field is open on stage.
    """
    text = str(st.session_state.get("corpus_text") or "") if trains else page_text()
    data = {
        "row": _ROW,
        "training": "corpus_text",  # key of the field for the training text
        "trains": trains,
        "dropped": _DROPPED,
        "buttons": {_button_key(name): f"choice-{name}" for name in (*_BUTTONS, LANES)},
        "typed": source in ("paste", "words"),
        "source": source,
        "most": most,
        "reads": _reading(text) if reads and _IS_OPEN_ON_STAGE.read() else None,
    }
    _COMPONENT(key=_LISTENER, data=data, on_stage_change=partial(_follow_stage, trains=trains))
    _DRAWN.write(corpus_controls.texts())


def _reading(text: str) -> dict[str, object] | None:
    """Return how the first published tokenizer reads a text; None for a long one, and without memory for it."""
    slug, row = next(iter(PUBLISHED.items()))
    if not text.strip() or len(text) > _MOST_READ:
        return None
    try:
        tokenizer = tokenizer_files.published_file(slug).tokenizer
    except BPEError:
        return None
    split = split_row(text, tokenizer)
    labels = [cell.label for cell in split.cells[:_MOST_TOKENS]]
    return {"name": row.name, "text": text, "tokens": labels, "count": split.count}


def _follow_stage(*, trains: bool) -> None:
    """Remember the text when the field is opened on stage, and bring it back when it is closed there. A callback.

    It "stays" if nothing has changed meanwhile. Another field than that of the training text brings its own text back.
    """
    acts = ("opens", "closes", "stays")
    act = message.read(st.session_state.get(_LISTENER), "stage", message.one_of(acts))
    if act is not None:
        _IS_OPEN_ON_STAGE.write(act == "opens")
    if not trains:
        return
    before = _BEFORE_STAGE.read()
    if act == "closes" and before is not None:
        corpus_controls.put_back(before)
    if act == "opens":
        _BEFORE_STAGE.write(_DRAWN.read())  # and not what the same message brings
    elif act is not None:
        _BEFORE_STAGE.forget()


# How many times files were dropped: each time the uploader is a new one, so that the files are not kept
_DROPS: Slot[int] = Slot("_drops", int)
# What is wrong with the files that were dropped last
_DROP_PROBLEM: Slot[str] = Slot("_drop_problem", str)


def _draw_dropped() -> None:
    """Draw the uploader, and what is wrong with the files that were dropped last.

    It is out of sight, takes files that are dropped anywhere on the page, and opens them by their content.
    """
    key = f"{_DROPPED}_{_DROPS.read()}"
    st.file_uploader(
        "Files dropped on the page",
        key=key,
        accept_multiple_files=True,
        max_upload_size=tokenizer_files.MOST_BYTES // 10**6,
        label_visibility="collapsed",
        on_change=_open_dropped,
        args=(key,),
    )
    if problem := _DROP_PROBLEM.read():
        with st.container(horizontal=True, vertical_alignment="center", key="drop_problem"):
            st.error(in_markdown(problem, most=600), icon=":material/error:")
            st.button("OK", key="drop_read", on_click=_DROP_PROBLEM.forget)


def _open_dropped(key: str) -> None:
    """Open the files. A callback, since the controls above are drawn already."""
    files = [(file.name, file.getvalue()) for file in st.session_state[key] or ()]
    _DROPS.write(_DROPS.read() + 1)
    _DROP_PROBLEM.forget()
    if not files:
        return
    try:
        opened = read_start_file.read_opened(files)
        if opened.corpus and takes_texts():
            _DROP_PROBLEM.write(put_dropped(files[0][0], opened.corpus.reading_text))
        else:
            opened.put()
    except BPEError as error:
        _DROP_PROBLEM.write(str(error))
