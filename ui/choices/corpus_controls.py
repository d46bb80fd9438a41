"""The field for one's own text, and the menu for a sample, files or a word list. Typed text is never lost.

Until there is a new text, the one before stays: whoever empties the field, or chooses Upload, still sees a picture.
"""

from dataclasses import dataclass, replace
from functools import partial

import streamlit as st

from bpe import BPEError
from ui.choices import controls, start_file, text_menu
from ui.choices.held_out_choice import UploadedTexts
from ui.choices.lists import Listing, draw_list
from ui.trainings import corpus as corpora
from ui.trainings.corpus import Corpus
from ui.trainings.encodings import Doubt
from ui.trainings.settings import SAMPLES, SOURCES
from ui.view.text import in_markdown
from ui.view.text_field import Beside, take_as_chosen, text_field
from ui.view.visit import Slot, large, nothing

# The typed text by source
_DRAFTS: Slot[dict[str, str]] = large(Slot("_drafts", dict))
# The source of the text area
_TYPED_SOURCE: Slot[str] = Slot("_typed_source", str)
# The files' corpus
_UPLOADED: Slot[Corpus | None] = large(Slot("_uploaded", nothing))
# Why the last files could not be read
_UPLOAD_PROBLEM: Slot[str] = Slot("_upload_problem", str)
# The files if one is not UTF-8, with its likely encodings
_UPLOAD_DOUBT: Slot[Doubt | None] = large(Slot("_upload_doubt", nothing))
# The encoding it was read in
_UPLOAD_ENCODING: Slot[str] = Slot("_upload_encoding", str)

# The source that was chosen when there was last a text, and that text
_LAST: Slot[tuple[str, Corpus] | None] = large(Slot("_last_corpus", nothing))

_FIRST = SOURCES.slugs[0]
_PREVIEWED = 26  # characters of a text that the empty field shows; Text beside it names the text
_SAMPLE_LIST = Listing("sample-", text_menu.rows, text_menu.contents)
TYPED = ("paste", "words")  # the sources whose text is typed into `corpus_text`
_UPLOAD = UploadedTexts(
    "corpus_upload", "corpus_encoding", _UPLOADED, _UPLOAD_PROBLEM, _UPLOAD_DOUBT, _UPLOAD_ENCODING
)


def chosen_source() -> str:
    """Return the source that the viewer has chosen, before its control is drawn."""
    source = st.session_state.get("corpus_source")
    return str(source) if source in SOURCES.slugs else _FIRST


def chosen_sample() -> str:
    """Return the slug of the sample that the viewer has chosen, before its control is drawn."""
    slug = st.session_state.get("corpus_sample")
    return str(slug) if slug in SAMPLES.slugs else SAMPLES.slugs[0]


def shown_source() -> str:
    """Return the source of the text that is shown: the chosen one, or while that has no text, the one before."""
    source = chosen_source()
    if _has_text(source):
        return source
    last = _LAST.read()
    return last[0] if last else _FIRST


def _has_text(source: str) -> bool:
    """Return whether this source has a text that can be shown."""
    if source == "sample":
        return True
    if source == "upload":
        return _UPLOADED.read() is not None
    try:
        _read_typed(source, _text_to_show(source))
    except BPEError:
        return False
    return True


def first_words(most: int) -> str:
    """Return the first words of the text that is shown, in at most so many characters and an ellipsis.

    Before its controls are drawn.
    """
    source, last = shown_source(), _LAST.read()
    text = _text_to_show(source) if source == chosen_source() or last is None else last[1].reading_text
    return corpora.first_words(text, most)


def title() -> str:
    """Return the name of the text that is shown, before its controls are drawn."""
    source = shown_source()
    if source == "paste":
        return corpora.OWN_TEXT
    if source == "words":
        return corpora.OWN_WORDS
    if source == "upload":
        files = _UPLOADED.read()
        return files.title if files else "Your files"
    return corpora.samples()[chosen_sample()].title


