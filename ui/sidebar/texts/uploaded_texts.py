"""Uploaded text files: what the session stores of one upload, and the menu of encodings for those not in UTF-8."""

import threading
from dataclasses import dataclass

import streamlit as st

from bpe import BPEError
from ui.sidebar.texts import corpus as corpora
from ui.sidebar.texts.corpus import Corpus
from ui.sidebar.texts.encodings import ENCODINGS, Doubt
from ui.visit import Slot
from ui.work import memory_budget

NEEDED = 4  # times the bytes of an upload: the memory that it takes to read it
_reading = threading.Lock()  # one upload is read at a time


@dataclass(frozen=True, slots=True)
class UploadedTexts:
    """The files of one uploader, and where the session stores what they hold."""

    uploader: str  # key of the widget
    menu: str  # key of the menu of encodings
    texts: Slot[Corpus | str | None]  # the documents, or the sentence why there are none
    doubt: Slot[Doubt | None]  # the files if one is not UTF-8, with its likely encodings
    encoding: Slot[str]  # in which these files were read

    def read(self) -> None:
        """Read the uploaded files. A callback."""
        files = st.session_state[self.uploader]
        st.session_state.pop(self.menu, None)
        self.doubt.forget()
        try:
            size = sum(file.size for file in files)
            corpora.refuse_too_large(size)  # before they are copied
            with _reading:
                memory_budget.refuse(NEEDED * size)
                corpus, doubt = corpora.read_files([(file.name, file.getvalue()) for file in files])
        except BPEError as error:
            self.texts.write(str(error))
            return
        self.put(corpus, doubt)

    def put(self, corpus: Corpus, doubt: Doubt | None) -> None:
        """Store documents and their doubt, as if they had been uploaded."""
        self.texts.write(corpus)
        self.doubt.write(doubt)
        self.encoding.write("" if doubt is None else next(iter(doubt.previews)))

    def forget(self) -> None:
        """Forget the files."""
        self.texts.forget()
        self.doubt.forget()
        self.encoding.forget()

    def draw_encoding(self) -> None:
        """Draw the menu of the encodings that a file may have which is not UTF-8, each with some of its characters."""
        doubt = self.doubt.read()
        if doubt is None:
            return
        previews = doubt.previews
        encoding = st.selectbox(
            "Read the file as",
            list(previews),
            key=self.menu,
            format_func=lambda slug: f"{ENCODINGS[slug]}: {previews[slug]}",
            persist_state="session",
            help="If letters look wrong, choose the encoding in which they look right. Files in UTF-8 stay as they "
            "are.",
        )
        if encoding != self.encoding.read():
            self.encoding.write(encoding)
            try:
                self.texts.write(corpora.from_files(doubt.files, encoding))
            except BPEError as error:
                self.texts.write(str(error))
