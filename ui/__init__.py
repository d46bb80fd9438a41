"""What the pages share: the only code that knows streamlit, pandas and plotly."""
