"""The held-out text of Compare: a text of the viewer's, a part of the corpus that is set aside, or a sample.

No lane is trained on it.
"""

from dataclasses import dataclass

import streamlit as st

from bpe import BPEError
from bpe.analysis.held_out import FEWEST, held_out, set_aside
from bpe.analysis.text_overlap import text_overlap
from bpe.analysis.verdict import KNOWN
from ui import session
from ui.byte_cache import ByteCache
from ui.components.kept_text import kept_text
from ui.show.text import in_markdown
from ui.sidebar import corpus as corpora
from ui.sidebar.corpus import Corpus, samples

KEY, UPLOAD, ASIDE = "test_text", "test_upload", "test_set_aside"
EXAMPLE = "the newest towers are lower than the widest and highest hills, and the lowest is the oldest"
MOST_CHARACTERS = 100_000  # typed
READ = 1_000_000  # characters of the corpus that are read to choose a sample
SIMILAR = 2 / 3  # of the largest share of known words: samples with more are similar enough
MOST_OVERLAP = 0.05  # share of a sample's word sequences that may occur in the corpus


@dataclass(frozen=True, slots=True)
class HeldOutText:
    """Documents that no lane is trained on."""

    title: str  # what they are, for the middle of a sentence
    documents: tuple[str, ...]

    @property
    def text(self) -> str:
        """All documents, one below the other."""
        return "\n".join(self.documents)


def split_corpus(corpus: Corpus) -> tuple[Corpus, HeldOutText]:
    """Return the corpus to train on and the held-out text, as the viewer has chosen."""
    if st.session_state.get(ASIDE) and can_be_set_aside(corpus):
        return _with_part_aside(corpus.digest, corpus)
    return corpus, held_out_text(corpus)


@st.cache_resource(scope="session", max_entries=1, show_spinner=False)
def _with_part_aside(digest: str, _corpus: Corpus) -> tuple[Corpus, HeldOutText]:
    """Return the rest of the corpus and what is set aside. The session caches the last one."""
    rest, aside = set_aside(_corpus.documents)
    return (
        corpora.from_documents(rest, _corpus.title),
        HeldOutText("every tenth part of your text, which is set aside", tuple(aside)),
    )


def can_be_set_aside(corpus: Corpus) -> bool:
    """Return whether the corpus is a text that is long enough to set a part of it aside."""
    return corpus.frequencies is None and held_out(corpus.documents).has_enough


def held_out_text(corpus: Corpus) -> HeldOutText:
    """Return the files that were uploaded, or the typed text, or a sample."""
    files = session.TEST_FILES.read()
    if isinstance(files, Corpus):
        return HeldOutText(f"“{files.title}”", files.documents)
    typed = st.session_state.get(KEY) or ""
    if typed.strip():
        return HeldOutText("the text that you typed", (typed,))
    return default_text(corpus)


def default_text(corpus: Corpus) -> HeldOutText:
    """Return the sample that shares most words with the corpus and is not part of it; else an example sentence."""
    slug = _CHOSEN.get(corpus.digest, lambda: _best_sample(corpus))
    if not slug:
        return HeldOutText("an example sentence", (EXAMPLE,))
    return HeldOutText(f"the sample “{samples()[slug].title}”", corpora.from_sample(slug).documents)


_CHOSEN: ByteCache[str] = ByteCache(100_000)  # digest of a corpus -> slug of a sample, or ""


def _best_sample(corpus: Corpus) -> str:
    """Return the slug of the longest sample that shares many words with the corpus; "" if none does."""
    text = corpus.reading_text[:READ]
    words = set(text.split())

    def known(slug: str) -> float:
        own = corpora.from_sample(slug).reading_text.split()
        return sum(word in words for word in own) / len(own)

    def overlaps(slug: str) -> bool:
        overlap = text_overlap(corpora.from_sample(slug).documents, text)
        return overlap is not None and overlap.share > MOST_OVERLAP

    share_of = {
        slug: known(slug)
        for slug, sample in samples().items()
        if sample.kind == "text"
        and held_out(corpora.from_sample(slug).documents).has_enough
        and not overlaps(slug)
    }
    most = max(share_of.values(), default=0.0)
    if most < KNOWN:
        return ""
    similar = [slug for slug, share in share_of.items() if share >= max(KNOWN, most * SIMILAR)]
    return max(similar, key=lambda slug: corpora.from_sample(slug).characters)


def draw_controls(corpus: Corpus, used: HeldOutText) -> None:
    """Draw the field for a text, the upload and the choice to set a part of the corpus aside."""
    st.caption(f"Held-out text, not used in training: {in_markdown(used.title, 200)}.")
    text_field()
    st.file_uploader(
        "Or upload text files, one document each",
        key=UPLOAD,
        accept_multiple_files=True,
        max_upload_size=corpora.MOST_UPLOADED // 10**6,
        on_change=_read_files,
    )
    problem = session.TEST_FILES.read()
    if isinstance(problem, str):
        st.error(in_markdown(problem, most=500))
    elif problem is not None:
        row = st.container(horizontal=True, vertical_alignment="center")
        row.caption(f"Uses {in_markdown(problem.title, 200)}.")
        row.button("Remove the files", key="test_remove", on_click=session.TEST_FILES.forget)
    enough = can_be_set_aside(corpus) or bool(st.session_state.get(ASIDE))
    st.toggle(
        "Set aside every tenth part of your text and train on the rest",
        key=ASIDE,
        persist_state="session",
        disabled=not enough,
        help="No other text is as much like yours. The lanes are trained again without that part, so their merges "
        f"can differ from those on Watch. Your text must have at least {FEWEST} lines.",
    )


def text_field() -> None:
    """Draw the field for the text. The text survives changes of tab and page, and reloads."""
    st.text_area(
        "Your test text",
        key=KEY,
        height=90,
        max_chars=MOST_CHARACTERS,
        placeholder="A text that is like yours but not part of it. Leave it empty to use a sample.",
        persist_state="session",
    )
    kept_text({KEY: KEY}, (KEY,), key="_kept_test_text", restore=_restore)
    st.caption(
        "New text, not used in training. Press Ctrl+Enter to apply it. It stays in this browser tab and on the "
        "computer that runs the app."
    )


def _restore(texts: dict[str, str]) -> None:
    if not st.session_state.get(KEY):
        st.session_state.update(texts)


def _read_files() -> None:
    files = [(file.name, file.getvalue()) for file in st.session_state[UPLOAD]]
    if not files:
        session.TEST_FILES.forget()
        return
    try:
        session.TEST_FILES.write(corpora.from_files(files))
    except BPEError as error:
        session.TEST_FILES.write(str(error))
