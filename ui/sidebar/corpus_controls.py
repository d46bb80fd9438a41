"""The controls that bring a corpus: sample, pasted text, uploaded files, word list. Nothing typed is lost."""

import streamlit as st

from bpe import BPEError
from ui.show.text import in_markdown
from ui.sidebar import corpus as corpora
from ui.sidebar.controls import choose
from ui.sidebar.corpus import Corpus
from ui.sidebar.recipe import PATTERN

TYPED = ("paste", "words")  # the sources whose text is typed into `corpus_text`


def draw(source: str) -> tuple[Corpus | None, str]:
    """(the corpus, "") or (None, what is wrong), below the control that brings it."""
    drawn = {"sample": _sample, "paste": _pasted, "upload": _uploaded, "words": _words}
    try:
        corpus = drawn[source]()
    except BPEError as error:
        return None, str(error)
    for note in corpus.notes:
        st.caption(in_markdown(note, most=300))
    return corpus, ""


def _sample() -> Corpus:
    slug = choose("corpus_sample", "Sample")
    st.caption(in_markdown(corpora.samples()[slug].about, most=500))
    return corpora.from_sample(slug)


def _pasted() -> Corpus:
    return corpora.from_text(_typed("paste", "Your text", "Paste or type a text here."))


def _words() -> Corpus:
    text = _typed("words", "Words and counts", "low 5\nlower 2\nnewest 6\nwidest 3")
    st.caption("One word a line, then how often it occurs; without a number it counts once.")
    return corpora.from_words(text)


def _typed(source: str, label: str, placeholder: str) -> str:
    """One text area for both typed sources, each with a text of its own."""
    drafts = _drafts()
    before = st.session_state.get("_typed_source", source)
    text = st.session_state.get("corpus_text") or ""
    switched = before != source and text == drafts[before]
    restored = not text and drafts[source]
    if switched or restored:
        st.session_state["corpus_text"] = drafts[source]
    st.session_state["_typed_source"] = source
    typed = st.text_area(
        label,
        key="corpus_text",
        height=180,
        max_chars=corpora.MOST_PASTED,
        placeholder=placeholder,
        persist_state="session",
        on_change=_keep_draft,
        args=(source,),
    )
    drafts[source] = typed
    st.caption(
        "Ctrl+Enter takes it. The text stays in this browser tab and on the machine that runs this app."
    )
    return typed


def _keep_draft(source: str) -> None:
    """The text belongs to the source it was typed under, even if the source changed in the same moment."""
    _drafts()[source] = st.session_state["corpus_text"]


def restore(texts: dict[str, str]) -> None:
    """What the browser kept over a reload, for every field that holds nothing yet."""
    drafts = _drafts()
    for source in TYPED:
        drafts[source] = drafts[source] or texts.get(source, "")
    if texts.get("pattern") and st.session_state.get("pattern", PATTERN) == PATTERN:
        st.session_state["pattern"] = texts["pattern"]


def take(corpus: Corpus) -> None:
    """Make this the corpus, in the control that suits it; call it before the controls are drawn."""
    words, documents = corpus.frequencies, corpus.documents
    if words is not None:
        _type("words", "\n".join(f"{word} {frequency}" for word, frequency in words.items()))
    elif len(documents) == 1 and len(documents[0]) <= corpora.MOST_PASTED:
        _type("paste", documents[0])
    else:
        st.session_state["_uploaded"] = corpus
        st.session_state["corpus_source"] = "upload"


def _type(source: str, text: str) -> None:
    _drafts()[source] = text
    st.session_state.update({"corpus_source": source, "corpus_text": text, "_typed_source": source})


def _drafts() -> dict[str, str]:
    """What was typed under each source."""
    drafts: dict[str, str] = st.session_state.setdefault("_drafts", dict.fromkeys(TYPED, ""))
    return drafts


def _uploaded() -> Corpus:
    """The files' corpus outlives the uploader, which forgets its files when another source is shown."""
    st.file_uploader(
        "Text files",
        key="corpus_upload",
        accept_multiple_files=True,
        max_upload_size=corpora.MOST_UPLOADED // 10**6,
        on_change=_take_files,
        help="Each file is a document: no pair crosses from one into the next.",
    )
    if st.session_state.get("corpus_upload") and "_uploaded" not in st.session_state:
        _take_files()
    kept = st.session_state.get("_uploaded")
    if isinstance(kept, Corpus):
        if not st.session_state.get("corpus_upload"):
            st.caption(
                f"Still here: {in_markdown(kept.title)}. A new upload replaces it; a reload forgets it."
            )
        return kept
    raise BPEError(kept) if kept else BPEError(corpora.NO_FILE)


def _take_files() -> None:
    files = st.session_state["corpus_upload"]
    try:
        st.session_state["_uploaded"] = corpora.from_files([(file.name, file.getvalue()) for file in files])
    except BPEError as error:
        st.session_state["_uploaded"] = str(error)