def draw() -> tuple[str, Corpus, str]:
    """Draw the menu of sources and the control of the chosen one.

    Return (source, corpus, what is wrong with the typed text). The corpus is the one before if there is none yet, or
    if something is wrong with it. What is wrong with a file is drawn beside it.
    """
    source = controls.segmented("corpus_source", "Text", SOURCES)
    corpus_of = {"sample": _sample, "paste": _pasted, "upload": _uploaded, "words": _words}
    try:
        corpus = corpus_of[source]()
    except BPEError as error:
        problem = "" if str(error) in corpora.REQUESTS else str(error)
        last = _LAST.read()
        if last is None:
            last = _FIRST, corpora.from_sample(SAMPLES.slugs[0])
        return *last, problem
    for note in corpus.notes:
        st.caption(in_markdown(note, most=300))
    _LAST.write((source, corpus))
    return source, corpus, ""


def _sample() -> Corpus:
    slug = st.session_state["corpus_sample"] = chosen_sample()
    draw_list(_SAMPLE_LIST, SAMPLES.slugs, "corpus_sample", "Sample")
    st.caption(in_markdown(corpora.samples()[slug].about, most=500))
    return corpora.from_sample(slug)


def _pasted() -> Corpus:
    st.caption("Type or paste it into the field beside the menus.")
    return _read_typed("paste", _typed_text())


def _words() -> Corpus:
    st.caption(
        "Use the field beside the menus: one word per line, followed by its count (1 if you leave it out)."
    )
    return _read_typed("words", _typed_text())


def _read_typed(source: str, text: str) -> Corpus:
    if source == "paste":
        return corpora.from_text(text)
    corpora.refuse_too_long(text, "Shorten the list.")
    return _from_words(text)


def _typed_text() -> str:
    return str(st.session_state.get("corpus_text") or "")


@st.cache_resource(scope="session", max_entries=1, show_spinner=False)
def _from_words(text: str) -> Corpus:
    """Return the corpus of the word list. The session caches the last one, since a long list takes a while."""
    return corpora.from_words(text)


def draw_field(label: str, beside: Beside, *, is_pages: bool = True, plays: bool = False) -> None:
    """Draw the field for the training text. While a sample or a file is shown, it is empty and shows its beginning.

    beside: what comes with it, without the texts of these sources.
    is_pages: whether the page is about this text. plays: whether Space plays it.

    Each typed source has its own text. What is typed while a sample or a file is shown becomes the viewer's own text.
    """
    source = chosen_source()
    text = _text_to_show(source)
    if text != st.session_state.get("corpus_text", ""):
        st.session_state["corpus_text"] = text
    _TYPED_SOURCE.write(source)

    def restored(texts: dict[str, str]) -> None:
        _restore(texts)
        if beside.restore:
            beside.restore(texts)

    words = source == "words"
    text_field(
        "Words and counts, one word per line" if words else label,
        key="corpus_text",
        name=source if source in TYPED else "paste",
        test_id="your-text" if is_pages else "training-text",
        is_pages=is_pages,
        folds=True,
        most=corpora.MOST_TYPED,
        placeholder="low 5, lower 2, newest 6 …" if words else _preview(),
        says="It trains half a second after you stop typing.",
        plays=plays,
        aside=source not in TYPED,
        on_change=partial(_keep_draft, source),
        beside=replace(beside, kept=(*TYPED, *beside.kept), restore=restored),
    )


def _text_to_show(source: str) -> str:
    """Return the text that belongs in the field while this source is chosen."""
    drafts = _drafts()
    before = _TYPED_SOURCE.read() or source
    text = _typed_text()
    switched = before != source and text == drafts.get(before, "")
    lost = not text and drafts.get(source, "")
    return drafts.get(source, "") if switched or lost else text


def _preview() -> str:
    """Return the beginning of the text that is shown, as one line."""
    source, last, files = shown_source(), _LAST.read(), _UPLOADED.read()
    if source == "sample":
        text = corpora.from_sample(chosen_sample()).reading_text
    elif source == "upload" and files is not None:  # `_LAST` has them when the menu below is drawn
        text = files.reading_text
    else:
        text = last[1].reading_text if last else ""
    line = " ".join(text[:300].split())
    if len(line) <= _PREVIEWED:
        return line
    start = line[:_PREVIEWED]
    return f"{start.rpartition(' ')[0] or start} …"


def _keep_draft(source: str) -> None:
    """Store the text under the source for which it was typed, as that may change in the same rerun. A callback."""
    text = _typed_text()
    if source in TYPED:
        _drafts()[source] = text
    elif text.strip():
        put_text("paste", text)


