"""The held-out text of Compare: a text of the viewer's, a part of the corpus that is set aside, or a sample.

No lane is trained on it. `bpe/comparison/held_out.py` decides what it is until the viewer chooses.
"""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from bpe.comparison import held_out
from bpe.comparison.held_out import FEWEST, HeldOutText
from ui.choices import held_out_choice
from ui.choices.held_out_choice import FILES, MOST_CHARACTERS, NO, TEXT, YES
from ui.page_parts.compare.lanes import ChosenLane
from ui.trainings import corpus as corpora
from ui.trainings.byte_cache import ByteCache
from ui.trainings.corpus import Corpus
from ui.view.text import in_markdown
from ui.view.text_field import text_field

_KEY, _ASIDE = TEXT, "test_set_aside"


def split_corpus(corpus: Corpus, lanes: Sequence[ChosenLane]) -> tuple[Corpus, HeldOutText]:
    """Return the corpus to train on and the held-out text: as the viewer has chosen, or the default."""
    choice = held_out_choice.set_aside()
    if choice == YES and _can_be_set_aside(corpus):
        return _with_part_aside(corpus.digest, corpus)
    own = _own_text()
    if own is not None:
        return corpus, own
    if choice == NO:
        return corpus, other_text(corpus)
    if _sets_aside(corpus, lanes):
        return _with_part_aside(corpus.digest, corpus)
    return corpus, replace(other_text(corpus), reason=_why_no_part(corpus))


def linked(corpus: Corpus, lanes: Sequence[ChosenLane]) -> dict[str, str | int | None]:
    """Return the link parameter of the choice; None if a link without it gives the same text."""
    choice = held_out_choice.set_aside()
    default = YES if _sets_aside(corpus, lanes) else NO
    return {"set_aside": choice if choice and choice != default else None}


def keep(text: HeldOutText) -> None:
    """Keep setting a part aside, or not: a branch picks pairs of the text that its lanes are trained on."""
    if _own_text() is None:
        held_out_choice.choose_aside(YES if text.is_part else NO)


def _own_text() -> HeldOutText | None:
    """Return the files that were uploaded, or the typed text."""
    files, typed = held_out_choice.files(), held_out_choice.typed()
    if files is not None:
        return HeldOutText(f"“{files.title}”", files.documents)
    beginning = f"the first {MOST_CHARACTERS:,} characters of " if held_out_choice.is_cut() else ""
    return HeldOutText(f"{beginning}the text that you typed", (typed,)) if typed else None


def _sets_aside(corpus: Corpus, lanes: Sequence[ChosenLane]) -> bool:
    """Return whether a part is set aside by default: if it can answer, and no pair of the whole text is picked."""
    is_picked = any(lane.recipe.picks for lane in lanes)
    return corpus.frequencies is None and not is_picked and not _why_no_part(corpus)


def _why_no_part(corpus: Corpus) -> str:
    if corpus.frequencies is not None:
        return ""
    return str(_REASONS.get(corpus.digest, lambda: held_out.why_no_part(corpus.documents)))


_REASONS: ByteCache[str] = ByteCache(100_000)  # digest of a corpus -> why no part of it is set aside


@st.cache_resource(scope="session", max_entries=1, show_spinner=False)
def _with_part_aside(digest: str, _corpus: Corpus) -> tuple[Corpus, HeldOutText]:
    """Return the rest of the corpus and what is set aside. The session caches the last one."""
    rest, text = held_out.with_part_aside(_corpus.documents)
    # The names belong to the whole texts, which the page Tokenizers measures.
    return replace(corpora.from_documents(rest, _corpus.title), named=_corpus.named), text


def _can_be_set_aside(corpus: Corpus) -> bool:
    """Return whether the corpus is a text that is long enough to set a part of it aside."""
    return corpus.frequencies is None and held_out.held_out(corpus.documents).has_enough


def other_text(corpus: Corpus) -> HeldOutText:
    """Return a sample that is like the corpus, or an example sentence."""
    return _OTHERS.get(corpus.digest, lambda: held_out.other_text(corpus.training_text))


_OTHERS: ByteCache[HeldOutText] = ByteCache(1_000_000)  # by digest of the corpus


def draw_controls(corpus: Corpus, used: HeldOutText) -> None:
    """Draw the field for a text, the upload and the choice to set a part of the corpus aside."""
    st.caption(
        f"Held-out text: {in_markdown(used.title, 300)}.",
        help=f"Not used in training: {in_markdown(used.about, 300)}.",
    )
    text_field(
        "Your test text",
        key=_KEY,
        most=corpora.MOST_TYPED,
        placeholder="A text that is like yours but not part of it. If you leave this empty, we choose one.",
        says="It is used half a second after you stop typing.",
        on_change=_use_own,
    )
    st.file_uploader(
        "Or upload text files, one document each",
        key=FILES.uploader,
        accept_multiple_files=True,
        max_upload_size=corpora.MOST_UPLOADED // 10**6,
        on_change=_read_files,
    )
    FILES.draw_reading()
    files = FILES.texts.read()
    if files is not None:
        row = st.container(horizontal=True, vertical_alignment="center")
        row.caption(" ".join(in_markdown(note, 300) for note in (f"Uses {files.title}.", *files.notes)))
        row.button("Remove the files", key="test_remove", on_click=FILES.forget)
    st.session_state[_ASIDE] = used.is_part
    st.toggle(
        "Set aside every tenth part of your text and train on the rest",
        key=_ASIDE,
        on_change=_choose_aside,
        disabled=not _can_be_set_aside(corpus) and not used.is_part,
        help="No other text is as similar to yours, so a long text is split this way unless you choose otherwise. "
        "The lanes are trained without that part, so their merges can differ from those on Watch. Your text must have "
        f"at least {FEWEST} different lines.",
    )


def _choose_aside() -> None:
    held_out_choice.choose_aside(YES if st.session_state[_ASIDE] else NO)


def _use_own() -> None:
    """Use the text that the viewer has given, whatever was chosen before."""
    held_out_choice.choose_aside("")


def _read_files() -> None:
    FILES.read()
    if st.session_state[FILES.uploader] and not FILES.problem.read():
        _use_own()
