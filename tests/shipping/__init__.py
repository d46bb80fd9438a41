"""Tests of what is shipped: the wheel, the hosting and the gallery."""
