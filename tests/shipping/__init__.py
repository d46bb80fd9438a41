"""Tests of what is shipped: the wheel, the hosting, the page without a server, the gallery, the notebook's widget."""
