"""The parts of the app that have their own JavaScript, as Streamlit components (version 2). `component` registers one."""
