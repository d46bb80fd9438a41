"""The controls that choose a corpus: sample, pasted text, uploaded files or word list. Typed text is never lost."""

from dataclasses import dataclass

import streamlit as st

from bpe import BPEError
from ui.show.text import in_markdown
from ui.sidebar import controls, start_file
from ui.sidebar import corpus as corpora
from ui.sidebar.corpus import Corpus
from ui.sidebar.encodings import Doubt
from ui.sidebar.held_out_choice import UploadedTexts
from ui.sidebar.settings import SAMPLES
from ui.visit import Slot, large, nothing

# The typed text by source
DRAFTS: Slot[dict[str, str]] = large(Slot("_drafts", dict))
# The source of the text area
TYPED_SOURCE: Slot[str] = Slot("_typed_source", str)
# The files' corpus, or what is wrong
UPLOADED: Slot[Corpus | str | None] = large(Slot("_uploaded", nothing))
# The files if one is not UTF-8, with its likely encodings
UPLOAD_DOUBT: Slot[Doubt | None] = large(Slot("_upload_doubt", nothing))
# The encoding it was read in
UPLOAD_ENCODING: Slot[str] = Slot("_upload_encoding", str)

TYPED = ("paste", "words")  # the sources whose text is typed into `corpus_text`
UPLOAD = UploadedTexts("corpus_upload", "corpus_encoding", UPLOADED, UPLOAD_DOUBT, UPLOAD_ENCODING)


def draw(source: str) -> tuple[Corpus | None, str]:
    """Draw the control of a source. Return (corpus, ""), or None and a sentence on the problem."""
    corpus_of = {"sample": _sample, "paste": _pasted, "upload": _uploaded, "words": _words}
    try:
        corpus = corpus_of[source]()
    except BPEError as error:
        return None, str(error)
    for note in corpus.notes:
        st.caption(in_markdown(note, most=300))
    return corpus, ""


def _sample() -> Corpus:
    slug = controls.menu("corpus_sample", "Sample", SAMPLES)
    st.caption(in_markdown(corpora.samples()[slug].about, most=500))
    return corpora.from_sample(slug)


def _pasted() -> Corpus:
    return corpora.from_text(_typed("paste", "Your text", "Paste or type a text here."))


def _words() -> Corpus:
    text = _typed("words", "Words and counts", "low 5\nlower 2\nnewest 6\nwidest 3")
    st.caption("One word per line, followed by its count (1 if you leave it out).")
    corpora.refuse_too_long(text, "Shorten the list.")
    return _from_words(text)


@st.cache_resource(scope="session", max_entries=1, show_spinner=False)
def _from_words(text: str) -> Corpus:
    """Return the corpus of the word list. The session caches the last one, since a long list takes a while."""
    return corpora.from_words(text)


def _typed(source: str, label: str, placeholder: str) -> str:
    """Draw one text area for both typed sources, each of which has its own text. Return the text."""
    drafts = _drafts()
    before = TYPED_SOURCE.read() or source
    text = st.session_state.get("corpus_text") or ""
    switched = before != source and text == drafts[before]
    lost = not text and drafts[source]
    if switched or lost:
        st.session_state["corpus_text"] = drafts[source]
    TYPED_SOURCE.write(source)
    text = st.text_area(
        label,
        key="corpus_text",
        height=180,
        max_chars=corpora.MOST_TYPED,
        placeholder=placeholder,
        persist_state="session",
        on_change=_keep_draft,
        args=(source,),
    )
    drafts[source] = text
    st.caption(
        "It trains half a second after you stop typing. The text stays in this browser tab and on the computer that "
        "runs the app."
    )
    return text


def _keep_draft(source: str) -> None:
    """Store the text under the source for which it was typed, as the source may change in the same rerun."""
    _drafts()[source] = st.session_state["corpus_text"]


def _drafts() -> dict[str, str]:
    """Return {source: text typed for it}."""
    drafts = DRAFTS.read()
    for source in TYPED:
        drafts.setdefault(source, "")
    return drafts


