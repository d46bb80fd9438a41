"""The user interface that the pages share. Only this package and the pages import streamlit, pandas and plotly."""
