"""The choice of a held-out text for Compare: what the session stores of it, and how a share file holds it."""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from bpe import BPEError
from ui.trainings import corpus as corpora
from ui.trainings import memory_budget
from ui.trainings.corpus import Corpus
from ui.trainings.encodings import ENCODINGS, Doubt
from ui.view import visit
from ui.view.text import in_markdown, shortened
from ui.view.text_field import take_as_chosen
from ui.view.visit import Slot, large, nothing

_MOST_SHOWN = 60  # characters of a field's name, and of its first words
_NEEDED = 4  # times the bytes of an upload: the memory that it takes to read it
_reading = threading.Lock()  # one upload is read at a time


@dataclass(frozen=True, slots=True)
class UploadedTexts:
    """The files of one uploader, and where the session stores what they hold."""

    uploader: str  # key of the widget
    menu: str  # key of the menu of encodings
    texts: Slot[Corpus | None]
    problem: Slot[str]  # the sentence why the last files could not be read; the documents before them stay
    doubt: Slot[Doubt | None]  # the files if they can be read in several ways
    encoding: Slot[str]  # in which these files were read

    def read(self) -> None:
        """Read the uploaded files. Files that cannot be read change nothing. A callback."""
        files = st.session_state[self.uploader]
        if not files:
            return self.problem.forget() if self.problem.read() else self.forget()
        try:
            size = sum(file.size for file in files)
            corpora.refuse_too_large(size)  # before they are copied
            with _reading:
                memory_budget.refuse(_NEEDED * size)
                corpus, doubt = corpora.read_files([(file.name, file.getvalue()) for file in files])
        except BPEError as error:
            return self.problem.write(str(error))
        for menu in (self.menu, self._fields_menu):
            st.session_state.pop(menu, None)
        return self.put(corpus, doubt)

    def put(self, corpus: Corpus, doubt: Doubt | None) -> None:
        """Store documents and their doubt, as if they had been uploaded."""
        self.texts.write(corpus)
        self.problem.forget()
        self.doubt.write(doubt)
        self.encoding.write("" if doubt is None else next(iter(doubt.previews), ""))

    def forget(self) -> None:
        """Forget the files."""
        self.texts.forget()
        self.problem.forget()
        self.doubt.forget()
        self.encoding.forget()

    def draw_reading(self) -> None:
        """Draw why the files cannot be read, and the menus of encodings and of fields, if there are several.

        They show some of the file's characters in each encoding that it may have, and the first words of each field.
        """
        if self.problem.read():
            st.error(in_markdown(self.problem.read(), most=500), icon=":material/error:")
        doubt = self.doubt.read()
        if doubt is None:
            return
        encoding = self._draw_encodings(doubt.previews) if doubt.previews else ""
        field = self._draw_fields(doubt) if doubt.fields else ""
        if (encoding, field) != (self.encoding.read(), doubt.field):
            is_decoded_anew = encoding != self.encoding.read()
            self.encoding.write(encoding)
            self.doubt.write(replace(doubt, field=field))
            try:
                read = _decoded if is_decoded_anew else corpora.read_files
                corpus, doubt = read(doubt.files, encoding, field)
                self.texts.write(corpus)
                self.doubt.write(doubt)
                self.problem.forget()
                if is_decoded_anew:
                    st.session_state.pop(self._fields_menu, None)
            except BPEError as error:
                self.problem.write(str(error))
            st.rerun()  # the button above says the name of the text before

    @property
    def _fields_menu(self) -> str:
        return f"{self.menu}_field"

    def _draw_fields(self, doubt: Doubt) -> str:
        def first(field: str) -> str:
            words = corpora.first_words(doubt.fields[field], _MOST_SHOWN)
            return f"{shortened(field, _MOST_SHOWN)}: {words}" if field else f"The file as it is: {words}"

        # Set, and not only begun with: a menu that is open in the browser would show the name in the encoding before.
        st.session_state.setdefault(self._fields_menu, doubt.field)
        return str(
            st.selectbox(
                "Read the field",
                list(doubt.fields),
                key=self._fields_menu,
                format_func=first,
                help="The file holds records. Each is a document of its own, and only this field of it is read.",
            )
        )

    def _draw_encodings(self, previews: Mapping[str, str]) -> str:
        st.session_state.setdefault(self.menu, next(iter(previews)))  # set, as the menu of fields is
        encoding = st.selectbox(
            "Read the file as",
            list(previews),
            key=self.menu,
            format_func=lambda slug: f"{ENCODINGS[slug]}: {previews[slug]}",
            persist_state="session",
            help="If letters look wrong, choose the encoding in which they look right. Files in UTF-8 stay as they "
            "are.",
        )
        return str(encoding)


