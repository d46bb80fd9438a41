"""Serves one script of the tests as the app serves its own: with the files of the components."""

import os

import streamlit as st

from ui.view import served

app = st.App(os.environ["MERGE_BY_MERGE_PAGE"], routes=served.routes())
