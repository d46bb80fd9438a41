"""What is drawn, and how it reaches the browser.

A folder is a Streamlit component with its own JavaScript, which `component` registers and `served` serves. Beside them:
`text`, which makes what users write literal, tables, the colours of charts, styles, and what a `visit` remembers.
"""