def _drafts() -> dict[str, str]:
    """Return {source: text typed for it}."""
    drafts = _DRAFTS.read()
    for source in TYPED:
        drafts.setdefault(source, "")
    return drafts


def _restore(texts: dict[str, str]) -> None:
    """Restore the texts that the browser stored before a reload, for every source that has none."""
    drafts = _drafts()
    for source in TYPED:
        drafts[source] = drafts[source] or texts.get(source, "")


_WIDGETS = ("corpus_source", "corpus_sample", "corpus_text")


@dataclass(frozen=True, slots=True)
class Texts:
    """What the controls hold: the values of their widgets, the typed texts, and the uploaded files."""

    widgets: dict[str, object]  # without those that were not drawn yet
    drafts: dict[str, str]
    typed_source: str
    uploaded: Corpus | None
    doubt: Doubt | None
    encoding: str


def texts() -> Texts:
    """Return what the controls hold, to put it back later."""
    return Texts(
        {key: st.session_state[key] for key in _WIDGETS if key in st.session_state},
        dict(_drafts()),
        _TYPED_SOURCE.read(),
        _UPLOADED.read(),
        _UPLOAD_DOUBT.read(),
        _UPLOAD_ENCODING.read(),
    )


def put_back(texts: Texts) -> None:
    """Put back what the controls held. Call it before they are drawn."""
    for key in _WIDGETS:
        st.session_state.pop(key, None)
    st.session_state.update(texts.widgets)
    _DRAFTS.write(dict(texts.drafts))
    take_as_chosen(source for source, text in texts.drafts.items() if not text)
    _TYPED_SOURCE.write(texts.typed_source)
    _UPLOADED.write(texts.uploaded)
    _UPLOAD_PROBLEM.forget()
    _UPLOAD_DOUBT.write(texts.doubt)
    _UPLOAD_ENCODING.write(texts.encoding)


def put(corpus: Corpus) -> None:
    """Put this text into the control that suits it. Call it before the controls are drawn."""
    words, documents = corpus.frequencies, corpus.documents
    lines = "" if words is None else "\n".join(f"{word} {frequency}" for word, frequency in words.items())
    if words is not None and len(lines) <= corpora.MOST_PASTED:
        put_text("words", lines)
    elif len(documents) == 1 and len(documents[0]) <= corpora.MOST_PASTED:
        put_text("paste", documents[0])
    else:
        _UPLOAD.put(corpus, None)
        st.session_state["corpus_source"] = "upload"


def put_files(corpus: Corpus, doubt: Doubt | None) -> None:
    """Make this the corpus, as if its files had been uploaded. Call it before the controls are drawn."""
    _UPLOAD.put(corpus, doubt)
    st.session_state["corpus_source"] = "upload"


def put_sample(slug: str) -> None:
    """Make this sample the corpus. Call it before the controls are drawn."""
    st.session_state.update(corpus_source="sample", corpus_sample=slug)


def put_text(source: str, text: str) -> None:
    """Put a text into the control of a typed source. Call it before the controls are drawn."""
    _drafts()[source] = text
    _TYPED_SOURCE.write(source)
    st.session_state.update(corpus_source=source, corpus_text=text)


def _uploaded() -> Corpus:
    """Return the files' corpus. It is stored, since the uploader forgets its files when another source is shown."""
    st.file_uploader(
        "Text files",
        key="corpus_upload",
        accept_multiple_files=True,
        max_upload_size=corpora.MOST_UPLOADED // 10**6,
        on_change=_UPLOAD.read,
        help="Each file is a document of its own. No merge crosses from one into the next.",
    )
    st.caption(
        "Plain text of any kind: .txt, Markdown, HTML, CSV, JSON, source code. You can drop files anywhere on the page."
    )
    if st.session_state.get("corpus_upload") and _UPLOADED.read() is None and not _UPLOAD_PROBLEM.read():
        _UPLOAD.read()
    _UPLOAD.draw_reading()
    corpus = _UPLOADED.read()
    if corpus is None:
        raise BPEError(corpora.NO_FILE)
    if start_file.is_text_of(corpus):
        st.caption(f"Using {in_markdown(corpus.title)}, the file that the app was started with.")
    elif _UPLOAD_PROBLEM.read() or not st.session_state.get("corpus_upload"):
        st.caption(
            f"Using {in_markdown(corpus.title)}. Uploading again replaces it; reloading the page removes it."
        )
    return corpus
