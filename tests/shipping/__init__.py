"""Tests of what is shipped: the wheel, the hosting, the gallery, the notebook's widget."""
