"""Intervals for a difference: `bootstrap` for many units, `exact_bound` for few."""