def restore(texts: dict[str, str]) -> None:
    """Restore the texts that the browser stored before a reload, for every source that has none."""
    drafts = _drafts()
    for source in TYPED:
        drafts[source] = drafts[source] or texts.get(source, "")


WIDGETS = ("corpus_source", "corpus_sample", "corpus_text")


@dataclass(frozen=True, slots=True)
class Texts:
    """What the controls hold: the values of their widgets, the typed texts, and the uploaded files."""

    widgets: dict[str, object]  # without those that were not drawn yet
    drafts: dict[str, str]
    typed_source: str
    uploaded: Corpus | str | None
    doubt: Doubt | None
    encoding: str


def texts() -> Texts:
    """Return what the controls hold, to put it back later."""
    return Texts(
        {key: st.session_state[key] for key in WIDGETS if key in st.session_state},
        dict(_drafts()),
        TYPED_SOURCE.read(),
        UPLOADED.read(),
        UPLOAD_DOUBT.read(),
        UPLOAD_ENCODING.read(),
    )


def put_back(texts: Texts) -> None:
    """Put back what the controls held. Call it before they are drawn."""
    for key in WIDGETS:
        st.session_state.pop(key, None)
    st.session_state.update(texts.widgets)
    DRAFTS.write(dict(texts.drafts))
    TYPED_SOURCE.write(texts.typed_source)
    UPLOADED.write(texts.uploaded)
    UPLOAD_DOUBT.write(texts.doubt)
    UPLOAD_ENCODING.write(texts.encoding)


def put(corpus: Corpus) -> None:
    """Put this text into the control that suits it. Call it before the controls are drawn."""
    words, documents = corpus.frequencies, corpus.documents
    lines = "" if words is None else "\n".join(f"{word} {frequency}" for word, frequency in words.items())
    if words is not None and len(lines) <= corpora.MOST_PASTED:
        put_text("words", lines)
    elif len(documents) == 1 and len(documents[0]) <= corpora.MOST_PASTED:
        put_text("paste", documents[0])
    else:
        UPLOADED.write(corpus)
        UPLOAD_DOUBT.forget()
        st.session_state["corpus_source"] = "upload"


def put_files(corpus: Corpus, doubt: Doubt | None) -> None:
    """Make this the corpus, as if its files had been uploaded. Call it before the controls are drawn."""
    UPLOAD.put(corpus, doubt)
    st.session_state["corpus_source"] = "upload"


def put_sample(slug: str) -> None:
    """Make this sample the corpus. Call it before the controls are drawn."""
    st.session_state.update(corpus_source="sample", corpus_sample=slug)


def put_text(source: str, text: str) -> None:
    """Put a text into the control of a typed source. Call it before the controls are drawn."""
    _drafts()[source] = text
    TYPED_SOURCE.write(source)
    st.session_state.update(corpus_source=source, corpus_text=text)


def _uploaded() -> Corpus:
    """Return the files' corpus. It is stored, since the uploader forgets its files when another source is shown."""
    st.file_uploader(
        "Text files",
        key="corpus_upload",
        accept_multiple_files=True,
        max_upload_size=corpora.MOST_UPLOADED // 10**6,
        on_change=UPLOAD.read,
        help="Each file is a document of its own. No merge crosses from one into the next.",
    )
    if st.session_state.get("corpus_upload") and UPLOADED.read() is None:
        UPLOAD.read()
    UPLOAD.draw_encoding()
    corpus = UPLOADED.read()
    if not isinstance(corpus, Corpus):
        raise BPEError(corpus or corpora.NO_FILE)
    if start_file.is_text_of(corpus):
        st.caption(f"Using {in_markdown(corpus.title)}, the file that the app was started with.")
    elif not st.session_state.get("corpus_upload"):
        st.caption(
            f"Using {in_markdown(corpus.title)}. Uploading again replaces it; reloading the page removes it."
        )
    return corpus
