"""Showing: text, tables and charts made from traces."""
