"""Streamlit's gaps: everything that is here only because Streamlit lacks something.

The beginning of each file says what is missing, which issue of Streamlit's is about it, and when the file can go.

What browsers send: `widget_messages` and `late_messages` check it before Streamlit's own methods; `message_checks` are
all such checks, `put_before` is how. `upload_limits`, `own_address`, `allowed_hosts` and `page_addresses` stand before
all requests, as middleware. `run_context` knows whose run it is and whether that tab is still open, and ends the
sessions whose tab is not.

`listeners` do what the focus, a phone's menu and paper need on every page; `whole_queue` sends what waits for the
browser in its order, and `theme_once` makes the theme's message once. `first_frame` tells when a page's first screen is
alive; what is below it comes then, on the first page of a visit also the menus of the choices.

What the browser must be told before Streamlit's script runs: `page_addresses`; and `held_address`, what it must not be
told before a script of ours.
"""
