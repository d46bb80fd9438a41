"""Tests of `ui/streamlit_gaps`."""
