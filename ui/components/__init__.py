"""The parts of the app that have their own JavaScript, as Streamlit components. `component` registers one."""
