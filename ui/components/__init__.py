"""Components: everything this app draws with its own JavaScript, as Streamlit components (version 2)."""