def _decoded(files: Sequence[tuple[str, bytes]], encoding: str, field: str) -> tuple[Corpus, Doubt | None]:
    """Return what the files hold in another encoding, in which the field may have another name: then as by default."""
    corpus, doubt = corpora.read_files(files, encoding)
    if doubt is None or field == doubt.field or field not in doubt.fields:
        return corpus, doubt
    return corpora.read_files(files, encoding, field)


# The uploaded held-out documents
_TEST_FILES: Slot[Corpus | None] = large(Slot("_test_files", nothing))
# Why the last files could not be read
_TEST_PROBLEM: Slot[str] = Slot("_test_problem", str)
# The files if one is not UTF-8
_TEST_DOUBT: Slot[Doubt | None] = large(Slot("_test_doubt", nothing))
# The encoding they were read in
_TEST_ENCODING: Slot[str] = Slot("_test_encoding", str)
# Whether a part of the text is set aside: "yes", "no", or "" for the default
_SET_ASIDE: Slot[str] = Slot("_set_aside", str)

TEXT = "test_text"  # key of the field for a text
MOST_CHARACTERS = 100_000  # of a typed text that are used
YES, NO = "yes", "no"
LINK = {"set_aside": (_SET_ASIDE.key, visit.slug(YES, NO))}
FILES = UploadedTexts("test_upload", "test_encoding", _TEST_FILES, _TEST_PROBLEM, _TEST_DOUBT, _TEST_ENCODING)


def set_aside() -> str:
    """Return whether a part of the training text is set aside: YES, NO, or "" if nobody has chosen."""
    return _SET_ASIDE.read()


def choose_aside(choice: str) -> None:
    """Set a part of the training text aside, or not; "" for what is best for the text."""
    _SET_ASIDE.write(choice)


def files() -> Corpus | None:
    """Return the uploaded documents."""
    return _TEST_FILES.read()


def typed() -> str:
    """Return the typed text, or its beginning."""
    text = str(st.session_state.get(TEXT) or "")[:MOST_CHARACTERS]
    return text if text.strip() else ""


def is_cut() -> bool:
    """Return whether more has been typed than is used."""
    return len(st.session_state.get(TEXT) or "") > MOST_CHARACTERS


def write_shared() -> dict[str, Any] | None:
    """Return the choice for a share file; None if nothing was chosen."""
    corpus, text = files(), typed()
    fields: dict[str, Any] = {"set_aside": set_aside()} if set_aside() else {}
    if corpus is not None:
        fields |= {"title": corpus.title, "documents": list(corpus.documents)}
    elif text:
        fields["text"] = text
    return fields or None


def read_shared(field: object) -> Callable[[], None]:
    """Return a function that puts the choice of a share file into the session; None stands for no choice.

    Raises BPEError for a field that holds no choice.
    """
    if field is None:
        field = {}
    if not isinstance(field, Mapping):
        raise BPEError("The share file's field “held_out” must contain a text, documents or set_aside.")
    choice, text, documents = field.get("set_aside", ""), field.get("text", ""), field.get("documents")
    if not isinstance(choice, str) or choice not in ("", YES, NO):
        raise BPEError("The share file's field held_out.set_aside must be “yes” or “no”.")
    if not isinstance(text, str) or len(text) > MOST_CHARACTERS:
        raise BPEError(
            f"The share file's field held_out.text must be a string of at most {MOST_CHARACTERS:,} characters."
        )
    corpus = None if documents is None else _read_documents(documents, field.get("title"))

    def put() -> None:
        choose_aside(choice)
        FILES.forget()
        if corpus is not None:
            FILES.put(corpus, None)
        st.session_state[TEXT] = text
        take_as_chosen([TEXT])

    return put


def _read_documents(documents: object, title: object) -> Corpus:
    if not isinstance(documents, list) or not all(isinstance(document, str) for document in documents):
        raise BPEError("The share file's field held_out.documents must be a list of texts.")
    return corpora.from_documents(documents, str(title or "Shared text")[:200])
