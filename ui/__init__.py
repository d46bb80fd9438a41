"""The user interface. With pages/ and app.py, only this package imports streamlit, pandas and plotly."""
