"""Streamlit's gaps: everything that is here only because Streamlit lacks something.

What browsers send: `widget_messages` and `late_messages` check it, with `put_before`; `message_checks`
are all of them.

What Streamlit's elements cannot do: `popover`, `stop_button`, `to_tabs`, `phone_menu` and `printed_parts`.

What Python cannot learn from the browser: `kept_text`, `link_fragment` and `address`.
"""
